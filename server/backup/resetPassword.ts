import { randomBytes } from 'node:crypto'
import { foldUsernames } from '../accounts/foldUsernames.ts'
import { hashPassword } from '../accounts/passwordHash.ts'
import { findUserByName, lockForNewPassword } from '../accounts/users.ts'
import { audit, commandAddress } from '../db/audit.ts'
import type { Db } from '../db/db.ts'

/**
 * Gives a user a random password, which is answered, and ends the user's sessions (operations 22). It is in
 * the audit as a change by the operator, without the password. Throws an Error when there is no such user.
 */
export async function resetPassword(db: Db, username: string): Promise<string> {
  const password = randomBytes(16).toString('base64url')
  const hash = await hashPassword(password)
  // The portal may not have started since the folded names are stored.
  await foldUsernames(db)
  await db.transaction(async (tx) => {
    const user = await findUserByName(tx, username)
    if (!user) throw new Error(`There is no user ${username}`)
    await lockForNewPassword(tx, user.id)
    await tx.query('update portal_user set password_hash = $2, version = version + 1 where id = $1', [
      user.id,
      hash,
    ])
    await tx.query('delete from session where userid = $1', [user.id])
    await audit(tx, {
      username: 'operator',
      address: commandAddress,
      action: 'password',
      entity: 'user',
      entityid: user.id,
    })
  })
  return password
}
