import { createHash, randomBytes } from 'node:crypto'
import { effectivePermissions, noPermissions, type Permissions } from '../../schemas/permissions.ts'
import type { Sql } from '../db/db.ts'
import type { Caller } from '../http/call.ts'

/** Minutes a token lives past its last renewal, and hours in all (session 6). */
const tokenLifetime = { minutes: 15, hours: 12 }

const longestUserAgent = 400

type NewSession = { userid: number; address: string; userAgent: string }

export const hashToken = (token: string) => createHash('sha256').update(token).digest()

/** Stores a session and answers its token: 256 random bits, of which only the hash is stored (session 6). */
export async function createSession(sql: Sql, { userid, address, userAgent }: NewSession): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await sql.query('insert into session (token_hash, userid, address, useragent) values ($1, $2, $3, $4)', [
    hashToken(token),
    userid,
    address,
    userAgent.slice(0, longestUserAgent),
  ])
  await sql.query(`delete from session where renewed_at < now() - interval '1 day'`)
  return token
}

/**
 * SQL condition that the session s has not ended (session 6). The placeholders are those of the minutes
 * past the last renewal, the hours in all, and the minutes of the idle limit or null.
 */
const isOpen = (minutes: string, hours: string, idle: string) =>
  `s.renewed_at > now() - make_interval(mins => ${minutes})
    and s.created_at > now() - make_interval(hours => ${hours})
    and (${idle}::int is null or s.used_at > now() - make_interval(mins => ${idle}))`

const permissionsFrom = (names: string[]): Permissions => ({
  ...noPermissions,
  ...Object.fromEntries(names.map((name) => [name, true])),
})

/**
 * A subquery with `offset` is run for each agent of the branch or chain, by an index. Joined, all agents
 * would be read for each level.
 */
const callerQuery = `
  select u.id as userid, u.username, u.admin, u.permissions, u.masteragentid, u.email,
    s.used_at < now() - interval '1 minute' as "unusedForAMinute",
    coalesce((select max(id) from terms), 0)
      = coalesce((select max(termsid) from terms_acceptance where userid = u.id), 0) as accepted,
    case when u.admin or coalesce(a.isofficeaccount, false) then null else array(
      with recursive branch(id) as (
        select u.masteragentid where u.masteragentid is not null
        union select child.id from branch cross join lateral (
          select id from master_agent where parentid = branch.id offset 0) child
      ) select id from branch) end as scope,
    array(
      with recursive up(id, parentid) as (
        select own.id, own.parentid from master_agent own where own.id = u.masteragentid
        union select above.id, above.parentid from up cross join lateral (
          select id, parentid from master_agent where id = up.parentid offset 0) above
      ) select id from up) as chain
  from session s join portal_user u on u.id = s.userid left join master_agent a on a.id = u.masteragentid
  where s.token_hash = $1
    and ${isOpen('$2', '$3', '$4')}`

type CallerRow = {
  userid: number
  username: string
  admin: boolean
  permissions: string[]
  masteragentid: number | null
  email: string | null
  accepted: boolean
  unusedForAMinute: boolean
  scope: number[] | null
  chain: number[]
}

/**
 * The caller with a bearer token, or null when the token is unknown or has expired. `idleMinutes` is the idle
 * limit, null for none; only calls with `isUserAction`, which a person caused, restart it (session 6).
 */
export async function findCaller(
  sql: Sql,
  token: string,
  { idleMinutes, isUserAction }: { idleMinutes: number | null; isUserAction: boolean },
): Promise<Caller | null> {
  const tokenHash = hashToken(token)
  const [found] = await sql.prepared<CallerRow>(callerQuery, [
    tokenHash,
    tokenLifetime.minutes,
    tokenLifetime.hours,
    idleMinutes,
  ])
  if (!found) return null
  if (isUserAction && found.unusedForAMinute)
    await sql.prepared('update session set used_at = now() where token_hash = $1', [tokenHash])
  const { permissions, accepted, unusedForAMinute: _, ...rest } = found
  return {
    ...rest,
    seesall: found.scope === null,
    permissions: effectivePermissions(found.admin, permissionsFrom(permissions)),
    tcAccepted: accepted,
    tokenHash,
  }
}

export type StoredSession = {
  id: number
  useragent: string
  address: string
  begun: number
  lastused: number
  current: boolean
}

/** The open sessions of a user, the last used first; times are epoch seconds (session 13). */
export const openSessions = (
  sql: Sql,
  userid: number,
  { tokenHash, idleMinutes }: { tokenHash: Buffer; idleMinutes: number | null },
): Promise<StoredSession[]> =>
  sql.query<StoredSession>(
    `select s.id, s.useragent, s.address, floor(extract(epoch from s.created_at))::bigint as begun,
        floor(extract(epoch from s.used_at))::bigint as lastused, s.token_hash = $2 as current
      from session s where s.userid = $1 and ${isOpen('$3', '$4', '$5')}
      order by s.token_hash = $2 desc, s.used_at desc, s.id desc`,
    [userid, tokenHash, tokenLifetime.minutes, tokenLifetime.hours, idleMinutes],
  )

/** Ends sessions; answers the ids of those that had not ended already. */
export const endSessions = async (sql: Sql, ids: readonly number[]): Promise<number[]> =>
  (await sql.query<{ id: number }>('delete from session where id = any ($1::int[]) returning id', [ids])).map(
    ({ id }) => id,
  )

/** Minutes for which the password counts as given (session 11). */
const confirmedMinutes = 10

/** Whether the password of a session's user was given in it a short time ago. */
export async function isConfirmed(sql: Sql, tokenHash: Buffer): Promise<boolean> {
  const [found] = await sql.query(
    'select 1 from session where token_hash = $1 and confirmed_at >= now() - make_interval(mins => $2)',
    [tokenHash, confirmedMinutes],
  )
  return found !== undefined
}

export const confirmSession = (sql: Sql, tokenHash: Buffer) =>
  sql.query('update session set confirmed_at = now() where token_hash = $1', [tokenHash])
