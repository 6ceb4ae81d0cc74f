import { foldName } from '../../schemas/usernames.ts'
import type { Db } from '../db/db.ts'

/**
 * Stores the folded form of the names that have none: of a database that was filled before the form was
 * stored (users 8). Of two that fold alike the older one has it. Run at every start, before anybody signs
 * in.
 */
export const foldUsernames = (db: Db): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('fold usernames'))`)
    const users = await tx.query<{ id: number; username: string }>(
      'select id, username from portal_user where foldedname is null order by id',
    )
    for (const { id, username } of users)
      await tx.query(
        `update portal_user set foldedname = $2
          where id = $1 and not exists (select from portal_user where foldedname = $2)`,
        [id, foldName(username)],
      )
  })
