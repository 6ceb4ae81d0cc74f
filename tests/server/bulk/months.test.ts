import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockMonth } from '../../../server/money/lock.ts'
import { waive } from '../../money/book.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let admin: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  admin = await portal.login('admin')
})
afterAll(() => portal.close())

type Offered = { id: string; state?: string }
type Report = { id: string; inputs: { constraints: Offered[] }[] }

const incomeOf = async (month: string) => {
  const { status, body } = await admin.call('POST', '/api/v1/report/residual-summary', { month })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

test('200 merchants that are moved count for their new agent in the open month, and in no locked one', async () => {
  const reports = (await admin.call('GET', '/api/v1/report')).body.data as Report[]
  const offered = reports.find(({ id }) => id === 'residual-summary')!.inputs[0]!.constraints
  const isLocked = ({ state }: Offered) => state === 'Locked'
  const locked = offered.find(isLocked)!.id
  const open = offered.find((it) => !isLocked(it))!.id
  const shares = () => portal.db.query('select * from locked_merchant order by lockid, xmid')
  const before = {
    copies: await shares(),
    locked: await incomeOf(locked),
    open: await incomeOf(open),
  }
  const moved = await portal.db.query<{ id: number; version: number }>(
    'select id, version from merchant where masteragentid <> 4 order by id limit 200',
  )
  const body = { records: moved, values: { masteragentid: 4 } }
  const looked = await admin.call('POST', '/api/v1/merchant/bulk/preview', body)
  expect(looked.body).toMatchObject({ changed: 200, refused: 0 })
  const done = await admin.call('POST', '/api/v1/merchant/bulk', {
    ...body,
    fingerprint: looked.body.fingerprint,
  })
  expect(done.body.changed).toBe(200)
  expect(await shares()).toEqual(before.copies)
  expect(await incomeOf(locked)).toEqual(before.locked)
  expect(await incomeOf(open)).not.toEqual(before.open)
  expect((await admin.call('POST', `/api/v1/merchant/bulk/${done.body.id}/undo`)).status).toBe(200)
  expect(await incomeOf(open)).toEqual(before.open)
}, 120_000)

const ofMonth = [
  {
    name: 'adjustment',
    table: 'adjustment',
    draft: (month: string, n: number) => ({ month, masteragentid: 2, amount: n, reason: `No. ${n}` }),
    refusal: 'An adjustment can be put back only in an open month',
  },
  {
    name: 'processorstatement',
    table: 'processor_statement',
    draft: (month: string, n: number) => ({ month, processor: `Processor ${n}`, statednet: 0 }),
    refusal: 'A statement can be put back only in an open month',
  },
]

/** Removes records that were not changed since they were made; answers their undo. */
async function removeAll(name: string, ids: readonly number[], version: number) {
  const path = `/api/v1/${name}/bulk`
  const body = { records: ids.map((id) => ({ id, version })), remove: true }
  const { fingerprint } = (await admin.call('POST', `${path}/preview`, body)).body
  const done = await admin.call('POST', path, { ...body, fingerprint })
  expect([name, done.body.changed, done.body.refused]).toEqual([name, ids.length, 0])
  return () => admin.call('POST', `${path}/${done.body.id}/undo`)
}

async function makeTerminal(
  serialnumber: string,
  month: string,
  masteragentid: number | null = 2,
): Promise<number> {
  const terminal = { model: 'T1', serialnumber, masteragentid, cost: 1, soldfor: 2, paidsofar: 2 }
  const { body } = await admin.call('POST', '/api/v1/equipment', terminal)
  await portal.db.query('update equipment set paidmonth = $2 where id = $1', [body.id, `${month}-01`])
  return body.id
}

/** Sets the percentage of a new agent; answers what undoes it, and its rates with their months. */
async function setRate() {
  const { body: agent } = await admin.call('POST', '/api/v1/masteragent', { name: 'Rated', parentid: 2 })
  const path = '/api/v1/masteragent/bulk'
  const body = {
    records: [{ id: agent.id, version: agent.version }],
    values: { percentagecommissionreceived: 10 },
  }
  const { fingerprint } = (await admin.call('POST', `${path}/preview`, body)).body
  const done = await admin.call('POST', path, { ...body, fingerprint })
  expect(done.body.changed).toBe(1)
  return {
    undo: () => admin.call('POST', `${path}/${done.body.id}/undo`),
    rates: () =>
      portal.db.query(
        `select to_char(from_month, 'YYYY-MM') as month, value from agent_rate where masteragentid = $1
          order by from_month`,
        [agent.id],
      ),
  }
}

test('deleted adjustments and statements are put back while their month is open, and not after its lock, when a terminal counts in the next month and a rate stays', async () => {
  const [open] = await portal.db.query<{ month: string }>(
    `select to_char(min(month), 'YYYY-MM') as month from residual
      where month > (select max(month) from month_lock where reopened_at is null)`,
  )
  const { month } = open!
  const removed: (() => Promise<void>)[] = []
  for (const { name, table, draft, refusal } of ofMonth) {
    const drafts = [1, 2].map((n) => draft(month, n))
    const made = await Promise.all(drafts.map((body) => admin.call('POST', `/api/v1/${name}`, body)))
    const ids = made.map(({ body }) => body.id as number)
    const undo = await removeAll(name, ids, 1)
    expect((await undo()).status, name).toBe(200)
    const undoAgain = await removeAll(name, ids, 2)
    removed.push(async () => {
      const { status, body } = await undoAgain()
      expect([status, body.error]).toEqual([409, expect.stringMatching(/^This change cannot be undone: /)])
      expect(body.error).toContain(refusal)
      const left = await portal.db.query(`select 1 from ${table} where id = any ($1)`, [ids])
      expect(left).toEqual([])
    })
  }
  const rated = await setRate()
  const kept = await rated.rates()
  expect(kept.at(-1)).toEqual({ month, value: 10 })
  const [unearned, earned] = [await makeTerminal('SN-U', month), await makeTerminal('SN-E', month)]
  // What the lock pays for an adjustment of its number is nothing for the terminal.
  await portal.db.query(
    `insert into adjustment (id, masteragentid, month, amount, reason, author)
      overriding system value values ($1, 2, $2, 5, 'Fee', 'ann')`,
    [unearned, `${month}-01`],
  )
  // Paid before the portal paid for terminals.
  const old = await makeTerminal('SN-O', '1970-01')
  const nobodys = await makeTerminal('SN-N', month, null)
  const putBack = await removeAll('equipment', [unearned, old], 1)
  // A stated total that differs from its file would keep the month from being locked.
  await portal.db.query(`delete from processor_statement where to_char(month, 'YYYY-MM') = $1`, [month])
  await lockMonth(portal.db, { month: `${month}-01`, username: 'ann', address: '', waive })
  for (const isRefused of removed) await isRefused()
  expect(await rated.undo()).toMatchObject({
    status: 409,
    body: { error: expect.stringMatching(/^This change cannot be undone: MA\d+ - Rated: .+ is locked/) },
  })
  expect(await rated.rates()).toEqual(kept)
  // Nor is what a version pays that does not count any more.
  await portal.db.query(
    `with former as (
        insert into month_lock (month, version, hash, username, reopened_at, reopened_by, reason)
          select month, version + 1, hash, username, now(), 'ann', 'A mistake' from month_lock
          where month = $1 and reopened_at is null returning id)
      insert into locked_statement_line (lockid, masteragentid, kind, label, amount, source)
        select id, 2, 'equipment', 'T1', 1, $2 from former`,
    [`${month}-01`, unearned],
  )
  // Of nobody at the lock it earns for nobody, also for the agent that it got since (money 12).
  const given = { version: 1, masteragentid: 2 }
  expect((await admin.call('PUT', `/api/v1/equipment/${nobodys}`, given)).status).toBe(200)
  const putBackPaid = await removeAll('equipment', [earned], 1)
  const putBackNobodys = await removeAll('equipment', [nobodys], 2)
  for (const undo of [putBack, putBackPaid, putBackNobodys]) expect((await undo()).status).toBe(200)
  const months = await portal.db.query<{ id: number; islater: boolean }>(
    'select id, paidmonth > $2::date as islater from equipment where id = any ($1) order by id',
    [[unearned, earned, old, nobodys], `${month}-01`],
  )
  // The copy of the lock has paid the second one.
  expect(months.map(({ islater }) => islater)).toEqual([true, false, false, false])
})
