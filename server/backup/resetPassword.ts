import { randomBytes } from 'node:crypto'
import { hashPassword } from '../accounts/passwordHash.ts'
import { audit } from '../db/audit.ts'
import type { Db } from '../db/db.ts'

/**
 * Gives a user a random password, which is answered, and ends the user's sessions (operations 22). It is in
 * the audit as the deed of the operator, without the password. Throws an Error when there is no such user.
 */
export async function resetPassword(db: Db, username: string): Promise<string> {
  const password = randomBytes(16).toString('base64url')
  const hash = await hashPassword(password)
  await db.transaction(async (tx) => {
    const [user] = await tx.query<{ id: number }>(
      `update portal_user set password_hash = $2, version = version + 1 where lower(username) = lower($1)
        returning id`,
      [username, hash],
    )
    if (!user) throw new Error(`There is no user ${username}`)
    await tx.query('delete from session where userid = $1', [user.id])
    await audit(tx, {
      username: 'operator',
      address: 'command',
      action: 'password',
      entity: 'user',
      entityid: user.id,
    })
  })
  return password
}
