import { rawXlsx } from './workbooks.ts'

const heads =
  'XMID,DBA,Legal Name,Business Type,Product,DBA Address,DBA City,DBA State,DBA Zip,Legal Address,Legal City,Legal State,Legal Zip,' +
  'Status,Sales Rep,Master Agent,Account Status,Date Added,Date Approved,Date Submitted,Notes,Processor,MCC,Group'

/** Scattered, but the same on every machine. */
const scatter = (at: number): number => {
  const mixed = Math.imul((at + 1) ^ ((at + 1) >>> 15), 0x2c1b3c6d)
  return (mixed ^ (mixed >>> 13)) >>> 0
}
const of = <T>(from: readonly T[], at: number): T => from[at % from.length]!
const towns = ['Northfield,MN,55057', 'Ashland,OR,97520', 'Salem,MA,01970', 'Dover,DE,19901'].map((town) =>
  town.split(','),
)
const streets = ['Main Street', 'Mill Road', 'Station Avenue', 'Elm Court']
const trades = [
  'Bakery',
  'Books',
  'Cycles',
  'Dental',
  'Florist',
  'Garage',
  'Grill',
  'Hardware',
  'Optics',
  'Pets',
  'Salon',
]
/** Serials of 2024. */
const serial = (at: number) => 45_292 + (at % 366)

type Merchant = (string | { serial: number })[]
/**
 * The merchant of a number, in 24 columns as processors export them. Names and streets are its own, the rest
 * repeats.
 */
function merchant(at: number): Merchant {
  const any = scatter(at)
  const [town, county, zip] = of(towns, any) as [string, string, string]
  const street = `${any % 9973} ${of(streets, any)}`
  const name = `${of(trades, any)} ${any.toString(36).toUpperCase()}`
  const place = [street, town, county, zip]
  const days = [{ serial: serial(any) }, { serial: serial(any + 9) }, { serial: serial(any + 4) }]
  return [
    `${String(any).padStart(10, '0')}${String(at).padStart(6, '0').slice(0, 2)}`,
    name,
    `${name} Holdings`,
    of(['Retail', 'Restaurant', 'Service'], any),
    of(['Terminal', 'Gateway', 'Mobile'], any),
    ...place,
    ...place,
    'Approved',
    of(['Dana Wells', 'Ira Stone', 'Kim Rivers'], any),
    String((any % 5) + 1),
    'Active',
    ...days,
    any % 4 ? '' : 'Prefers e-mail, mornings',
    of(['Aurora', 'Borealis'], any),
    of(['5812', '5942', '7538'], any),
    of(['North', 'South', 'East', 'West'], any),
  ]
}

const dayOf = (value: number) => new Date((value - 25_569) * 86_400_000).toISOString().slice(0, 10)
const asText = (value: Merchant[number]) => (typeof value === 'string' ? value : dayOf(value.serial))
const quoted = (text: string) => (text.includes(',') ? `"${text}"` : text)

/** So many merchants as CSV, in pieces of a thousand rows. */
export function* portfolioCsv(rows: number, from = 0): Generator<string> {
  yield `${heads}\r\n`
  for (let at = from; at < from + rows; at += 1000) {
    let text = ''
    const end = Math.min(at + 1000, from + rows)
    for (let row = at; row < end; row += 1)
      text += `${merchant(row)
        .map((value) => quoted(asText(value)))
        .join(',')}\r\n`
    yield text
  }
}

/**
 * The same as a workbook the way Excel writes one: shared texts, references, row spans, dates as styled
 * serials.
 */
export function portfolioXlsx(rows: number): Buffer {
  const known = new Map<string, number>()
  const shared = (text: string) => {
    if (!known.has(text)) known.set(text, known.size)
    return known.get(text)!
  }
  const letters = Array.from(heads.split(','), (_, at) => String.fromCharCode(65 + at))
  const cell = (value: Merchant[number], at: number, row: number) => {
    if (value === '') return ''
    if (typeof value === 'string') return `<c r="${letters[at]}${row}" t="s"><v>${shared(value)}</v></c>`
    return `<c r="${letters[at]}${row}" s="1"><v>${value.serial}</v></c>`
  }
  const line = (values: Merchant, row: number) => {
    const cells = values.map((value, at) => cell(value, at, row)).join('')
    return `<row r="${row}" spans="1:24">${cells}</row>`
  }
  let sheet = line(heads.split(','), 1)
  for (let at = 0; at < rows; at += 1) sheet += line(merchant(at), at + 2)
  let strings = ''
  for (const text of known.keys()) strings += `<si><t>${text}</t></si>`
  return rawXlsx({
    sheet,
    strings,
    styles: '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
  })
}
