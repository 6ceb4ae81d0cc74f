import type { ImportAnswers, SourceAsk } from '../../../schemas/imports/answers.ts'
import { similarName } from '../../../schemas/imports/similarName.ts'
import type { Sql } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'
import { monthName } from '../../money/months.ts'
import {
  findKnown,
  isSameName,
  normalizeSpaces,
  readKnownProcessors,
  type KnownProcessor,
} from '../../processors/knownProcessors.ts'
import { invalidFile } from '../formats/fileErrors.ts'
import { findMonths, removeMonths } from '../rows/dates.ts'
import { askAbout } from '../store/asks.ts'
import type { DescribedFile, FileContext } from '../store/step.ts'

/** A month or processor that a file names, and where it stands. */
type Mention = { value: string; where: string }

const inTitle = 'a line above the heading'
const inFileName = 'the file name'
const inAnswer = 'the answer'
const joinMentions = (mentions: Mention[]) =>
  mentions.map(({ value, where }) => `${value} (${where})`).join(' and ')

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

/** The ISO first day of the month that all places name alike, or null when none names one. */
async function findMonth({ sql, report, filename, answers }: DescribedFile): Promise<string | null> {
  const mentions = [
    ...(await columnMentions(sql, 'month', 'Month')),
    ...report.titles.flatMap((title) => findMonths(title).map((value) => ({ value, where: inTitle }))),
    ...findMonths(baseName(filename)).map((value) => ({ value, where: inFileName })),
    ...(answers.month ? [{ value: `${answers.month}-01`, where: inAnswer }] : []),
  ]
  const [first, ...others] = mentions
  if (!first) return null
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
 * there; of names within each other the longest.
 */
function titleMentions(titles: string[], known: KnownProcessor[]): Mention[] {
  const labelled = titles.flatMap(
    (title) => /\bprocessor\b\s*[:=#-]?\s+(.+?)(?:\s{2,}|$)/i.exec(title)?.[1] ?? [],
  )
  if (labelled.length)
    return labelled
      .map((text) => ({ value: normalizeSpaces(removeMonths(text)), where: inTitle }))
      .filter(({ value }) => value !== '')
  const wordsOf = (text: string) =>
    ` ${normalizeSpaces(text.replace(/[^\p{L}\p{N}]+/gu, ' ')).toLowerCase()} `
  let words = wordsOf(titles.join(' '))
  return known
    .flatMap(({ names }) => names)
    .sort((one, other) => other.length - one.length)
    .filter((name) => {
      const isNamed = wordsOf(name).trim() !== '' && words.includes(wordsOf(name))
      if (isNamed) words = words.replaceAll(wordsOf(name), ' | ')
      return isNamed
    })
    .map((value) => ({ value, where: inTitle }))
}

/** The processor that a file names: a known one, one that nobody knows, or none. */
type NamedProcessor = { processor: string | null; unknown: Mention | null }

const noProcessor: NamedProcessor = { processor: null, unknown: null }

/** Throws HttpError 422 when two places name different processors. */
async function findProcessor(
  { sql, report, filename }: DescribedFile,
  known: KnownProcessor[],
): Promise<NamedProcessor> {
  const name = normalizeSpaces(
    removeMonths(baseName(filename).replaceAll('_', ' ')).replace(genericWords, ' '),
  )
  const mentions = [
    ...(await columnMentions(sql, 'processor', 'Processor')),
    ...titleMentions(report.titles, known),
  ]
  // A file name may hold more than a processor, so beside a column or title it counts only if it is a known
  // one.
  if (name !== '' && (mentions.length === 0 || findKnown(known, name)))
    mentions.push({ value: name, where: inFileName })
  const [first, ...others] = mentions
  if (!first) return noProcessor
  const nameOf = ({ value }: Mention) => findKnown(known, value)?.name ?? value
  const other = others.find((mention) => !isSameName(nameOf(mention), nameOf(first)))
  if (other) throw namedTwice(first, other)
  const processor = findKnown(known, first.value)?.name ?? null
  return { processor, unknown: processor === null ? first : null }
}

const namedTwice = (...mentions: Mention[]) =>
  invalidFile(
    `The file names more than one processor: ${joinMentions(mentions)}; make them agree, or divide the file`,
  )

/**
 * The processor of the answer, and whether it is to be added; null when nobody answered. Throws HttpError 422
 * when the answer names another one than the file, or an unknown processor that is not to be added.
 */
function answeredProcessor(
  { processor: said }: NamedProcessor,
  { processor: answer, newprocessor = false }: ImportAnswers,
  known: KnownProcessor[],
): { name: string; isNew: boolean } | null {
  if (answer === undefined) return null
  const text = normalizeSpaces(answer)
  const stored = findKnown(known, text)
  if (said !== null && stored?.name !== said)
    throw namedTwice({ value: said, where: 'the file' }, { value: text, where: inAnswer })
  if (!stored && !newprocessor)
    throw invalidFile(
      `The processor ${text} (${inAnswer}) is not known; choose a known one or add it as a new one`,
    )
  return { name: stored?.name ?? text, isNew: !stored }
}

/** The known processor one of whose names is almost this one (processors 1). */
const almostKnown = (known: readonly KnownProcessor[], name: string): string | null =>
  known.find(({ names }) => similarName(name, names) !== null)?.name ?? null

/**
 * The names of all known processors; one of almost this name before all, then those that share runs of three
 * letters with it, in which a short name with a typing error is like none.
 */
async function rankCandidates(sql: Sql, known: KnownProcessor[], text: string | null) {
  const pairs = known.flatMap(({ name, names }) => names.map((other) => [name, other] as const))
  const rows = await sql.query<{ name: string; similarity: number }>(
    `select name, max(similarity(other, $3)) as similarity
      from unnest($1::text[], $2::text[]) as known (name, other)
      group by name order by 2 desc, lower(name), name`,
    [pairs.map(([name]) => name), pairs.map(([, other]) => other), text ?? ''],
  )
  const [first] = rows
  const almost = text === null ? null : almostKnown(known, text)
  const names = rows.map(({ name }) => name)
  return {
    names: almost === null ? names : [almost, ...names.filter((name) => name !== almost)],
    nearest: almost ?? (first && first.similarity >= 0.4 ? first.name : null),
  }
}

const thatFileDoesNotSay = (needs: readonly string[]) =>
  `The file does not say of which ${needs.join(' and ')} it is`

/** The question for what a file does not say (processors 1). */
async function askForSource(
  sql: Sql,
  known: KnownProcessor[],
  { month, processor, unknown }: NamedProcessor & { month: string | null },
) {
  const { names, nearest } = await rankCandidates(sql, known, unknown?.value ?? null)
  const needs = [
    ...(month === null ? (['month'] as const) : []),
    ...(processor === null ? (['processor'] as const) : []),
  ]
  const unsaid = unknown ? needs.filter((need) => need !== 'processor') : needs
  const sentences = [
    ...(unsaid.length > 0 ? [thatFileDoesNotSay(unsaid)] : []),
    ...(unknown
      ? [
          `The processor ${unknown.value} (${unknown.where}) is not known` +
            (nearest === null ? '' : `; the nearest is ${nearest}`),
        ]
      : []),
  ]
  const source: SourceAsk = {
    needs: [...needs],
    month: month && month.slice(0, 7),
    processor,
    candidates: names,
    named: unknown?.value ?? null,
    nearest: unknown ? nearest : null,
  }
  return askAbout(sentences.join('. '), { source })
}

type Attempt = <T>(find: () => Promise<T>) => Promise<T | null>

/**
 * What `work` answers, each of whose attempts is null where it is refused. Throws HttpError 422 with the
 * messages of all refusals when there are any, so that one answer says all.
 */
async function withAllRefusals<T>(work: (attempt: Attempt) => Promise<T>): Promise<T> {
  const messages: string[] = []
  const found = await work(async (find) => {
    try {
      return await find()
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      messages.push(error.message)
      return null
    }
  })
  if (messages.length > 0) throw invalidFile(messages.join('. '))
  return found
}

/**
 * Month and processor of a file: from a column, the lines above the heading, its name and the answers, which
 * must agree (imports 28). Throws HttpError 422 with both when two disagree, and 409 with what is asked when
 * none says it (processors 1).
 */
export async function findMonthAndProcessor(file: DescribedFile): Promise<FileContext> {
  const { sql, answers } = file
  const known = await readKnownProcessors(sql)
  const { month, named, answered } = await withAllRefusals(async (attempt) => {
    const month = await attempt(() => findMonth(file))
    const named = (await attempt(() => findProcessor(file, known))) ?? noProcessor
    const answered = await attempt(async () => answeredProcessor(named, answers, known))
    return { month, named, answered }
  })
  const processor = answered?.name ?? named.processor
  if (month === null || processor === null)
    throw await askForSource(sql, known, {
      month,
      processor,
      unknown: processor === null ? named.unknown : null,
    })
  const isNew = answered?.isNew ?? false
  const warnings = isNew ? [warningOfNew(processor, almostKnown(known, processor))] : []
  return { date: month, processor, warnings, isNewProcessor: isNew }
}

const warningOfNew = (processor: string, almost: string | null) =>
  `The processor ${processor} is new: the portal has nothing of it yet` +
  (almost === null ? '' : `; its name is almost that of ${almost}`)
