import { createHash } from 'node:crypto'
import type { Db } from '../db/db.ts'
import { unreadable } from '../db/encryption.ts'
import { decryptAccount } from './bankChanges.ts'

/** Why nothing can be paid to a whole account number (payouts 8); null when it can. */
export const accountFault = (account: string): string | null =>
  account === unreadable
    ? 'Bank account number is unreadable'
    : /^\d{4,17}$/.test(account)
      ? null
      : 'Bank account number is not 4 to 17 digits'

/**
 * Writes down at the start which accounts nothing can be paid to with this key (payouts 2), for the
 * statements that add up what is paid: those of the records and those that the locks of the newest month
 * copied, because the run of no other month is open.
 */
export const keepUnpayableAccounts = (db: Db, secret: Buffer): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('unpayable accounts'))`)
    const accounts = await tx.query<{ id: number; sealed: Buffer }>(
      `select id, bankaccountnumber as sealed from master_agent where bankaccountnumber is not null
        union select masteragentid, bankaccountnumber from locked_agent
        where bankaccountnumber is not null and lockid in (
          select id from month_lock where month = (select max(month) from month_lock))`,
    )
    const found = accounts.flatMap(({ id, sealed }) => {
      const reason = accountFault(decryptAccount(secret, id, sealed))
      return reason === null ? [] : [{ sha256: createHash('sha256').update(sealed).digest('hex'), reason }]
    })
    await tx.query('delete from unpayable_account')
    await tx.query(
      `insert into unpayable_account (sha256, reason)
        select sha256, min(reason) from unnest($1::text[], $2::text[]) u (sha256, reason) group by sha256`,
      [found.map(({ sha256 }) => sha256), found.map(({ reason }) => reason)],
    )
  })
