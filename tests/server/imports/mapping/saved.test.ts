import { beforeEach, describe, expect, test } from 'vitest'
import { imports, type ImportName } from '../../../../schemas/imports/imports.ts'
import { mappingFault, type Mapping } from '../../../../schemas/imports/mapping/mapping.ts'
import {
  listMappings,
  removeMapping,
  storedHeadings,
  storedMappings,
} from '../../../../server/imports/mapping/savedMappings.ts'
import { addTwoMerchants, sharedImportDatabase } from '../../../files/importDatabase.ts'
import { csvOf, workbookOf, type Rows } from '../../../files/workbooks.ts'
import { whileUncommitted } from '../../../whileUncommitted.ts'

const it = sharedImportDatabase()
beforeEach(async () => {
  await it.db.query(
    'truncate merchant, residual, daily_volume, import_batch, import_mapping restart identity cascade',
  )
  await addTwoMerchants(it.db)
})

const of = (name: string) => ({ columns: [{ sheet: '', name, sign: 1 as const }] })
const oneSheet = (heading: string[], fields: Mapping['fields']): Mapping => ({
  sheets: [{ name: '', heading }],
  fields,
})
type Sample = { name: string; rows: Rows; mapping: Mapping; stored: string; value: string }
/**
 * A file of each kind in another layout: other names and order, lines above, one value for all rows, sums.
 */
const samples = {
  merchant: {
    name: 'f.csv',
    rows: [
      ['Agency', 'Sign', 'Ref'],
      ['', 'Renamed', '1'],
    ],
    mapping: oneSheet(['Agency', 'Sign', 'Ref'], {
      xmid: of('Ref'),
      dba: of('Sign'),
      masteragentid: of('Agency'),
    }),
    stored: "select dba as value from merchant where xmid = '1'",
    value: 'Renamed',
  },
  pcicompliance: {
    name: 'f.csv',
    rows: [['Portfolio'], [], ['Outlet', 'Penalty'], ['1', '$19.95']],
    mapping: oneSheet(['Outlet', 'Penalty'], {
      xmid: of('Outlet'),
      noncompliancefee: of('Penalty'),
      compliancestatus: { constant: 'Not compliant' },
    }),
    stored: "select noncompliancefee || ' ' || compliancestatus as value from pci_compliance",
    value: '19.95 Not compliant',
  },
  chargeback: {
    name: 'f.csv',
    rows: [
      ['Ticket', 'Lost', 'Came', 'Outlet', 'Fee'],
      ['C7', '10.00', '5/7/2025', '1', '2.50'],
    ],
    mapping: oneSheet(['Ticket', 'Lost', 'Came', 'Outlet', 'Fee'], {
      xmid: of('Outlet'),
      casenumber: of('Ticket'),
      filedate: of('Came'),
      amount: {
        columns: [
          { sheet: '', name: 'Lost', sign: 1 },
          { sheet: '', name: 'Fee', sign: 1 },
        ],
      },
      debitcredit: { constant: 'Debit' },
    }),
    stored: "select amount || ' ' || casenumber || ' ' || debitcredit as value from chargeback",
    value: '12.50 C7 Debit',
  },
  tinvalidation: {
    name: 'f.csv',
    rows: [
      ['Verdict', 'Outlet'],
      ['2', '1'],
    ],
    mapping: oneSheet(['Verdict', 'Outlet'], { xmid: of('Outlet'), code: of('Verdict') }),
    stored: 'select tinstatus as value from tin_validation',
    value: 'Mismatch',
  },
  compdata: {
    name: 'Aurora_May2025.csv',
    rows: [
      ['Taken', 'Kept', 'Outlet'],
      ['100.10', '40.05', '1'],
    ],
    mapping: oneSheet(['Taken', 'Kept', 'Outlet'], {
      xmid: of('Outlet'),
      net: {
        columns: [
          { sheet: '', name: 'Taken', sign: 1 },
          { sheet: '', name: 'Kept', sign: -1 },
        ],
      },
    }),
    stored: 'select net::text as value from residual',
    value: '60.05',
  },
  dailyvolume: {
    name: 'f.csv',
    rows: [
      ['Outlet', 'Turned Over', 'Given Back'],
      ['1', '50.00', '8.00'],
      ['Total', '50.00', '8.00'],
    ],
    mapping: oneSheet(['Outlet', 'Turned Over', 'Given Back'], {
      xmid: { columns: [{ sheet: '', name: 'Outlet', sign: 1 }], pad: 1 },
      salesamount: of('Turned Over'),
      refundamount: of('Given Back'),
    }),
    stored: 'select netamount::text as value from daily_volume',
    value: '42.00',
  },
} satisfies Partial<Record<ImportName, Sample>>
type Sampled = keyof typeof samples
const kinds = Object.keys(samples) as Sampled[]
const known = { processor: 'Aurora', newprocessor: true }
const send = (kind: Sampled, more: object = {}, rows: Rows = samples[kind].rows, name = samples[kind].name) =>
  it.imports(kind, name, csvOf(rows), { answers: known, ...more })
const refused = (
  kind: Sampled,
  more: object = {},
  rows: Rows = samples[kind].rows,
  name = samples[kind].name,
) => it.refuses(kind, name, csvOf(rows), { answers: known, ...more })
const mapped = (kind: Sampled) => ({ answers: { ...known, mapping: samples[kind].mapping } })
const valueOf = async (kind: Sampled) =>
  (await it.db.query<{ value: string }>(samples[kind].stored)).map(({ value }) => value)
const savedCount = async () => (await it.db.query('select 1 from import_mapping')).length

describe.each(kinds)('%s with headings of its own', (kind) => {
  test('is asked about and stores nothing; with a mapping it is stored, and the next one is taken silently', async () => {
    expect(mappingFault(imports[kind], samples[kind].mapping)).toBeNull()
    expect(await refused(kind)).toMatchObject({
      status: 409,
      code: 'asks',
      asks: {
        mapping: { sheets: [{ lines: (samples[kind] as Sample).rows.at(-1)![0] === 'Total' ? 2 : 1 }] },
      },
    })
    expect((await send(kind, mapped(kind))).totals).toMatchObject({ rows: 1 })
    expect(await valueOf(kind)).toEqual([samples[kind].value])
    expect(await savedCount()).toBe(1)
    expect(await send(kind, { again: true })).toMatchObject({ unchanged: 1 })
    expect(await savedCount()).toBe(1)
  })
})

describe('a saved mapping', () => {
  test('keeps its processor, by whom it was saved and when, and replaces one of the same heading with an entry in the audit', async () => {
    await send('compdata', mapped('compdata'))
    const changed = oneSheet(['Taken', 'Kept', 'Outlet'], { xmid: of('Outlet'), net: of('Kept') })
    const sender = { username: 'bob', scope: null }
    await send('compdata', { answers: { ...known, mapping: changed }, sender, again: true })
    const { data } = await listMappings(it.db, 'compdata')
    expect(data).toMatchObject([{ processor: 'Aurora', columns: ['Outlet', 'Kept'], username: 'bob' }])
    expect(
      await it.db.query('select extract(epoch from saved_at)::bigint as at from import_mapping'),
    ).toEqual([{ at: data[0]!.at }])
    const entries = await it.db.query(
      `select action, username, before #> '{mapping,fields,net}' as before, after ->> 'processor' as processor
        from audit where entity = 'importmapping' and entityid = $1 order by id desc limit 2`,
      [String(data[0]!.id)],
    )
    expect(entries).toEqual([
      {
        action: 'update',
        username: 'bob',
        before: samples.compdata.mapping.fields['net'],
        processor: 'Aurora',
      },
      { action: 'create', username: 'ann', before: null, processor: 'Aurora' },
    ])
  })

  test('is compared before those that were saved earlier, and before those of the same moment that came first', async () => {
    const saved = [
      ['Second', '2026-05-02'],
      ['Third', '2026-05-03'],
      ['First', '2026-05-01'],
      ['Fourth', '2026-05-03'],
    ] as const
    for (const [heading, day] of saved)
      await it.db.query(
        `insert into import_mapping (kind, processor, fingerprint, mapping, username, saved_at)
          values ('merchant', '', $1, $2, 'bob', $3)`,
        [heading, JSON.stringify(oneSheet([heading], {})), day],
      )
    const wanted = ['Fourth', 'Third', 'Second', 'First']
    expect((await storedMappings(it.db, 'merchant')).map(({ fingerprint }) => fingerprint)).toEqual(wanted)
    expect((await storedHeadings(it.db)).map(({ sheets }) => sheets[0]!.heading[0])).toEqual(wanted)
  })

  test('that is saved again is the newest from then on', async () => {
    await send('compdata', mapped('compdata'))
    await it.db.query(`update import_mapping set saved_at = now() - interval '2 days'`)
    await it.db.query(
      `insert into import_mapping (kind, processor, fingerprint, mapping, username, saved_at)
        values ('compdata', 'Borealis', 'other', $1, 'bob', now() - interval '1 day')`,
      [JSON.stringify(oneSheet(['Other'], {}))],
    )
    const processors = async () =>
      (await listMappings(it.db, 'compdata')).data.map(({ processor }) => processor)
    expect(await processors()).toEqual(['Borealis', 'Aurora'])
    await send('compdata', { ...mapped('compdata'), again: true })
    expect(await processors()).toEqual(['Aurora', 'Borealis'])
  })

  test('is of one kind: a file of another with the same heading is asked about', async () => {
    const rows: Rows = [
      ['Outlet', 'Turned Over', 'Given Back'],
      ['1', '5', '1'],
    ]
    await send('dailyvolume', mapped('dailyvolume'))
    expect(await refused('compdata', {}, rows, 'Aurora_May2025.csv')).toMatchObject({
      status: 409,
      code: 'asks',
    })
  })

  test('is saved neither by a preview nor by an import that is refused', async () => {
    await send('compdata', { ...mapped('compdata'), dryrun: true })
    const rows: Rows = [
      ['Taken', 'Kept', 'Outlet'],
      ['1', 'x', '1'],
    ]
    expect(await refused('compdata', mapped('compdata'), rows)).toMatchObject({ status: 422 })
    expect(await savedCount()).toBe(0)
  })

  test('that is deleted is asked for again; an unknown one, and one of another kind, is a 404', async () => {
    await send('compdata', mapped('compdata'))
    const { id } = (await listMappings(it.db, 'compdata')).data[0]!
    const author = { username: 'ann', address: '' }
    const remove = (kind: Sampled, wanted: number) =>
      it.db.transaction((tx) => removeMapping(tx, kind, wanted, author))
    await expect(remove('dailyvolume', id)).rejects.toMatchObject({ status: 404 })
    await expect(remove('compdata', id + 1)).rejects.toMatchObject({ status: 404 })
    expect(await savedCount()).toBe(1)
    await remove('compdata', id)
    expect(await refused('compdata', { again: true })).toMatchObject({ status: 409, code: 'asks' })
    const [entry] = await it.db.query(
      `select action, before ->> 'processor' as processor from audit where entity = 'importmapping' order by id desc limit 1`,
    )
    expect(entry).toEqual({ action: 'delete', processor: 'Aurora' })
  })

  test('that is deleted while it is saved again is created anew, not changed', async () => {
    await send('compdata', mapped('compdata'))
    const { id } = (await listMappings(it.db, 'compdata')).data[0]!
    await whileUncommitted(
      it.db,
      (tx) => removeMapping(tx, 'compdata', id, { username: 'bob', address: '' }),
      () => send('compdata', { ...mapped('compdata'), again: true }),
    )
    const entries = await it.db.query(
      `select action, username, before is null as isnew from audit where entity = 'importmapping'
        order by id desc limit 2`,
    )
    expect(entries).toEqual([
      { action: 'create', username: 'ann', isnew: true },
      { action: 'delete', username: 'bob', isnew: false },
    ])
  })

  test('of a heading that has changed is proposed with the difference, not used', async () => {
    await send('compdata', mapped('compdata'))
    const rows: Rows = [
      ['Taken', 'Kept Back', 'Outlet'],
      ['100.10', '40.05', '1'],
    ]
    const { asks } = await refused('compdata', {}, rows, 'Aurora_June2025.csv')
    expect(asks!.mapping!.difference).toEqual({
      processor: 'Aurora',
      renamed: [{ from: 'Kept', to: 'Kept Back' }],
      moved: [],
      missing: [],
      added: [],
    })
    const answers = { ...known, mapping: asks!.mapping!.mapping }
    await send('compdata', { answers }, rows, 'Aurora_June2025.csv')
    expect(await valueOf('compdata')).toEqual(['60.05', '60.05'])
    expect(await savedCount()).toBe(2)
  })
})

test('a fault in a row that only a further sheet has names the sheet and its row', async () => {
  const names = { Volume: ['Outlet', 'Taken'], Costs: ['Outlet', 'Kept'] }
  const mapping: Mapping = {
    sheets: Object.entries(names).map(([name, heading]) => ({ name, heading })),
    fields: {
      xmid: {
        columns: [
          { sheet: 'Volume', name: 'Outlet', sign: 1 },
          { sheet: 'Costs', name: 'Outlet', sign: 1 },
        ],
      },
      income: { columns: [{ sheet: 'Volume', name: 'Taken', sign: 1 }] },
      expense: { columns: [{ sheet: 'Costs', name: 'Kept', sign: 1 }] },
    },
  }
  const book = workbookOf('xlsx', {
    Volume: [names.Volume, ['1', 10]],
    Costs: [names.Costs, ['1', 4], ['2', 'x']],
  })
  const {
    status,
    refused: message,
    rows,
  } = await it.refuses('compdata', 'Aurora_May2025.xlsx', book, {
    answers: { ...known, mapping },
  })
  expect([status, rows.length]).toEqual([422, 1])
  expect(message).toMatch(/^Row 3: Sheet Costs: Expenses is not an amount/)
  expect(rows[0]).toMatchObject({
    row: 3,
    column: 'Expenses',
    message: expect.stringMatching(/^Sheet Costs: /),
  })
})

test('a mapping that was saved with the file of another processor is said by the preview and the import', async () => {
  const { rows, mapping } = samples.compdata
  // Other amounts, since the same bytes are another matter (imports 17).
  const send = (name: string, income: string, more = {}) =>
    it.imports('compdata', name, csvOf([rows[0]!, [income, '40.05', '1']]), more)
  expect((await send('Aurora_May2025.csv', '100.10', { answers: { mapping } })).warnings).toEqual([])
  expect((await send('Aurora_June2025.csv', '101.10')).warnings).toEqual([])
  const said = [
    'The columns are read by the mapping that was saved with a file of Aurora; they must mean the same here',
  ]
  for (const dryrun of [true, false])
    expect((await send('Borealis_May2025.csv', '102.10', { dryrun })).warnings).toEqual(said)
  // Sent with the file it is saved for this processor.
  const answers = { mapping }
  expect((await send('Borealis_June2025.csv', '103.10', { answers })).warnings).toEqual([])
  expect((await send('Borealis_July2025.csv', '104.10')).warnings).toEqual([])
})
