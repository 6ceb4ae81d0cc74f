import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { noSource } from '../../../schemas/imports/answers.ts'
import { defaultImportLimits } from '../../../server/config/importLimits.ts'
import { HttpError } from '../../../server/http/errors.ts'
import { empty, sharedImportDatabase } from '../../files/importDatabase.ts'
import { csvOf, rawXlsx, rowXml, workbookOf, type Rows } from '../../files/workbooks.ts'
import { readersAreProcesses } from '../../setup/readers.ts'

vi.setConfig({ testTimeout: 30_000 })

const it = sharedImportDatabase(empty)

const heads = ['XMID', 'DBA', 'Master Agent', 'Status', 'Date Added', 'Notes', 'Account Status']
const shop: Rows[number] = [
  '001',
  'Shop',
  'MA0002',
  'Open',
  '1/5/2025',
  'a\ttab, a "quote" and a \\',
  'Active',
]
const cafe: Rows[number] = ['002', 'Café', 'north office', '', '', '', '']
const file = (...rows: Rows) => csvOf([heads, ...rows])
const stored = () =>
  it.db.query(
    'select xmid, dba, masteragentid, status, date_added, notes, accountstatus, version from merchant order by xmid',
  )
const count = async (table: string) => Number((await it.db.query(`select count(*) as n from ${table}`))[0]!.n)
const added = Date.UTC(2025, 0, 5) / 1000
const asStored = [
  {
    xmid: '001',
    dba: 'Shop',
    masteragentid: 2,
    status: 'Open',
    date_added: added,
    notes: shop[5],
    accountstatus: 2,
    version: 1,
  },
  {
    xmid: '002',
    dba: 'Café',
    masteragentid: 2,
    status: '',
    date_added: null,
    notes: '',
    accountstatus: 1,
    version: 1,
  },
]

describe('merchants', () => {
  test.each([
    ['.csv', 'm.csv', file(shop, cafe)],
    ['.xlsx', 'm.xlsx', workbookOf('xlsx', { Sheet1: [heads, shop, cafe] })],
    ['.xls', 'm.xls', workbookOf('biff8', { Sheet1: [heads, shop, cafe] })],
  ])('are the same rows from %s', async (_, filename, content) => {
    const reply = await it.imports('merchant', filename, content)
    expect(reply).toEqual({
      batch: 1,
      source: noSource,
      inserted: 2,
      updated: 0,
      unchanged: 0,
      totals: { rows: 2 },
      warnings: [],
      ignored: [],
    })
    expect(await stored()).toEqual(asStored)
  })

  test('that do not change are not written; those that do get a new version', async () => {
    await it.imports('merchant', 'm.csv', file(shop, cafe))
    const reply = await it.imports(
      'merchant',
      'm.csv',
      file(shop, ['002', 'Café', '2', 'Closed', '', '', ''], ['003', 'New', '3', '', '', '', '']),
    )
    expect(reply).toMatchObject({ inserted: 1, updated: 1, unchanged: 1 })
    expect((await stored()).map(({ xmid, version, status }) => [xmid, version, status])).toEqual([
      ['001', 1, 'Open'],
      ['002', 2, 'Closed'],
      ['003', 1, ''],
    ])
  })

  test.each<[string, string, Record<string, unknown>]>([
    ['a blank cell keeps what is stored', '', asStored[0]!],
    [
      '- clears it',
      '-',
      { ...asStored[0], status: '', date_added: null, notes: '', accountstatus: 1, version: 2 },
    ],
    [
      'NULL clears it',
      'NULL',
      { ...asStored[0], status: '', date_added: null, notes: '', accountstatus: 1, version: 2 },
    ],
  ])('%s', async (_, cell, expected) => {
    await it.imports('merchant', 'm.csv', file(shop))
    await it.imports('merchant', 'm.csv', file(['001', '', '', cell, cell, cell, cell]))
    expect(await stored()).toEqual([expected])
  })

  test('unknown columns are kept beside the merchant', async () => {
    const with_ = (colour: string, fee: string) =>
      csvOf([
        ['XMID', 'DBA', 'Master Agent', 'Colour', 'Fee'],
        ['1', 'A', '2', colour, fee],
      ])
    await it.imports('merchant', 'm.csv', with_('red', '5'))
    const reply = await it.imports('merchant', 'm.csv', with_('blue', ''))
    expect(reply).toMatchObject({ updated: 1, ignored: ['Colour', 'Fee'] })
    expect(await it.db.query('select extra from merchant')).toEqual([{ extra: { Colour: 'blue', Fee: '5' } }])
  })

  test.each<[string[], string[], number, object | null]>([
    [[], [], 0, null],
    [[], ['Colour'], 1, { Colour: 'second' }],
    [['Colour'], [], 0, { Colour: 'first' }],
    [['Colour'], ['Colour'], 1, { Colour: 'second' }],
    [['Colour'], ['Fee'], 1, { Colour: 'first', Fee: 'second' }],
  ])(
    'with the unknown columns %j and then %j: %i changed, and %j is kept',
    async (one, two, updated, extra) => {
      const with_ = (columns: string[], value: string) =>
        csvOf([
          ['XMID', 'DBA', 'Master Agent', ...columns],
          ['1', 'A', '2', ...columns.map(() => value)],
        ])
      await it.imports('merchant', 'm.csv', with_(one, 'first'))
      const reply = await it.imports('merchant', 'm.csv', with_(two, 'second'), { again: true })
      expect(reply).toMatchObject({ inserted: 0, updated, unchanged: 1 - updated })
      expect(await it.db.query('select extra from merchant')).toEqual([{ extra }])
    },
  )

  test.each([['2'], ['MA0002'], ['ma0002'], ['North Office'], ['NORTH OFFICE']])(
    'name their agent by id, displayid or name, also one with blanks around it: %s',
    async (agent) => {
      await it.db.query(`update master_agent set name = ' North Office ' where id = 2`)
      onTestFinished(async () => void (await it.db.query(`update master_agent set name = btrim(name)`)))
      await it.imports('merchant', 'm.csv', file(['1', 'A', agent, '', '', '', '']))
      expect((await stored())[0]?.masteragentid).toBe(2)
    },
  )

  test.each<[string, Rows, { row: number; column: string; message: unknown }]>([
    [
      'an unknown display id, with the nearest',
      [['1', 'A', 'MA00033', '', '', '', '']],
      {
        row: 2,
        column: 'Master Agent',
        message: expect.stringMatching(/is not known; the nearest are MA0003 - South Office/),
      },
    ],
    [
      'an unknown agent, with the nearest',
      [['1', 'A', 'Nroth Office', '', '', '', '']],
      {
        row: 2,
        column: 'Master Agent',
        message: expect.stringMatching(/ is not known; the nearest are MA0002 - North Office; [^;]+; [^;]+$/),
      },
    ],
    [
      'an agent whose name two have',
      [['1', 'A', 'Twin', '', '', '', '']],
      {
        row: 2,
        column: 'Master Agent',
        message: 'Master Agent Twin is the name of more than one (MA0004, MA0005); give the id',
      },
    ],
    [
      'one XMID twice, naming the other row',
      [shop, cafe, shop],
      { row: 4, column: 'XMID', message: 'XMID 001 is already in row 2' },
    ],
    [
      'a new merchant without a name',
      [['1', '', '2', '', '', '', '']],
      { row: 2, column: 'DBA', message: 'DBA is required: 1 is a new merchant' },
    ],
    [
      'a new merchant without an agent',
      [['1', 'A', '', '', '', '', '']],
      { row: 2, column: 'Master Agent', message: 'Master Agent is required: 1 is a new merchant' },
    ],
  ])('%s is a row error', async (_, rows, expected) => {
    const refusal = await it.refuses('merchant', 'm.csv', file(...rows))
    expect(refusal).toMatchObject({ status: 422, rows: [expected], more: 0 })
    expect(refusal.refused).toContain('Nothing was stored')
    expect([await count('merchant'), await count('import_batch')]).toEqual([0, 0])
  })

  test('faults of the file and of the database come together, in the order of the rows, the rest counted', async () => {
    const unknown = Array.from({ length: 150 }, (_, index): Rows[number] => [
      `a${index}`,
      'A',
      'nobody',
      '',
      '',
      '',
      '',
    ])
    const refusal = await it.refuses(
      'merchant',
      'm.csv',
      file(['1E+15', 'A', '2', '', '', '', ''], ...unknown, ['9', 'A', '2', '', '2/30/2025', '', '']),
    )
    expect(refusal.refused).toMatch(/^The file has 152 faults; the first is in row 2: XMID/)
    expect(refusal.rows).toHaveLength(100)
    expect(refusal.rows.slice(0, 2).map((fault) => [fault.row, fault.column])).toEqual([
      [2, 'XMID'],
      [3, 'Master Agent'],
    ])
    expect(refusal.more).toBe(52)
  })
})

describe('all or nothing', () => {
  test.each(['first', 'middle', 'last'])(
    'one bad row among 2,000, the %s, and nothing is stored',
    async (where) => {
      await it.imports('merchant', 'm.csv', file(shop))
      const auditEntries = await count('audit')
      const rows = Array.from({ length: 2000 }, (_, index): Rows[number] => [
        `x${index}`,
        'A',
        '2',
        '',
        '',
        '',
        '',
      ])
      const at = { first: 0, middle: 1000, last: 1999 }[where]!
      rows[at] = ['', 'A', '2', '', '', '', '']
      const refusal = await it.refuses(
        'merchant',
        'm.csv',
        file(['001', 'Changed', '3', '', '', '', ''], ...rows),
      )
      expect(refusal.rows).toMatchObject([{ row: at + 3, column: 'XMID' }])
      expect(await stored()).toEqual([asStored[0]])
      expect([await count('import_batch'), await count('audit')]).toEqual([1, auditEntries])
    },
  )

  test('a dry run answers the same figures and stores nothing', async () => {
    await it.imports('merchant', 'm.csv', file(shop))
    const next = file(['001', 'Changed', '', '', '', '', ''], cafe)
    const dry = await it.imports('merchant', 'm.csv', next, { dryrun: true })
    expect(dry).toMatchObject({ batch: null, inserted: 1, updated: 1, unchanged: 0, totals: { rows: 2 } })
    expect(await stored()).toEqual([asStored[0]])
    expect(await count('import_batch')).toBe(1)
    expect(dry).toMatchObject({ ...(await it.imports('merchant', 'm.csv', next)), batch: null })
  })

  test('cancelling ends the statement under way at once, and stores nothing', async () => {
    const stop = new AbortController()
    const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`
    await it.db.transaction(async (other) => {
      await other.query(`select pg_advisory_xact_lock(hashtext('import merchant'))`)
      const running = it.imports('merchant', 'm.csv', file(shop), { signal: stop.signal })
      await vi.waitFor(async () => expect(await it.db.query(waits)).toHaveLength(1), { timeout: 20_000 })
      stop.abort(new Error('cancelled'))
      // The lock is still held by the other.
      await expect(running).rejects.toThrow('cancelled')
      expect(await it.db.query(waits)).toEqual([])
    })
    expect([await count('merchant'), await count('import_batch')]).toEqual([0, 0])
    expect(await it.imports('merchant', 'm.csv', file(shop))).toMatchObject({ inserted: 1 })
  })

  test('an import waits for another of its kind, then sees what that one stored', async () => {
    const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`
    const second = await it.db.transaction(async (first) => {
      await first.query(`select pg_advisory_xact_lock(hashtext('import merchant'))`)
      const waiting = it.imports('merchant', 'm.csv', file(shop))
      await vi.waitFor(async () => expect(await it.db.query(waits)).toHaveLength(1), { timeout: 10_000 })
      await first.query(
        `insert into merchant (xmid, dba, masteragentid) values ('001', 'Stored meanwhile', 2)`,
      )
      return { waiting }
    })
    expect(await second.waiting).toMatchObject({ inserted: 0, updated: 1 })
  })

  test('the same file six times at once is stored once, and refused five times', async () => {
    const tries = Array.from({ length: 6 }, () => it.imports('merchant', 'm.csv', file(shop, cafe)))
    const ends = await Promise.allSettled(tries)
    const reasons = ends.flatMap((end) =>
      end.status === 'rejected' ? [(end.reason as HttpError).extra] : [],
    )
    expect(reasons).toEqual(
      Array.from({ length: 5 }, () => ({
        code: 'repeated',
        username: 'ann',
        importedat: expect.any(Number),
        subject: null,
      })),
    )
    expect(await stored()).toEqual(asStored)
  })
})

describe('a process that reads', () => {
  readersAreProcesses()

  test('cancelling ends the reading and stores nothing', async () => {
    const stop = new AbortController()
    const rows = Array.from({ length: 50_000 }, (_, index): Rows[number] => [
      `x${index}`,
      'A',
      '2',
      '',
      '',
      '',
      '',
    ])
    const running = it.imports('merchant', 'm.csv', file(...rows), { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('cancelled')), 100)
    await expect(running).rejects.toThrow('cancelled')
    expect(await count('merchant')).toBe(0)
  })

  test.each([
    ['takes too long', { seconds: 0.05 }, 'could not be read within'],
    ['takes too much memory', { memoryMb: 80 }, 'more than 80 MB of memory'],
  ])('a file that %s is refused, its reader killed', async (_, less, why) => {
    const strings = Array.from({ length: 700_000 }, (_, index) => `<si><t>Shop ${index}</t></si>`).join('')
    const content = rawXlsx({ sheet: rowXml(1, 'XMID', 'DBA', 'Master Agent'), strings })
    const refusal = await it.refuses('merchant', 'm.xlsx', content, {
      limits: { ...defaultImportLimits, zipRatio: 1e6, ...less },
    })
    expect(refusal.refused).toContain(why)
    expect(await count('import_batch')).toBe(0)
  })
})

describe('history', () => {
  test('a batch says who imported what, and the audit too', async () => {
    await it.imports('merchant', 'my file.csv', file(shop, cafe), { address: '10.0.0.7' })
    const [batch] = await it.db.query(
      'select kind, filename, username, rows, inserted, updated, unchanged, length(sha256) as hash, totals from import_batch',
    )
    expect(batch).toEqual({
      kind: 'merchant',
      filename: 'my file.csv',
      username: 'ann',
      rows: 2,
      inserted: 2,
      updated: 0,
      unchanged: 0,
      hash: 64,
      totals: { rows: 2 },
    })
    const [auditEntry] = await it.db.query(
      `select username, address, action, entity, entityid from audit order by id desc limit 1`,
    )
    expect(auditEntry).toEqual({
      username: 'ann',
      address: '10.0.0.7',
      action: 'import',
      entity: 'merchant',
      entityid: '1',
    })
  })
})

describe('row scope', () => {
  const mine = { sender: { username: 'ann', scope: [2] } }
  test('a merchant of another branch is not changed, and nothing more is revealed', async () => {
    await it.imports('merchant', 'm.csv', file(['9', 'Secret Shop', '3', '', '', '', '']))
    const refusal = await it.refuses('merchant', 'm.csv', file(['9', 'Mine now', '2', '', '', '', '']), mine)
    expect(refusal.rows).toEqual([
      { row: 2, column: 'XMID', value: '9', message: 'XMID 9 is not yours to change' },
    ])
    expect(JSON.stringify(refusal)).not.toMatch(/Secret|South|MA0003/)
  })
  test.each(['3', 'MA0003', 'South Office'])('an agent outside the scope is not known: %s', async (agent) => {
    const refusal = await it.refuses('merchant', 'm.csv', file(['9', 'A', agent, '', '', '', '']), mine)
    expect(refusal.rows[0]?.message).toBe(
      `Master Agent ${agent} is not known; the nearest are MA0002 - North Office`,
    )
  })
  test('within the scope all is as ever', async () =>
    expect(await it.imports('merchant', 'm.csv', file(cafe), mine)).toMatchObject({ inserted: 1 }))
  test('volume of somebody else, or of nobody, is refused alike', async () => {
    await it.imports(
      'merchant',
      'm.csv',
      file(['8', 'A', '2', '', '', '', ''], ['9', 'B', '3', '', '', '', '']),
    )
    const volume = csvOf([
      ['MID', 'Sales Amount'],
      ['8', '1'],
      ['9', '1'],
      ['10', '1'],
    ])
    const refusal = await it.refuses('dailyvolume', 'v.csv', volume, mine)
    expect(refusal.rows.map(({ row, message }) => [row, message])).toEqual([
      [3, 'MID 9 is no merchant of yours'],
      [4, 'MID 10 is no merchant of yours'],
    ])
  })
})
