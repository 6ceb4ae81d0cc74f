import { imports } from '../../../schemas/imports/imports.ts'
import type { Sql } from '../../db/db.ts'
import { acquireMonth, assertMonthOpen, holdMonth, monthName } from '../../money/months.ts'
import { invalidFile } from '../formats/fileErrors.ts'
import { findMonths, removeMonths } from '../rows/dates.ts'
import type { TableReport } from '../rows/table.ts'
import type { ImportKind } from '../store/importKind.ts'
import { formatCount } from '../store/merchantChecks.ts'
import type { FileContext, ImportStep } from '../store/step.ts'
import { removeRows } from '../store/undoLog.ts'
import { createUpsert } from '../store/upsert.ts'
import { createKind } from './createKind.ts'

/** A month or processor that a file names, and where it stands. */
type Mention = { value: string; where: string }

const joinMentions = (mentions: Mention[]) =>
  mentions.map(({ value, where }) => `${value} (${where})`).join(' and ')
const normalizeSpaces = (text: string) => text.replace(/[\s_-]+/g, ' ').trim()
const isSameName = (one: string, other: string) =>
  normalizeSpaces(one).toLowerCase() === normalizeSpaces(other).toLowerCase()

/** The values of a column that should be the same in every row, each with its first row. */
async function columnMentions(sql: Sql, field: string, head: string): Promise<Mention[]> {
  const rows = await sql.query<{ value: string; row: number }>(
    `select ${field}::text as value, min(row) as row from staging where ${field} is not null
      group by 1 order by 2 limit 5`,
  )
  return rows.map(({ value, row }) => ({ value, where: `${head} column, row ${row}` }))
}
/** Without the ending, and without what a fix file adds to the name. */
const baseName = (filename: string) => filename.replace(/\.\w+$/, '').replace(/[\s_-]rejected$/i, '')

const otherPlaces = 'a line above the heading, or a name like Processor_May2025.csv'

async function findMonth(sql: Sql, titles: string[], filename: string): Promise<string> {
  const mentions = [
    ...(await columnMentions(sql, 'month', 'Month')),
    ...titles.flatMap((title) =>
      findMonths(title).map((value) => ({ value, where: 'a line above the heading' })),
    ),
    ...findMonths(baseName(filename)).map((value) => ({ value, where: 'the file name' })),
  ]
  const [first, ...others] = mentions
  if (!first)
    throw invalidFile(`The file does not say of which month it is; give it a Month column, ${otherPlaces}`)
  const other = others.find(({ value }) => value !== first.value)
  if (!other) return first.value
  const named = [first, other].map(({ value, where }) => ({ value: monthName(value), where }))
  throw invalidFile(
    `The file names more than one month: ${joinMentions(named)}; make them agree, or divide the file`,
  )
}

/** Words of file names that are no part of the name of a processor. */
const genericWords = new RegExp(
  String.raw`\b(?:residuals?|reports?|compensation|comp|data|files?|final|statements?|profits?|` +
    String.raw`month(?:ly)?|payouts?|agents?|export|rejected|v\d+|\d+)\b`,
  'gi',
)

/**
 * The processor that follows the word 'Processor' in a line above the heading, else the known ones named
 * there.
 */
function titleMentions(titles: string[], known: string[]): Mention[] {
  const where = 'a line above the heading'
  const labelled = titles.flatMap(
    (title) => /\bprocessor\b\s*[:=#-]?\s+(.+?)(?:\s{2,}|$)/i.exec(title)?.[1] ?? [],
  )
  if (labelled.length)
    return labelled
      .map((text) => ({ value: normalizeSpaces(removeMonths(text)), where }))
      .filter(({ value }) => value !== '')
  const words = ` ${normalizeSpaces(titles.join(' ').replace(/[^\p{L}\p{N}]+/gu, ' ')).toLowerCase()} `
  return known
    .filter((name) => words.includes(` ${normalizeSpaces(name).toLowerCase()} `))
    .map((value) => ({ value, where }))
}

/**
 * The processor as it is known already; a new one, with a warning, when no known name is similar
 * (imports 28).
 */
async function matchKnownProcessor(
  sql: Sql,
  { value, where }: Mention,
  known: string[],
): Promise<{ part: string; warnings: string[] }> {
  const stored = known.find((name) => isSameName(name, value))
  if (stored) return { part: stored, warnings: [] }
  const [near] = await sql.query<{ name: string }>(
    `select name from unnest($1::text[]) name where similarity(name, $2) >= 0.4
      order by similarity(name, $2) desc limit 1`,
    [known, value],
  )
  if (near)
    throw invalidFile(
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
  const mentions = [...(await columnMentions(sql, 'processor', 'Processor')), ...titleMentions(titles, known)]
  // A file name may hold more than a processor, so beside a column or title it counts only if it is a known
  // one.
  if (name !== '' && (mentions.length === 0 || known.some((one) => isSameName(one, name))))
    mentions.push({ value: name, where: 'the file name' })
  const [first, ...others] = mentions
  if (!first)
    throw invalidFile(
      `The file does not say of which processor it is; give it a Processor column, ${otherPlaces}`,
    )
  const other = others.find(({ value }) => !isSameName(value, first.value))
  if (other)
    throw invalidFile(
      `The file names more than one processor: ${joinMentions([first, other])}; ` +
        'make them agree, or divide the file',
    )
  return matchKnownProcessor(sql, first, known)
}

/**
 * Month and processor of a file: from a column, the lines above the heading, and its name, which must agree
 * (imports 28).
 */
async function findMonthAndProcessor(
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

/**
 * Removes the rows of an earlier file of the month and processor that this one does not have, within the
 * scope of the caller (imports 29).
 */
async function removeReplacedRows(step: ImportStep): Promise<string[]> {
  const { date, part, scope } = step
  const gone = await removeRows(
    step,
    'residual',
    `m.month = $1::date and m.processor = $2 and not exists (select from staging s where s.xmid = m.xmid)
      and ($3::int[] is null
        or exists (select from merchant x where x.xmid = m.xmid and x.masteragentid = any($3)))`,
    [date, part, scope],
  )
  if (gone === 0) return []
  const rows = formatCount(gone, 'row', 'rows')
  const found = `${rows} that an earlier file of ${part} for ${monthName(date!)} had`
  return [`${found} ${gone === 1 ? 'is' : 'are'} not in this one and ${gone === 1 ? 'goes' : 'go'}`]
}

/**
 * What a processor says a month brought in; a closed month takes no file and gives none back (imports 27,
 * imports 29).
 */
export const compensation: ImportKind = createKind(definition, {
  upsert,
  parameters: ({ date, part, batch }) => [date, part, batch],
  describeFile: findMonthAndProcessor,
  async refuseClosedMonth(tx, date, timeZone) {
    await acquireMonth(tx, date)
    await holdMonth(tx, date)
    await assertMonthOpen(tx, date, timeZone)
  },
  removeReplacedRows,
  replaces: true,
})
