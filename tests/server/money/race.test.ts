import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectFolder } from '../../../server/config/projectFolder.ts'
import { lockMonth, reopenMonth } from '../../../server/money/lock.ts'
import { programArguments } from '../../fixtures/children.ts'
import { builtProgram } from '../../fixtures/programs.ts'
import { relationsOf, waive, write, xmidOf } from '../../money/book.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'

/** More by hand: MONEY_RACES=200. */
const races = Number(process.env['MONEY_RACES'] ?? 40)
const month = '2026-03-01'
const action = { username: 'x', address: '', waive }

let portal: TestPortal
const ends: (() => void)[] = []
beforeAll(async () => {
  portal = await openTestPortal({ demo: false })
})
afterAll(async () => {
  for (const end of ends) end()
  await portal.close()
})

/** A process that locks a month when told, and what it says. */
async function lockProcess(name: string) {
  const script = programArguments(await builtProgram('tests/money/lockProcess.ts'))
  const child = spawn(process.execPath, [...script, portal.url, name], {
    cwd: projectFolder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  ends.push(() => child.kill())
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => String((await lines.next()).value)
  expect(await next()).toBe('ready')
  return (month: string) => {
    child.stdin.write(`${month}\n`)
    return next()
  }
}

test(`of two processes that lock a month at the same moment one wins and the other is answered by whom, ${races} times`, async () => {
  const agent = { parent: null, percent: 500_000, flat: 0, eqpercent: 0, eqflat: 0 }
  const lines = [1, 2].map((shop) => ({
    month,
    processor: 'Aurora',
    xmid: xmidOf(shop),
    txns: 1,
    sales: 100,
    income: 1_000,
    expense: 1,
  }))
  await write(portal.db, {
    agents: [{ ...agent, id: 1 }],
    shops: [1, 2].map((id) => ({ id, agent: 1, status: 2 as const })),
    lines,
    terminals: [],
    subscriptions: [{ id: 1, agent: 1, amount: 10, start: null, end: null, remaining: 5 }],
    adjustments: [],
    rates: [],
    settings: { netNegative: 'pass', amountBasis: 'perActiveMerchant', minimum: 0 },
  })
  const open = await relationsOf(portal.db, month)
  const [ann, bob] = await Promise.all([lockProcess('ann'), lockProcess('bob')])
  const winners = new Set<string>()
  for (let version = 1; version <= races; version += 1) {
    const said = await Promise.all([ann(month), bob(month)])
    const winner = said[0] === `locked ${version}` ? 'ann' : 'bob'
    winners.add(winner)
    const [won, lost] = winner === 'ann' ? said : [said[1], said[0]]
    expect(won).toBe(`locked ${version}`)
    expect(lost).toMatch(new RegExp(`^409 March 2026 is locked already: ${winner} locked it on `))
    const [count] = await portal.db.query(
      'select count(*) from month_lock where month = $1 and reopened_at is null',
      [month],
    )
    expect(count).toEqual({ count: 1 })
    expect(await relationsOf(portal.db, month)).toEqual(open)
    await reopenMonth(portal.db, { month, reason: 'again', ...action })
  }
  const rows = await portal.db.query(
    `select count(*) as merchants, (select remaining from collection_subscription) as remaining from locked_merchant`,
  )
  expect(rows).toEqual([{ merchants: 2 * races, remaining: 5 }])
}, 900_000)

test('of a lock and a reopening at the same moment each happens once or is refused', async () => {
  for (let round = 0; round < 10; round += 1) {
    await lockMonth(portal.db, { month, ...action })
    const both = await Promise.allSettled([
      reopenMonth(portal.db, { month, reason: 'a', ...action }),
      reopenMonth(portal.db, { month, reason: 'b', ...action }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  }
})
