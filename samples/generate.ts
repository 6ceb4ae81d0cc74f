/**
 * Writes the sample files of the first walk: `npx tsx samples/generate.ts`. Everything in them is made up.
 * The merchants belong to agents of the demo data; the volume is theirs, of one day to choose on the import
 * screen. The files of a month are not here: the portal writes them when it starts, for the month before.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { utils, write } from '@e965/xlsx'
import { csvLines, type TableValue } from '../server/files/csv.ts'
import { writeTable } from '../server/files/workbook.ts'

const folder = import.meta.dirname
const merchants = 60

/** A small generator of our own (mulberry32), so that the samples are the same on every machine. */
let state = 20_250_105
const draw = (): number => {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}
const whole = (from: number, to: number) => from + Math.floor(draw() * (to - from + 1))
const pick = <T>(from: readonly T[]): T => from[whole(0, from.length - 1)]!
const digits = (length: number) => Array.from({ length }, () => whole(0, 9)).join('')

const words = [
  'Amber',
  'Birch',
  'Cobalt',
  'Dune',
  'Ember',
  'Fern',
  'Garnet',
  'Harbor',
  'Juniper',
  'Lantern',
  'Maple',
  'Opal',
  'Quartz',
  'Willow',
]
const trades = [
  'Bakery',
  'Books',
  'Café',
  'Cycles',
  'Dental',
  'Florist',
  'Garage',
  'Grill',
  'Hardware',
  'Optics',
  'Pets',
  'Salon',
  'Tea & Spice',
]
const endings = ['', '', ', Inc.', ' "To Go"', ' & Sons', ' LLC']
const towns = [
  ['Northfield', 'MN', '55057'],
  ['Ashland', 'OR', '97520'],
  ['Salem', 'MA', '01970'],
  ['Dover', 'DE', '19901'],
  ['Bristol', 'RI', '02809'],
] as const
/** Whose residual files the portal writes into the data folder (server/demo/samples.ts). */
const processors = ['Dorado', 'Equinox', 'Fathom', 'Galena', 'Halcyon', 'Indigo'] as const
const lengths = [11, 12, 15, 16] as const

const name = (index: number) => `${words[index % words.length]} ${pick(trades)}${pick(endings)}`
const portfolio = Array.from({ length: merchants }, (_, index) => {
  const [city, county, zip] = pick(towns)
  const xmid = `${index % 10 === 0 ? '00' : '88'}${digits(lengths[index % 4]! - 5)}${String(index).padStart(3, '0')}`
  const dba = name(index)
  const received = `${whole(1, 12)}/${whole(1, 28)}/2024`
  const street = `${whole(1, 990)} ${pick(['Main Street', 'Mill Road', 'Station Avenue', 'Elm Court'])}`
  const agent = `MA${String(whole(2, 60)).padStart(4, '0')}`
  return { xmid, dba, city, county, zip, street, agent, received, isActive: index % 12 !== 5 }
})

const merchantRows: TableValue[][] = [
  [
    'XMID',
    'DBA',
    'Legal Name',
    'Business Type',
    'Product',
    'DBA Address',
    'DBA City',
    'DBA State',
    'DBA Zip',
    'Status',
    'Sales Rep',
  ].concat(
    ['Master Agent', 'Account Status', 'Date Added', 'Date Received', 'Notes', 'Processor', 'MCC'],
  ),
  ...portfolio.map(({ xmid, dba, city, county, zip, street, agent, received, isActive }, index) => {
    const offer = [pick(['Retail', 'Restaurant', 'Service']), pick(['Terminal', 'Gateway', 'Mobile'])]
    const standing = [
      isActive ? 'Approved' : 'Closed',
      pick(['Dana Wells', 'Ira Stone', 'Kim Rivers']),
      agent,
      isActive ? 'Active' : 'Inactive',
    ]
    const rest = [pick(['', '', 'Prefers e-mail']), processors[index % processors.length]!, pick(['5812', '5942', '7538'])]
    return [
      xmid,
      dba,
      `${dba.replace(/[",].*/, '').trim()} Holdings`,
      ...offer,
      street,
      city,
      county,
      zip,
      ...standing,
      received,
      received,
      ...rest,
    ]
  }),
]

const money = (cents: number) => cents / 100
const volumeRows: TableValue[][] = [
  ['MID', 'DBA', 'Batch Number', 'Sales Count', 'Sales Amount', 'Refund Count', 'Refund Amount', 'Net Amount', 'Currency'],
  ...portfolio
    .filter(({ isActive }) => isActive)
    .map(({ xmid, dba }, index) => {
      const count = whole(3, 60)
      const sales = count * whole(500, 9000)
      const refund = index % 9 === 4 ? whole(500, 20_000) : 0
      return [
        xmid,
        dba,
        `B${String(index + 1).padStart(4, '0')}`,
        count,
        money(sales),
        refund ? 1 : 0,
        money(refund),
        money(sales - refund),
        'USD',
      ]
    }),
]

async function save(title: string, rows: TableValue[][]) {
  writeFileSync(join(folder, `${title}.csv`), csvLines(rows))
  writeFileSync(join(folder, `${title}.xlsx`), await buffer(writeTable(title, rows)))
  const book = utils.book_new()
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), title)
  writeFileSync(join(folder, `${title}.xls`), write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer)
}

await save('merchants', merchantRows)
await save('daily-volume', volumeRows)

const active = portfolio.filter(({ isActive }) => isActive)
const chargebackRows: TableValue[][] = [
  ['MID', 'Case Number', 'Case Type', 'Card Brand', 'Card Last4', 'File Date', 'Amount', 'Reason Code', 'Reason Description', 'Status', 'Due Date'],
  ...active.slice(0, 12).map(({ xmid }, index) => {
    const last = String(whole(0, 9999)).padStart(4, '0')
    const kind = pick(['Retrieval', 'Chargeback', 'Chargeback', 'Pre-Arbitration'])
    const reason = pick([['10.4', 'Fraud, card absent'], ['13.1', 'Goods not received']] as const)
    return [xmid, `S${String(7001 + index)}`, kind, pick(['Visa', 'Mastercard']), last, '1/3/2025', money(whole(900, 60_000)), ...reason, pick(['Open', 'Won', 'Lost']), '1/23/2025']
  }),
]
const pciRows: TableValue[][] = [
  ['MID', 'DBA', 'PCI Level', 'SAQ Type', 'Scan Required', 'Compliance Status', 'Expiration Date', 'Vendor', 'Non-Compliance Fee'],
  ...active.map(({ xmid, dba }, index) => {
    const isCompliant = index % 7 !== 2
    return [xmid, dba, 4, pick(['A', 'B', 'C']), isCompliant ? 'Yes' : 'No', isCompliant ? 'Compliant' : 'Expired', isCompliant ? '12/31/2026' : '12/31/2024', 'TrustScan', isCompliant ? 0 : 29.95]
  }),
]
/** As a bulk check answers: no heading, type, number, name, account, result code. The numbers are made up. */
const tinRows: TableValue[][] = active.map(({ xmid, dba }, index) => [
  whole(1, 2),
  `9${digits(8)}`,
  dba.replace(/[^A-Za-z &]/g, '').trim().slice(0, 40).toUpperCase(),
  xmid,
  [0, 0, 0, 3, 0, 6, 0, 2, 7, 0, 8][index % 11]!,
])
const saveText = (title: string, text: string) => writeFileSync(join(folder, `${title}.csv`), text)
saveText('chargebacks', csvLines(chargebackRows))
saveText('pci-compliance', csvLines(pciRows))
saveText('tin-validation', tinRows.map((row) => `${row.join(';')}\r\n`).join(''))
