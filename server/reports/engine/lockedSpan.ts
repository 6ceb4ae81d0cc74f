import { msInDay } from '../../../schemas/dates.ts'
import type { Sql } from '../../db/db.ts'
import { formatAmount } from '../../money/amounts.ts'
import { keepsPortfolio } from '../../money/copies/lockCopies.ts'
import { monthName, type MonthLock } from '../../money/months.ts'
import { earlierMonth } from '../../money/variance/variance.ts'

/** The months of a span whose copies a report reads; without `locks` it reads today's records. */
type SpanSource = {
  /** Oldest first. */
  locks: readonly MonthLock[]
  /** Why today's records are read although months of the span are locked. */
  notes: readonly string[]
}

type Span = { from: string; to: string }
/** The month of a day, as its first day; both ISO. */
export const monthOf = (day: string) => `${day.slice(0, 7)}-01`
const isLastOfMonth = (day: string) => new Date(Date.parse(day) + msInDay).getUTCDate() === 1
const monthCount = ({ from, to }: Span) =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 +
  Number(to.slice(5, 7)) -
  Number(from.slice(5, 7)) +
  1

/** The months that the span touches, as their ISO first days. */
export const monthsOf = (span: Span): string[] =>
  Array.from({ length: monthCount(span) }, (_, at) => earlierMonth(monthOf(span.to), at)).reverse()

/**
 * The locks from which a span of days (ISO, both included) is computed (months 6): of every month, or of the
 * first and the last one. They are read when the span is of whole months and each of them is locked with its
 * portfolio; a span is never read half from copies and half from today's records.
 */
export async function lockedSpan(
  sql: Sql,
  span: Span,
  needed: 'every month' | 'first and last',
): Promise<SpanSource> {
  const [first, last] = [monthOf(span.from), monthOf(span.to)]
  const found = await sql.query<MonthLock & { copies: number }>(
    `select id, month, version, hash, username, locked_at, copies from month_lock
      where month between $1 and $2 and reopened_at is null order by month`,
    [first, last],
  )
  const today = (note: string): SpanSource => ({ locks: [], notes: [`${note}: these are today's figures.`] })
  if (found.length === 0) return { locks: [], notes: [] }
  if (span.from !== first || !isLastOfMonth(span.to))
    return today('Locked months are read from their copies where the span is of whole months')
  const locks =
    needed === 'every month' ? found : found.filter(({ month }) => month === first || month === last)
  const wanted = needed === 'every month' ? monthCount(span) : new Set([first, last]).size
  if (locks.length < wanted) return today('Not every month of the span is locked')
  const older = locks.filter(({ copies }) => !keepsPortfolio(copies))
  if (older.length === 0) return { locks, notes: [] }
  const those = older.length === 1 ? 'was' : 'and months before it were'
  return today(`${monthName(older.at(-1)!.month)} ${those} locked before the portal kept portfolio counts`)
}

/** The lock that a report of a span carries: that of a single month. */
export const singleLock = ({ locks }: SpanSource) => (locks.length === 1 ? locks[0]! : null)

/** Says which locks the figures are of, when there are several. */
export const spanNotes = ({ locks, notes }: SpanSource): string[] => {
  if (locks.length < 2) return [...notes]
  const between = locks.length === 2 ? 'and' : 'to'
  return [
    `Read from the locks of ${monthName(locks[0]!.month)} ${between} ${monthName(locks.at(-1)!.month)}.`,
  ]
}

/** SQL relation (id, displayid, name) of the master agents as the newest of the locks knows each. */
export const spanNamesSql = (locks: string) => `
  (select distinct on (s.masteragentid) s.masteragentid as id, s.displayid, s.name
    from locked_statement s join month_lock l on l.id = s.lockid
    where s.lockid = any (${locks}::int[]) order by s.masteragentid, l.month desc)`

/** What the copied rows of each lock add up to, and its control totals (months 5). */
const controlSql = `
  select l.month, c.name, c.ismoney, c.sum, c.control
  from month_lock l join locked_portfolio_total t on t.lockid = l.id
    cross join lateral (
      select coalesce(sum(merchants), 0) as merchants, coalesce(sum(volume), 0) as volume,
        coalesce(sum(txncount), 0) as txncount, coalesce(sum(income), 0) as income,
        coalesce(sum(net), 0) as net, coalesce(sum(sales), 0) as sales
      from locked_portfolio where lockid = l.id) p
    cross join lateral (
      select coalesce(sum((value ->> 'income')::numeric), 0) as income,
        coalesce(sum((value ->> 'net')::numeric), 0) as net,
        coalesce(sum((value ->> 'sales')::numeric), 0) as sales
      from jsonb_array_elements(l.inputs)) f
    cross join lateral (values
      ('merchants', false, p.merchants, t.merchants), ('volume', true, p.volume, t.volume),
      ('transactions', false, p.txncount, t.txncount), ('income', true, p.income, f.income),
      ('net', true, p.net, f.net), ('residual sales', true, p.sales, f.sales)
    ) c (name, ismoney, sum, control)
  where l.id = any ($1)`
/** The same for the ids of accounts, whose number is a control total too. */
const accountControlSql = `
  select l.month, 'accounts' as name, false as ismoney, t.accounts as control,
    (select coalesce(sum(cardinality(stayed) + cardinality(lost) + cardinality(joined)), 0)
      from locked_portfolio where lockid = l.id) as sum
  from month_lock l join locked_portfolio_total t on t.lockid = l.id where l.id = any ($1)`

type Control = { month: string; name: string; ismoney: boolean; sum: number; control: number }

/**
 * Says whether the copied rows of the locks add up to their control totals; the figures are shown to users
 * who see all agents (`scope` null). Without locks there is nothing to say.
 */
export async function controlNotes(
  sql: Sql,
  { locks }: SpanSource,
  { scope, withAccounts = false }: { scope: number[] | null; withAccounts?: boolean },
): Promise<string[]> {
  if (locks.length === 0) return []
  const ids = [locks.map(({ id }) => id)]
  const controls = [
    ...(await sql.query<Control>(controlSql, ids)),
    ...(withAccounts ? await sql.query<Control>(accountControlSql, ids) : []),
  ]
  const those = locks.length === 1 ? 'the lock' : 'the locks'
  const differing = controls.filter(({ sum, control }) => sum !== control)
  if (differing.length === 0) return [`The figures add up to the control totals of ${those}.`]
  return locks.flatMap(({ month }) => {
    const here = differing.filter((it) => it.month === month)
    if (here.length === 0) return []
    const figures = scope === null ? `: ${here.map(controlText).join(', ')}` : ''
    return [`The figures of ${monthName(month)} do not add up to the control totals of its lock${figures}.`]
  })
}

const controlText = ({ name, ismoney, sum, control }: Control) => {
  const text = (value: number) => (ismoney ? formatAmount(value) : value.toLocaleString('en-US'))
  return `${name} ${text(sum)} instead of ${text(control)}`
}
