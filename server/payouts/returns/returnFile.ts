import { isIsoDay } from '../../../schemas/dates.ts'

/** One returned payment or one notification of change. Amounts are cents, `line` counts from 1. */
export type ReturnEntry = {
  /** The line of the addenda record, which names the payment. */
  line: number
  kind: 'return' | 'change'
  /** The trace number of the payment. */
  trace: string
  code: string
  cents: number
  /** Of a return: the day of death as MM/DD/YYYY, '' when there is none. */
  died: string
  /** Of a notification of change: what it corrects, as the code lays it out. */
  corrected: string
}
/** What is wrong in a file; `line` counts from 1. */
export type FileFault = { line: number; message: string }
/** `day` is the ISO day on which the bank made the file; '' when it cannot be read. */
export type ReturnFile = { day: string; entries: ReturnEntry[]; faults: FileFault[] }

const lineLength = 94
/** Positions as the record layouts count them, from 1, both included. */
const field = (text: string, from: number, to: number) => text.slice(from - 1, to)

/** `number` counts from 1. */
type Line = { text: string; number: number }
type Positions = readonly [from: number, to: number]

/** What the controls of a batch or of the file are compared with. Cents. */
type Sums = { records: number; hash: number; debits: number; credits: number }
const noSums = (): Sums => ({ records: 0, hash: 0, debits: 0, credits: 0 })
type Batch = Sums & { number: string }
type Reading = ReturnFile & {
  sums: Sums
  batches: number
  batch: Batch | null
  /** The entry that waits for its addenda record. */
  entry: { line: number; cents: number; isCredit: boolean; trace: string } | null
  isEnded: boolean
}

/**
 * Reads a bank's return file: lines of 94 characters, of which types 6 and 7 are the entries and their
 * addenda 99 (returns) and 98 (notifications of change). Lengths, order, counts, hashes and amounts are
 * checked against the control records; every fault is listed with its line (payouts 17).
 */
export function parseReturnFile(text: string): ReturnFile {
  const lines = text.replace(/[\r\n]+$/, '').split(/\r\n|\n|\r/)
  const other = otherFileFault(lines)
  const shape = other ? [other] : shapeFaults(lines)
  // Positions mean nothing in lines of another length.
  if (shape.length > 0) return { day: '', entries: [], faults: shape }
  const reading: Reading = {
    day: '',
    entries: [],
    faults: [],
    sums: noSums(),
    batches: 0,
    batch: null,
    entry: null,
    isEnded: false,
  }
  lines.forEach((text, index) => readRecord(reading, { text, number: index + 1 }, lines.length))
  if (!reading.isEnded) fault(reading, lines.length, 'The file ends without its control record (type 9)')
  const { day, entries, faults } = reading
  return { day, entries, faults }
}

/** What another file is that was chosen by mistake, in place of a fault for each of its lines. */
function otherFileFault(lines: readonly string[]): FileFault | null {
  if (lines.every((line) => line === '')) return { line: 1, message: 'The file is empty' }
  if (lines.every(({ length }) => length !== lineLength))
    return { line: 1, message: `This is no return file of a bank: no line has ${lineLength} characters` }
  const types = lines.map((line) => line[0])
  // A return file that was cut off may lack its addenda too, but then it lacks its control as well.
  return !types.includes('6') || types.includes('7') || !types.includes('9')
    ? null
    : {
        line: types.indexOf('6') + 1,
        message: 'The file holds payments and no returns: no entry has an addenda record',
      }
}

function shapeFaults(lines: readonly string[]): FileFault[] {
  return lines.flatMap((text, index) => {
    const line = index + 1
    if (text.length !== lineLength)
      return [{ line, message: `The line has ${text.length} characters instead of ${lineLength}` }]
    return /^[ -~]*$/.test(text) ? [] : [{ line, message: 'The line holds a character that is not ASCII' }]
  })
}

const fault = ({ faults }: Reading, line: number, message: string) => void faults.push({ line, message })

function readRecord(reading: Reading, line: Line, lines: number) {
  const { text, number } = line
  const type = text[0]!
  if (reading.isEnded) {
    if (text !== '9'.repeat(lineLength)) fault(reading, number, 'Nothing may follow the file control record')
    return
  }
  if (number === 1 || type === '1') return readFileHeader(reading, line)
  if (reading.entry && type !== '7') {
    fault(reading, reading.entry.line, 'The entry has no addenda record after it')
    reading.entry = null
  }
  switch (type) {
    case '5':
      return readBatchHeader(reading, line)
    case '6':
      return readEntry(reading, line)
    case '7':
      return readAddenda(reading, line)
    case '8':
      return readBatchControl(reading, line)
    case '9':
      return readFileControl(reading, line, lines)
    default:
      fault(reading, number, `There is no record of type ${type}`)
  }
}

function readFileHeader(reading: Reading, { text, number }: Line) {
  if (number > 1) return fault(reading, number, 'The file header (type 1) is only the first line')
  if (text[0] !== '1') return fault(reading, number, 'The file does not begin with its header (type 1)')
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(field(text, 24, 29)) ?? []
  const iso = `20${year}-${month}-${day}`
  if (!isIsoDay(iso)) return fault(reading, number, 'The day of the file (positions 24 to 29) is no day')
  reading.day = iso
}

function readBatchHeader(reading: Reading, { text, number }: Line) {
  if (reading.batch) fault(reading, number, 'The batch before it has no control record (type 8)')
  reading.batch = { ...noSums(), number: field(text, 88, 94) }
  reading.batches++
}

function readEntry(reading: Reading, line: Line) {
  const { text, number } = line
  if (!reading.batch) fault(reading, number, 'The entry stands in no batch')
  const code = field(text, 2, 3)
  const isCredit = /^[2-5][1-4]$/.test(code)
  if (!isCredit && !/^[2-5][6-9]$/.test(code)) fault(reading, number, `There is no transaction code ${code}`)
  const cents = numberAt(reading, line, [30, 39], 'The amount')
  const hash = numberAt(reading, line, [4, 11], "The bank's routing number")
  for (const sums of sumsOf(reading)) {
    sums.records++
    sums.hash += hash
    if (isCredit) sums.credits += cents
    else sums.debits += cents
  }
  if (field(text, 79, 79) !== '1') fault(reading, number, 'The entry says that it has no addenda record')
  reading.entry = { line: number, cents, isCredit, trace: field(text, 80, 94) }
}

const sumsOf = ({ sums, batch }: Reading): Sums[] => (batch ? [sums, batch] : [sums])

/** 0 with a fault where the field is no number. */
function numberAt(reading: Reading, line: Line, [from, to]: Positions, what: string): number {
  const digits = field(line.text, from, to)
  if (/^\d+$/.test(digits)) return Number(digits)
  fault(reading, line.number, `${what} (positions ${from} to ${to}) is no number`)
  return 0
}

const addendaKinds: Readonly<Record<string, ReturnEntry['kind']>> = { '99': 'return', '98': 'change' }

function readAddenda(reading: Reading, { text, number }: Line) {
  for (const sums of sumsOf(reading)) sums.records++
  const { entry } = reading
  reading.entry = null
  if (!entry) return fault(reading, number, 'The addenda record stands behind no entry')
  const kind = addendaKinds[field(text, 2, 3)]
  if (!kind)
    return fault(reading, number, `Addenda of type ${field(text, 2, 3)} are neither returns nor corrections`)
  const code = field(text, 4, 6)
  const trace = field(text, 7, 21)
  const before = reading.faults.length
  if (!(kind === 'return' ? /^R\d\d$/ : /^C\d\d$/).test(code))
    fault(
      reading,
      number,
      `${code} is no code of a ${kind === 'return' ? 'return' : 'notification of change'}`,
    )
  if (!/^\d{15}$/.test(trace)) fault(reading, number, 'The original trace number is not 15 digits')
  if (field(text, 80, 94) !== entry.trace)
    fault(reading, number, 'The trace number is not that of the entry before it')
  if (!entry.isCredit) fault(reading, number, 'The entry is a debit: only payments can come back')
  if (kind === 'change' && entry.cents !== 0)
    fault(reading, number, 'A notification of change has an amount of 0')
  if (reading.faults.length > before) return
  const died = /^(\d\d)(\d\d)(\d\d)$/.exec(field(text, 22, 27))
  reading.entries.push({
    line: number,
    kind,
    trace,
    code,
    cents: entry.cents,
    died: kind === 'return' && died && died[0] !== '000000' ? `${died[2]}/${died[3]}/20${died[1]}` : '',
    corrected: kind === 'change' ? field(text, 36, 64) : '',
  })
}

function readBatchControl(reading: Reading, line: Line) {
  const { text, number } = line
  const { batch } = reading
  if (!batch) return fault(reading, number, 'The batch control stands behind no batch')
  reading.batch = null
  if (field(text, 88, 94) !== batch.number)
    fault(reading, number, `The control is of batch ${field(text, 88, 94)}, its header of ${batch.number}`)
  compareSums(reading, line, batch, {
    records: [5, 10],
    hash: [11, 20],
    debits: [21, 32],
    credits: [33, 44],
  })
}

function readFileControl(reading: Reading, line: Line, lines: number) {
  reading.isEnded = true
  if (reading.batch) fault(reading, line.number, 'The batch before it has no control record (type 8)')
  const counted = { batches: reading.batches, blocks: Math.ceil(lines / 10) }
  const titles = { batches: 'batches', blocks: 'blocks of ten lines' }
  const places = { batches: [2, 7], blocks: [8, 13] } as const
  for (const name of ['batches', 'blocks'] as const) {
    const stated = numberAt(reading, line, places[name], `The number of ${titles[name]}`)
    if (stated !== counted[name])
      fault(reading, line.number, `The control says ${stated} ${titles[name]}, there are ${counted[name]}`)
  }
  compareSums(reading, line, reading.sums, {
    records: [14, 21],
    hash: [22, 31],
    debits: [32, 43],
    credits: [44, 55],
  })
}

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

/** Compares the sums with a control record, whose fields stand at `places`. */
function compareSums(reading: Reading, line: Line, sums: Sums, places: Record<keyof Sums, Positions>) {
  const counted = { ...sums, hash: sums.hash % 10_000_000_000 }
  const titles = { records: 'entries and addenda', hash: 'entry hash', debits: 'debits', credits: 'credits' }
  for (const name of ['records', 'hash', 'debits', 'credits'] as const) {
    const stated = numberAt(reading, line, places[name], `The sum of ${titles[name]}`)
    if (stated === counted[name]) continue
    const [says, are] = [stated, counted[name]].map((it) =>
      name === 'debits' || name === 'credits' ? dollars(it) : String(it),
    )
    fault(
      reading,
      line.number,
      `The control says ${says} as ${titles[name]}, the records before it give ${are}`,
    )
  }
}
