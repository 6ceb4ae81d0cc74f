import {
  auditActions,
  auditRecords,
  type AuditAction,
  type AuditChange,
} from '../../schemas/api/audit/audit.ts'
import { findingKinds, type FindingKind } from '../../schemas/api/months/months.ts'
import type { Property } from '../../schemas/entities/entity.ts'
import { entities } from '../../schemas/entities/index.ts'
import { terms } from '../../schemas/entities/terms.ts'
import { ticketFields, ticketList } from '../../schemas/entities/ticket.ts'
import { commandAddress } from '../db/audit.ts'
import { monthName } from '../money/months.ts'
import { isOfImport, type RecordNames, type StoredEntry, type Values } from './names.ts'

const isNothing = (value: unknown) => value === null || value === undefined || value === ''
const dollarFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const dayFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC' })

/** One of several values: itself, the name of a file, or all that it holds. */
const itemText = (item: unknown): string => {
  if (typeof item !== 'object' || item === null) return String(item)
  return 'mimetype' in item && 'name' in item ? String(item.name) : JSON.stringify(item)
}

/** A stored value as the form of its record shows it; '' for none. */
export function valueText(value: unknown, property: Property | undefined, names: RecordNames): string {
  if (isNothing(value)) return ''
  if (value === '***') return 'hidden'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  const choice = property?.oneOf?.find((option) => option.const === value)
  if (choice) return choice.title
  const isNumber = typeof value === 'number'
  if (property?.kind === 'dollars' && isNumber) return dollarFormat.format(value)
  if (property?.kind === 'percent') return `${String(value)}%`
  if (property?.kind === 'seconds' && isNumber) return value > 0 ? dayFormat.format(value * 1000) : ''
  if (property?.to) return names(property.to, value) ?? String(value)
  if (Array.isArray(value)) return value.map(itemText).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What the values of other entries than those of records are called. */
const titles: Readonly<Record<string, string>> = {
  masteragentid: 'Master Agent',
  paidmonth: 'Paid in',
  repeats: 'Times more within a minute',
  missing: 'Refused because',
  path: 'Address of the call',
  sha256: 'SHA-256',
  lockversion: 'Version of the lock',
}
const titleOf = (field: string) =>
  titles[field] ?? field.replace(/^./, (letter) => letter.toUpperCase()).replaceAll('_', ' ')

/**
 * Fields that are left out of the changes: those that every record has, the password that is typed a second
 * time, and `own`, which says whether the ticket is the caller's.
 */
const leftOut = new Set(['id', 'version', 'labels', 'own', 'confirm_password'])

type Properties = Readonly<Record<string, Property>>
/** The properties of a ticket, which is no entity: those of its form and of its list. */
const ticketProperties: Properties = {
  ...ticketFields,
  ...ticketList.schema.properties,
  created: { kind: 'seconds', title: 'Created' },
}
function propertiesOf(entry: StoredEntry): Properties {
  if (isOfImport(entry)) return {}
  return entry.entity === ticketList.name
    ? ticketProperties
    : (entities[entry.entity]?.schema.properties ?? {})
}

/** What an entry holds of one field, or of each permission that a user has or had. */
type Field = { title: string; property: Property | undefined; before: unknown; after: unknown }

function fieldsOf(
  { action, before, after }: StoredEntry,
  name: string,
  property: Property | undefined,
): Field[] {
  const field = {
    title: property?.title ?? titleOf(name),
    property,
    before: before?.[name],
    after: after?.[name],
  }
  // The entry of a change holds each changed field, but no password that was set.
  if (property?.kind === 'password') return action === 'update' ? [{ ...field, after: '***' }] : []
  if (property?.kind !== 'permissions') return [field]
  const held = [field.before, field.after].map((given) => (given ?? {}) as Values)
  return Object.entries(property['properties'] as Properties)
    .filter(([permission]) => held[0]![permission] || held[1]![permission])
    .map(([permission, { title }]) => ({
      title: title ?? permission,
      property: undefined,
      before: held[0]![permission],
      after: held[1]![permission],
    }))
}

/** The fields of an entry that differ, in the order of the record's schema, as they are shown. */
export function describeChanges(entry: StoredEntry, names: RecordNames): AuditChange[] {
  const properties = propertiesOf(entry)
  const { before, after } = entry
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  const known = Object.keys(properties).filter((field) => fields.has(field))
  const others = [...fields].filter((field) => !(field in properties))
  return [...known, ...others]
    .filter((field) => !leftOut.has(field))
    .flatMap((field) =>
      fieldsOf(
        entry,
        field,
        properties[field] ?? (field === 'masteragentid' ? { to: 'masteragent' } : undefined),
      ),
    )
    .map(({ title, property, ...field }) => ({
      title,
      before: valueText(field.before, property, names),
      after: valueText(field.after, property, names),
    }))
    .filter((change) => change.before !== change.after || change.before === 'hidden')
}

/** 'merchant 000123', 'October 2026'; the name that the values hold, for a record that is gone. */
export function recordText(entry: StoredEntry, names: RecordNames): string {
  const { entity, entityid, before, after } = entry
  if (entity === 'month') return monthName(entityid)
  const noun = auditRecords[isOfImport(entry) ? 'import' : entity] ?? entity
  const own = ['xmid', 'displayid', 'username'].map((field) => (after ?? before)?.[field]).find(Boolean)
  const name = isOfImport(entry) ? entityid : (names(entity, entityid) ?? own ?? entityid)
  return `${isOfImport(entry) ? `${noun} of ${entity}` : noun} ${String(name)}`.trim()
}

/** The most characters of a value, and the most changes, in a sentence. */
const shown = { characters: 60, changes: 3 }
const shorten = (text: string) =>
  text.length > shown.characters ? `${text.slice(0, shown.characters - 1)}…` : text

function changeText({ title, before, after }: AuditChange): string {
  if (before === 'hidden' || after === 'hidden') return title
  return `${title} ${shorten(before) || 'nothing'} → ${shorten(after) || 'nothing'}`
}

const repeatText = ({ after }: StoredEntry) => {
  const times = after?.['repeats']
  return typeof times === 'number' ? `, ${times} ${times === 1 ? 'time' : 'times'} more` : ''
}

/** What an entry says, in a sentence: 'Changed merchant 000123: Master Agent MA0002 → MA0003'. */
export function sentenceOf(entry: StoredEntry, names: RecordNames): string {
  const verb = auditActions[entry.action as AuditAction] ?? entry.action
  const after = entry.after ?? {}
  // What the record of this entry is called has the verb in it.
  if (entry.entity === 'terms' && entry.action === 'accept') return `${verb} ${terms.noun} ${entry.entityid}`
  switch (entry.action) {
    case 'login':
      return verb
    case 'logout': {
      const device = entry.before?.['device']
      return device ? `Ended a session of ${recordText(entry, names)}: ${String(device)}` : verb
    }
    case 'password':
      return entry.address === commandAddress ? `Reset the password of ${recordText(entry, names)}` : verb
    case 'failedlogin':
      return `${verb}${entry.username === '' ? ' with a name that no user has' : ''}${repeatText(entry)}`
    case 'denied':
      return `${verb}${repeatText(entry)}: ${String(after['missing'] ?? '')} (${entry.entityid})`
    case 'update': {
      const changes = describeChanges(entry, names)
      const more = changes.length - shown.changes
      const texts = changes.slice(0, shown.changes).map(changeText)
      const rest = more > 0 ? ` and ${more} more` : ''
      return `${verb} ${recordText(entry, names)}: ${texts.join(', ')}${rest}`
    }
    case 'waive': {
      const keys = after['keys'] as readonly string[]
      const findings = keys.length === 1 ? 'a finding' : `${keys.length} findings`
      const what = findingKinds[after['kind'] as FindingKind]?.what ?? String(after['kind'])
      const reason = shorten(String(after['reason']))
      return `${verb} ${findings} of ${recordText(entry, names)}, ${what}: ${reason}`
    }
    default: {
      const reason = typeof after['reason'] === 'string' ? `: ${shorten(after['reason'])}` : ''
      return `${verb} ${recordText(entry, names)}${reason}${repeatText(entry)}`
    }
  }
}
