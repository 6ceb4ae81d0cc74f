import type { Permission } from '../../../schemas/permissions.ts'
import { hashPassword } from '../../../server/accounts/passwordHash.ts'
import type { Config } from '../../../server/config/config.ts'
import { encrypt } from '../../../server/db/encryption.ts'
import { nextBankDay } from '../../../server/money/bankDays.ts'
import { originator } from '../../money/payoutOrigin.ts'
import { testSecret } from '../../setup/postgres.ts'
import { openTestPortal, type Answer, type Method, type SignedIn, type TestPortal } from '../../testPortal.ts'

export const bank = originator
const password = 'nine tall green lanterns'
const passwordHash = hashPassword(password)

type Person = 'admin' | 'ann' | 'bob' | 'carl' | 'branch'
const people: [name: Person, agent: number, permissions: Permission[]][] = [
  ['ann', 1, ['lock_reports', 'manage_master_agents', 'edit_commission']],
  ['bob', 1, ['lock_reports', 'manage_master_agents', 'edit_commission']],
  ['carl', 1, ['lock_reports']],
  ['branch', 2, ['lock_reports']],
]

/** A row of a payout as tests compare it. */
export type Entry = { id: number; due: number; released: number; payable: number; hold: string | null }

export type PayoutPortal = TestPortal & {
  /** Calls the API as a person, who is signed in at the first call. */
  call(who: Person, method: Method, path: string, body?: object): Promise<Answer>
  signedIn(who: Person): Promise<SignedIn>
  /** The next call of this person signs in anew. */
  forget(who: Person): void
  /** Adds to what an agent is due for a month; SQL, so that nobody counts as who changed it. */
  earn(agent: number, month: string, amount: number): Promise<void>
  lock(month: string, who?: Person): Promise<void>
  reopen(month: string): Promise<void>
  entries(month: string, who?: Person): Promise<Entry[]>
  /** The hash of the run as this person sees it. */
  hash(month: string, who?: Person): Promise<string>
  approve(month: string, who?: Person): Promise<string>
  /** Approves and marks as paid, on a day of March 2026. */
  pay(month: string, who?: Person): Promise<void>
  trace(month: string, agent: number): Promise<string>
  /** Enters a part of an agent's account as admin; resolves with what confirms it as bob. */
  enter(agent: number, change: object): Promise<() => Promise<void>>
}

/**
 * A portal without demo data: the office 1 and the agents 2 to `agents`, each with an account of its own, all
 * below the office; ann locks, bob approves. Or a copy of such a portal that was stopped.
 */
export async function payoutPortal(
  agents = 5,
  settings: Partial<Config> = {},
  copied?: TestPortal,
): Promise<PayoutPortal> {
  const origin = origins.get(agents) ?? fillOrigin(agents)
  origins.set(agents, origin)
  const portal = await openTestPortal({ ach: bank, timeZone: 'UTC', ...settings }, copied ?? (await origin))
  const { db } = portal
  const signedIn = new Map<Person, Promise<SignedIn>>()
  const as = (name: Person) => {
    const known = signedIn.get(name) ?? portal.login(name, password)
    signedIn.set(name, known)
    return known
  }
  const expected = async (call: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await call
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body
  }
  const run = async (month: string, who: Person) =>
    (await expected(self.call(who, 'GET', `/api/v1/month/${month}/payout`))) as {
      hash: string
      entries: (Entry & { masteragentid: number })[]
    }
  const self: PayoutPortal = {
    ...portal,
    call: async (who, method, path, body) => (await as(who)).call(method, path, body),
    signedIn: as,
    forget: (who) => void signedIn.delete(who),
    async earn(agent, month, amount) {
      await db.query(
        `insert into adjustment (masteragentid, month, amount, reason, author) values ($1, $2, $3, 'Earned', 'x')`,
        [agent, `${month}-01`, amount],
      )
    },
    async lock(month, who = 'ann') {
      await expected(self.call(who, 'POST', `/api/v1/month/${month}/lock`, { waive: 'Looked at one by one' }))
    },
    async reopen(month) {
      await expected(self.call('admin', 'POST', `/api/v1/month/${month}/reopen`, { reason: 'A late file' }))
    },
    entries: async (month, who = 'bob') =>
      (await run(month, who)).entries.map(({ masteragentid: id, due, released, payable, hold }) => ({
        id,
        due,
        released,
        payable,
        hold,
      })),
    hash: async (month, who = 'bob') => (await run(month, who)).hash,
    async approve(month, who = 'bob') {
      const hash = await self.hash(month, who)
      await expected(self.call(who, 'POST', `/api/v1/month/${month}/approve`, { hash }))
      return hash
    },
    async pay(month, who = 'bob') {
      const hash = await self.approve(month, who)
      // Not before the month that is paid.
      const date = month <= '2026-03' ? '2026-03-10' : nextBankDay(`${month}-10`)
      const body = { hash, how: 'other', date }
      await expected(self.call(who, 'POST', `/api/v1/month/${month}/release`, body))
    },
    async trace(month, agent) {
      const [row] = await db.query<{ trace: string }>(
        `select p.trace from payout_payment p join payout_release r on r.id = p.releaseid
          where r.month = $1 and p.payeeid = $2`,
        [`${month}-01`, agent],
      )
      return row!.trace
    },
    async enter(agent, change) {
      const path = `/api/v1/masteragent/${agent}`
      const { body: before } = await self.call('admin', 'GET', path)
      const sent = { version: before.version, ...change }
      const { version } = (await expected(self.call('admin', 'PUT', path, sent))) as { version: number }
      return async () => {
        await expected(self.call('bob', 'POST', `${path}/bank/confirm`, { how: 'Called back', version }))
      }
    },
  }
  return self
}

/** By the number of agents. */
const origins = new Map<number, Promise<TestPortal>>()

/** A portal that was stopped; its database holds the agents and the people. */
async function fillOrigin(agents: number): Promise<TestPortal> {
  const portal = await openTestPortal({ demo: false, adminPassword: password, timeZone: 'UTC' })
  const { db } = portal
  await db.query(
    `insert into master_agent (id, name, isofficeaccount, payoninactive, commissionnoteditable, businessname, notes,
        routingnumber, isbankaccounttypebusiness, percentagecommissionreceived)
      select n, 'Agent ' || n, n = 1, false, false, '', '', '021000021', n % 2 = 0, 50 from generate_series(1, $1) n`,
    [agents],
  )
  await db.query(`select setval(pg_get_serial_sequence('master_agent', 'id'), 100)`)
  for (let id = 1; id <= agents; id++)
    await db.query('update master_agent set bankaccountnumber = $2, parentid = $3 where id = $1', [
      id,
      encrypt(testSecret, accountOf(id), `master_agent.bankaccountnumber.${id}`),
      id === 1 ? null : 1,
    ])
  for (const [username, agent, held] of people)
    await db.query(
      'insert into portal_user (username, password_hash, permissions, masteragentid) values ($1, $2, $3, $4)',
      [username, await passwordHash, held, agent],
    )
  await portal.stop()
  return portal
}

/** The account number of an agent: 17 digits for every third, where the field is full. */
export const accountOf = (id: number) => (id % 3 === 0 ? `9876543210123${id}456` : `00123${id}`)

/** The user is deleted, and another one is created with its name, who signs in anew. */
export async function replaceUser(portal: PayoutPortal, username: Exclude<Person, 'admin' | 'branch'>) {
  const [user] = await portal.db.query<{ id: number; permissions: string[] }>(
    'delete from portal_user where username = $1 returning id, permissions',
    [username],
  )
  await portal.db.query(
    `insert into audit (username, address, action, entity, entityid, before)
      values ('admin', '', 'delete', 'user', $1, jsonb_build_object('username', $2::text))`,
    [user!.id, username],
  )
  await portal.db.query(
    'insert into portal_user (username, password_hash, permissions, masteragentid) values ($1, $2, $3, 1)',
    [username, await passwordHash, user!.permissions],
  )
  portal.forget(username)
}
