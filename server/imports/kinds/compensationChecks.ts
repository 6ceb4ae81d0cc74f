import type { ImportQuestion } from '../../../schemas/imports/answers.ts'
import { countNoun } from '../../../schemas/wording.ts'
import { formatAmount } from '../../money/amounts.ts'
import { dayInZone } from '../../money/bankDays.ts'
import { monthName } from '../../money/months.ts'
import { invalidFile } from '../formats/fileErrors.ts'
import type { ImportStep } from '../store/step.ts'

/**
 * Throws HttpError 422 for a month, an ISO first day, that is later than the current one in the portal's time
 * zone (imports 40).
 */
export function refuseLaterMonth(month: string, now: Date, timeZone: string): void {
  const current = `${dayInZone(timeZone, now).slice(0, 7)}-01`
  if (month > current)
    throw invalidFile(
      `The file is of ${monthName(month)}, which is later than the current month, ${monthName(current)}`,
    )
}

/** Rows of residual (m) that a file replaces; the parameters are those of `replacedValues`. */
const replaced = `m.month = $1::date and m.processor = $2 and ($3::int[] is null
  or exists (select from merchant x where x.xmid = m.xmid and x.masteragentid = any($3)))`
/** SQL condition on residual (m): an earlier file of the month and processor has the row, this one not. */
export const takenAway = `${replaced} and not exists (select from staging s where s.xmid = m.xmid)`
export const replacedValues = ({ date, processor, scope }: ImportStep) => [date, processor, scope]

/** `net` is in dollars. */
type TakenAway = { rows: number; net: number }
export function describeTakenAway({ date, processor }: ImportStep, { rows, net }: TakenAway): string {
  const count = countNoun(rows, 'row', 'rows')
  const found = `${count} that an earlier file of ${processor} for ${monthName(date!)} had`
  const verbs = rows === 1 ? 'is not in this one and goes' : 'are not in this one and go'
  return `${found} ${verbs}, with a net of ${formatAmount(net)}`
}

/** From how many percent of the rows or of the net on the rows that go are asked about (imports 40). */
const confirmationPercent = 2

/** Counts the rows that would go; `percent` are the shares of all rows and of the net of all rows. */
async function measureTakenAway(step: ImportStep) {
  const [found] = await step.sql.query<
    TakenAway & { needsconfirmation: boolean; rowpercent: number; netpercent: number | null }
  >(
    `with old as materialized (
        select m.net, not exists (select from staging s where s.xmid = m.xmid) as gone
        from residual m where ${replaced}),
      sums as (
        select count(*) filter (where gone)::int as rows, count(*) as allrows,
          coalesce(sum(net) filter (where gone), 0) as net, coalesce(sum(net), 0) as allnet from old)
      select rows, net,
        rows * 100 >= ${confirmationPercent} * allrows
          or net <> 0 and abs(net) * 100 >= ${confirmationPercent} * abs(allnet) as needsconfirmation,
        round(rows * 100.0 / nullif(allrows, 0), 1) as rowpercent,
        round(abs(net) * 100 / nullif(abs(allnet), 0), 1) as netpercent
      from sums where rows > 0`,
    replacedValues(step),
  )
  return found ?? null
}

async function askTakenAway(step: ImportStep): Promise<ImportQuestion[]> {
  const found = await measureTakenAway(step)
  if (!found?.needsconfirmation) return []
  const shares = [
    `${found.rowpercent} % of its rows`,
    ...(found.netpercent === null ? [] : [`${found.netpercent} % of its net`]),
  ]
  return [{ key: 'taken-away', text: `${describeTakenAway(step, found)}: ${shares.join(', ')}` }]
}

/** Asks about a month that does not follow the newest one of its processor (imports 40). */
async function askGap({ sql, date, processor }: ImportStep): Promise<ImportQuestion[]> {
  const [found] = await sql.query<{ newest: string; missing: string[] }>(
    `select newest::text, array(
        select gap.first::date::text
        from generate_series(newest + interval '1 month', $1::date - interval '1 month', '1 month')
          gap (first)
        where not exists (select from processor_statement s
          where s.month = gap.first::date and s.processor = $2 and s.nofile)
        order by 1) as missing
      from (select max(month) as newest from residual where processor = $2) r where newest < $1::date`,
    [date, processor],
  )
  if (!found || found.missing.length === 0) return []
  const { newest, missing } = found
  const gap =
    missing.length === 1
      ? monthName(missing[0]!)
      : `${monthName(missing[0]!)} to ${monthName(missing.at(-1)!)}`
  const text =
    `This file of ${processor} is of ${monthName(date!)}, ` +
    `and the newest one before of ${monthName(newest)}: ` +
    `${gap} ${missing.length === 1 ? 'is' : 'are'} missing`
  return [{ key: 'gap', text }]
}

/** What is to be confirmed before a file of compensation data is imported. */
export const askAboutCompensation = async (step: ImportStep): Promise<ImportQuestion[]> => [
  ...(await askGap(step)),
  ...(await askTakenAway(step)),
]
