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
 * Held until the transaction ends by whoever changes a user's password and by a sign-in with it, so that no
 * session begins with a password that is being changed. Taken after a lock on the user's row, never before.
 */
export const holdPassword = (sql: Sql, userid: number) =>
  sql.query('select pg_advisory_xact_lock(hashtext($1))', [`password of user ${userid}`])

/** The subject and text of the email about a changed password (session 11). */
export const passwordChangedEmail = (username: string) => ({
  subject: `Your password for the ${portalName} was changed`,
  text:
    `Hello ${username},\n\nyour password for the ${portalName} was changed a moment ago, ` +
    'and all your other sessions have ended.\n' +
    'If it was not you, please tell an administrator at once.\n',
})
