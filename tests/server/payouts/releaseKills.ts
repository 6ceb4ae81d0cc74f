import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import { projectFolder } from '../../../server/config/projectFolder.ts'
import { programArguments } from '../../fixtures/children.ts'
import { builtProgram } from '../../fixtures/programs.ts'
import type { ReleaseOrder, ReleaseSaid } from '../../money/releaseProcess.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { checkNacha } from './files/nacha.ts'
import { accountOf, bank, payoutPortal, type PayoutPortal } from './payoutPortal.ts'

export const month = '2026-01'
/** What the run pays, by account, in cents. */
const paid = [
  [accountOf(2), 5_000],
  [accountOf(3), 6_001],
  [accountOf(4), 725],
]

/** A process that releases on a database as somebody; `order` resolves with null when it dies of it. */
export async function releaseProcess(url: string, { token, cookie }: SignedIn) {
  const script = programArguments(await builtProgram('tests/money/releaseProcess.ts'))
  const child = spawn(process.execPath, [...script, url, token, cookie], {
    cwd: projectFolder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => (await lines.next()).value as string | undefined
  expect(await next()).toBe('ready')
  return {
    async order(order: ReleaseOrder): Promise<ReleaseSaid | null> {
      child.stdin.write(`${JSON.stringify(order)}\n`)
      const said = await next()
      if (said === undefined) expect(await ended).toEqual([null, 'SIGKILL'])
      return said === undefined ? null : (JSON.parse(said) as ReleaseSaid)
    },
    async end() {
      child.stdin.end()
      await ended
    },
  }
}

export type Approved = { origin: PayoutPortal; hash: string; ann: SignedIn }

/** A portal with an approved run that pays three agents, stopped, to be copied. */
export async function approvedOrigin(): Promise<Approved> {
  const origin = await payoutPortal(4)
  await origin.earn(2, month, 50)
  await origin.earn(3, month, 60.01)
  await origin.earn(4, month, 7.25)
  await origin.lock(month)
  const hash = await origin.approve(month)
  const ann = await origin.signedIn('ann')
  await origin.stop()
  return { origin, hash, ann }
}

const filePays = (text: string) =>
  checkNacha(text)
    .batches.flatMap(({ entries }) => entries.map((it) => [it.account, it.cents]))
    .sort((a, b) => Number(a[1]) - Number(b[1]) || 0)
const inOrder = [...paid].sort((a, b) => Number(a[1]) - Number(b[1]))

/** The number of releases, of payments and of allocations that are stored, and of entries in the audit. */
const stored = async ({ db }: TestPortal) => {
  const [row] = await db.query(
    `select (select count(*) from payout_release) as releases, (select count(*) from payout_payment) as payments,
      (select count(*) from payout_allocation) as allocations,
      (select count(*) from audit where action = 'release') as audited`,
  )
  return row
}
const nothing = { releases: 0, payments: 0, allocations: 0, audited: 0 }
const all = { releases: 1, payments: 3, allocations: 3, audited: 1 }

/** The one release has its file, which is given twice with the same bytes and is what was approved. */
async function expectReleased(portal: TestPortal, ann: SignedIn, text?: string) {
  expect(await stored(portal)).toEqual(all)
  const { body } = await ann.call('GET', `/api/v1/month/${month}/payout`)
  const path = `/api/v1/month/${month}/release/${body.releases[0].id}/file`
  const [first, second] = [await ann.call('GET', path), await ann.call('GET', path)]
  expect([first.status, second.body]).toEqual([200, first.body])
  if (text !== undefined) expect(first.body).toBe(text)
  expect(filePays(first.body)).toEqual(inOrder)
  const { body: ledger } = await ann.call('GET', '/api/v1/ledger')
  const rows = ledger.data as { amount: number; trace: string }[]
  const traces = checkNacha(first.body).batches.flatMap(({ entries }) => entries.map(({ trace }) => trace))
  expect(rows.map(({ trace }) => trace).sort()).toEqual(traces.sort())
}

/**
 * Kills a portal before this statement of a release, and starts another on its database: the file and its
 * rows are there, or neither, and then the release can be done. Answers which it was; null is no kill.
 */
export async function killInRelease({ origin, hash, ann }: Approved, dieAt: number | null) {
  const portal = await openTestPortal({ demo: false, ach: bank, timeZone: 'UTC' }, origin)
  // A session that was not used for a minute is noted as used, by a statement more.
  await portal.db.query('update session set used_at = now()')
  try {
    const child = await releaseProcess(portal.url, ann)
    const said = await child.order({ month, hash, dieAt })
    await child.end()
    expect(said === null).toBe(dieAt !== null)
    const person = portal.resume(ann)
    const rows = await stored(portal)
    expect([nothing, all]).toContainEqual(rows)
    const isDone = rows!.releases === 1
    const again = await person.call('POST', `/api/v1/month/${month}/release`, { hash, how: 'file' })
    expect(again.status).toBe(isDone ? 409 : 200)
    await expectReleased(portal, person, isDone ? undefined : String(again.body))
    return { isDone, statements: said?.statements ?? 0 }
  } finally {
    await portal.close()
  }
}
