import { imports } from '../../../schemas/imports/imports.ts'
import type { Sql } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'
import { holdMonth, monthName, refuseLocked } from '../../money/months.ts'
import { monthsIn, withoutMonths } from '../rows/dates.ts'
import type { Report } from '../rows/table.ts'
import type { Kind } from '../store/importKind.ts'
import { counted } from '../store/merchantChecks.ts'
import type { About, Step } from '../store/step.ts'
import { remove, upsertOf } from '../store/upsert.ts'
import { plain } from './plain.ts'

type Said = { value: string; where: string }

const list = (said: Said[]) => said.map(({ value, where }) => `${value} (${where})`).join(' and ')
const bare = (text: string) => text.replace(/[\s_-]+/g, ' ').trim()
const same = (one: string, other: string) => bare(one).toLowerCase() === bare(other).toLowerCase()

/** What the rows of a file say in a column that speaks of the file as a whole, each value with its first row. */
async function inColumn(sql: Sql, field: string, head: string): Promise<Said[]> {
  const rows = await sql.query<{ value: string; row: number }>(
    `select ${field}::text as value, min(row) as row from staging where ${field} is not null group by 1 order by 2 limit 5`,
  )
  return rows.map(({ value, row }) => ({ value, where: `${head} column, row ${row}` }))
}
const stem = (filename: string) => filename.replace(/\.\w+$/, '').replace(/[\s_-]rejected$/i, '')

async function monthOf(sql: Sql, titles: string[], filename: string): Promise<string> {
  const said = [
    ...(await inColumn(sql, 'month', 'Month')),
    ...titles.flatMap((title) =>
      monthsIn(title).map((value) => ({ value, where: 'a line above the heading' })),
    ),
    ...monthsIn(stem(filename)).map((value) => ({ value, where: 'the file name' })),
  ]
  const [first, ...others] = said
  if (!first)
    throw new HttpError(
      422,
      'The file does not say of which month it is; give it a Month column, a line above the heading, or a name like Processor_May2025.csv',
    )
  const other = others.find(({ value }) => value !== first.value)
  if (!other) return first.value
  const named = [first, other].map(({ value, where }) => ({ value: monthName(value), where }))
  throw new HttpError(
    422,
    `The file names more than one month: ${list(named)}; make them agree, or divide the file`,
  )
}

/** Words of file names that name no processor. */
const generic =
  /\b(?:residuals?|reports?|compensation|comp|data|files?|final|statements?|profits?|month(?:ly)?|payouts?|agents?|export|rejected|v\d+|\d+)\b/gi

function inTitles(titles: string[], known: string[]): Said[] {
  const where = 'a line above the heading'
  const label = titles.flatMap(
    (title) => /\bprocessor\b\s*[:=#-]?\s+(.+?)(?:\s{2,}|$)/i.exec(title)?.[1] ?? [],
  )
  if (label.length)
    return label
      .map((text) => ({ value: bare(withoutMonths(text)), where }))
      .filter(({ value }) => value !== '')
  const words = ` ${bare(titles.join(' ').replace(/[^\p{L}\p{N}]+/gu, ' ')).toLowerCase()} `
  return known
    .filter((name) => words.includes(` ${bare(name).toLowerCase()} `))
    .map((value) => ({ value, where }))
}

/** The name as it is known already; a new one is taken when nothing known comes near it. */
async function settle(
  sql: Sql,
  { value, where }: Said,
  known: string[],
): Promise<{ part: string; warnings: string[] }> {
  const stored = known.find((name) => same(name, value))
  if (stored) return { part: stored, warnings: [] }
  const [near] = await sql.query<{ name: string }>(
    'select name from unnest($1::text[]) name where similarity(name, $2) >= 0.4 order by similarity(name, $2) desc limit 1',
    [known, value],
  )
  if (near)
    throw new HttpError(
      422,
      `The processor ${value} (${where}) is not known; the nearest is ${near.name}. Write it the same way`,
    )
  return {
    part: value,
    warnings: [`The processor ${value} (${where}) is new: the portal has nothing of it yet`],
  }
}

async function processorOf(
  sql: Sql,
  titles: string[],
  filename: string,
): Promise<{ part: string; warnings: string[] }> {
  const rows = await sql.query<{ name: string }>(
    `select processor as name from residual union select processor from merchant where processor <> ''`,
  )
  const known = rows.map(({ name }) => name)
  const name = bare(withoutMonths(stem(filename).replaceAll('_', ' ')).replace(generic, ' '))
  const said = [...(await inColumn(sql, 'processor', 'Processor')), ...inTitles(titles, known)]
  // A file name may hold more than the processor: beside a column or title it counts where it names a known one.
  if (name !== '' && (said.length === 0 || known.some((one) => same(one, name))))
    said.push({ value: name, where: 'the file name' })
  const [first, ...others] = said
  if (!first)
    throw new HttpError(
      422,
      'The file does not say of which processor it is; give it a Processor column, a line above the heading, or a name like Processor_May2025.csv',
    )
  const other = others.find(({ value }) => !same(value, first.value))
  if (other)
    throw new HttpError(
      422,
      `The file names more than one processor: ${list([first, other])}; make them agree, or divide the file`,
    )
  return settle(sql, first, known)
}

/** The month and processor of compensation data: from a column, the lines above the heading, or the file name; they must agree. */
export async function monthAndProcessor(sql: Sql, { titles }: Report, filename: string): Promise<About> {
  const date = await monthOf(sql, titles, filename)
  return { date, ...(await processorOf(sql, titles, filename)) }
}

const it = imports.compdata
const upsert = upsertOf(it, { fixed: { month: '$1::date', processor: '$2' }, stamp: { batchid: '$3::int' } })

/** The file stands for its month and processor: what it does not name any more goes, as far as the caller sees. */
async function clear(step: Step): Promise<string[]> {
  const { date, part, scope } = step
  const gone = await remove(
    step,
    'residual',
    `m.month = $1::date and m.processor = $2 and not exists (select from staging s where s.xmid = m.xmid)
      and ($3::int[] is null or exists (select from merchant x where x.xmid = m.xmid and x.masteragentid = any($3)))`,
    [date, part, scope],
  )
  const which = `of ${part} for ${monthName(date!)}`
  return gone
    ? [
        `${counted(gone, 'row', 'rows')} that an earlier file ${which} had ${gone === 1 ? 'is' : 'are'} not in this one and ${gone === 1 ? 'goes' : 'go'}`,
      ]
    : []
}

/** What a processor says a month brought in. A locked month takes no file and gives none back. */
export const compensation: Kind = plain(it, {
  upsert,
  parameters: ({ date, part, batch }) => [date, part, batch],
  about: monthAndProcessor,
  async guard(tx, date, timeZone) {
    await holdMonth(tx, date)
    await refuseLocked(tx, date, timeZone)
  },
  clear,
  replaces: true,
})
