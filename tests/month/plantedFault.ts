import { monthAfter, shopsOfProcessor, type Book, type Processor, type Shop } from './book.ts'
import { draftOf, fileOf, type Draft, type DraftSheet, type MonthFile } from './draft.ts'
import type { MonthPortal } from './monthPortal.ts'
import { sixLayouts } from './sixLayouts.ts'

/** The month into which a fault is planted, the one before it, and the book of what is right in both. */
export type FaultMonth = { book: Book; month: string; before: string }
export const faultMonthOf = (book: Book): FaultMonth => ({
  book,
  month: book.months[2],
  before: book.months[1],
})

/**
 * One thing that goes wrong in a month. What the portal says of it is compared as lines: 'fault row 5 Net:
 * …' and 'warning …' of the upload, 'refused …', 'asks …', 'finding <kind> <key> <link>', 'missing <mid>
 * <link>', 'variance <kind> <id> <link>'.
 */
export type PlantedFault = {
  name: string
  /** Whose file is another one; the clean one is taken back before it is sent, unless `afterClean`. */
  processor?: Processor
  /** The file to be sent instead; null when there is none. */
  file?: (given: FaultMonth) => MonthFile | null
  /** The clean file stays, and `file` is sent after it. */
  afterClean?: true
  /** Changes of records, after the file. */
  change?: (portal: MonthPortal, given: FaultMonth) => Promise<void>
  /** Texts that must each begin one line. */
  found: (given: FaultMonth) => string[]
  /** Lines with one of these texts are about the fault, too. */
  about: (given: FaultMonth) => string[]
}

export const shopAt = ({ book }: FaultMonth, processor: Processor, at: number): Shop =>
  shopsOfProcessor(book, processor)[at]!
export const midsOf = ({ book }: FaultMonth, processor: Processor) =>
  shopsOfProcessor(book, processor).map(({ mid }) => mid)
export const merchantLink = ({ id }: Shop) => `/manage/merchants?open=${id}`
/** The draft of a processor's file for the month. */
export const cleanDraft = ({ book, month }: FaultMonth, processor: Processor): Draft =>
  draftOf(sixLayouts[processor], book.figures(month, processor), month)

/** The file of a processor with a change of its draft. */
export const withDraft =
  (processor: Processor, change: (draft: Draft, given: FaultMonth) => Draft | void) =>
  (given: FaultMonth): MonthFile => {
    const draft = cleanDraft(given, processor)
    return fileOf(sixLayouts[processor], change(draft, given) ?? draft)
  }
/** The same with a change of the first sheet. */
export const withSheet = (processor: Processor, change: (sheet: DraftSheet, given: FaultMonth) => void) =>
  withDraft(processor, (draft, given) => change(draft.sheets[0]!, given))
/** The same with a change of the bytes. */
export const withContent =
  (processor: Processor, change: (content: Buffer) => Buffer) =>
  (given: FaultMonth): MonthFile => {
    const file = fileOf(sixLayouts[processor], cleanDraft(given, processor))
    return { ...file, content: change(file.content) }
  }
export const renamed =
  (processor: Processor, name: (given: FaultMonth) => string) =>
  (given: FaultMonth): MonthFile => ({
    ...fileOf(sixLayouts[processor], cleanDraft(given, processor)),
    filename: name(given),
  })

/** Computes the totals again after rows were changed. */
export function totalAgain(sheet: DraftSheet, write: (sum: number) => string = (sum) => sum.toFixed(2)) {
  const [totals] = sheet.totals
  if (!totals) return
  for (const [at, cell] of totals.entries()) {
    if (at === 0 || cell === '') continue
    const cents = sheet.rows.reduce(
      (sum, row) => sum + Math.round(Number(String(row[at]).replace(/[$,]/g, '')) * 100),
      0,
    )
    totals[at] = write(cents / 100)
  }
}
export const columnAt = ({ heading }: DraftSheet, name: string) => heading.indexOf(name)
/** The month after the current one. */
export const nextMonth = ({ month }: FaultMonth) => monthAfter(month, 2)
