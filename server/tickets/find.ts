import type { ListQuery } from '../../schemas/api/paging.ts'
import type { Ticket, TicketSummary } from '../../schemas/api/tickets.ts'
import { secondsInDay } from '../../schemas/dates.ts'
import type { Row } from '../../schemas/entities/entity.ts'
import { propertyOf } from '../../schemas/entities/lists/columns.ts'
import { ticketList, ticketStatuses, ticketTypes } from '../../schemas/entities/ticket.ts'
import type { Sql } from '../db/db.ts'
import { searchText } from '../db/search.ts'
import {
  binder,
  codeArms,
  filterConditions,
  searchWords,
  wordPattern,
  type Bind,
} from '../entities/condition.ts'
import type { Caller } from '../http/call.ts'
import { notFound, HttpError, sortError } from '../http/errors.ts'
import { parseId } from '../http/ids.ts'
import { attachmentsOf } from './attachments.ts'

/**
 * The caller's own tickets and those of reporters in the row scope (tickets 7). `$1`: the scope, `$2`: the
 * caller.
 */
const visibleCondition = `(t.reporterid = $2 or $1::int[] is null
  or coalesce(u.masteragentid, t.masteragentid) = any ($1))`
/** Whole seconds, so that filters by UTC days include the last moment of a day. */
const createdSeconds = 'floor(extract(epoch from t.created_at))::bigint'
const tables = 'ticket t left join portal_user u on u.id = t.reporterid'
const columns = `t.id, t.version, t.agentoffice, t.agentname, t.email, t.tickettypeid, t.subject, t.statusid,
  t.reporter, ${createdSeconds} as created, coalesce(t.reporterid = $2, false) as own,
  (select count(*)::int from ticket_attachment a where a.ticketid = t.id) as attachments`
const searchedText = `(t.subject || ' ' || t.agentoffice || ' ' || t.agentname || ' ' || t.email
  || ' ' || t.reporter || ' ' || t.description)`

/** The title of a choice, by which its column is sorted. */
const titleExpression = (options: typeof ticketTypes, column: string) =>
  `case t.${column} ${options.map((option) => `when ${option.const} then '${option.title}'`).join(' ')} end`
const sortExpressions: Readonly<Record<string, string>> = {
  id: 't.id',
  subject: 'lower(t.subject)',
  tickettypeid: titleExpression(ticketTypes, 'tickettypeid'),
  statusid: titleExpression(ticketStatuses, 'statusid'),
  reporter: 'lower(t.reporter)',
  created: 't.created_at',
  attachments: 'attachments',
}

/** The SQL of the filters that are not plain columns of the table. */
const filteredExpressions: Readonly<Record<string, string>> = {
  created: createdSeconds,
  attachments: '(select count(*) from ticket_attachment a where a.ticketid = t.id)',
}

function orderBy(sort: string): string {
  if (sort === '') return 't.id desc'
  const column = sort.replace(/^-/, '')
  const order = Object.hasOwn(sortExpressions, column) && sortExpressions[column]
  if (!order) throw sortError(Object.keys(sortExpressions))
  return `${order} ${sort.startsWith('-') ? 'desc' : 'asc'}, t.id desc`
}

/** The search, order and filters of a list of tickets. */
type TicketQuery = Pick<ListQuery, 'search' | 'sort' | 'filter'>

/**
 * A ticket has the word in its texts or in the words for its codes, or the word is its number (tickets 8).
 */
function wordCondition(word: string, bind: Bind): string {
  const coded = ticketList.list.columns.filter(({ as }) => as === 'choice')
  const arms = [
    `${searchText(searchedText)} like ${wordPattern(word, bind)}`,
    `t.id::text = ${bind(word.replace(/^#/, ''))}`,
    ...coded.flatMap((column) =>
      codeArms(`t.${column.field}`, { column, property: propertyOf(ticketList, column), word, bind }),
    ),
  ]
  return `(${arms.join(' or ')})`
}

/** Throws an HttpError (403) without a validated email (tickets 1). */
export function requireEmail({ email }: Caller) {
  if (!email) throw new HttpError(403, 'Validate your email to see support tickets')
}

/** The tickets a caller may see that are asked for, as `from` and `where` of a statement and its values. */
export function ticketCondition({ scope, userid }: Caller, { search, filter }: Omit<TicketQuery, 'sort'>) {
  const values: unknown[] = [scope, userid]
  const bind = binder(values)
  const found = searchWords(search).map((word) => wordCondition(word, bind))
  const filtered = filterConditions(
    ticketList,
    filter,
    bind,
    (field) => filteredExpressions[field] ?? `t.${field}`,
  )
  return { from: tables, where: [visibleCondition, ...found, ...filtered].join(' and '), values }
}

/** The statement of the tickets a caller may see. */
function ticketSource(caller: Caller, { sort, ...query }: TicketQuery) {
  const order = orderBy(sort)
  const { from, where, values } = ticketCondition(caller, query)
  return { rows: `select ${columns} from ${from} where ${where} order by ${order}`, where, values }
}

/** A page of the tickets a caller may see, the newest first by default. */
export async function listTickets(sql: Sql, caller: Caller, { page, size, ...query }: ListQuery) {
  const { rows, where, values } = ticketSource(caller, query)
  const [data, [count]] = await Promise.all([
    sql.query<TicketSummary>(`${rows} limit ${size} offset ${(page - 1) * size}`, values),
    sql.query<{ n: number }>(`select count(*) as n from ${tables} where ${where}`, values),
  ])
  return { data, total_length: count!.n }
}

/**
 * All tickets a caller may see, for a file (tickets 8); the day on which one was created is a UTC midnight.
 */
export function ticketFileSource(caller: Caller, query: TicketQuery) {
  const { rows, values } = ticketSource(caller, query)
  const present = (stored: Row): Row => {
    const created = Number(stored['created'])
    return { ...stored, created: created - (created % secondsInDay) }
  }
  return { sql: rows, values, present }
}

/** The id of a ticket in an address. Throws an HttpError (404). */
export const ticketId = ({ id }: { id: string }): number => parseId(id, ticketList.noun)

/** One ticket. Throws an HttpError (404) when it does not exist or the caller may not see it. */
export async function findTicket(sql: Sql, { scope, userid }: Caller, id: number): Promise<Ticket> {
  const [found] = await sql.query<Omit<Ticket, 'files'>>(
    `select ${columns}, t.description from ${tables} where ${visibleCondition} and t.id = $3`,
    [scope, userid, id],
  )
  if (!found) throw notFound(ticketList.noun)
  return { ...found, files: await attachmentsOf(sql, found.id) }
}
