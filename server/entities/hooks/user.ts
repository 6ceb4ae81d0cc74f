import { user as entity } from '../../../schemas/entities/user.ts'
import {
  describePermission,
  mayGrant,
  permissions,
  reasonOf,
  type Permissions,
} from '../../../schemas/permissions.ts'
import { foldName } from '../../../schemas/usernames.ts'
import { hashPassword, checkPassword } from '../../accounts/passwordHash.ts'
import { isConfirmed } from '../../accounts/sessions.ts'
import { lockPassword, passwordChangedEmail } from '../../accounts/users.ts'
import { HttpError } from '../../http/errors.ts'
import type { EntityHooks, EntityWrite } from './hook.ts'

/**
 * Refuses a caller with a row scope the users of an office account, who see all master agents (permissions
 * 9).
 */
async function refuseOfficeAccount(
  { tx, caller, row }: Pick<EntityWrite, 'tx' | 'caller' | 'row'>,
  wanted: unknown,
) {
  if (caller.scope === null) return
  const offices = await tx.query<{ id: number }>(
    'select id from master_agent where isofficeaccount and id = any ($1::int[])',
    [[row?.masteragentid, wanted].filter((id) => typeof id === 'number')],
  )
  if (offices.some(({ id }) => id === row?.masteragentid))
    throw new HttpError(403, 'This user sees more than you do: all master agents')
  const message = 'You may not choose an office account: its users see all master agents'
  if (offices.length > 0) throw new HttpError(403, message, { fields: { masteragentid: message } })
}

/**
 * Refuses to grant or revoke a permission that the caller lacks; one that is not sent stays as it is
 * (permissions 9).
 */
function checkGrants({ caller, body, row }: EntityWrite) {
  if (!body.permissions) return
  const before = (row?.permissions ?? {}) as Partial<Permissions>
  const after = { ...before, ...(body.permissions as Partial<Permissions>) }
  const refused = permissions.filter(
    (name) => Boolean(after[name]) !== Boolean(before[name]) && !mayGrant(caller, name),
  )
  if (refused.length > 0) {
    const names = refused.map((name) => describePermission(caller, name)).join(', ')
    const message = `You may not grant or revoke what you do not hold: ${names}`
    throw new HttpError(403, message, { fields: { permissions: message } })
  }
  body.permissions = Object.fromEntries(permissions.map((name) => [name, Boolean(after[name])]))
}

/**
 * Refuses to take away the last administrator. The lock makes a second demotion wait for the first (users 5).
 */
async function refuseLastAdmin({ tx, row }: Pick<EntityWrite, 'tx' | 'row'>) {
  if (!row?.admin) return
  await tx.query(`select pg_advisory_xact_lock(hashtext('administrators'))`)
  const others = await tx.query('select 1 from portal_user where admin and id <> $1 limit 1', [row.id])
  if (others.length === 0) throw new HttpError(409, 'This is the last administrator: name another one first')
}

/** Refuses a new password for their own account when the present one was given long ago (session 11). */
async function refuseUnconfirmed({ tx, caller, body, row }: EntityWrite) {
  if (!body.password || row?.id !== caller.userid || (await isConfirmed(tx, caller.tokenHash))) return
  const message =
    'You signed in too long ago: choose Change Password in your menu, which asks for the present one'
  throw new HttpError(403, message, { code: 'reauthenticate', fields: { password: message } })
}

/** Stores the hash of a password, and adds the email to the user about a changed one (users 7). */
async function storePassword({ tx, body, row, id, emails }: EntityWrite & { id: number }) {
  const hash = await hashPassword(String(body.password))
  await lockPassword(tx, id)
  const [stored] = await tx.query<{ username: string; email: string | null }>(
    'update portal_user set password_hash = $2 where id = $1 returning username, email',
    [id, hash],
  )
  if (row && stored?.email) emails.push({ to: stored.email, ...passwordChangedEmail(stored.username) })
}

export const user: EntityHooks = {
  read: {
    password: `''`,
    confirm_password: `''`,
    permissions: `(select jsonb_object_agg(name, name = any (t.permissions))
      from unnest(array[${permissions.map((name) => `'${name}'`).join(', ')}]) as name)`,
  },
  write: {
    permissions: (placeholder) =>
      `array(select key from jsonb_each(${placeholder}::jsonb) where value = 'true' order by key)`,
  },

  async beforeWrite(write) {
    const { body, row } = write
    await refuseOfficeAccount(write, body.masteragentid)
    checkGrants(write)
    await refuseUnconfirmed(write)
    if (body.admin === false && row?.admin) await refuseLastAdmin(write)
    const username = String(row?.username ?? body.username).normalize('NFKC')
    if (!row) Object.assign(body, { username, foldedname: foldName(username) })
    if (body.password) checkPassword(String(body.password), username)
  },

  /** Changed passwords and rights end the user's sessions, except the caller's current one (users 7). */
  async afterWrite(write) {
    const { tx, body, row, id, caller } = write
    if (body.password) await storePassword(write)
    if (row && (body.password || body.permissions || 'admin' in body))
      await tx.query('delete from session where userid = $1 and token_hash <> $2', [id, caller.tokenHash])
  },

  async beforeDelete(write) {
    const { caller, row } = write
    const { delete: removes } = entity.access
    if (!removes(caller, row)) throw new HttpError(403, reasonOf(removes, caller, row))
    await refuseOfficeAccount(write, null)
    await refuseLastAdmin(write)
  },
}
