import type { Permission } from '../../../schemas/permissions.ts'
import { hashPassword } from '../../../server/accounts/passwordHash.ts'
import { encrypt } from '../../../server/db/encryption.ts'
import { testSecret } from '../../setup/postgres.ts'
import { openTestPortal, type Answer, type Method, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { accountNumber, agentIds, originator } from '../payoutOrigin.ts'

export const dutyMonths = ['2026-01', '2026-02']
export const dutyPassword = 'nine tall green lanterns'
/** Accounts p1 to p4, who get what a scenario gives them. */
const castNames = ['p1', 'p2', 'p3', 'p4']
export type CastMember = { admin: boolean; agent: number | null; permissions: Permission[] }

export type DutyOrigin = { portal: TestPortal; people: Record<string, SignedIn> }

/**
 * Office 1 above 2 and 5, 2 above 3 and 4; 6 is a top. Agents 2 to 6 earn 50 to 90 dollars in both months.
 */
export async function dutyOrigin(): Promise<DutyOrigin> {
  const portal = await openTestPortal({
    demo: false,
    adminPassword: dutyPassword,
    ach: originator,
    timeZone: 'UTC',
  })
  const { db } = portal
  await db.query(
    `insert into master_agent (id, name, parentid, isofficeaccount, payoninactive, commissionnoteditable,
        businessname, notes, routingnumber, isbankaccounttypebusiness, percentagecommissionreceived)
      select n, 'Agent ' || n, case n when 2 then 1 when 5 then 1 when 3 then 2 when 4 then 2 end, n = 1, false,
        false, '', '', '021000021', true, 50
      from generate_series(1, $1) n`,
    [agentIds.length],
  )
  for (const id of agentIds)
    await db.query('update master_agent set bankaccountnumber = $2 where id = $1', [
      id,
      encrypt(testSecret, accountNumber(id), `master_agent.bankaccountnumber.${id}`),
    ])
  await db.query(
    `insert into adjustment (masteragentid, month, amount, reason, author)
      select n, month, 30 + 10 * n, 'Earned', 'x'
      from generate_series(2, $1) n, unnest($2::date[]) month`,
    [agentIds.length, dutyMonths.map((month) => `${month}-01`)],
  )
  const hash = await hashPassword(dutyPassword)
  for (const name of castNames)
    await db.query('insert into portal_user (username, password_hash, masteragentid) values ($1, $2, 1)', [
      name,
      hash,
    ])
  const people: Record<string, SignedIn> = {}
  for (const name of ['admin', ...castNames]) people[name] = await portal.login(name, dutyPassword)
  await portal.stop()
  return { portal, people }
}

export type AgentFacts = {
  id: number
  version: number
  parent: number | null
  office: boolean
  /** All that decides what an agent is paid, as a text. */
  pay: string
}
export type PersonFacts = CastMember & { id: number; name: string; version: number }
export type Facts = { agents: AgentFacts[]; people: PersonFacts[] }

/** Who may what, and what agents are paid by, as it is stored. */
export async function readFacts({ db }: TestPortal): Promise<Facts> {
  const agents = await db.query<AgentFacts>(
    `select a.id, a.version, a.parentid as parent, a.isofficeaccount as office,
        jsonb_build_array(a.parentid, a.payoninactive, a.payeeid,
          (select jsonb_agg(jsonb_build_array(r.field, r.from_month, r.value) order by r.field, r.from_month)
            from agent_rate r where r.masteragentid = a.id),
          (select jsonb_agg(jsonb_build_array(s.amount, s.notes) order by s.id)
            from collection_subscription s where s.masteragentid = a.id))::text as pay
      from master_agent a order by a.id`,
  )
  const people = await db.query<PersonFacts>(
    `select id, version, username as name, admin, permissions, masteragentid as agent from portal_user`,
  )
  return { agents, people }
}

export type DutyPortal = TestPortal & {
  names: string[]
  call(who: string, method: Method, path: string, body?: object): Promise<Answer>
  /** Signs somebody in who has a new password. */
  enter(name: string, password: string): Promise<void>
}

/** A copy of the origin in which these people work, with what they hold. */
export async function dutyPortal(origin: DutyOrigin, cast: readonly CastMember[]): Promise<DutyPortal> {
  const portal = await openTestPortal({ demo: false, ach: originator, timeZone: 'UTC' }, origin.portal)
  for (const [at, { admin, agent, permissions }] of cast.entries())
    await portal.db.query(
      'update portal_user set admin = $2, masteragentid = $3, permissions = $4 where username = $1',
      [castNames[at], admin, agent, permissions],
    )
  const names = castNames.slice(0, cast.length)
  const people = new Map(Object.entries(origin.people).map(([name, it]) => [name, portal.resume(it)]))
  return {
    ...portal,
    names,
    call: (who, method, path, body) => people.get(who)!.call(method, path, body),
    async enter(name, password) {
      people.set(name, await portal.login(name, password))
      if (!names.includes(name)) names.push(name)
    },
  }
}
