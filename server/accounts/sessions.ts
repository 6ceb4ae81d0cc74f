import { createHash, randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { effective, noPermissions, type Permissions } from '../../schemas/permissions.ts'
import { passwordFault } from '../config/passwords.ts'
import type { Sql } from '../db/db.ts'
import type { Caller } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'

/** Minutes a token lives past its last renewal, and hours in all (decisions, section 3). */
export const tokenLifetime = { minutes: 15, hours: 12 }

/** Argon2id, 19 MiB, two passes, one lane (OWASP's first choice). */
const argon2Parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const currentHashPrefix = '$argon2id$v=19$m=19456,t=2,p=1$'

/** At most four hashes at once: each takes 19 MiB. */
let running = 0
const waiting: (() => void)[] = []
async function limitConcurrency<T>(work: () => Promise<T>): Promise<T> {
  if (running >= 4) await new Promise<void>((resolve) => waiting.push(resolve))
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

export const hashPassword = (password: string) => limitConcurrency(() => hash(password, argon2Parameters))
export const needsRehash = (stored: string) => !stored.startsWith(currentHashPrefix)

/** Compared with a name nobody has, so that an unknown user takes as long as a known one. */
const decoyHash = hash(randomBytes(16).toString('hex'), argon2Parameters)
export const verifyPassword = async (stored: string | null, password: string): Promise<boolean> => {
  const against = stored ?? (await decoyHash)
  const matches = await limitConcurrency(() => verify(against, password))
  return stored !== null && matches
}

export const hashToken = (token: string) => createHash('sha256').update(token).digest()

/** Opens a session and answers its token: 256 random bits, stored hashed. */
export async function createSession(sql: Sql, userid: number): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await sql.query('insert into session (token_hash, userid) values ($1, $2)', [hashToken(token), userid])
  await sql.query(`delete from session where renewed_at < now() - interval '1 day'`)
  return token
}

const permissionsFrom = (names: string[]): Permissions => ({
  ...noPermissions,
  ...Object.fromEntries(names.map((name) => [name, true])),
})

const callerQuery = `
  select u.id as userid, u.username, u.admin, u.permissions, u.masteragentid, u.email, s.used_at < now() - interval '1 minute' as resting,
    coalesce((select max(id) from terms), 0) = coalesce((select max(termsid) from terms_acceptance where userid = u.id), 0) as accepted,
    case when u.admin or coalesce(a.isofficeaccount, false) then null else array(
      with recursive branch(id) as (
        select u.masteragentid where u.masteragentid is not null
        union select child.id from master_agent child join branch on child.parentid = branch.id
      ) select id from branch) end as scope
  from session s join portal_user u on u.id = s.userid left join master_agent a on a.id = u.masteragentid
  where s.token_hash = $1
    and s.renewed_at > now() - make_interval(mins => $2) and s.created_at > now() - make_interval(hours => $3)
    and ($4::int is null or s.used_at > now() - make_interval(mins => $4))`

type CallerRow = {
  userid: number
  username: string
  admin: boolean
  permissions: string[]
  masteragentid: number | null
  email: string | null
  accepted: boolean
  resting: boolean
  scope: number[] | null
}

/**
 * The caller behind a bearer token, or null when it is unknown or too old. `driven` says that a person caused the
 * call: only such calls keep a session awake when an idle limit is set.
 */
export async function findCaller(
  sql: Sql,
  token: string,
  idleMinutes: number | null,
  isUserAction: boolean,
): Promise<Caller | null> {
  const tokenHash = hashToken(token)
  const [found] = await sql.query<CallerRow>(callerQuery, [
    tokenHash,
    tokenLifetime.minutes,
    tokenLifetime.hours,
    idleMinutes,
  ])
  if (!found) return null
  if (idleMinutes !== null && isUserAction && found.resting)
    await sql.query('update session set used_at = now() where token_hash = $1', [tokenHash])
  const { permissions, accepted, resting: _, ...rest } = found
  return {
    ...rest,
    permissions: effective(found.admin, permissionsFrom(permissions)),
    tcAccepted: accepted,
    tokenHash,
  }
}

/** Throws a Refusal (422) on the field `password` when the password is too weak. */
export function checkPassword(password: string, username: string): void {
  const fault = passwordFault(password, username)
  if (fault) throw new HttpError(422, fault, { fields: { password: fault } })
}
