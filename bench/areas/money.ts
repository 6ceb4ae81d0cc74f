import { strict as assert } from 'node:assert'
import type { Tx } from '../../server/db/db.ts'
import { inLargeTransaction } from '../../server/db/largeWork.ts'
import { lockMonthIn } from '../../server/money/lock.ts'
import type { Area, Case, Contender, Figures, Goal } from '../case.ts'
import { most } from '../case.ts'
import { months, randomId } from '../data.ts'
import { portalCalling, type Environment } from '../environment.ts'
import type { HttpCall } from '../http.ts'
import { sampleWaits, sampleCalls, sampleOnce } from '../measure.ts'
import { copyOfMonth, payByHand } from './moneyByHand.ts'

const [first, newest] = [months[0]!, months.at(-1)!]
const monthName = newest.slice(0, 7)

const byHand = (it: Environment): Contender => ({
  name: 'by hand',
  sample: (millis) =>
    sampleCalls(
      ['self', it.pids.postgres],
      () => inLargeTransaction(it.db, (tx) => tx.query(payByHand, [newest])),
      millis,
    ),
})

const reportCall = (body: object) => (): HttpCall => ({ method: 'POST', body: JSON.stringify(body) })

/** A call of the portal about the newest month, beside the aggregate written by hand. */
const beside = (name: string, goals: readonly Goal[], path: string, call?: () => HttpCall): Case => ({
  name,
  goals,
  contenders: (it) => [portalCalling(it, 'admin', () => path, call), byHand(it)],
})

const undone = new Error('undone')
/** Works in a transaction that leaves nothing behind. */
const trial = (it: Environment, work: (tx: Tx) => Promise<unknown>) =>
  it.db
    .transaction(async (tx) => {
      await work(tx)
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })

/** Locks the oldest month by the code of the portal, in this process, and takes it back. */
const lock = (it: Environment) =>
  trial(it, (tx) =>
    lockMonthIn(tx, { month: first, username: 'bench', address: '', waive: 'Measured, not paid' }),
  )

const copy = (it: Environment) =>
  trial(it, async (tx) => {
    await tx.query('create table plain_copy (like locked_merchant including indexes)')
    await tx.query(copyOfMonth, [first])
  })

type Saved = { id: number; version: number }

/** What others do while a month is locked. */
const others: Record<string, (it: Environment) => Promise<unknown>> = {
  'reads a page of merchants': (it) => it.call('branch', '/api/v1/merchant?size=50'),
  'reads a statement of another month': (it) =>
    it.call('admin', '/api/v1/report/agent-residual-statement', {
      method: 'POST',
      body: JSON.stringify({ month: months[5]!.slice(0, 7), agent: '500' }),
    }),
  'saves a merchant': async (it) => {
    const path = `/api/v1/merchant/${randomId(it.size)}`
    const { version } = JSON.parse((await it.call('admin', path)).toString()) as Saved
    const body = JSON.stringify({ version, notes: `Called at ${Math.random()}` })
    return it.call('admin', path, { method: 'PUT', body })
  },
}

/** What all of `others` wait together while the work is done. */
async function sampleOthers(it: Environment, work: () => Promise<unknown>): Promise<Figures> {
  const working = work()
  const found = await Promise.all(
    Object.values(others).map((call) =>
      sampleWaits(
        () => call(it),
        () => working,
      ),
    ),
  )
  const worst = (metric: 'wait' | 'waitP99') => Math.max(...found.map((it) => it[metric]!))
  return { wait: worst('wait'), waitP99: worst('waitP99') }
}

type Row = { displayid: string; own: number; override: number; net: number }
/**
 * The amounts of every agent by the report against the aggregate. Throws an AssertionError when they differ.
 */
export async function checkMoney(it: Environment): Promise<void> {
  const path = '/api/v1/report/residual-summary'
  const answer = await it.call('admin', path, reportCall({ month: monthName })())
  const { data } = JSON.parse(answer.toString()) as { data: Row[] }
  const byAggregate = await it.db.query<Row>(payByHand, [newest])
  const amounts = (rows: readonly Row[]) =>
    rows
      // The aggregate has no agent without merchants, and the report has a line for what is in no portfolio.
      .filter((row) => row.displayid !== '' && (row.own !== 0 || row.override !== 0 || row.net !== 0))
      .map(({ displayid, own, override, net }) => [displayid, own, override, net])
  assert.deepEqual(amounts(data), amounts(byAggregate), 'What agents are due is not what plain SQL sums up')
}

/** The reports of an open month with eleven before it, and a lock. */
export const money: Area = {
  name: 'Money',
  where: 'each',
  cases: [
    beside(
      'all statements of a month',
      [most('cpu', 2, { of: 'by hand' })],
      '/api/v1/report/residual-summary',
      reportCall({ month: monthName }),
    ),
    beside(
      'the statement of one agent',
      [],
      '/api/v1/report/agent-residual-statement',
      reportCall({ month: monthName, agent: '500' }),
    ),
    beside('variance by agent', [], `/api/v1/month/${monthName}/variance?by=agent&against=last`),
    beside('missing income of twelve months', [], `/api/v1/month/${monthName}/missing`),
    beside('the detail of a month', [], `/api/v1/month/${monthName}`),
    {
      name: 'lock of a month',
      goals: [],
      contenders: (it) => [
        { name: 'portal', sample: () => sampleOnce(['self', it.pids.postgres], () => lock(it)) },
        { name: 'copy', sample: () => sampleOnce(['self', it.pids.postgres], () => copy(it)) },
      ],
    },
    {
      name: 'lock of a month, what others wait',
      goals: [],
      contenders: (it) => [
        { name: 'portal', sample: () => sampleOthers(it, () => lock(it)) },
        {
          name: 'alone',
          sample: () => sampleOthers(it, () => new Promise((done) => setTimeout(done, 1_000))),
        },
      ],
    },
  ],
}
