import { everyone } from '../../../schemas/permissions.ts'
import { countNoun } from '../../../schemas/wording.ts'
import type { Sql, Statement } from '../../db/db.ts'
import { formatAmount } from '../../money/amounts.ts'
import { monthName } from '../../money/months.ts'
import { monthSource } from '../../money/monthSource.ts'
import { statementParts } from '../../money/variance/monthLevels.ts'
import { agentInput } from '../engine/inputs.ts'
import { monthInput, otherMonthInput } from '../engine/monthInput.ts'
import { agentNamesSql, carryNotes, monthBefore } from '../engine/publishedMonths.ts'
import {
  defineReport,
  id,
  leadsToMonths,
  money,
  namesAgent,
  percent,
  placeholders,
  statementLink,
  text,
} from '../engine/report.ts'
import { statementLinks } from '../engine/statementLinks.ts'

/** Why an amount differs, in the order in which the causes are listed (reports 46). */
const causes = [
  'New in the files',
  'No longer in the files',
  'Moved to or from another agent',
  'Net of the merchants',
  'Percentage',
  'Flat amount',
  'Withheld',
  'Equipment',
  'Subscription',
  'Adjustment',
  'Carry',
] as const
const causeNumber = (cause: (typeof causes)[number]) => causes.indexOf(cause) + 1
const kindNumber = `array_position(array['equipment', 'subscription', 'adjustment', 'carry'], kind)
  + ${causeNumber('Equipment') - 1}`

/** What is read of one month, each a whole statement with parameters of its own. */
type MonthParts = Record<'lines' | 'files' | 'stated', Statement> & {
  notes: string[]
  lock: Awaited<ReturnType<typeof monthSource>>['lock']
}

/**
 * - lines: what merchants bring the agent. There is one for a merchant and processor, because an agent stands
 *   once in a chain.
 * - files: whose merchant each row of the files is, also where it brings this agent nothing.
 * - stated: what is due and payable, beside each further line of the statement; one row without a `no` where
 *   there is none. Asked for apart, the sums of the month would be made twice.
 */
async function monthParts(sql: Sql, month: string, agent: number): Promise<MonthParts> {
  const source = await monthSource(sql, month, { agents: [agent] })
  const part = (select: (bind: (value: unknown) => string) => string): Statement => {
    const { values, bind } = placeholders([...source.values])
    return { sql: `with recursive ${source.ctes} ${select(bind)}`, values }
  }
  return {
    lines: part(
      (bind) => `
        select p.xmid, p.processor, p.dba, p.fromagentid as via, a.displayid || ' - ' || a.name as through,
          p.net, p.percent, p.flat, p.amount, p.withheld, p.amount + p.withheld - p.flat as share
        from pay_line p left join ${agentNamesSql(source, bind)} a on a.id = p.fromagentid
        where p.masteragentid = ${bind(agent)}`,
    ),
    files: part(() => 'select xmid, processor, masteragentid, net from merchant_month'),
    stated: part(
      (bind) => `
        select no, label, amount, due, payable
        from (select due, payable from statement where masteragentid = ${bind(agent)}) s
          left join (
            select ${kindNumber} as no, case kind when 'carry' then 'Carried forward' else label end as label,
              sum(amount) as amount
            from statement_line where masteragentid = ${bind(agent)} group by 1, 2) e on true`,
    ),
    notes: carryNotes(source),
    lock: source.lock,
  }
}

/** The same columns without a row. */
const noneOf = (parts: MonthParts): MonthParts => {
  const none = ({ sql, values }: Statement) => ({ sql: `select * from (${sql}) n where false`, values })
  const { lines, files, stated } = parts
  return { ...parts, lines: none(lines), files: none(files), stated: none(stated), notes: [] }
}

/*
 * `single` are the merchants that brought something in one of the months alone. Where the files of the other
 * have them too, they moved if their agent is another, and else brought nothing by their percentage, which
 * counts as 0.
 */
const lineCtes = (one: Record<'lines' | 'files', string>, two: Record<'lines' | 'files', string>) => `
  one as materialized (select * from ${one.lines} l),
  two as materialized (select * from ${two.lines} l),
  single as materialized (
    select xmid, processor from one full join two using (xmid, processor)
    where one.net is null or two.net is null),
  onefile as materialized (
    select * from ${one.files} f where (f.xmid, f.processor) in (select xmid, processor from single)),
  twofile as materialized (
    select * from ${two.files} f where (f.xmid, f.processor) in (select xmid, processor from single)),
  line as (
    select xmid, processor, coalesce(two.dba, one.dba) as dba, coalesce(two.through, one.through) as through,
      coalesce(one.net, onefile.net) as net0, coalesce(two.net, twofile.net) as net1,
      coalesce(one.percent, 0) as percent0, coalesce(two.percent, 0) as percent1,
      coalesce(one.share, 0) as share0, coalesce(two.share, 0) as share1,
      coalesce(one.flat, 0) as flat0, coalesce(two.flat, 0) as flat1,
      coalesce(one.withheld, 0) as withheld0, coalesce(two.withheld, 0) as withheld1,
      coalesce(one.amount, 0) as amount0, coalesce(two.amount, 0) as amount1,
      case when one.net is null and onefile.net is null then ${causeNumber('New in the files')}
        when two.net is null and twofile.net is null then ${causeNumber('No longer in the files')}
        when case when one.net is null or two.net is null
            then onefile.masteragentid is distinct from twofile.masteragentid
            else one.via is distinct from two.via
              and (one.percent, one.flat) is distinct from (two.percent, two.flat) end
          then ${causeNumber('Moved to or from another agent')} end as whole
    from one full join two using (xmid, processor)
      left join onefile using (xmid, processor) left join twofile using (xmid, processor))`

/*
 * What the net changed is reckoned by the percentage of before, `middle`, and the rest is that of the
 * percentage. Where the percentage is the same all of it is the net's, as rounded.
 */
const pieceCte = (one: string, two: string) => `
  onestated as materialized (select * from ${one} s),
  twostated as materialized (select * from ${two} s),
  piece as (
    select c.no, b.dba as description, b.xmid, b.through, b.processor, b.net0, b.net1,
      case when b.net0 is not null then b.percent0 end as percent0,
      case when b.net1 is not null then b.percent1 end as percent1, c.before, c.now
    from (
      select *, case when percent0 = percent1 then share1
        when net1 < 0 and share1 = 0 and percent1 <> 0 then 0
        else round(percent0 * net1 * 0.01, 2) end as middle
      from line) b
      cross join lateral (values
        (b.whole, b.amount0, b.amount1),
        (${causeNumber('Net of the merchants')}, b.share0, b.middle),
        (${causeNumber('Percentage')}, b.middle, b.share1),
        (${causeNumber('Flat amount')}, b.flat0, b.flat1),
        (${causeNumber('Withheld')}, -b.withheld0, -b.withheld1)) c (no, before, now)
    where c.no is not null and (c.no = b.whole or b.whole is null)
    union all
    select no, label, null, null, null, null, null, null, null, coalesce(a.amount, 0), coalesce(b.amount, 0)
    from (select * from onestated where no is not null) a
      full join (select * from twostated where no is not null) b using (no, label)),
  compared as materialized (select *, now - before as difference from piece where before <> now)`

type Stated = { due: number; payable: number }
/** The sums that the statement repeats in each row; the notes are made of those of the first row. */
type Carried = {
  sums: { no: number; lines: number; amount: number }[]
  stated0: Stated | null
  stated1: Stated | null
}

const statedNote = (month: string, stated: Stated | null) =>
  `${monthName(month)}: ${formatAmount(stated?.due ?? 0)} due, ${formatAmount(stated?.payable ?? 0)} payable.`
const causeNote = ({ no, lines, amount }: Carried['sums'][number]) =>
  `${causes[no - 1]}: ${formatAmount(amount)} by ${countNoun(lines, 'line')}.`

/** Why an agent is due more or less than in another month, by cause (reports 46). */
export const statementCompared = defineReport({
  id: 'statement-compared',
  name: 'Statement Compared',
  group: 'Pay of Agents',
  description: 'Why one agent is due more or less than in another month, by cause.',
  figure: { column: 'difference', words: 'Difference' },
  sections: ['cause'],
  allow: everyone,
  publishedOnly: true,
  inputs: { month: monthInput, agent: agentInput, before: otherMonthInput('Compared With') },
  validate: ({ month, before }): Record<string, string> =>
    month === before ? { before: 'Compared With must be another month' } : {},
  columns: [
    text('cause', 'Cause', { text: 'Total' }),
    {
      ...text('description', 'DBA / Description'),
      record: (row) => ({ merchant: row.xmid ?? null }),
    },
    leadsToMonths(id('xmid', 'Merchant ID')),
    namesAgent(text('through', 'Through')),
    text('processor', 'Processor'),
    money('net0', 'Net Before'),
    money('net1', 'Net'),
    percent('percent0', 'Percent Before'),
    percent('percent1', 'Percent'),
    money('before', 'Before'),
    money('now', 'Now'),
    money('difference', 'Difference', 'sum'),
  ],
  async query({ sql, inputs: { month, agent, before: asked }, scope, caller }) {
    const before = asked ?? (await monthBefore(sql, scope, month))
    const two = await monthParts(sql, month, agent)
    const one = before === null ? noneOf(two) : await monthParts(sql, before, agent)
    const { values, part } = statementParts()
    const rows = `
      with ${lineCtes(
        { lines: part(one.lines), files: part(one.files) },
        { lines: part(two.lines), files: part(two.files) },
      )}, ${pieceCte(part(one.stated), part(two.stated))}
      select c.*, (array[${causes.map((cause) => `'${cause}'`).join(', ')}])[c.no] as cause, carried.*
      from (
          select (
              select coalesce(jsonb_agg(s order by no), '[]') from (
                select no, count(*) as lines, sum(difference) as amount from compared group by no) s) as sums,
            (select jsonb_build_object('due', due, 'payable', payable) from onestated limit 1) as stated0,
            (select jsonb_build_object('due', due, 'payable', payable) from twostated limit 1) as stated1
        ) carried
        left join compared c on true
      order by no, abs(difference) desc, description, xmid collate "C", processor`
    let carried: Carried | undefined
    return {
      sql: rows,
      values,
      lock: two.lock,
      links: [
        ...[month, before].flatMap((it) => (it === null ? [] : [statementLink(it, agent)])),
        ...(await statementLinks(sql, { caller, agent, month })),
      ],
      notes: () => [
        ...(before === null
          ? [`There is no month before ${monthName(month)} to compare it with.`]
          : [statedNote(before, carried?.stated0 ?? null)]),
        statedNote(month, carried?.stated1 ?? null),
        ...(carried?.sums ?? []).map(causeNote),
        ...new Set([...one.notes, ...two.notes]),
      ],
      // Two months that are equal are one row that has nothing else.
      mapRow(row) {
        carried ??= row as Carried
        return row.cause === null ? null : row
      },
    }
  },
})
