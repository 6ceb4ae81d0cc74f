import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ImportName } from '../../../schemas/imports/imports.ts'
import type { Caller } from '../../../server/http/call.ts'
import { HttpError } from '../../../server/http/errors.ts'
import { listImports } from '../../../server/imports/history.ts'
import { offerUndos } from '../../../server/imports/undoOffer.ts'
import { addTwoMerchants, sharedImportDatabase } from '../../files/importDatabase.ts'
import { csvOf, type Rows } from '../../files/workbooks.ts'
import { whileUncommitted } from '../../whileUncommitted.ts'
import { statementsOf } from '../lists/statements.ts'

vi.setConfig({ testTimeout: 60_000 })

const it = sharedImportDatabase(async (db) => {
  // The audit outlives them, so no merchant may get the number of an earlier one.
  await db.query('truncate merchant, import_batch cascade')
  await db.query('alter sequence import_batch_id_seq restart')
  await addTwoMerchants(db)
})

const tables = [
  'merchant',
  'daily_volume',
  'residual',
  'chargeback',
  'chargeback_state',
  'pci_compliance',
  'tin_validation',
]
/**
 * Every row of every table an import writes; versions are compared by `versions`, because an undo goes on
 * counting.
 */
const all = async () => {
  const found = tables.map(async (table) => [
    table,
    await it.db.query(`select to_jsonb(t) - 'version' as row from ${table} t order by id`),
  ])
  return Object.fromEntries(await Promise.all(found))
}
/** The version of each merchant by its XMID. No other table of an import has one. */
const versions = async () =>
  Object.fromEntries(
    (await it.db.query<{ xmid: string; version: number }>('select xmid, version from merchant')).map(
      ({ xmid, version }) => [xmid, version],
    ),
  )
/** What the history says of the undo of an import. */
const offered = async (kind: ImportName, batch: number) => {
  const caller = { username: 'ann', scope: null, userid: null } as unknown as Caller
  const { data } = await listImports(it.db, kind, caller, { page: 1, size: 100, timeZone: 'UTC' })
  return data.find(({ id }) => id === batch)!.undo
}
const mayBeUndone = { allowed: true, reason: null }
const kept = () => it.db.query('select 1 from import_change union all select 1 from import_added')

/** `versions` are those of the merchants after both imports and the undo of the second. */
type Pair = {
  kind: ImportName
  first: Rows
  second: Rows
  name?: string
  versions?: Record<string, number>
}
const pairs: Pair[] = [
  {
    kind: 'merchant',
    // 3 was added at version 1; the second file changed 3 and 1, and its undo changed both once more.
    versions: { 1: 3, 2: 1, 3: 3 },
    first: [
      ['XMID', 'DBA', 'Master Agent', 'Status', 'Date Added', 'Colour'],
      ['3', 'Three, "the" \\', '2', 'Open', '1/5/2025', 'red'],
    ],
    second: [
      ['XMID', 'DBA', 'Master Agent', 'Status', 'Date Added', 'Colour'],
      ['3', 'Drei', '3', '-', '-', 'blue'],
      ['1', 'Uno', '', 'x', '', ''],
      ['4', 'Four', '2', '', '', ''],
    ],
  },
  {
    kind: 'dailyvolume',
    first: [
      ['MID', 'Batch Number', 'Sales Amount'],
      ['1', 'B1', '10.10'],
      ['1', 'B2', '20'],
      ['2', '', '5'],
    ],
    second: [
      ['MID', 'Batch Number', 'Sales Amount'],
      ['1', '', '31'],
      ['2', '', '5.05'],
      ['9', '', '1'],
    ],
  },
  {
    kind: 'compdata',
    name: 'Aurora_May2025.csv',
    first: [
      ['MID', 'Income', 'Expenses', 'BPS'],
      ['1', '10.10', '4', '12'],
      ['2', '(3.00)', '1', ''],
    ],
    second: [
      ['MID', 'Income', 'Expenses', 'BPS'],
      ['1', '11', '4', '13'],
      ['9', '7', '0', ''],
    ],
  },
  {
    kind: 'chargeback',
    first: [
      ['MID', 'Case Number', 'File Date', 'Amount', 'Status'],
      ['1', 'C1', '5/1/2025', '10', 'Open'],
    ],
    second: [
      ['MID', 'Case Number', 'File Date', 'Amount', 'Status'],
      ['1', 'C1', '', '12.5', 'Lost'],
      ['2', 'C1', '5/2/2025', '7', 'Open'],
    ],
  },
  {
    kind: 'pcicompliance',
    first: [
      ['MID', 'Compliance Status', 'Non-Compliance Fee'],
      ['1', 'Compliant', ''],
    ],
    second: [
      ['MID', 'Compliance Status', 'Non-Compliance Fee'],
      ['1', 'Expired', '29.95'],
      ['2', 'Compliant', ''],
    ],
  },
  {
    kind: 'tinvalidation',
    // A result of the tax office is written into the merchant too: both files changed 1, the second 2.
    versions: { 1: 4, 2: 3 },
    first: [
      ['MID', 'TIN Code', 'TIN'],
      ['1', '0', '6789'],
    ],
    second: [
      ['MID', 'TIN Code', 'TIN'],
      ['1', '3', ''],
      ['2', '6', '123456789'],
    ],
  },
]

test('the reason against an undo has its time in the time zone of the portal', async () => {
  const file = (status: string) =>
    csvOf([
      ['MID', 'Compliance Status'],
      ['1', status],
    ])
  const one = await it.imports('pcicompliance', 'one.csv', file('Failed'))
  const two = await it.imports('pcicompliance', 'two.csv', file('Passed'))
  await it.db.query(`update import_batch set imported_at = '2026-03-10 01:30Z' where id = $1`, [two.batch])
  const offers = await offerUndos(it.db, [one.batch!], { scope: null, timeZone: 'America/New_York' })
  expect(offers.get(one.batch!)!.reason).toMatch(
    /^MID 1 was changed again by two.csv, which ann imported on Mar 9, 2026, 9:30\sPM; undo that import first$/,
  )
})

describe('undoing an import', () => {
  test.each(pairs)(
    'of $kind restores exactly what it changed, one after the other',
    async ({ kind, first, second, name = 'f.csv', versions: after = { 1: 1, 2: 1 } }) => {
      const nothing = await all()
      const one = await it.imports(kind, name, csvOf(first))
      const before = await all()
      const two = await it.imports(kind, name, csvOf(second), { answers: { accepted: ['taken-away'] } })
      expect(await all()).not.toEqual(before)
      expect(await offered(kind, one.batch!)).toEqual({
        allowed: false,
        reason: expect.stringMatching(/ann.*; undo that import first$/),
      })
      expect(await offered(kind, two.batch!)).toEqual(mayBeUndone)
      await expect(it.undoes(kind, one.batch!)).rejects.toThrow(
        /This import cannot be undone: .*ann.*; undo that import first/,
      )
      expect(await it.undoes(kind, two.batch!)).toMatchObject({
        id: two.batch,
        state: 'undone',
        undoneby: 'bob',
        filename: name,
      })
      expect(await all()).toEqual(before)
      expect(await versions()).toEqual(after)
      expect(await offered(kind, one.batch!)).toEqual(mayBeUndone)
      expect(await offered(kind, two.batch!)).toEqual({
        allowed: false,
        reason: expect.stringMatching(/^bob undid it on /),
      })
      await it.undoes(kind, one.batch!)
      expect(await all()).toEqual(nothing)
      expect(await kept()).toEqual([])
    },
  )

  test.each<[ImportName, string, Rows]>([
    [
      'merchant',
      'dba',
      [
        ['XMID', 'DBA', 'Master Agent'],
        ['1', 'Of the file', '2'],
      ],
    ],
    [
      'tinvalidation',
      'tinstatus',
      [
        ['MID', 'TIN Code'],
        ['1', '3'],
      ],
    ],
  ])('of %s gives back what somebody stored in the %s of a merchant meanwhile', async (kind, field, rows) => {
    const { batch } = await whileUncommitted(
      it.db,
      (tx) => tx.query(`update merchant set ${field} = 'By hand', version = version + 1 where xmid = '1'`),
      () => it.imports(kind, 'f.csv', csvOf(rows)),
    )
    const value = async () =>
      (await it.db.query(`select ${field} as value from merchant where xmid = '1'`))[0]!['value']
    expect(await value()).not.toBe('By hand')
    await it.undoes(kind, batch!)
    expect(await value()).toBe('By hand')
  })

  test('an import that was undone may be imported again', async () => {
    const file = csvOf([
      ['MID', 'Compliance Status'],
      ['1', 'Compliant'],
    ])
    const { batch } = await it.imports('pcicompliance', 'p.csv', file)
    expect(await it.refuses('pcicompliance', 'p.csv', file)).toMatchObject({ status: 409, code: 'repeated' })
    await it.undoes('pcicompliance', batch!)
    expect(await it.imports('pcicompliance', 'p.csv', file)).toMatchObject({ inserted: 1 })
  })
  test('asks once which columns each table has that the import wrote', async () => {
    const rows = (status: string): Rows => [
      ['MID', 'TIN Code', 'Status Description'],
      ['1', status, 'As sent'],
    ]
    await it.imports('tinvalidation', 'a.csv', csvOf(rows('2')))
    const { batch } = await it.imports('tinvalidation', 'b.csv', csvOf(rows('0')))
    const sent = await statementsOf(async () => {
      await it.undoes('tinvalidation', batch!)
      return { status: 200 }
    })
    // A result of the IRS is in its own table, and sets the status of its merchant.
    expect(sent.filter(({ text }) => text.includes('pg_attrdef'))).toHaveLength(2)
  })

  test('is audited, and done once', async () => {
    const { batch } = await it.imports(
      'pcicompliance',
      'p.csv',
      csvOf([
        ['MID', 'Compliance Status'],
        ['1', 'Compliant'],
      ]),
    )
    await it.undoes('pcicompliance', batch!)
    const [auditEntry] = await it.db.query(
      'select username, action, entity, entityid from audit order by id desc limit 1',
    )
    expect(auditEntry).toEqual({
      username: 'bob',
      action: 'undo',
      entity: 'pcicompliance',
      entityid: String(batch),
    })
    await expect(it.undoes('pcicompliance', batch!)).rejects.toThrow(/cannot be undone: bob undid it on/)
  })
  test.each<[string, ImportName, number]>([
    ['no number of an import', 'merchant', 99],
    ['one of another kind', 'chargeback', 1],
  ])('%s is not found', async (_, kind, id) => {
    await it.imports('merchant', 'm.csv', csvOf(pairs[0]!.first))
    await expect(it.undoes(kind, id)).rejects.toMatchObject({ status: 404 })
  })
})

describe('an undo', () => {
  const change = (xmid: string, field: string, value: string) =>
    it.db.query(
      `with done as (update merchant set ${field} = $2, version = version + 1 where xmid = $1 returning id)
        insert into audit (username, address, action, entity, entityid, after, at)
        select 'cleo', '', 'update', 'merchant', id::text, jsonb_build_object('${field}', $2::text), now() + interval '1 second' from done`,
      [xmid, value],
    )
  const imported = async () => (await it.imports('merchant', 'm.csv', csvOf(pairs[0]!.second))).batch!
  /** The refusal, which the history foretells. */
  const refusal = async (batch: number) => {
    const { reason } = await offered('merchant', batch)
    const error = await it.undoes('merchant', batch).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(HttpError)
    const { message } = error as HttpError
    expect(`This import cannot be undone: ${reason}`).toBe(message)
    return message
  }
  test.each<[string, string[]]>([
    ['changed by', ['', 'Two', 'Three']],
    ['added by', ['New', 'Two', 'Three']],
  ])('of a record that was %s an import names the last of several later imports', async (_, names) => {
    const rename = async (name: string, at: number) => {
      const rows: Rows = [
        ['XMID', 'DBA', 'Master Agent', 'Notes'],
        [names[0] === '' ? '1' : '3', name, '2', String(at)],
      ]
      return (await it.imports('merchant', `${at}.csv`, csvOf(rows))).batch!
    }
    const batches: number[] = []
    for (const [at, name] of names.entries()) batches.push(await rename(name, at))
    expect(await refusal(batches[0]!)).toMatch(/ was changed again by 2\.csv, which ann imported /)
    await it.undoes('merchant', batches[2]!)
    expect(await refusal(batches[0]!)).toMatch(/ was changed again by 1\.csv, which ann imported /)
  })
  test('is refused when a person changed a column that the import changed', async () => {
    const batch = await imported()
    await change('1', 'dba', 'Eins')
    const before = await all()
    expect(await refusal(batch)).toMatch(/^This import cannot be undone: MID 1 was changed since by cleo on /)
    expect(await all()).toEqual(before)
  })
  test('that is refused names the last person who changed the record', async () => {
    const batch = await imported()
    await change('1', 'dba', 'Eins')
    await it.db.query(
      `insert into audit (username, address, action, entity, entityid, after, at)
        select 'dora', '', 'update', 'merchant', id::text, '{"notes": "A note"}', now() + interval '2 seconds'
        from merchant where xmid = '1'`,
    )
    expect(await refusal(batch)).toMatch(/MID 1 was changed since by dora on /)
  })
  test('is refused also when the change of a column is not in the audit', async () => {
    const batch = await imported()
    await it.db.query(`update merchant set dba = 'Eins' where xmid = '1'`)
    await expect(it.undoes('merchant', batch)).rejects.toThrow('MID 1 was changed since')
  })
  test('is refused when TIN results changed a merchant that the import added', async () => {
    const batch = await imported()
    await it.imports(
      'tinvalidation',
      't.csv',
      csvOf([
        ['MID', 'TIN Code'],
        ['3', '3'],
      ]),
    )
    expect(await refusal(batch)).toMatch(/: MID 3 was changed again by t\.csv, which ann imported /)
  })
  test('is refused when a person changed a record that the import added', async () => {
    const batch = await imported()
    await change('4', 'notes', 'A note')
    expect(await refusal(batch)).toMatch(/MID 4 was changed since by cleo/)
    // At the moment of the import too.
    await it.db.query(
      `update import_batch set imported_at = (select max(at) from audit where username = 'cleo')
        where id = $1`,
      [batch],
    )
    expect(await refusal(batch)).toMatch(/MID 4 was changed since by cleo/)
  })
  test('is refused when a record that the import changed is gone', async () => {
    const batch = await imported()
    await it.db.query(
      `with gone as (delete from merchant where xmid = '1' returning id)
        insert into audit (username, address, action, entity, entityid, at)
        select 'cleo', '', 'delete', 'merchant', id::text, now() + interval '1 second' from gone`,
    )
    expect(await refusal(batch)).toContain('a record that is gone was changed since')
  })
  test('is refused when the former agent of a merchant is gone', async () => {
    await it.db.query(`insert into master_agent (id, name) values (900, 'Former')`)
    const rows = (agent: string): Rows => [
      ['XMID', 'DBA', 'Master Agent'],
      ['1', '', agent],
    ]
    await it.imports('merchant', 'former.csv', csvOf(rows('900')))
    const { batch } = await it.imports('merchant', 'moved.csv', csvOf(rows('2')))
    await it.db.query('delete from master_agent where id = 900')
    await expect(it.undoes('merchant', batch!)).rejects.toThrow(
      'This import cannot be undone: what it changed referred to a record that is gone',
    )
  })
  test('tells the audit of a merchant who earns from it again where a month was locked since the import', async () => {
    await it.db.query(
      `insert into month_lock (month, version, hash, username) values ('2025-04-01', 1, 'x', 'x')`,
    )
    const moved = async () => {
      const rows: Rows = [
        ['XMID', 'DBA', 'Master Agent'],
        ['1', '', '3'],
      ]
      return (await it.imports('merchant', 'moved.csv', csvOf(rows))).batch!
    }
    const entries = () =>
      it.db.query(
        `select before, after from audit where action = 'update' and entity = 'merchant'
          and entityid = (select id::text from merchant where xmid = '1')`,
      )
    await it.undoes('merchant', await moved())
    expect(await entries()).toEqual([])
    const batch = await moved()
    await it.db.query(`update month_lock set locked_at = now()`)
    await it.undoes('merchant', batch)
    expect(await entries()).toEqual([{ before: { masteragentid: 3 }, after: { masteragentid: 2 } }])
    await it.db.query('delete from month_lock')
  })
  const batchId = '(select max(id) from import_batch)'
  test.each([
    [
      '1 terminal',
      `equipment (model, serialnumber, merchantid) select 'T1', 'S1', id from merchant where xmid = '4'`,
    ],
    [
      '1 chargeback',
      `chargeback (xmid, casenumber, filedate, amount, batchid) values ('4', 'C1', 0, 1, ${batchId})`,
    ],
    [
      '1 adjustment',
      `adjustment (merchantid, month, amount, reason, author)
        select id, '2026-01-01', 1, 'r', 'a' from merchant where xmid = '4'`,
    ],
    [
      '1 day of volume',
      `daily_volume (volumedate, xmid, batchnumber, batchid) values ('2026-01-05', '4', 'B1', ${batchId})`,
    ],
    [
      'income in January 2026 ($5.00)',
      `residual (month, processor, xmid, income, net, batchid)
        values ('2026-01-01', 'Aurora', '4', 5, 5, ${batchId})`,
    ],
  ])('is refused when a record that the import added has %s', async (use, row) => {
    const batch = await imported()
    await it.db.query(`insert into ${row}`)
    expect(await refusal(batch)).toContain(
      `MID 4, which it added, has ${use}. An import of merchants can set it to Inactive instead.`,
    )
  })
  test('is not refused for a terminal of the record that was added next by hand', async () => {
    const batch = await imported()
    const [last] = await it.db.query<{ id: number }>('select max(id) as id from merchant')
    await it.db.query(
      `with next as (insert into merchant (id, xmid, dba, masteragentid)
          select $1, '5', 'Five', min(id) from master_agent returning id)
        insert into equipment (model, serialnumber, merchantid) select 'T1', 'S1', id from next`,
      [last!.id + 1],
    )
    expect(await offered('merchant', batch)).toEqual(mayBeUndone)
    expect(await it.undoes('merchant', batch)).toMatchObject({ state: 'undone' })
  })
  test('is not refused for a change of another column', async () => {
    const batch = await imported()
    await change('1', 'notes', 'A note')
    expect(await offered('merchant', batch)).toEqual(mayBeUndone)
    expect(await it.undoes('merchant', batch)).toMatchObject({ state: 'undone' })
    expect(await it.db.query(`select dba, status, notes from merchant where xmid = '1'`)).toEqual([
      { dba: 'One', status: '', notes: 'A note' },
    ])
  })
  test('is not refused for a change of another merchant whose id is that of a row which the import added', async () => {
    await it.imports('merchant', 'm.csv', csvOf(pairs[0]!.first))
    const [three] = await it.db.query<{ id: number }>(`select id from merchant where xmid = '3'`)
    await it.db.query(`select setval(pg_get_serial_sequence('tin_validation', 'id'), $1, false)`, [three!.id])
    const checked = (mid: string, code: string, date: string) =>
      it.imports(
        'tinvalidation',
        `${mid} ${code}.csv`,
        csvOf([
          ['MID', 'TIN Code', 'Checked Date'],
          [mid, code, date],
        ]),
      )
    const added = await checked('2', '0', '5/1/2025')
    const changed = await checked('2', '3', '5/2/2025')
    expect(await it.db.query('select id::int, xmid from tin_validation')).toEqual([
      { id: three!.id, xmid: '2' },
    ])

    await it.db.query(`insert into equipment (model, serialnumber, merchantid) values ('T1', 'S1', $1)`, [
      three!.id,
    ])
    await change('3', 'notes', 'A note')
    await checked('3', '6', '5/3/2025')
    const merchants = () =>
      it.db.query(`select xmid, dba, notes, tinstatus from merchant where xmid <> '1' order by xmid`)
    const later = { xmid: '3', dba: 'Three, "the" \\', notes: 'A note', tinstatus: 'Match' }
    const two = { xmid: '2', dba: 'Two', notes: '' }
    expect(await it.undoes('tinvalidation', changed.batch!)).toMatchObject({ state: 'undone' })
    expect(await merchants()).toEqual([{ ...two, tinstatus: 'Match' }, later])
    expect(await it.undoes('tinvalidation', added.batch!)).toMatchObject({ state: 'undone' })
    expect(await merchants()).toEqual([{ ...two, tinstatus: '' }, later])
  })
  test('is not refused for a record that the import added and somebody deleted', async () => {
    const batch = await imported()
    await it.db.query(`delete from merchant where xmid = '4'`)
    expect(await offered('merchant', batch)).toEqual(mayBeUndone)
    expect(await it.undoes('merchant', batch)).toMatchObject({ state: 'undone' })
  })
  test.each<[number, boolean]>([
    [1, true],
    [2, false],
    [3, false],
  ])(
    'is offered after a check of %i of two added merchants, of which the second is in use: %s',
    async (limit, allowed) => {
      const rows: Rows = [
        ['XMID', 'DBA', 'Master Agent'],
        ['7', 'Seven', '2'],
        ['8', 'Eight', '2'],
      ]
      const { batch } = await it.imports('merchant', 'two.csv', csvOf(rows))
      await it.imports(
        'chargeback',
        'c.csv',
        csvOf([
          ['MID', 'Case Number', 'File Date', 'Amount'],
          ['8', 'C1', '5/7/2025', '1'],
        ]),
      )
      const offers = await offerUndos(it.db, [batch!], { scope: null, timeZone: 'UTC', limit })
      expect(offers.get(batch!)?.allowed).toBe(allowed)
    },
  )
  test.each<[number, boolean]>([
    [1, true],
    [2, false],
    [3, false],
  ])(
    'is offered after a check of %i rows of a later import, whose second row changes its own: %s',
    async (limit, allowed) => {
      const file = (...rows: Rows) => csvOf([['XMID', 'DBA', 'Master Agent'], ...rows])
      const { batch } = await it.imports('merchant', 'one.csv', file(['2', 'Zwei', '']))
      await it.imports('merchant', 'both.csv', file(['1', 'Eins', ''], ['2', 'Deux', '']))
      const offers = await offerUndos(it.db, [batch!], { scope: null, timeZone: 'UTC', limit })
      expect(offers.get(batch!)?.allowed).toBe(allowed)
    },
  )
  test('is refused when the import is older than the recording of changes', async () => {
    await it.db.query(
      `insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged) values ('merchant', 'o.csv', '', 0, 'x', 1, 1, 0, 0)`,
    )
    expect(await refusal(1)).toContain('it was stored before the portal kept what an import changes')
  })
})

/** Two files that change the same record in other columns; blank cells keep what is stored. */
const apart: {
  kind: ImportName
  table: string
  key: Rows[0]
  first: Rows[0]
  second: Rows[0]
  third: Rows[0]
}[] = [
  {
    kind: 'chargeback',
    table: 'chargeback',
    key: ['MID', 'Case Number', 'File Date', 'Amount', 'Status', 'Due Date', 'Card Brand'],
    first: ['1', 'C1', '5/1/2025', '10', 'Open', '6/1/2025', 'Visa'],
    second: ['1', 'C1', '', '', 'Lost', '', ''],
    third: ['1', 'C1', '', '', '', '6/9/2025', ''],
  },
  {
    kind: 'pcicompliance',
    table: 'pci_compliance',
    key: ['MID', 'Compliance Status', 'Vendor', 'SAQ Type'],
    first: ['1', 'Compliant', 'Old', 'A'],
    second: ['1', 'Expired', '', ''],
    third: ['1', '', 'New', ''],
  },
  {
    kind: 'tinvalidation',
    table: 'tin_validation',
    key: ['MID', 'TIN Status', 'TIN', 'Legal Name'],
    first: ['1', 'Match', '6789', 'One'],
    second: ['1', 'Mismatch', '', ''],
    third: ['1', 'Mismatch', '1234', ''],
  },
]

describe('of two imports that changed other columns of the same record', () => {
  test.each(
    apart.flatMap((files) => [
      { ...files, order: 'in the order in which they came', isFirst: true },
      { ...files, order: 'the later one first', isFirst: false },
    ]),
  )('of $kind each can be undone, $order', async ({ kind, key, first, second, third, isFirst }) => {
    await it.imports(kind, 'a.csv', csvOf([key, first]))
    const before = await all()
    const two = await it.imports(kind, 'b.csv', csvOf([key, second]))
    const three = await it.imports(kind, 'c.csv', csvOf([key, third]))
    const [sooner, later] = isFirst ? [two, three] : [three, two]
    expect(await offered(kind, sooner.batch!)).toEqual(mayBeUndone)
    await it.undoes(kind, sooner.batch!)
    expect(await offered(kind, later.batch!)).toEqual(mayBeUndone)
    await it.undoes(kind, later.batch!)
    expect(await all()).toEqual(before)
  })
  test.each(apart)('of $kind the undo of one keeps what the other stored', async (files) => {
    const { kind, table, key, first, second, third } = files
    await it.imports(kind, 'a.csv', csvOf([key, first]))
    const two = await it.imports(kind, 'b.csv', csvOf([key, second]))
    const three = await it.imports(kind, 'c.csv', csvOf([key, third]))
    const stored = async () => (await it.db.query(`select * from ${table}`))[0]!
    const both = await stored()
    await it.undoes(kind, two.batch!)
    const kept = await stored()
    expect(kept['batchid']).toBe(three.batch)
    await it.imports(kind, 'b.csv', csvOf([key, second]))
    expect({ ...(await stored()), batchid: three.batch }).toEqual(both)
    expect(kept).not.toEqual(both)
  })
  test('of chargebacks the first cannot be undone where both are states of a case', async () => {
    const { kind, key, first, second } = apart[0]!
    await it.imports(kind, 'a.csv', csvOf([key, first]))
    const two = await it.imports(kind, 'b.csv', csvOf([key, second]))
    await it.imports(kind, 'c.csv', csvOf([key, ['1', 'C1', '', '12', '', '', '']]))
    expect((await offered(kind, two.batch!)).reason).toMatch(
      /^MID 1 was changed again by c\.csv.*; undo that/,
    )
    await expect(it.undoes(kind, two.batch!)).rejects.toThrow('MID 1 was changed again by c.csv')
  })
})

describe('the undo of an import that is older than a column of its table', () => {
  const whole = () =>
    csvOf([
      ['MID', 'Batch Number', 'Sales Amount'],
      ['1', '', '31'],
    ])
  const batches = csvOf([
    ['MID', 'Batch Number', 'Sales Amount'],
    ['1', 'B1', '10'],
  ])
  const added = (definition: string) =>
    it.db.query(`alter table daily_volume add column since text not null default 'new'; ${definition}`)
  afterEach(() => it.db.query('alter table daily_volume drop column if exists since'))
  test('gives the rows that it puts back what a new row has', async () => {
    await it.imports('dailyvolume', 'a.csv', batches)
    const { batch } = await it.imports('dailyvolume', 'b.csv', whole())
    await added('')
    await it.undoes('dailyvolume', batch!)
    expect(await it.db.query('select batchnumber, since from daily_volume')).toEqual([
      { batchnumber: 'B1', since: 'new' },
    ])
  })
  test('is refused where nothing says what the column of such a row holds', async () => {
    await it.imports('dailyvolume', 'a.csv', batches)
    const { batch } = await it.imports('dailyvolume', 'b.csv', whole())
    await added('alter table daily_volume alter column since drop default')
    await expect(it.undoes('dailyvolume', batch!)).rejects.toMatchObject({ status: 409 })
  })
  test('leaves out a column that the table has no more', async () => {
    await it.imports('dailyvolume', 'a.csv', batches)
    await added('')
    const { batch } = await it.imports(
      'dailyvolume',
      'b.csv',
      csvOf([
        ['MID', 'Batch Number', 'Sales Amount'],
        ['1', 'B1', '11'],
      ]),
    )
    await it.db.query(
      `update import_change set changed = changed || '{"since": ["old", "new"]}' where batchid = $1`,
      [batch],
    )
    await it.db.query('alter table daily_volume drop column since')
    await it.undoes('dailyvolume', batch!)
    expect(await it.db.query('select salesamount::text from daily_volume')).toEqual([
      { salesamount: '10.00' },
    ])
  })
})

describe('of daily volume the undo of an import that replaced rows', () => {
  const day = (...rows: Rows) => csvOf([['MID', 'Batch Number', 'Sales Amount'], ...rows])
  const sum = async () =>
    (await it.db.query(`select sum(salesamount)::float as sum from daily_volume where xmid = '1'`))[0]!['sum']
  test.each([
    ['the whole day by batches', day(['1', '', '100']), day(['1', 'B1', '40']), day(['1', 'B2', '60'])],
    ['a batch by the whole day', day(['1', 'B1', '100']), day(['1', '', '40']), null],
  ])('of %s counts no day twice', async (_, first, second, third) => {
    await it.imports('dailyvolume', 'a.csv', first)
    const { batch } = await it.imports('dailyvolume', 'b.csv', second)
    if (third) {
      const later = await it.imports('dailyvolume', 'c.csv', third)
      const { reason } = await offered('dailyvolume', batch!)
      expect(reason).toMatch(
        /^MID 1 has other rows of the day by now, from c\.csv, which ann imported on .*; undo that import first$/,
      )
      await expect(it.undoes('dailyvolume', batch!)).rejects.toThrow(reason!)
      expect(await sum()).toBe(100)
      await it.undoes('dailyvolume', later.batch!)
    }
    expect(await offered('dailyvolume', batch!)).toEqual(mayBeUndone)
    await it.undoes('dailyvolume', batch!)
    expect(await sum()).toBe(100)
  })
})

describe('the TIN status of a merchant that is added after its result', () => {
  const result = (code: string) =>
    csvOf([
      ['MID', 'TIN Code'],
      ['3', code],
    ])
  const status = async () =>
    (
      await it.db.query(
        `select tinstatus, tinstatusdescription as description, version from merchant where xmid = '3'`,
      )
    )[0]
  const match = { tinstatus: 'Match', description: 'Name and TIN match' }
  const mismatch = { tinstatus: 'Mismatch', description: 'Name and TIN do not match' }
  const none = { tinstatus: '', description: '' }
  const add = () => it.imports('merchant', 'm.csv', csvOf(pairs[0]!.first))
  test('is that of the result, and each undo sets it back', async () => {
    const one = await it.imports('tinvalidation', 'a.csv', result('0'))
    const two = await it.imports('tinvalidation', 'b.csv', result('3'))
    const { batch } = await add()
    expect(await status()).toEqual({ ...mismatch, version: 1 })
    expect(await offered('merchant', batch!)).toEqual(mayBeUndone)
    await it.undoes('tinvalidation', two.batch!)
    expect(await status()).toEqual({ ...match, version: 2 })
    await it.undoes('tinvalidation', one.batch!)
    expect(await status()).toEqual({ ...none, version: 3 })
    expect(await offered('merchant', batch!)).toEqual(mayBeUndone)
  })
  test.each([
    ['the description alone', 'Match', 'Called twice'],
    ['the status alone', 'Mismatch', 'Called'],
  ])('is set back by the undo of a result that changed %s', async (_, tinstatus, description) => {
    const said = (...cells: string[]) => csvOf([['MID', 'TIN Status', 'Description'], cells])
    await it.imports('tinvalidation', 'a.csv', said('3', 'Match', 'Called'))
    const { batch } = await it.imports('tinvalidation', 'b.csv', said('3', tinstatus, description))
    await add()
    expect(await status()).toMatchObject({ tinstatus, description })
    await it.undoes('tinvalidation', batch!)
    expect(await status()).toMatchObject({ tinstatus: 'Match', description: 'Called' })
  })
  test('stays where somebody changed it meanwhile', async () => {
    const { batch } = await it.imports('tinvalidation', 'a.csv', result('3'))
    await add()
    await it.db.query(`update merchant set tinstatusdescription = 'Called' where xmid = '3'`)
    await it.undoes('tinvalidation', batch!)
    expect(await status()).toMatchObject({ ...mismatch, description: 'Called' })
  })
  test('is set back too of one that a person added, and not of one that had the same before', async () => {
    const enter = (xmid: string, at: string) =>
      it.db.query(
        `with done as (insert into merchant (xmid, dba, masteragentid, tinstatus, tinstatusdescription)
            values ($1, 'Entered', 2, $2, $3) returning id)
          insert into audit (username, address, action, entity, entityid, at)
          select 'cleo', '', 'create', 'merchant', id::text, now() + $4::interval from done`,
        [xmid, match.tinstatus, match.description, at],
      )
    await enter('4', '-1 hour')
    const file = csvOf([
      ['MID', 'TIN Code'],
      ['3', '0'],
      ['4', '0'],
    ])
    const { batch } = await it.imports('tinvalidation', 'a.csv', file)
    await enter('3', '1 second')
    await it.undoes('tinvalidation', batch!)
    expect(await status()).toMatchObject(none)
    expect(await it.db.query(`select tinstatus from merchant where xmid = '4'`)).toEqual([
      { tinstatus: 'Match' },
    ])
  })
  test('is not that of the result of one that an earlier file added and somebody gave the same', async () => {
    await add()
    await it.db.query(
      `update merchant set tinstatus = '${match.tinstatus}', tinstatusdescription = '${match.description}'
        where xmid = '3'`,
    )
    const { batch } = await it.imports('tinvalidation', 'a.csv', result('0'))
    await it.undoes('tinvalidation', batch!)
    expect(await status()).toMatchObject(match)
  })
})
