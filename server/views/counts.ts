import type { FastifyError } from 'fastify'
import { escapeIdentifier } from 'pg'
import { auditFilterNames, auditFilters, type AuditFilters } from '../../schemas/api/audit/audit.ts'
import { defaultView, viewLimits, type View, type ViewCount } from '../../schemas/api/lists/views.ts'
import { listQuery } from '../../schemas/api/paging.ts'
import { maxFilterLength } from '../../schemas/constants.ts'
import { entities } from '../../schemas/entities/index.ts'
import { conditionOf } from '../audit/find.ts'
import type { Db, Sql } from '../db/db.ts'
import { listCondition } from '../entities/condition.ts'
import { toHttpError } from '../http/answerError.ts'
import type { Caller } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { bodyCheck } from '../http/schemas.ts'
import { ticketCondition } from '../tickets/find.ts'

/** Milliseconds after which PostgreSQL stops the count of one view. */
const viewLimit = 1_000
/** Milliseconds after which a call begins no further count. */
const callLimit = 5_000

type Rows = { from: string; where: string; values: unknown[] }
type Wanted = { list: string; views: readonly View[]; signal: AbortSignal }

/**
 * How many records the default view and each of these list for the caller, one after another on one
 * connection (views 4). A view that cannot be counted has null. Throws when `signal` is aborted.
 */
export async function countViews(db: Db, caller: Caller, { list, views, signal }: Wanted) {
  const end = Date.now() + callLimit
  const counts: ViewCount[] = []
  for (const { id, search } of [{ id: defaultView, search: '' }, ...views]) {
    signal.throwIfAborted()
    const total = Date.now() < end ? await countWithinLimit(db, caller, list, search) : null
    const more = total !== null && total > viewLimits.counted
    counts.push({ id, total: more ? viewLimits.counted : total, more })
  }
  return counts
}

/** The number of records, at most one above the limit; null for invalid filters or if it takes too long. */
async function countWithinLimit(db: Db, caller: Caller, list: string, search: string) {
  try {
    return await db.transaction(async (tx) => {
      await tx.query(`select set_config('statement_timeout', $1, true)`, [String(viewLimit)])
      const { from, where, values } = await rowsOf(tx, caller, list, new URLSearchParams(search))
      const [count] = await tx.query<{ n: number }>(
        `select count(*) as n from (select from ${from} where ${where} limit ${viewLimits.counted + 1}) rows`,
        values,
      )
      return count!.n
    })
  } catch (error) {
    const isStopped = (error as { code?: string }).code === '57014'
    // A saved address can hold what no text of the database may: PostgreSQL refuses it, not the filters.
    const refusal = toHttpError(error as FastifyError, {})
    if (isStopped || (refusal !== null && refusal.status < 500)) return null
    throw error
  }
}

/** What an address lists, in the caller's scope. Throws an HttpError (400, 422) for one that is at fault. */
async function rowsOf(sql: Sql, caller: Caller, list: string, address: URLSearchParams): Promise<Rows> {
  if (list === 'audit') return { from: 'audit', ...conditionOf(readAuditFilters(address)) }
  const query = { search: address.get('search') ?? '', filter: address.get('filter') ?? '' }
  const { maxLength } = listQuery.properties.search
  if (query.search.length > maxLength || query.filter.length > maxFilterLength)
    throw new HttpError(400, 'The search or the filters are too long')
  const entity = entities[list]
  if (!entity) return ticketCondition(caller, query)
  return {
    from: `${escapeIdentifier(entity.table)} t`,
    ...(await listCondition(sql, entity, caller, query)),
  }
}

const checkAuditFilters = bodyCheck({
  type: 'object',
  additionalProperties: false,
  properties: auditFilters,
})

const readAuditFilters = (address: URLSearchParams): AuditFilters =>
  checkAuditFilters(
    Object.fromEntries(
      auditFilterNames.flatMap((name) => {
        const value = address.get(name)
        return value ? [[name, value]] : []
      }),
    ),
  )
