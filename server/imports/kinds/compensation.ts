import { imports } from '../../../schemas/imports/imports.ts'
import type { Sql } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'
import { acquireMonth, monthName, assertMonthOpen } from '../../money/months.ts'
import { findMonths, removeMonths } from '../rows/dates.ts'
import type { TableReport } from '../rows/table.ts'
import type { ImportKind } from '../store/importKind.ts'
import { formatCount } from '../store/merchantChecks.ts'
import type { FileContext, ImportStep } from '../store/step.ts'
import { removeRows, createUpsert } from '../store/upsert.ts'
import { createKind } from './plain.ts'

type Mention = { value: string; where: string }

const joinMentions = (said: Mention[]) => said.map(({ value, where }) => `${value} (${where})`).join(' and ')
const normalizeSpaces = (text: string) => text.replace(/[\s_-]+/g, ' ').trim()
const isSameName = (one: string, other: string) =>
  normalizeSpaces(one).toLowerCase() === normalizeSpaces(other).toLowerCase()

/** What the rows of a file say in a column that speaks of the file as a whole, each value with its first row. */
async function columnMentions(sql: Sql, field: string, head: string): Promise<Mention[]> {
  const rows = await sql.query<{ value: string; row: number }>(
    `select ${field}::text as value, min(row) as row from staging where ${field} is not null group by 1 order by 2 limit 5`,
  )
  return rows.map(({ value, row }) => ({ value, where: `${head} column, row ${row}` }))
}
const baseName = (filename: string) => filename.replace(/\.\w+$/, '').replace(/[\s_-]rejected$/i, '')

async function findMonth(sql: Sql, titles: string[], filename: string): Promise<string> {
  const said = [
    ...(await columnMentions(sql, 'month', 'Month')),
    ...titles.flatMap((title) =>
      findMonths(title).map((value) => ({ value, where: 'a line above the heading' })),
    ),
    ...findMonths(baseName(filename)).map((value) => ({ value, where: 'the file name' })),
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
    `The file names more than one month: ${joinMentions(named)}; make them agree, or divide the file`,
  )
}

/** Words of file names that name no processor. */
const genericWords =
  /\b(?:residuals?|reports?|compensation|comp|data|files?|final|statements?|profits?|month(?:ly)?|payouts?|agents?|export|rejected|v\d+|\d+)\b/gi

function titleMentions(titles: string[], known: string[]): Mention[] {
  const where = 'a line above the heading'
  const label = titles.flatMap(
    (title) => /\bprocessor\b\s*[:=#-]?\s+(.+?)(?:\s{2,}|$)/i.exec(title)?.[1] ?? [],
  )
  if (label.length)
    return label
      .map((text) => ({ value: normalizeSpaces(removeMonths(text)), where }))
      .filter(({ value }) => value !== '')
  const words = ` ${normalizeSpaces(titles.join(' ').replace(/[^\p{L}\p{N}]+/gu, ' ')).toLowerCase()} `
  return known
    .filter((name) => words.includes(` ${normalizeSpaces(name).toLowerCase()} `))
    .map((value) => ({ value, where }))
}

/** The name as it is known already; a new one is taken when nothing known comes near it. */
async function matchKnownProcessor(
  sql: Sql,
  { value, where }: Mention,
  known: string[],
): Promise<{ part: string; warnings: string[] }> {
  const stored = known.find((name) => isSameName(name, value))
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

async function findProcessor(
  sql: Sql,
  titles: string[],
  filename: string,
): Promise<{ part: string; warnings: string[] }> {
  const rows = await sql.query<{ name: string }>(
    `select processor as name from residual union select processor from merchant where processor <> ''`,
  )
  const known = rows.map(({ name }) => name)
  const name = normalizeSpaces(
    removeMonths(baseName(filename).replaceAll('_', ' ')).replace(genericWords, ' '),
  )
  const said = [...(await columnMentions(sql, 'processor', 'Processor')), ...titleMentions(titles, known)]
  // A file name may hold more than the processor: beside a column or title it counts where it names a known one.
  if (name !== '' && (said.length === 0 || known.some((one) => isSameName(one, name))))
    said.push({ value: name, where: 'the file name' })
  const [first, ...others] = said
  if (!first)
    throw new HttpError(
      422,
      'The file does not say of which processor it is; give it a Processor column, a line above the heading, or a name like Processor_May2025.csv',
    )
  const other = others.find(({ value }) => !isSameName(value, first.value))
  if (other)
    throw new HttpError(
      422,
      `The file names more than one processor: ${joinMentions([first, other])}; make them agree, or divide the file`,
    )
  return matchKnownProcessor(sql, first, known)
}

/** The month and processor of compensation data: from a column, the lines above the heading, or the file name; they must agree. */
export async function findMonthAndProcessor(
  sql: Sql,
  { titles }: TableReport,
  filename: string,
): Promise<FileContext> {
  const date = await findMonth(sql, titles, filename)
  return { date, ...(await findProcessor(sql, titles, filename)) }
}

const definition = imports.compdata
const upsert = createUpsert(definition, {
  fixed: { month: '$1::date', processor: '$2' },
  stamp: { batchid: '$3::int' },
})

/** The file stands for its month and processor: what it does not name any more goes, as far as the caller sees. */
async function removeReplacedRows(step: ImportStep): Promise<string[]> {
  const { date, part, scope } = step
  const gone = await removeRows(
    step,
    'residual',
    `m.month = $1::date and m.processor = $2 and not exists (select from staging s where s.xmid = m.xmid)
      and ($3::int[] is null or exists (select from merchant x where x.xmid = m.xmid and x.masteragentid = any($3)))`,
    [date, part, scope],
  )
  const which = `of ${part} for ${monthName(date!)}`
  return gone
    ? [
        `${formatCount(gone, 'row', 'rows')} that an earlier file ${which} had ${gone === 1 ? 'is' : 'are'} not in this one and ${gone === 1 ? 'goes' : 'go'}`,
      ]
    : []
}

/** What a processor says a month brought in. A locked month takes no file and gives none back. */
export const compensation: ImportKind = createKind(definition, {
  upsert,
  parameters: ({ date, part, batch }) => [date, part, batch],
  describeFile: findMonthAndProcessor,
  async refuseClosedMonth(tx, date, timeZone) {
    await acquireMonth(tx, date)
    await assertMonthOpen(tx, date, timeZone)
  },
  removeReplacedRows,
  replaces: true,
})
