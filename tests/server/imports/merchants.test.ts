import { DateTime } from 'luxon'
import { beforeAll, describe, expect, inject, test, vi } from 'vitest'
import type { Preview } from '../../../schemas/imports/imports.ts'
import { openDb } from '../../../server/db/db.ts'
import type { Caller } from '../../../server/http/call.ts'
import { HttpError } from '../../../server/http/errors.ts'
import { listImports } from '../../../server/imports/history.ts'
import { undoImport } from '../../../server/imports/undo.ts'
import { beginMonthLock } from '../../../server/money/months.ts'
import { addTwoMerchants, empty, sharedImportDatabase } from '../../files/importDatabase.ts'
import { csvOf, type Rows } from '../../files/workbooks.ts'
import { todayIn } from '../../records.ts'

vi.setConfig({ testTimeout: 60_000 })

const it = sharedImportDatabase(async (db) => {
  await empty(db)
  await addTwoMerchants(db)
})
const heads = ['XMID', 'DBA', 'Master Agent', 'Account Status', 'Date Closed']
const file = (...rows: Rows) => csvOf([heads, ...rows])
const closed = async () =>
  Object.fromEntries(
    (
      await it.db.query<{ xmid: string; accountstatus: number; date_closed: number | null }>(
        'select xmid, accountstatus, date_closed from merchant order by xmid',
      )
    ).map(({ xmid, accountstatus, date_closed }) => [xmid, [accountstatus, date_closed]]),
  )
const givenDate = Date.UTC(2025, 0, 5) / 1000
const dated = async (xmid: string, accountstatus: number, date: number | null) =>
  it.db.query('update merchant set accountstatus = $2, date_closed = $3 where xmid = $1', [
    xmid,
    accountstatus,
    date,
  ])

describe('Date Closed of a merchant that a file sets to Inactive', () => {
  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'is today in the time zone of the portal, %s, of a new and of a known one',
    async (timeZone) => {
      const [{ name }] = (await it.db.query('select current_database() as name')) as [{ name: string }]
      const url = Object.assign(new URL(inject('postgres').url), { pathname: `/${name}` }).href
      const db = openDb(url, { timeZone })
      const before = todayIn(timeZone)
      await it.imports('merchant', 'm.csv', file(['1', '', '', 'Inactive', ''], ['3', 'New', '2', '3', '']), {
        db,
      })
      const today = todayIn(timeZone)
      const stored = await closed()
      for (const xmid of ['1', '3']) expect([before, today]).toContain(stored[xmid]![1])
      expect(stored['1']![0]).toBe(3)
      await db.close()
    },
  )

  test('is the one of the file, or the stored one, where there is one', async () => {
    await dated('2', 2, givenDate)
    await it.imports(
      'merchant',
      'm.csv',
      file(['1', '', '', 'Inactive', '1/5/2025'], ['2', '', '', '3', ''], ['3', 'New', '2', '3', '1/5/2025']),
    )
    expect(await closed()).toEqual({ 1: [3, givenDate], 2: [3, givenDate], 3: [3, givenDate] })
  })

  test('is today where the stored one is 0, or the file clears it', async () => {
    await dated('1', 2, 0)
    await dated('2', 2, givenDate)
    const before = todayIn('utc')
    await it.imports('merchant', 'm.csv', file(['1', '', '', '3', ''], ['2', '', '', '3', '-']))
    const stored = await closed()
    for (const xmid of ['1', '2']) expect([before, todayIn('utc')]).toContain(stored[xmid]![1])
  })

  test('stays empty where the merchant was Inactive already, so that an unchanged row writes nothing', async () => {
    await dated('1', 3, null)
    const reply = await it.imports('merchant', 'm.csv', file(['1', '', '', 'Inactive', '']))
    expect(reply).toMatchObject({ updated: 0, unchanged: 1 })
    expect((await closed())['1']).toEqual([3, null])
  })

  test('is not stamped with another status, nor cleared by becoming Active again', async () => {
    await dated('1', 3, givenDate)
    await it.imports('merchant', 'm.csv', file(['1', '', '', 'Active', ''], ['2', '', '', 'Unknown', '']))
    expect(await closed()).toEqual({ 1: [2, givenDate], 2: [1, null] })
    await dated('1', 3, givenDate)
    await it.imports('merchant', 'm.csv', file(['1', '', '', 'Active', '-']))
    expect((await closed())['1']).toEqual([2, null])
  })

  test('is shown in the preview and removed by an undo', async () => {
    const content = file(['1', '', '', 'Inactive', ''])
    const before = await closed()
    const preview = (await it.imports('merchant', 'm.csv', content, { dryrun: true })) as unknown as Preview
    expect(preview.differences.map(({ column, after }) => [column, after])).toEqual([
      ['Account Status', 'Inactive'],
      ['Date Closed', DateTime.utc().toFormat('MM/dd/yyyy')],
    ])
    const { batch } = await it.imports('merchant', 'm.csv', content)
    expect((await closed())['1']![0]).toBe(3)
    await it.undoes('merchant', batch!)
    expect(await closed()).toEqual(before)
  })
})

describe('an undo by a person who sees a branch is refused, also in the history, for a merchant', () => {
  const caller = { userid: 78, username: 'eve', scope: [2] } as Caller
  const move = (agent: number) =>
    it.db.query(`update merchant set masteragentid = $1 where xmid = '1'`, [agent])
  beforeAll(async () => {
    await it.db.query(
      `insert into portal_user (id, username, password_hash, masteragentid) values (78, 'eve', '', 2)`,
    )
  })

  test.each([
    ['that another branch has by now', 2, 3],
    ['that would go back to another branch', 3, null],
  ])('%s', async (_, before, after) => {
    await move(before)
    const row = ['1', 'New', '2', '', '']
    const { batch: id } = await it.imports('merchant', 'm.csv', file(row), {
      sender: { username: 'eve', userid: 78, scope: null },
    })
    if (after !== null) await move(after)
    const reason = 'MID 1 is no merchant of yours any more'
    await expect(
      undoImport({ db: it.db, kind: 'merchant', id: id!, caller, address: '', config: { timeZone: 'UTC' } }),
    ).rejects.toThrow(`This import cannot be undone: ${reason}`)
    const { data } = await listImports(it.db, 'merchant', caller, { page: 1, size: 10, timeZone: 'UTC' })
    expect(data[0]!.undo).toEqual({ allowed: false, reason })
  })
})

describe('an undo that would take away a merchant is refused, and names what it has:', () => {
  const locked = '2026-03-01'
  const scoped = { userid: 77, username: 'ann', scope: [1, 2, 3, 4, 5] } as Caller
  beforeAll(async () => {
    await it.db.query(
      `insert into portal_user (id, username, password_hash, masteragentid) values (77, 'ann', '', 1)`,
    )
  })
  const refusal = async (id: number, caller?: Caller) => {
    const undone = caller
      ? undoImport({ db: it.db, kind: 'merchant', id, caller, address: '', config: { timeZone: 'UTC' } })
      : it.undoes('merchant', id)
    const error = await undone.then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(HttpError)
    expect((error as HttpError).status).toBe(409)
    return (error as HttpError).message
  }
  const imported = async (...xmids: string[]) => {
    const { batch } = await it.imports(
      'merchant',
      'm.csv',
      file(...xmids.map((xmid) => [xmid, 'New', '2', '', ''])),
      { sender: { username: 'ann', userid: 77, scope: null } },
    )
    await it.db.query(
      `insert into month_lock (month, version, hash, username)
        select $1, 1, '', 'x' where not exists (select from month_lock)`,
      [locked],
    )
    return batch!
  }
  const insert = {
    income: (xmid: string, month: string, batch: number) =>
      it.db.query(
        `insert into residual (month, processor, xmid, income, net, batchid) values ($1, 'P', $2, 88, 88, $3)`,
        [month, xmid, batch],
      ),
    chargeback: (xmid: string, batch: number) =>
      it.db.query(
        `insert into chargeback (xmid, casenumber, filedate, amount, batchid) values ($1, 'C', 0, 1, $2)`,
        [xmid, batch],
      ),
    volume: (xmid: string, batch: number) =>
      it.db.query(`insert into daily_volume (volumedate, xmid, batchid) values ('2026-01-05', $1, $2)`, [
        xmid,
        batch,
      ]),
    terminal: (xmid: string) =>
      it.db.query(
        `insert into equipment (model, serialnumber, merchantid) select 'T', 'S' || xmid, id from merchant
          where xmid = $1`,
        [xmid],
      ),
    adjustment: (xmid: string) =>
      it.db.query(
        `insert into adjustment (merchantid, month, amount, reason, author)
          select id, '2026-04-01', 1, 'r', 'a' from merchant where xmid = $1`,
        [xmid],
      ),
  }
  const uses: [string, (batch: number) => Promise<unknown>][] = [
    ['income in April 2026 ($88.00)', (batch) => insert.income('3', '2026-04-01', batch)],
    ['1 chargeback', (batch) => insert.chargeback('3', batch)],
    ['1 day of volume', (batch) => insert.volume('3', batch)],
    ['1 terminal', () => insert.terminal('3')],
    ['1 adjustment', () => insert.adjustment('3')],
  ]
  describe.each([
    ['who sees all', undefined],
    ['who sees a branch', scoped],
  ])('to somebody %s', (_, caller) => {
    test.each(uses)('%s', async (said, use) => {
      const batch = await imported('3', '4')
      await use(batch)
      expect(await refusal(batch, caller)).toBe(
        `This import cannot be undone: MID 3, which it added, has ${said}. An import of merchants can set it to Inactive instead.`,
      )
      expect(Object.keys(await closed())).toEqual(['1', '2', '3', '4'])
    })
  })

  test('the first of several, and how many more', async () => {
    const batch = await imported('3', '4', '5', '6')
    await insert.terminal('4')
    await insert.volume('5', batch)
    expect(await refusal(batch)).toContain('MID 4, which it added, has 1 terminal, and 1 more record alike.')
    await insert.chargeback('6', batch)
    expect(await refusal(batch)).toBe(
      'This import cannot be undone: MID 4, which it added, has 1 terminal, and 2 more records alike. ' +
        'An import of merchants can set them to Inactive instead.',
    )
  })

  test('but income in a locked month, or of a merchant it only changed, is no obstacle', async () => {
    const batch = await imported('1', '3')
    await insert.income('3', locked, batch)
    await insert.volume('1', batch)
    await insert.terminal('1')
    expect(await it.undoes('merchant', batch)).toMatchObject({ state: 'undone' })
    expect(Object.keys(await closed())).toEqual(['1', '2'])
  })
})

test.each(['5', '6', '7', '8'])(
  'a file that adds the merchants 5, 6 and 7 is refused while a month with income of %s is being locked',
  async (xmid) => {
    await it.imports(
      'compdata',
      'Aurora_May2026.csv',
      csvOf([
        ['MID', 'Income'],
        [xmid, '9'],
      ]),
    )
    const rows = ['5', '6', '7'].map((id) => [id, 'New', '2', '2', ''])
    const answer = await it.db.transaction(async (tx) => {
      await beginMonthLock(tx, { month: '2026-05-01', username: 'lena', address: '' })
      return it.imports('merchant', 'm.csv', file(...rows)).then(
        ({ inserted }) => inserted,
        (error: HttpError) => [error.status, error.extra['code']],
      )
    })
    expect(answer).toEqual(xmid === '8' ? 3 : [409, 'locking'])
  },
)
