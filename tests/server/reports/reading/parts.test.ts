import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { ReportRow } from '../../../../schemas/api/reports.ts'
import type { Db } from '../../../../server/db/db.ts'
import type { Caller } from '../../../../server/http/call.ts'
import { monthChecklist } from '../../../../server/reports/catalogue/months.ts'
import { profitability } from '../../../../server/reports/catalogue/portfolio/profitability.ts'
import { inReadTransaction, type BeginSecond } from '../../../../server/reports/engine/cursor.ts'
import { openReport } from '../../../../server/reports/engine/openReport.ts'
import {
  compareRows,
  leastInParts,
  mergeBatches,
  middleMid,
} from '../../../../server/reports/engine/parts.ts'
import type { Report } from '../../../../server/reports/engine/report.ts'
import { testSecret } from '../../../setup/postgres.ts'
import { statementsOf } from '../../lists/statements.ts'
import { ledger, merchants, publish, type Ledger } from '../ledger.ts'

const count = 1_300
const month = '2026-09'
let portal: Ledger
beforeAll(async () => {
  portal = await ledger()
  await portal.db.query(
    `insert into merchant (xmid, dba, masteragentid, accountstatus)
      select '7' || lpad(n::text, 11, '0'), 'M' || n, 2 + n % 3, 2 from generate_series(1, $1::int) n`,
    [count],
  )
  // Of each net there are about 90 merchants, in both halves; every seventh has rows of two processors.
  await portal.db.query(
    `insert into residual (month, processor, xmid, txncount, sales, income, net, batchid)
      select m::date, p, '7' || lpad(n::text, 11, '0'), n % 5, n, n % 15, n % 15, 1
      from generate_series(1, $1::int) n cross join unnest('{2025-12-01,2026-08-01,2026-09-01}'::text[]) m
        cross join unnest('{Aurora,Borealis}'::text[]) p
      where p = 'Aurora' or n % 7 = 0`,
    [count],
  )
  // Their merchants are not known, which the checklist says of each.
  await portal.db.query(
    `insert into residual (month, processor, xmid, txncount, sales, income, net, batchid)
      select '2026-09-01', 'Aurora', '8' || lpad(n::text, 11, '0'), 1, n, n, n, 1 from generate_series(1, $1) n`,
    [count],
  )
  await portal.db.query('analyze merchant, residual')
})
afterAll(() => portal.close())

const estimate = (merchants: number) =>
  portal.db.query(`update pg_class set reltuples = $1 where oid = 'merchant'::regclass`, [merchants])

const permissions = new Proxy({}, { get: () => true })
const caller = {
  userid: 1,
  username: 'admin',
  admin: true,
  scope: null,
  chain: [],
  permissions,
} as never as Caller
type Options = {
  report?: Report
  of?: string
  most?: number
  db?: Db
  signal?: AbortSignal
  sort?: string
  agent?: string
}
const read = ({
  report = profitability,
  db = portal.db,
  signal = new AbortController().signal,
  agent,
  of = month,
  ...others
}: Options) => {
  const options = { signal, seconds: 60, requester: { caller, authorizeAgain: async () => caller } }
  return inReadTransaction(db, options, async (tx, now, beginSecond) => {
    const sent = { month: of, ...(agent && { agent }) }
    const request = { caller: now, sent, config: portal.config, secret: testSecret, now: new Date() }
    const opened = await openReport(tx, report, { ...request, ...others, signal, beginSecond })
    const batches: ReportRow[][] = []
    for await (const batch of opened.rows) batches.push(batch)
    return {
      rows: batches.flat(),
      sizes: batches.map((it) => it.length),
      totals: opened.totals(),
      count: opened.count(),
    }
  })
}
/** The database, which counts the transactions that begin. */
const counting = () => {
  const counted = { transactions: 0 }
  const transaction: Db['transaction'] = (work) => {
    counted.transactions += 1
    return portal.db.transaction(work)
  }
  return { counted, db: { ...portal.db, transaction } }
}

test.each([
  [leastInParts - 1, {}, 1],
  [leastInParts, {}, 2],
  [leastInParts + 1, {}, 2],
  [leastInParts, { sort: 'dba' }, 1],
  [leastInParts, { agent: '2' }, 1],
  [leastInParts - 1, { report: monthChecklist }, 1],
  [leastInParts, { report: monthChecklist }, 2],
])(
  'of %i merchants, asked with %o, a report is read by as many connections as %i',
  async (merchants, asked, expected) => {
    await estimate(merchants)
    const { counted, db } = counting()
    await read({ ...asked, db })
    expect(counted.transactions).toBe(expected)
  },
)

test('half of the merchants are before the middle', async () => {
  await estimate(leastInParts)
  const [{ below } = { below: 0 }] = await portal.db.transaction(async (tx) =>
    tx.query<{ below: number }>('select count(*) as below from merchant where xmid < $1', [
      await middleMid(tx),
    ]),
  )
  // The statistics divide the merchants into a hundred parts.
  expect(Math.abs(below / (count + merchants.length) - 0.5)).toBeLessThan(0.02)
})

describe('a report that is read in two parts', () => {
  // In a circle the agents are a Stop of one part, which stands before the warnings of both.
  const setParents = (parent: string) =>
    portal.db.query(`update master_agent set parentid = ${parent} where id in (2, 3)`)

  test.each(
    [profitability, monthChecklist].flatMap((report) =>
      [undefined, 0, 1, 499, 500, 700, 1_400, 5_000].map((most) => [report.id, most, report] as const),
    ),
  )(
    '%s has the rows, their order, number and totals of one that is read at once, where %s are read',
    async (_id, most, report) => {
      const cut = { report, ...(most !== undefined && { most }) }
      await setParents('5 - id')
      onTestFinished(async () => void (await setParents('id - 1')))
      await estimate(leastInParts - 1)
      const { sizes: _, ...whole } = await read(cut)
      await estimate(leastInParts)
      const { sizes, ...halved } = await read(cut)
      expect(halved).toEqual(whole)
      expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(500)
      expect(whole.count).toBeGreaterThan(count)
    },
  )

  test.each(['merchant-profitability', 'month-checklist'])(
    '%s is what the screen and the file are answered',
    async (report) => {
      await estimate(leastInParts)
      for (const path of ['', '/export?format=csv']) {
        const ask = () => portal.admin.call('POST', `/api/v1/report/${report}${path}`, { month })
        const declared = (await statementsOf(ask)).filter(({ text }) => text.startsWith('declare'))
        expect(declared).toHaveLength(2)
      }
    },
  )

  test('sees in both halves the moment at which it began', async () => {
    await estimate(leastInParts)
    const before = await read({})
    const transaction: Db['transaction'] = async (work) =>
      portal.db.transaction(async (tx) => {
        const query: typeof tx.query = async (sql, values) => {
          const rows = await tx.query(sql, values)
          if (sql.includes('pg_export_snapshot'))
            await portal.db.query(
              `update residual set income = income + 1, net = net + 1 where xmid like '7%'`,
            )
          return rows as never
        }
        return work({ ...tx, query })
      })
    expect(await read({ db: { ...portal.db, transaction } })).toEqual(before)
    expect((await read({})).totals).not.toEqual(before.totals)
  })

  test('is read by one connection where no second is to be had', async () => {
    await estimate(leastInParts)
    const { sizes: _sizes, ...withoutSizes } = await read({})
    let asked = 0
    const transaction: Db['transaction'] = (work) =>
      (asked += 1) === 1 ? portal.db.transaction(work) : Promise.reject(new Error('no connection is free'))
    const { sizes: _, ...rest } = await read({ db: { ...portal.db, transaction } })
    expect({ asked, ...rest }).toEqual({ asked: 2, ...withoutSizes })
  })

  test('has the same rows of a locked month', async () => {
    await publish(portal.admin, '2026-08')
    await estimate(leastInParts - 1)
    const { sizes: _, ...whole } = await read({ of: '2026-08' })
    await estimate(leastInParts)
    const { counted, db } = counting()
    expect(await read({ of: '2026-08', db })).toMatchObject(whole)
    expect(counted.transactions).toBe(2)
  })

  test('leaves the pool its connections while two others are read so', async () => {
    const begin = (username: string) =>
      new Promise<BeginSecond>((resolve) => {
        const requester = { caller: { ...caller, username }, authorizeAgain: async () => caller }
        const options = { signal: new AbortController().signal, seconds: 60, requester }
        ends.push(
          inReadTransaction(portal.db, options, (_tx, _caller, beginSecond) => {
            resolve(beginSecond)
            return over
          }),
        )
      })
    const ends: Promise<void>[] = []
    let end = () => {}
    const over = new Promise<void>((resolve) => (end = resolve))
    const [one, two, three] = [await begin('one'), await begin('two'), await begin('three')]
    const [first, second] = [await one(), await two()]
    expect([first, second, await three()]).toEqual([expect.anything(), expect.anything(), null])
    await first!.end()
    const third = await three()
    expect(third).not.toBeNull()
    expect(await one()).toBeNull()
    await Promise.all([second!.end(), third!.end()])
    end()
    await Promise.all(ends)
  })

  test('leaves no transaction behind when it is cancelled, or one of its connections breaks', async () => {
    await estimate(leastInParts)
    const open = async () =>
      portal.db.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          and state like 'idle in transaction%'`,
      )
    for (const ends of ['cancelled', 'broken']) {
      const gone = new AbortController()
      let fetched = 0
      const transaction: Db['transaction'] = (work) =>
        portal.db.transaction(async (tx) => {
          const query: typeof tx.query = async (sql, values) => {
            if (sql.startsWith('fetch') && (fetched += 1) === 2) {
              if (ends === 'cancelled') gone.abort(new Error('gone'))
              else await portal.db.query('select pg_terminate_backend($1)', [tx.client['processID' as never]])
            }
            return tx.query(sql, values)
          }
          return work({ ...tx, query })
        })
      await expect(read({ db: { ...portal.db, transaction }, signal: gone.signal })).rejects.toThrow()
      await expect.poll(open).toEqual([])
    }
    const { counted, db } = counting()
    await read({ db })
    expect(counted.transactions).toBe(2)
  })
})

test('two generators of batches are merged whichever ends first, and both end with who reads them', async () => {
  const ended: string[] = []
  async function* batches(name: string, ...rows: number[][]) {
    try {
      yield* rows.map((row) => row.map((net) => ({ net, name })))
    } finally {
      ended.push(name)
    }
  }
  const order = [
    { name: 'net', by: 'greatest' },
    { name: 'name', by: 'bytes' },
  ] as const
  const merged = (a: number[][], b: number[][]) =>
    mergeBatches([batches('a', ...a), batches('b', ...b)], (x, y) => compareRows(order, x, y))
  const all = async (a: number[][], b: number[][]) => {
    const rows: string[] = []
    for await (const batch of merged(a, b)) rows.push(...batch.map(({ net, name }) => `${net}${name}`))
    return rows.join(' ')
  }
  expect(await all([], [])).toBe('')
  expect(await all([[3, 1]], [])).toBe('3a 1a')
  expect(await all([], [[2], [1]])).toBe('2b 1b')
  expect(await all([[3, 1], [1]], [[2], [0, -1], [-2]])).toBe('3a 2b 1a 1a 0b -1b -2b')
  expect(await all([[1], [1]], [[1, 1], [0]])).toBe('1a 1a 1b 1b 0b')
  ended.length = 0
  for await (const _ of merged([[2], [1]], [[2], [1]])) break
  expect(ended.sort()).toEqual(['a', 'b'])
})

test('texts are ordered by their bytes, as PostgreSQL orders them', async () => {
  const texts = ['z', 'Z', 'é', '10', '9', '', '\u{ffff}', '\u{10000}', 'aa', 'a']
  const rows = await portal.db.query<{ name: string }>(
    'select name from unnest($1::text[]) name order by name collate "C"',
    [texts],
  )
  const order = [{ name: 'name', by: 'bytes' }] as const
  const sorted = texts.map((name) => ({ name })).sort((a, b) => compareRows(order, a, b))
  expect(sorted).toEqual(rows)
})
