import { portalName } from '../../schemas/constants.ts'
import { foldName } from '../../schemas/usernames.ts'
import type { Sql } from '../db/db.ts'

/**
 * The user of a name as it was typed (users 8). A name from before the rules that folds like an older one is
 * found by its exact letters alone.
 */
export async function findUserByName(sql: Sql, typed: string) {
  const [user] = await sql.query<{ id: number; username: string; password_hash: string }>(
    `select id, username, password_hash from portal_user
      where foldedname = $1 or (foldedname is null and username = $2)
      order by username = $2 desc limit 1`,
    [foldName(typed), typed],
  )
  return user
}

/**
 * Locks the password of a user until the transaction ends. A sign-in and a change of the password both take
 * this lock, so a sign-in waits for a change that is not committed yet and is refused then. Where the user's
 * row is locked as well, that lock comes first: in the other order two changes could wait for each other.
 */
export const lockPassword = (sql: Sql, userid: number) =>
  sql.query('select pg_advisory_xact_lock(hashtext($1))', [`password of user ${userid}`])

/** Locks a user's row and password, for a change of the password. */
export async function lockForNewPassword(sql: Sql, userid: number): Promise<void> {
  await sql.query('select from portal_user where id = $1 for no key update', [userid])
  await lockPassword(sql, userid)
}

/** The subject and text of the email about a changed password (session 11). */
export const passwordChangedEmail = (username: string) => ({
  subject: `Your password for the ${portalName} was changed`,
  text:
    `Hello ${username},\n\nyour password for the ${portalName} was changed a moment ago, ` +
    'and all your other sessions have ended.\n' +
    'If it was not you, please tell an administrator at once.\n',
})
