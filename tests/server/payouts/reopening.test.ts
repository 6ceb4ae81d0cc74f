import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  differenceKinds,
  type MonthDifference,
  type MonthDifferences,
} from '../../../schemas/api/months/differences.ts'
import type { Sql, Tx } from '../../../server/db/db.ts'
import { lockMonthIn, reopenMonthIn } from '../../../server/money/lock.ts'
import { writeMoneySettings } from '../../../server/money/moneySettings.ts'
import { monthSource } from '../../../server/money/monthSource.ts'
import { readDifferences, takeOver } from '../../../server/money/reopening/differences.ts'
import { trial } from '../../money/book.ts'
import type { SignedIn } from '../../testPortal.ts'
import { payoutPortal, type PayoutPortal } from './payoutPortal.ts'

const month = '2026-01-01'
const mid = (n: number) => `40000000000${n}`
const action = { month, username: 'ann', address: '127.0.0.1' }
const everything = { kind: '', page: 1, size: 100 }
let portal: PayoutPortal

/**
 * Agents 2 and 3 below the office, 4 below 3, 5 below the office; rates 50 %, of 3 60 %. Merchant 1 of agent
 * 2, the closed merchant 2 of agent 3, merchant 3 of agent 4, merchant 4 of agent 5 that an adjustment names
 * and no file; the MID 5 is in the file alone. A terminal of merchant 1, a subscription of agent 5.
 */
beforeAll(async () => {
  portal = await payoutPortal()
  const { db } = portal
  await db.query('update master_agent set parentid = 3 where id = 4')
  await db.query('update master_agent set percentagecommissionreceived = 60 where id = 3')
  await db.query('update master_agent set percentageequipmentcommissionreceived = 50 where id = 2')
  await db.query(
    `insert into merchant (id, xmid, dba, masteragentid, accountstatus, date_closed) values
      (1, $1, 'One', 2, 2, null), (2, $2, 'Two', 3, 3, extract(epoch from date '2025-12-01')),
      (3, $3, 'Three', 4, 2, null), (4, $4, 'Four', 5, 2, null)`,
    [1, 2, 3, 4].map(mid),
  )
  await db.query(
    `insert into import_batch (id, kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
      overriding system value values (1, 'compdata', 'x', '', 0, 'x', 4, 4, 0, 0)`,
  )
  await portal.earn(2, '2025-12', 1)
  await portal.lock('2025-12')
  await portal.pay('2025-12')
  await putRows(db, { 1: 100, 2: 200, 3: 300, 5: 40 })
  await db.query(
    `insert into adjustment (merchantid, month, amount, reason, author) values (4, $1, 7, 'Refund', 'x')`,
    [month],
  )
  await db.query(
    `insert into equipment (id, model, serialnumber, merchantid, cost, soldfor, paidsofar)
      values (1, 'T1', 'S1', 1, 10, 30, 30), (2, 'T1', 'S2', 1, 10, 30, 0)`,
  )
  await db.query('update equipment set paidmonth = $1 where id = 1', [month])
  await db.query(
    `insert into collection_subscription (id, masteragentid, amount, notes) values (1, 5, 3, 'Desk')`,
  )
})
afterAll(() => portal.close())

const putRows = async (sql: Sql, nets: Record<number, number>) => {
  for (const [n, net] of Object.entries(nets))
    await sql.query(
      `insert into residual (month, processor, xmid, txncount, sales, income, expense, net, batchid)
        values ($1, 'Aurora', $2, 1, 10, $3, 0, $3, 1)`,
      [month, mid(Number(n)), net],
    )
}

/** Works on January, which was locked and opened again, in a transaction that leaves nothing behind. */
const reopened = (work: (tx: Tx) => Promise<void>) =>
  trial(portal.db, async (tx) => {
    await lock(tx)
    await reopen(tx)
    await work(tx)
  })
const lock = (tx: Tx) => lockMonthIn(tx, { ...action, waive: 'Looked at one by one' })
const reopen = (tx: Tx) => reopenMonthIn(tx, { ...action, reason: 'A late file' })
/** Changes what the portal never changes. */
const asReplica = async (tx: Tx, ...statements: string[]) => {
  await tx.query('set local session_replication_role = replica')
  for (const statement of statements) await tx.query(statement)
  await tx.query('set local session_replication_role = origin')
}
const takeOverKeys = (tx: Tx, keys: readonly string[], back = false) =>
  takeOver(tx, { ...action, keys, back, chain: [], isOfBranch: false })
const listed = async (tx: Tx, isTaken: boolean) =>
  (await readDifferences(tx, month, everything)).data.filter(({ takenby }) => (takenby !== null) === isTaken)
const openKeys = async (tx: Tx) => (await listed(tx, false)).map(({ key }) => key)
const textsOf = (found: readonly MonthDifference[]) =>
  found.map(({ what, was, now }) => `${what}: ${was} → ${now}`).sort()

/** What each agent earned by the newest lock, without agents who earned nothing. */
async function earned(tx: Tx) {
  const rows = await tx.query<{ id: number; amount: number }>(
    `select masteragentid as id, amount from earned_statement where month = $1 and amount <> 0 order by 1`,
    [month],
  )
  return Object.fromEntries(rows.map(({ id, amount }) => [id, amount]))
}
const first = { 2: 60, 3: 30, 4: 150, 5: 4 }

/** Everything of a version that its files, adjustments and records decide. */
async function content(tx: Tx, version: number) {
  const part = (table: string, columns: string) =>
    tx.query(
      `select ${columns} from ${table} where lockid = (select id from month_lock where month = $1 and version = $2)
        order by ${columns}`,
      [month, version],
    )
  return [
    await part(
      'locked_merchant',
      'xmid, dba, masteragentid, accountstatus, date_closed, processor, txncount, sales, net, house, isknown',
    ),
    await part('locked_pay', 'masteragentid, fromagentid, line, percent, flat, amount, withheld'),
    await part(
      'locked_statement',
      `masteragentid, displayid, name, parentid, payeeid, isofficeaccount, merchants, txncount, sales, net, own,
        override, withheld, equipment, adjustments, subscriptions`,
    ),
    await part('locked_statement_line', 'masteragentid, kind, label, amount, source'),
    await part(
      'locked_agent',
      'masteragentid, displayid, name, parentid, payeeid, isofficeaccount, payoninactive, percent, flat, eqpercent',
    ),
    await part('locked_terminal', 'id, model, serialnumber, masteragentid, cost, soldfor'),
    await part('locked_subscription', 'id, masteragentid, amount, notes'),
  ]
}

/** `texts` tell each key as the list does: what, how the copy has it, how it is today. */
type Case = [name: string, sql: string, keys: string[], earned: Record<number, number>, texts: string[]]
const rate = (field: string, value: number, agent: number) =>
  `update master_agent set ${field} = ${value} where id = ${agent}`
const cases: Case[] = [
  [
    'the master agent of a merchant, and of its terminal',
    `update merchant set masteragentid = 3 where id = 1`,
    [`merchant-agent:${mid(1)}`, 'terminal:1'],
    { 3: 90, 4: 150, 5: 4 },
    [
      '400000000001 One: MA0002 Agent 2 → MA0003 Agent 3',
      'T1 S1: MA0002 Agent 2, cost $10.00, sold for $30.00 → MA0003 Agent 3, cost $10.00, sold for $30.00',
    ],
  ],
  [
    'the master agent of a merchant that only an adjustment names',
    `update merchant set masteragentid = 2 where id = 4`,
    [`merchant-agent:${mid(4)}`],
    { ...first, 2: 67, 5: -3 },
    ['400000000004 Four: MA0005 Agent 5 → MA0002 Agent 2'],
  ],
  [
    'a merchant that was closed before the month',
    `update merchant set accountstatus = 3, date_closed = extract(epoch from date '2025-12-31') where id = 3`,
    [`merchant-status:${mid(3)}`],
    { 2: 60, 5: 4 },
    ['400000000003 Three: Active → Inactive, closed 12/31/2025'],
  ],
  [
    'a merchant that became inactive without a closing day',
    `update merchant set accountstatus = 3, date_closed = 0 where id = 3`,
    [`merchant-status:${mid(3)}`],
    { 2: 60, 5: 4 },
    ['400000000003 Three: Active → Inactive'],
  ],
  [
    'a merchant that is active again',
    `update merchant set accountstatus = 2 where id = 2`,
    [`merchant-status:${mid(2)}`],
    { ...first, 3: 150 },
    ['400000000002 Two: Inactive, closed 12/01/2025 → Active, closed 12/01/2025'],
  ],
  [
    'a closing day in the month',
    `update merchant set date_closed = extract(epoch from date '2026-01-01') where id = 2`,
    [`merchant-status:${mid(2)}`],
    { ...first, 3: 150 },
    ['400000000002 Two: Inactive, closed 12/01/2025 → Inactive, closed 01/01/2026'],
  ],
  [
    'a MID that came into the portfolio',
    `insert into merchant (id, xmid, dba, masteragentid, accountstatus) values (5, '${mid(5)}', 'Five', 5, 2)`,
    [`merchant-added:${mid(5)}`],
    { ...first, 5: 24 },
    ['400000000005 Five: Not in the portfolio → MA0005 Agent 5'],
  ],
  [
    'a merchant that was deleted',
    `delete from merchant where id = 3`,
    [`merchant-removed:${mid(3)}`],
    { 2: 60, 5: 4 },
    ['400000000003 Three: MA0004 Agent 4 → Not in the portfolio'],
  ],
  [
    'the name of a merchant',
    `update merchant set dba = 'Uno' where id = 1`,
    [`merchant-name:${mid(1)}`],
    first,
    ['400000000001 Uno: One → Uno'],
  ],
  [
    'a percentage',
    rate('percentagecommissionreceived', 40, 4),
    ['agent-rate:4 percentagecommissionreceived'],
    { ...first, 3: 60, 4: 120 },
    ['MA0004 Agent 4, Percentage Commission Received: 50 % → 40 %'],
  ],
  [
    'a percentage by its month',
    `insert into agent_rate (masteragentid, field, value, from_month, username)
      values (4, 'percentagecommissionreceived', 40, '2026-01-01', 'bob')`,
    ['agent-rate:4 percentagecommissionreceived'],
    { ...first, 3: 60, 4: 120 },
    ['MA0004 Agent 4, Percentage Commission Received: 50 % → 40 %'],
  ],
  [
    'a flat amount',
    rate('amountcommissionreceived', 5, 2),
    ['agent-rate:2 amountcommissionreceived'],
    { ...first, 2: 65 },
    ['MA0002 Agent 2, Amount Commission Received: $0.00 → $5.00'],
  ],
  [
    'a percentage of terminals',
    rate('percentageequipmentcommissionreceived', 100, 2),
    ['agent-rate:2 percentageequipmentcommissionreceived'],
    { ...first, 2: 70 },
    ['MA0002 Agent 2, Percentage Equipment Commission Received: 50 % → 100 %'],
  ],
  [
    'an amount for terminals',
    rate('amountequipmentcommissionreceived', 1.5, 2),
    ['agent-rate:2 amountequipmentcommissionreceived'],
    { ...first, 2: 61.5 },
    ['MA0002 Agent 2, Amount Equipment Commission Received: $0.00 → $1.50'],
  ],
  [
    'a parent',
    'update master_agent set parentid = 2 where id = 4',
    ['agent-parent:4'],
    { 2: 60, 4: 150, 5: 4 },
    ['MA0004 Agent 4: MA0003 Agent 3 → MA0002 Agent 2'],
  ],
  [
    'a payee',
    'update master_agent set payeeid = 5 where id = 4',
    ['agent-payee:4'],
    first,
    ['MA0004 Agent 4: None → MA0005 Agent 5'],
  ],
  [
    'an office account',
    'update master_agent set isofficeaccount = true where id = 4',
    ['agent-office:4'],
    { 2: 60, 3: 30, 5: 4 },
    ['MA0004 Agent 4: No → Yes'],
  ],
  [
    'pay on inactive merchants',
    'update master_agent set payoninactive = true where id = 3',
    ['agent-inactive:3'],
    { ...first, 3: 150 },
    ['MA0003 Agent 3: No → Yes'],
  ],
  [
    'the name of an agent',
    `update master_agent set name = 'Two' where id = 2`,
    ['agent-name:2'],
    first,
    ['MA0002 Two: MA0002 Agent 2 → MA0002 Two'],
  ],
  [
    'the amount of a subscription',
    'update collection_subscription set amount = 8',
    ['subscription:1'],
    { ...first, 5: -1 },
    ['MA0005 Agent 5, Desk: $3.00 → $8.00'],
  ],
  [
    'a subscription that ended',
    'delete from collection_subscription',
    ['subscription:1'],
    { ...first, 5: 7 },
    ['MA0005 Agent 5, Desk: $3.00 → Not in the month'],
  ],
  [
    'a new subscription',
    `insert into collection_subscription (id, masteragentid, amount, notes) values (2, 2, 6, 'Key')`,
    ['subscription:2'],
    { ...first, 2: 54 },
    ['MA0002 Agent 2, Key: Not in the month → $6.00'],
  ],
  [
    'the cost of a terminal',
    'update equipment set cost = 20 where id = 1',
    ['terminal:1'],
    { ...first, 2: 55 },
    ['T1 S1: MA0002 Agent 2, cost $10.00, sold for $30.00 → MA0002 Agent 2, cost $20.00, sold for $30.00'],
  ],
  [
    'a terminal that is not paid any more',
    'update equipment set paidmonth = null where id = 1',
    ['terminal:1'],
    { ...first, 2: 50 },
    ['T1 S1: MA0002 Agent 2, cost $10.00, sold for $30.00 → Not in the month'],
  ],
  [
    'a terminal that is paid in the month',
    `update equipment set paidmonth = '2026-01-01' where id = 2`,
    ['terminal:2'],
    { ...first, 2: 70 },
    ['T1 S2: Not in the month → MA0002 Agent 2, cost $10.00, sold for $30.00'],
  ],
]

test('a closing day of 0 is none, so that it differs from no day in nothing', () =>
  reopened(async (tx) => {
    await tx.query('update merchant set date_closed = 0 where id = 3')
    expect(await openKeys(tx)).toEqual([])
  }))

test('every kind of difference is among the cases', () => {
  const tried = new Set(cases.flatMap(([, , keys]) => keys.map((key) => key.split(':')[0])))
  expect([...tried].sort()).toEqual(Object.keys(differenceKinds).sort())
})

test.each(cases)(
  'of %s the copy counts in the next version until it is taken over',
  (_, sql, keys, changedEarned, texts) =>
    reopened(async (tx) => {
      expect(await earned(tx)).toEqual({})
      expect(await openKeys(tx)).toEqual([])
      await tx.query(sql)
      const found = await listed(tx, false)
      expect(found.map(({ key }) => key).sort()).toEqual([...keys].sort())
      expect(textsOf(found)).toEqual([...texts].sort())
      await takeOverKeys(tx, keys)
      expect(await openKeys(tx)).toEqual([])
      expect(textsOf(await listed(tx, true))).toEqual([...texts].sort())
      await takeOverKeys(tx, keys, true)
      expect((await openKeys(tx)).sort()).toEqual([...keys].sort())
      await lock(tx)
      expect(await content(tx, 2)).toEqual(await content(tx, 1))
      expect(await earned(tx)).toEqual(first)
      await reopen(tx)
      await takeOverKeys(
        tx,
        keys.map((key) => key.split(':')[0]!),
      )
      await lock(tx)
      expect(await earned(tx)).toEqual(changedEarned)
      expect(await content(tx, 3)).not.toEqual(await content(tx, 2))
      await reopen(tx)
      expect(await openKeys(tx)).toEqual([])
    }),
)

test('a record that changes again after it was taken over differs again, and what was taken counts', () =>
  reopened(async (tx) => {
    await tx.query(`update merchant set masteragentid = 4 where id = 1`)
    await takeOverKeys(tx, [`merchant-agent:${mid(1)}`])
    await tx.query(`update merchant set masteragentid = 5 where id = 1`)
    const { data } = await readDifferences(tx, month, { ...everything, kind: 'merchant-agent' })
    const [copied, counts, today] = ['MA0002 Agent 2', 'MA0004 Agent 4', 'MA0005 Agent 5']
    expect(data).toMatchObject([{ was: copied, now: today, counts, amount: 100, takenby: null }])
    await tx.query('savepoint before')
    await takeOverKeys(tx, [`merchant-agent:${mid(1)}`])
    expect(await listed(tx, true)).toMatchObject([{ was: copied, now: today, counts: null }])
    await takeOverKeys(tx, [`merchant-agent:${mid(1)}`], true)
    expect(await listed(tx, false)).toMatchObject([{ was: copied, now: today, counts: null }, {}])
    await tx.query('rollback to savepoint before')
    await lock(tx)
    expect(await earned(tx)).toEqual({ 2: 10, 3: 40, 4: 200, 5: 4 })
  }))

test('a difference of a merchant says what the merchant brings in the month', () =>
  reopened(async (tx) => {
    await asReplica(
      tx,
      `insert into residual (month, processor, xmid, income, net, batchid)
        values ('2025-11-01', 'Aurora', '${mid(1)}', 999, 999, 1)`,
    )
    await tx.query('update merchant set masteragentid = 3 where id = 1')
    const found = await listed(tx, false)
    expect(Object.fromEntries(found.map(({ key, amount }) => [key, amount]))).toEqual({
      [`merchant-agent:${mid(1)}`]: 100,
      'terminal:1': null,
    })
  }))

test('an agent who is new and has nothing of the month leaves the hash of its next version as it was', () =>
  reopened(async (tx) => {
    await tx.query(`insert into master_agent (name, percentagecommissionreceived) values ('New', 20)`)
    await lock(tx)
    const hashes = await tx.query<{ hash: string }>('select hash from month_lock where month = $1', [month])
    expect(hashes).toHaveLength(2)
    expect(hashes[1]).toEqual(hashes[0])
  }))

test('a MID that the copy lacks is as its record is today, also one of an agent who is new', () =>
  reopened(async (tx) => {
    await tx.query(
      `insert into master_agent (id, name, isofficeaccount, payoninactive, commissionnoteditable, businessname,
          notes, parentid, percentagecommissionreceived)
        values (6, 'Agent 6', false, false, false, '', '', 3, 20), (7, 'Agent 7', false, false, false, '', '', 3, 20)`,
    )
    await tx.query(
      `insert into merchant (id, xmid, dba, masteragentid, accountstatus) values (6, $1, 'Six', 6, 2)`,
      [mid(6)],
    )
    await putRows(tx, { 6: 1000 })
    expect(await openKeys(tx)).toEqual([])
    await lock(tx)
    expect(await earned(tx)).toEqual({ ...first, 3: 430, 6: 200 })
    // Of an agent without anything in the month there is no statement: the version before had none.
    const seventh = 'select from locked_statement where masteragentid = 7'
    expect(await tx.query(seventh)).toEqual([])
  }))

test.each([
  ['a merchant', `merchant-agent:${mid(1)}`, 'update merchant set masteragentid = 7 where id = 1'],
  ['a terminal', 'terminal:1', 'update equipment set masteragentid = 7 where id = 1'],
])(
  'an agent that the copy lacks is copied by the next lock where it stands above the new agent of %s, though it earns nothing',
  (_, key, change) =>
    reopened(async (tx) => {
      await tx.query(
        `insert into master_agent (id, name, isofficeaccount, payoninactive, commissionnoteditable, businessname,
            notes, parentid, percentagecommissionreceived, percentageequipmentcommissionreceived)
          values (6, 'Agent 6', false, false, false, '', '', 1, 40, 40),
            (7, 'Agent 7', false, false, false, '', '', 6, 40, 40)`,
      )
      await tx.query(change)
      await takeOverKeys(tx, [key])
      await lock(tx)
      const before = [await earned(tx), await content(tx, 2)]
      expect(before[0]).not.toHaveProperty('6')
      await reopen(tx)
      await tx.query(`update master_agent set parentid = 5, percentagecommissionreceived = 90,
        percentageequipmentcommissionreceived = 90 where id = 6`)
      expect(await openKeys(tx)).toEqual(
        expect.arrayContaining(['agent-parent:6', 'agent-rate:6 percentagecommissionreceived']),
      )
      await lock(tx)
      expect([await earned(tx), await content(tx, 3)]).toEqual(before)
    }),
)

test('a terminal that is unpaid while the month is open, and paid again then or after its lock, counts in that month alone', () =>
  reopened(async (tx) => {
    const pay = (paidsofar: number) =>
      tx.query('update equipment set paidsofar = $1 where id = 1', [paidsofar])
    await pay(29)
    expect(await openKeys(tx)).toEqual(['terminal:1'])
    await pay(30)
    expect(await openKeys(tx)).toEqual([])
    await pay(29)
    await lock(tx)
    expect(await earned(tx)).toEqual(first)
    await pay(30)
    const later = 'select id from equipment where paidmonth is distinct from $1 and paidsofar >= soldfor'
    expect(await tx.query(later, [month])).toEqual([])
  }))

test('files and adjustments of the month are those of today', () =>
  reopened(async (tx) => {
    await tx.query(`update residual set income = 300, net = 300 where xmid = $1`, [mid(1)])
    await tx.query(`update adjustment set amount = 8`)
    expect(await openKeys(tx)).toEqual([])
    await lock(tx)
    expect(await earned(tx)).toEqual({ ...first, 2: 160, 5: 5 })
  }))

test('an adjustment of a merchant whose MID the copy does not know is paid, and the same again', () =>
  reopened(async (tx) => {
    await tx.query(
      `insert into merchant (id, xmid, dba, masteragentid, accountstatus) values (5, $1, 'Five', 5, 2)`,
      [mid(5)],
    )
    await tx.query(
      `insert into adjustment (merchantid, month, amount, reason, author) values (5, $1, 9, 'Refund', 'x')`,
      [month],
    )
    await lock(tx)
    expect(await earned(tx)).toEqual({ ...first, 5: 13 })
    await tx.query('update merchant set masteragentid = 2 where id = 5')
    await reopen(tx)
    expect(await openKeys(tx)).toEqual([`merchant-added:${mid(5)}`])
    await lock(tx)
    expect(await earned(tx)).toEqual({ ...first, 5: 13 })
    expect(await content(tx, 3)).toEqual(await content(tx, 2))
    await reopen(tx)
    await takeOverKeys(tx, [`merchant-added:${mid(5)}`])
    await lock(tx)
    // 50 % of 40 besides.
    expect(await earned(tx)).toEqual({ ...first, 2: 89 })
  }))

test('the settings of its first version stay those of the month', () =>
  reopened(async (tx) => {
    await tx.query(`update residual set expense = 100, income = 0, net = -100 where xmid = $1`, [mid(1)])
    await writeMoneySettings(tx, { netNegative: 'floor', amountBasis: 'perAgentMonth', minimumPayout: 500 })
    await lock(tx)
    expect(await earned(tx)).toEqual({ ...first, 2: -40 })
    const [row] = await tx.query(`select terms ->> 'netNegative' as net from month_lock where version = 2`)
    expect(row).toEqual({ net: 'pass' })
  }))

test('an open month that is looked at shows what its next version holds', () =>
  reopened(async (tx) => {
    await tx.query('update merchant set masteragentid = 3 where id = 1')
    for (const agents of [null, [2]]) {
      const { ctes, values } = await monthSource(tx, month, { agents })
      const rows = await tx.query<{ own: number }>(
        `with recursive ${ctes} select own from statement where masteragentid = 2`,
        values,
      )
      expect(rows).toEqual([{ own: 50 }])
    }
  }))

test('of a lock made before there were payouts, what it did not copy is read today, and that is said', () =>
  trial(portal.db, async (tx) => {
    await lock(tx)
    await asReplica(
      tx,
      'update month_lock set formula = 1, copies = 1',
      'delete from locked_agent',
      'delete from locked_terminal',
      'delete from locked_subscription',
      'delete from locked_adjusted_merchant',
      'update locked_merchant set date_closed = null',
    )
    await reopen(tx)
    await tx.query('update master_agent set parentid = 2, percentagecommissionreceived = 10 where id = 4')
    await tx.query('update equipment set cost = 20 where id = 1')
    const found = await readDifferences(tx, month, everything)
    expect(found.data.map(({ key }) => key)).toEqual([
      'agent-rate:4 percentagecommissionreceived',
      'agent-parent:4',
    ])
    expect(found.notes).toEqual([
      'Version 1 was locked before the portal copied closing days, terminals, subscriptions and who is paid ' +
        'on inactive merchants: those of today count.',
    ])
    await lock(tx)
    expect(await earned(tx)).toEqual({ ...first, 2: 55 })
  }))

test('of a lock that kept no portfolio yet all copies count, as nothing of pay was missing in them', () =>
  trial(portal.db, async (tx) => {
    await lock(tx)
    await asReplica(tx, 'update month_lock set copies = 2')
    await reopen(tx)
    const found = await readDifferences(tx, month, everything)
    expect([found.data, found.notes]).toEqual([[], []])
    await tx.query('update merchant set date_closed = null where id = 2')
    await tx.query('update master_agent set payoninactive = true where id = 3')
    await tx.query('update equipment set cost = 20 where id = 1')
    await tx.query('update collection_subscription set amount = 8')
    expect((await openKeys(tx)).sort()).toEqual([
      'agent-inactive:3',
      `merchant-status:${mid(2)}`,
      'subscription:1',
      'terminal:1',
    ])
    await lock(tx)
    expect(await earned(tx)).toEqual(first)
  }))

test('the list has what changed after the reopening, then before it, then by nobody known, then what was taken', () =>
  reopened(async (tx) => {
    await asReplica(
      tx,
      `update month_lock set locked_at = reopened_at - interval '1 hour' where reopened_at is not null`,
    )
    await tx.query(`update master_agent set name = 'New' where id between 2 and 5`)
    await tx.query(`update merchant set dba = 'New' where id in (1, 3)`)
    await takeOverKeys(tx, [`merchant-name:${mid(1)}`])
    for (const [agent, offset] of [
      [5, '1 microsecond'],
      [3, '0'],
      [2, '-1 microsecond'],
    ] as const)
      await tx.query(
        `insert into audit (at, username, address, action, entity, entityid)
          select reopened_at + $2::interval, 'bob', '', 'update', 'masteragent', $1
          from month_lock where month = $3`,
        [agent, offset, month],
      )
    const order = [
      ['agent-name:5', true],
      ['agent-name:2', false],
      ['agent-name:3', false],
      [`merchant-name:${mid(3)}`, false],
      ['agent-name:4', false],
      [`merchant-name:${mid(1)}`, false],
    ]
    const page = async (number: number, size: number) =>
      (await readDifferences(tx, month, { kind: '', page: number, size })).data.map(({ key, isafter }) => [
        key,
        isafter,
      ])
    expect(await page(1, 100)).toEqual(order)
    for (const [index, row] of order.entries()) expect(await page(index + 1, 1)).toEqual([row])
    expect(await page(order.length + 1, 1)).toEqual([])
  }))

test('a payee that was confirmed after the first lock gets the payment of the next version', () =>
  reopened(async (tx) => {
    const payeeOf = async () => {
      const { ctes, values } = await monthSource(tx, month, { agents: null })
      const rows = await tx.query<{ payee: number }>(
        `with recursive ${ctes} select payee from run_statement where masteragentid = 4`,
        values,
      )
      return rows[0]!.payee
    }
    await tx.query('update master_agent set payeeid = 5 where id = 4')
    await lock(tx)
    expect(await payeeOf()).toBe(4)
    await tx.query(
      `insert into bank_change (masteragentid, payeeid, routingnumber, ischecking, isbusiness,
          formerroutingnumber, formerischecking, formerisbusiness, fields, authors, entered_by, decision,
          decided_by, decided_at)
        values (4, 5, '', true, true, '', true, true, array['payeeid'], array['bob'], 'bob', 'confirmed', 'ann',
          now() + interval '1 second')`,
    )
    expect(await payeeOf()).toBe(5)
    const statement = 'select payeeid from locked_statement where masteragentid = 4 order by lockid offset 1'
    expect(await tx.query(statement)).toEqual([{ payeeid: null }, { payeeid: null }])
  }))

describe('a reopened month over the API', () => {
  const path = '/api/v1/month/2026-01'
  const differences = async (query = '') =>
    (await portal.call('ann', 'GET', `${path}/differences${query}`)) as unknown as {
      status: number
      body: MonthDifferences & { error?: string }
    }

  test('lists what was changed after the reopening first, takes over all or nothing, and keeps who did', async () => {
    await portal.lock('2026-01')
    expect((await differences()).body.error).toBe(
      'January 2026 is not open again: there is no copy that could differ',
    )
    const putAgent = async (id: number, change: object) => {
      const { body } = await portal.call('bob', 'GET', `/api/v1/masteragent/${id}`)
      const { status } = await portal.call('bob', 'PUT', `/api/v1/masteragent/${id}`, {
        version: body.version,
        ...change,
      })
      expect(status).toBe(200)
    }
    await putAgent(2, { name: 'Before' })
    await portal.reopen('2026-01')
    await putAgent(4, { name: 'After' })
    await putAgent(5, { parentid: 2 })
    const { body } = await differences()
    expect(body.data.map(({ key, changedby, isafter }) => [key, changedby, isafter])).toEqual([
      ['agent-parent:5', 'bob', true],
      ['agent-name:4', 'bob', true],
      ['agent-name:2', 'bob', false],
    ])
    expect([body.version, body.reopenedby, body.reason, body.total_length]).toEqual([
      1,
      'admin',
      'A late file',
      3,
    ])
    expect((await differences('?kind=agent-name&size=10')).body.data.map(({ key }) => key)).toEqual([
      'agent-name:4',
      'agent-name:2',
    ])
    const refused = await portal.call('ann', 'POST', `${path}/takeover`, {
      keys: ['agent-parent:5', 'agent-parent:4'],
    })
    expect([refused.status, refused.body.error]).toEqual([
      409,
      'agent-parent:4 does not differ from the copy any more',
    ])
    expect((await differences()).body.kinds.map(({ taken }) => taken)).toEqual([0, 0])
    const back = await portal.call('ann', 'POST', `${path}/takeover`, { keys: ['agent-name:2'], back: true })
    expect([back.status, back.body.error]).toEqual([409, 'agent-name:2 was not taken over'])

    const many = (length: number) => ({ keys: Array.from({ length }, (_, n) => `agent-name:${n + 2}`) })
    const statuses = [0, 1, 999, 1000, 1001].map(
      async (length) =>
        (await portal.call('carl', 'POST', `${path}/takeover`, { ...many(length), back: true })).status,
    )
    expect(await Promise.all(statuses)).toEqual([422, 409, 409, 409, 422])

    const taken = await portal.call('ann', 'POST', `${path}/takeover`, { keys: ['agent-name'] })
    expect(taken.status).toBe(200)
    expect((taken.body as unknown as MonthDifferences).kinds).toEqual([
      { kind: 'agent-parent', what: 'Parent of a master agent', count: 1, taken: 0 },
      { kind: 'agent-name', what: 'Name or number of a master agent', count: 0, taken: 2 },
    ])
    const [entry] = await portal.db.query<{ after: { keys: string[] } }>(
      `select after from audit where action = 'takeover' and username = 'ann'`,
    )
    expect(entry!.after.keys.sort()).toEqual(['agent-name:2', 'agent-name:4'])
    const undo = { keys: ['agent-name:2'], back: true }
    expect((await portal.call('ann', 'POST', `${path}/takeover`, undo)).status).toBe(200)
    const [last] = await portal.db.query(
      `select after from audit where action = 'takeover' order by id desc limit 1`,
    )
    expect(last!.after).toEqual({ version: 1, ...undo })
  })

  test('refuses who would take over what decides its own pay, and holds the payee of the person who took it over', async () => {
    await portal.db.query(`update master_agent set percentagecommissionreceived = 55 where id = 2`)
    await portal.db.query(`delete from collection_subscription where id = 1`)
    await portal.db.query('update master_agent set payeeid = 4 where id = 3')
    /** Whose own pay it is, the difference, and the payee who is held. */
    const ownPay = [
      [
        2,
        'agent-rate:2 percentagecommissionreceived',
        'MA0002 Before, Percentage Commission Received',
        'rate',
        2,
      ],
      [5, 'subscription:1', 'MA0005 Agent 5, Desk', 'subscription', 5],
      [3, 'agent-payee:3', 'MA0003 Agent 3', 'payee', 4],
    ] as const
    for (const [agent, key, what] of ownPay) {
      await portal.db.query(
        `insert into portal_user (username, password_hash, permissions, masteragentid)
          select 'own' || $1, password_hash, array['lock_reports', 'reports_admin'], $1::int
          from portal_user where username = 'ann'`,
        [agent],
      )
      const own = await portal.login(`own${agent}`, 'nine tall green lanterns')
      const refused = await own.call('POST', `${path}/takeover`, { keys: [key] })
      expect([refused.status, refused.body.error]).toEqual([
        403,
        `${what}: this is your own agent or one above it: somebody else must take it over`,
      ])
    }
    // Of who sees a branch alone, whatever else may raise the pay of that agent, as it was or as it is.
    const own = await portal.login('own2', 'nine tall green lanterns')
    await portal.db.query('update master_agent set percentagecommissionreceived = 40 where id in (4, 5)')
    await portal.db.query('update merchant set accountstatus = 2 where id = 2')
    await portal.db.query(
      'update merchant set masteragentid = case id when 1 then 3 else 5 end where id in (1, 3)',
    )
    await portal.db.query('update equipment set soldfor = 20, paidsofar = 20 where id = 1')
    const raising = [
      ['agent-parent:5', 'MA0005 Agent 5'],
      ['agent-rate:5 percentagecommissionreceived', 'MA0005 Agent 5, Percentage Commission Received'],
      [`merchant-agent:${mid(1)}`, `${mid(1)} One`],
      [`merchant-agent:${mid(3)}`, `${mid(3)} Three`],
      ['terminal:1', 'T1 S1'],
    ] as const
    for (const [key, what] of raising) {
      const refused = await own.call('POST', `${path}/takeover`, { keys: [key] })
      const paid = 'your own agent or one above it may be paid more by it'
      expect([refused.status, refused.body.error]).toEqual([
        403,
        `${what}: ${paid}: somebody else must take it over`,
      ])
    }
    const others = [`merchant-status:${mid(2)}`, 'agent-rate:4 percentagecommissionreceived']
    expect((await own.call('POST', `${path}/takeover`, { keys: others })).status).toBe(200)
    // A name pays nobody.
    expect((await own.call('POST', `${path}/takeover`, { keys: ['agent-name:2'] })).status).toBe(200)
    await portal.db.query('update master_agent set isofficeaccount = true where id = 2')
    expect((await own.call('POST', `${path}/takeover`, { keys: ['agent-office:2'] })).status).toBe(403)
    await portal.db.query('update master_agent set isofficeaccount = false where id = 2')
    const keys = ownPay.map(([, key]) => key)
    expect((await portal.call('bob', 'POST', `${path}/takeover`, { keys })).status).toBe(200)
    await portal.lock('2026-01')
    const holdOf = async (who: 'bob' | 'carl', agent: number) =>
      (await portal.entries('2026-01', who)).find(({ id }) => id === agent)!.hold
    for (const [, , , changed, payee] of ownPay) {
      expect(await holdOf('bob', payee)).toBe(`bob changed the ${changed}: another person must approve it`)
      expect(await holdOf('carl', payee)).toBe(null)
    }
    const evidence = await portal.call('bob', 'POST', '/api/v1/report/payout-evidence', { month: '2026-01' })
    const rows = evidence.body.data as Record<'event' | 'username' | 'what' | 'detail', string>[]
    expect(
      rows
        .filter(({ event, what }) => /^(Taken|Copy)/.test(event) && what === 'MA0002 Before')
        .map(({ event, username, detail }) => [event, username, detail]),
    ).toEqual([
      ['Taken over', 'ann', 'MA0002 Agent 2 to MA0002 Before'],
      ['Copy counts again', 'ann', 'MA0002 Before to MA0002 Agent 2'],
      ['Taken over', 'own2', 'MA0002 Agent 2 to MA0002 Before'],
    ])
  })

  test('lets nobody decide about what pays their own agent by the copy, whose the merchant is today', async () => {
    await portal.reopen('2026-01')
    const { db } = portal
    const [copied] = await db.query<{ agent: number }>(
      `select masteragentid as agent from locked_merchant where xmid = $1 order by lockid desc limit 1`,
      [mid(1)],
    )
    const elsewhere = copied!.agent === 5 ? 4 : 5
    await db.query('update merchant set masteragentid = $1 where id = 1', [elsewhere])
    await db.query(
      `insert into portal_user (username, password_hash, admin, masteragentid)
        select 'insider', password_hash, true, $1::int from portal_user where username = 'ann'`,
      [copied!.agent],
    )
    const insider = await portal.login('insider', 'nine tall green lanterns')
    const proposals = await db.query<{ id: number }>(
      `insert into adjustment (merchantid, month, amount, reason, author, state)
        values (1, '2026-01-01', 5, 'Fee', 'x', 'proposed'), (1, '2026-02-01', 5, 'Fee', 'x', 'proposed')
        returning id`,
    )
    const accept = (who: SignedIn, at: 0 | 1) =>
      who.call('POST', `/api/v1/adjustment/${proposals[at]!.id}/accept`)
    const refused = await accept(insider, 0)
    expect([refused.status, refused.body.error]).toEqual([
      403,
      'It pays your own branch: another person must decide',
    ])
    expect((await accept(insider, 1)).status).toBe(200)
    expect((await accept(await portal.signedIn('bob'), 0)).status).toBe(200)
  })
})
