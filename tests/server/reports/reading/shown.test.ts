import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxShownRows, type ReportResult } from '../../../../schemas/api/reports.ts'
import type { Tx } from '../../../../server/db/db.ts'
import type { Caller } from '../../../../server/http/call.ts'
import { equipmentOutstanding } from '../../../../server/reports/catalogue/equipment.ts'
import { cursorRows, inReadTransaction } from '../../../../server/reports/engine/cursor.ts'
import { openReport } from '../../../../server/reports/engine/openReport.ts'
import { shownReport } from '../../../../server/reports/files/shown.ts'
import { testSecret } from '../../../setup/postgres.ts'
import { ledger, type Ledger } from '../ledger.ts'

const count = 1_250
let portal: Ledger
beforeAll(async () => {
  portal = await ledger()
  await portal.db.query('delete from equipment')
  // The last row, in the third batch, is the only one of another agent.
  await portal.db.query(
    `insert into equipment (model, serialnumber, soldfor, masteragentid)
      select 'T', 'many ' || n, $1::int + 1 - n, case when n = $1 then 4 else 2 end
      from generate_series(1, $1::int) n`,
    [count],
  )
})
afterAll(() => portal.close())

const signal = new AbortController().signal
const caller = {
  userid: 1,
  username: 'admin',
  admin: true,
  scope: null,
  chain: [],
  permissions: { reports_admin: true },
} as unknown as Caller
const requester = { caller, authorizeAgain: async () => caller }
const whileShown = <T>(work: (tx: Tx, chunks: AsyncGenerator<string>) => Promise<T>) =>
  inReadTransaction(portal.db, { signal, seconds: 60, requester }, async (tx) => {
    const { config } = portal
    const request = { caller, sent: {}, config, secret: testSecret, signal, now: new Date() }
    const opened = await openReport(tx, equipmentOutstanding, request)
    return work(tx, shownReport({ tx, caller, report: equipmentOutstanding }, opened))
  })

test('a report is written in chunks of at most 500 rows, between which others are answered', async () => {
  const order: string[] = []
  const chunks = await whileShown(async (_, generator) => {
    const found: string[] = []
    for await (const chunk of generator) {
      order.push('chunk')
      found.push(chunk)
      expect((await portal.admin.call('GET', '/api/v1/portal')).status).toBe(200)
      order.push('another call')
    }
    return found
  })
  expect(order).toEqual(chunks.flatMap(() => ['chunk', 'another call']))
  const rowsOf = (chunk: string) =>
    chunk.split('\n').filter((line) => line.startsWith('{"serialnumber"')).length
  expect(chunks.map(rowsOf)).toEqual([0, 500, 500, 250, 0])
  const result = JSON.parse(chunks.join('')) as ReportResult
  expect(result.data).toHaveLength(count)
  expect(result.totals?.['balance']).toBe((count * (count + 1)) / 2)
  expect(count).toBeLessThan(maxShownRows)
})

test('rows of every batch lead to their records', async () => {
  const { body } = await portal.admin.call('POST', '/api/v1/report/equipment-outstanding', {})
  const { columns, data } = body as ReportResult
  const { link } = columns.find(({ name }) => name === 'agent')!
  expect([0, 499, 500, 1_248, 1_249].map((at) => data[at]![link!])).toEqual([
    ...Array.from({ length: 4 }, () => '/manage/agents?open=2'),
    '/manage/agents?open=4',
  ])
})

test('the transaction of a report can be asked other things between two batches', async () => {
  const answers = await whileShown(async (tx, generator) => {
    const found: unknown[] = []
    for await (const _ of generator) found.push((await tx.query('select 1 as one'))[0]!['one'])
    return found
  })
  expect(answers).toEqual([1, 1, 1, 1, 1])
})

test('what others asked while a batch was read comes before that batch is written', async () => {
  const order = await whileShown(async (tx) => {
    const found: string[] = []
    // Has what arrived with the answer of the database wait for its turn.
    const query: Tx['query'] = async (sql, values) => {
      const rows = await tx.query(sql, values)
      if (sql.startsWith('fetch')) setImmediate(() => found.push('another call'))
      return rows as never
    }
    for await (const _ of cursorRows({ ...tx, query }, `select generate_series(1, ${count})`, [], signal))
      found.push('batch')
    return found
  })
  expect(order).toEqual(Array.from({ length: 3 }, () => ['another call', 'batch']).flat())
})

test('the next rows are asked for before a batch is given on, and none after the last', async () => {
  const order = await whileShown(async (tx) => {
    const found: string[] = []
    const query: Tx['query'] = (sql, values) => {
      if (sql.startsWith('fetch')) found.push('asked')
      return tx.query(sql, values)
    }
    for await (const batch of cursorRows({ ...tx, query }, `select generate_series(1, ${count})`, [], signal))
      found.push(`${batch.length} rows`)
    return found
  })
  expect(order).toEqual(['asked', 'asked', '500 rows', 'asked', '500 rows', '250 rows'])
})

test('a reader that fails at a batch ends with its own error, and the next report finds the connection free', async () => {
  const failure = new Error('the reader failed')
  const reading = whileShown(async (tx) => {
    let asked = 0
    const query: Tx['query'] = (sql, values) =>
      sql.startsWith('fetch') && (asked += 1) > 1 ? tx.query('select 1 / 0') : tx.query(sql, values)
    for await (const _ of cursorRows({ ...tx, query }, `select generate_series(1, ${count})`, [], signal))
      throw failure
  })
  await expect(reading).rejects.toBe(failure)
  const { status } = await portal.admin.call('POST', '/api/v1/report/equipment-outstanding', {})
  expect(status).toBe(200)
})
