import {
  auditActions,
  auditFilterNames,
  auditFilters,
  auditRecords,
  type AuditAction,
  type AuditFilters,
} from '../../../schemas/api/audit/audit.ts'
import { formatUsDate, isIsoDay } from '../../../schemas/dates.ts'

/** The filters besides the search text, which the list has in its own address (permissions 12). */
export const chosenNames = auditFilterNames.filter((name) => name !== 'search')
export type ChosenName = (typeof chosenNames)[number]
export type Chosen = Omit<AuditFilters, 'search'>

const isText = (text: string) => text !== '' && text.length <= auditFilters.person.maxLength
const isRight: Record<ChosenName, (text: string) => boolean> = {
  person: isText,
  record: (text) => Object.hasOwn(auditRecords, text),
  recordid: isText,
  kind: (text) => Object.hasOwn(auditActions, text),
  from: isIsoDay,
  to: isIsoDay,
}

/** The filters of an address; a value that is malformed or unknown counts as none (lists 2). */
export const readFilters = (params: URLSearchParams): Chosen =>
  Object.fromEntries(
    chosenNames.flatMap((name) => {
      const value = params.get(name)
      return value !== null && isRight[name](value) ? [[name, value]] : []
    }),
  )

/** The parameters with these filters in place of the old ones, from the first page on. */
export const writeFilters = (params: URLSearchParams, filters: AuditFilters): URLSearchParams => {
  const written = new URLSearchParams(params)
  for (const name of ['page', 'open', ...chosenNames]) written.delete(name)
  for (const name of chosenNames) if (filters[name]) written.set(name, filters[name])
  return written
}

export const recordTitle = (name: string) =>
  (auditRecords[name] ?? name).replace(/^./, (first) => first.toUpperCase())

/** The records of the two kinds of entry that begin with the same word. */
const undone: Partial<Record<AuditAction, string>> = { undo: 'import', undobulk: 'bulk' }

/** A kind of entry as the filter names it (permissions 13). */
export const actionTitle = (kind: AuditAction) => {
  const record = undone[kind]
  return auditActions[kind] + (record ? ` (${auditRecords[record]})` : '')
}

const valueText: Partial<Record<ChosenName, (value: string) => string>> = {
  record: recordTitle,
  kind: (value) => actionTitle(value as AuditAction),
  from: formatUsDate,
  to: formatUsDate,
}

/** 'Kind: Changed' */
export const filterText = (name: ChosenName, value: string): string =>
  `${auditFilters[name].title}: ${valueText[name]?.(value) ?? value}`

/** The search and the filters in words, as a printed list has them (lists 17). */
export const describeAuditFilters = ({ search, ...chosen }: AuditFilters): string[] => [
  ...(search ? [`Search: ${search}`] : []),
  ...chosenNames.flatMap((name) => (chosen[name] ? [filterText(name, chosen[name])] : [])),
]

export const isSame = (one: AuditFilters, other: AuditFilters) =>
  auditFilterNames.every((name) => (one[name] ?? '') === (other[name] ?? ''))
