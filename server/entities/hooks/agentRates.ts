import type { AgentRate, AgentRates } from '../../../schemas/api/agentRates.ts'
import type { Row } from '../../../schemas/entities/entity.ts'
import { rateFields } from '../../../schemas/entities/masterAgent.ts'
import type { Sql, Tx } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'
import { assertMonthOpen, blockMonthLock, monthName } from '../../money/months.ts'
import type { EntityWrite } from './hook.ts'

/** A rate that holds from the beginning is stored with this month. */
const beginning = '1900-01-01'

/** The commission fields that are sent with the month from which they hold, changed or not (agents 5). */
export const restatedRates = (sent: Record<string, unknown>): string[] =>
  sent.ratesfrom === undefined ? [] : rateFields.filter((field) => field in sent)

type RateMonths = { usual: string; first: string; last: string; current: string }

/**
 * ISO first days: the month from which a rate holds by default, and the range of those that may be named,
 * twelve before and after the current month.
 */
async function readRateMonths(sql: Sql): Promise<RateMonths> {
  const [months] = await sql.query<RateMonths>(
    `select usual, least(usual, (current - interval '12 months')::date) as first, current,
        greatest(usual, (current + interval '12 months')::date) as last
      from (select rate_month() as usual, date_trunc('month', current_date)::date as current) m`,
  )
  return months!
}

/**
 * Keeps the month that is sent, '2026-10', from being locked until the transaction ends; without one the
 * month that a rate gets by default, which is read again because a lock may have made it a later one
 * meanwhile.
 */
async function blockRateMonthLock(tx: Tx, sent: string | undefined): Promise<RateMonths> {
  for (;;) {
    const { usual } = await readRateMonths(tx)
    await blockMonthLock(tx, sent === undefined ? usual : `${sent}-01`, 'ratesfrom')
    const held = await readRateMonths(tx)
    if (sent !== undefined || held.usual === usual) return held
  }
}

const refuseMonth = (message: string) => new HttpError(422, message, { fields: { ratesfrom: message } })

/** Throws an HttpError: 409 for a closed month, naming who locked it, 422 for one outside the range. */
async function checkRateMonth(tx: Tx, month: string, { first, last }: RateMonths) {
  const [zone] = await tx.query<{ name: string }>(`select current_setting('TimeZone') as name`)
  await assertMonthOpen(tx, month, zone!.name, 'ratesfrom')
  if (month < first || month > last)
    throw refuseMonth(`From Month must be from ${monthName(first)} to ${monthName(last)}`)
}

/**
 * Writes the month from which changed rates hold into the body (agents 5). Throws an HttpError: 409 for a
 * closed month or one that is being locked, 422 for one outside the range or without a rate. The month is not
 * locked until the transaction ends.
 */
export async function resolveRateMonth({ tx, body }: EntityWrite) {
  const sent = body.ratesfrom as string | undefined
  if (!rateFields.some((field) => field in body)) {
    if (sent !== undefined) throw refuseMonth('From Month is only for a rate that is sent with it')
    return
  }
  const months = await blockRateMonthLock(tx, sent)
  if (sent !== undefined) await checkRateMonth(tx, `${sent}-01`, months)
  body.ratesfrom = sent ?? months.usual.slice(0, 7)
}

/**
 * Stores changed rates with the month from which they hold; a rate that the agent had before its first change
 * holds from the beginning (agents 5). A rate that is sent as it holds in that month already is left alone.
 */
export async function storeRates(write: EntityWrite & { id: number }) {
  const { tx, body, row, id, caller, heldBefore = {}, heldAgain = {} } = write
  const month = `${String(body.ratesfrom)}-01`
  for (const field of rateFields.filter((name) => name in body)) {
    const value = field in heldAgain ? heldAgain[field] : body[field]
    if (!row && value === null) continue
    const held = row ? await rateIn(tx, row, { field, month }) : null
    if (row && !isChanged(row, body, field) && held === value) continue
    if (field in heldAgain && held !== (row?.[field] ?? null)) throw changedSince()
    heldBefore[field] = held
    if (row)
      await tx.query(
        `insert into agent_rate (masteragentid, field, value, from_month, username)
          select $1, $2, $3, $5, $4
          where not exists (select from agent_rate where masteragentid = $1 and field = $2)`,
        [id, field, row[field], caller.username, beginning],
      )
    await tx.query(
      `insert into agent_rate (masteragentid, field, value, from_month, username)
        values ($1, $2, $3, $5, $4)
        on conflict (masteragentid, field, from_month)
          do update set value = excluded.value, username = excluded.username, changed_at = now()`,
      [id, field, value, caller.username, month],
    )
  }
}

const isChanged = (row: Row, body: Record<string, unknown>, field: string) =>
  (row[field] ?? null) !== body[field]

/** The error of an undo after another value was stored for the month, which the record does not show. */
const changedSince = () => new HttpError(409, 'its rate of that month was changed since')

/** The agent's rate in a month. Without a stored change the value of the record holds in every month. */
async function rateIn(sql: Sql, row: Row, { field, month }: { field: string; month: string }) {
  const [rate] = await sql.query<{ value: number | null; begun: boolean }>(
    `select value, from_month <= $3 as begun from agent_rate where masteragentid = $1 and field = $2
      order by from_month <= $3 desc, from_month desc limit 1`,
    [row.id, field, month],
  )
  if (!rate) return row[field] ?? null
  return rate.begun ? rate.value : null
}

/** The rates of one agent with their months, newest first, and the months that a change may name. */
export async function readAgentRates(sql: Sql, id: number): Promise<AgentRates> {
  const data = await sql.query<AgentRate>(
    `select field, case when from_month > $2 then to_char(from_month, 'YYYY-MM') end as "from", value,
        username, floor(extract(epoch from changed_at))::bigint as changedat
      from agent_rate where masteragentid = $1
      order by from_month desc, agent_rate.changed_at desc, array_position($3::text[], field)`,
    [id, beginning, [...rateFields]],
  )
  const { usual, first, last } = await readRateMonths(sql)
  const months = await sql.query<{ month: string }>(
    `select to_char(m, 'YYYY-MM') as month from generate_series($1::timestamp, $2, interval '1 month') m
      where m > coalesce((select max(month) from month_lock where reopened_at is null), '-infinity')
      order by m desc`,
    [first, last],
  )
  return { data, ratesfrom: usual.slice(0, 7), months: months.map(({ month }) => month) }
}
