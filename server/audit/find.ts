import { escapeIdentifier } from 'pg'
import {
  auditFilterNames,
  maxPagedEntries,
  type AuditDetail,
  type AuditEntryRow,
  type AuditFilters,
  type AuditQuery,
} from '../../schemas/api/audit/audit.ts'
import { entities } from '../../schemas/entities/index.ts'
import { ticketList } from '../../schemas/entities/ticket.ts'
import { foldName } from '../../schemas/usernames.ts'
import type { Db, Sql } from '../db/db.ts'
import { escapeLike } from '../db/search.ts'
import { notFound } from '../http/errors.ts'
import { isId } from '../http/ids.ts'
import { isOfImport, readNames, type RecordNames, type StoredEntry } from './names.ts'
import { describeChanges, recordText, sentenceOf } from './words.ts'

/** The text that is searched. The trigram index of migration 024 is on exactly this expression. */
const searched =
  `(username || ' ' || entityid || ' ' || ` +
  `coalesce(before::text, '') || ' ' || coalesce(after::text, ''))`

type Bind = (value: string) => string
/** The index holds trigrams; a shorter text would be searched in every entry. */
const indexedLength = 3

/** The condition of each filter; each has an index that also keeps the order (permissions 12). */
const conditions: Record<keyof AuditFilters, (value: string, bind: Bind) => string> = {
  person: byPerson,
  record: (value, bind) => (value === 'import' ? ofImports : `entity = ${bind(value)} and not ${ofImports}`),
  recordid: (value, bind) => `entityid = ${bind(value)}`,
  kind: (value, bind) => `action = ${bind(value)}`,
  from: (value, bind) => `at >= ${bind(value)}::date`,
  to: (value, bind) => `at < ${bind(value)}::date + 1`,
  search: (value, bind) => {
    if (value.length >= indexedLength) return `${searched} ilike ${bind(`%${escapeLike(value)}%`)}`
    return `(${byPerson(value, bind)} or entityid = ${bind(value)})`
  },
}
/**
 * The entries of a person, in any spelling of the name of a user (users 8); of a name that no user has any
 * more, in capital or small letters. One name is compared, so that the index also gives the order.
 */
function byPerson(name: string, bind: Bind): string {
  const typed = `lower(${bind(name)})`
  return `lower(username) = coalesce((
    select lower(u.username) from portal_user u
    where u.foldedname = ${bind(foldName(name))} or lower(u.username) = ${typed}
    order by lower(u.username) = ${typed} desc, u.id limit 1), ${typed})`
}
/** Imports are stored under the name of their kind, which may also be a kind of record. */
const ofImports = `action in ('import', 'undo')`

/** The condition, and its values, for the entries that pass these filters. */
export function conditionOf(filters: AuditFilters): { where: string; values: string[] } {
  const values: string[] = []
  const parts = auditFilterNames.flatMap((name) => {
    const value = filters[name]
    return value === undefined || value === ''
      ? []
      : [conditions[name](value, (bound) => `$${values.push(bound)}`)]
  })
  return { where: parts.length > 0 ? parts.join(' and ') : 'true', values }
}

export const entryColumns = `id, floor(extract(epoch from at))::bigint as at, username, address, action,
  entity, entityid, before, after`
export const newestFirst = 'order by audit.at desc, id desc'

/** An entry as it is listed. */
const listedEntry = (entry: StoredEntry, names: RecordNames): AuditEntryRow => {
  const { before: _before, after: _after, ...rest } = entry
  return { ...rest, what: sentenceOf(entry, names) }
}

/**
 * A page of the entries that pass the filters, newest first, and how many do, `maxPagedEntries` at most:
 * counting them all would read the whole audit.
 */
export async function listEntries(db: Db, { page, size, ...filters }: AuditQuery) {
  const { where, values } = conditionOf(filters)
  const [count] = await db.query<{ n: number }>(
    `select count(*) as n from (select from audit where ${where} limit ${maxPagedEntries + 1}) counted`,
    values,
  )
  const total_length = Math.min(count!.n, maxPagedEntries)
  const offset = (page - 1) * size
  if (offset >= total_length) return { data: [], total_length }
  // What is rare is found by its index and then sorted; in the order of time it would be looked for in all.
  const from = count!.n > maxPagedEntries ? `audit where ${where}` : 'found as audit'
  const found = `with found as materialized (select * from audit where ${where})`
  const entries = await db.query<StoredEntry>(
    `${from === 'found as audit' ? found : ''} select ${entryColumns} from ${from} ${newestFirst}
      limit ${Math.min(size, total_length - offset)} offset ${offset}`,
    values,
  )
  const names = await readNames(db, entries)
  return { data: entries.map((entry) => listedEntry(entry, names)), total_length }
}

/** One entry with its values. Throws an HttpError (404). */
export async function readEntry(db: Db, id: string): Promise<AuditDetail> {
  // An audit has more entries than an integer counts.
  const [entry] = /^[1-9]\d{0,15}$/.test(id)
    ? await db.query<StoredEntry>(`select ${entryColumns} from audit where id = $1`, [id])
    : []
  if (!entry) throw notFound('entry of the audit')
  const names = await readNames(db, [entry])
  return {
    ...listedEntry(entry, names),
    record: recordText(entry, names),
    changes: describeChanges(entry, names),
    path: await pathOf(db, entry),
  }
}

/** The screen that shows the record of an entry; null when there is none, or the record is gone. */
async function pathOf(sql: Sql, entry: StoredEntry): Promise<string | null> {
  const entity = entry.entity === ticketList.name ? ticketList : entities[entry.entity]
  if (isOfImport(entry)) return null
  if (entry.entity === 'month') return `/payouts?month=${entry.entityid}`
  if (!entity || !isId(entry.entityid)) return null
  const [row] = await sql.query(`select from ${escapeIdentifier(entity.table)} where id = $1`, [
    Number(entry.entityid),
  ])
  return row ? `${entity.path}?open=${entry.entityid}` : null
}
