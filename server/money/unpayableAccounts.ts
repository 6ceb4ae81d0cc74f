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
 * Stores, when the portal starts, the hashes of the encrypted accounts that cannot be paid (payouts 2): those
 * that the key does not open, and those that are not 4 to 17 digits. SQL cannot decrypt accounts and compares
 * these hashes instead. The accounts of all agents are read, and the copies of the newest month's locks,
 * whose run alone is open.
 */
export const storeUnpayableAccounts = (db: Db, secret: Buffer): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('unpayable accounts'))`)
    const accounts = await tx.query<{ id: number; encrypted: Buffer }>(
      `select id, bankaccountnumber as encrypted from master_agent where bankaccountnumber is not null
        union select masteragentid, bankaccountnumber from locked_agent
        where bankaccountnumber is not null and lockid in (
          select id from month_lock where month = (select max(month) from month_lock))`,
    )
    const found = accounts.flatMap(({ id, encrypted }) => {
      const reason = accountFault(decryptAccount(secret, id, encrypted))
      return reason === null ? [] : [{ sha256: createHash('sha256').update(encrypted).digest('hex'), reason }]
    })
    await tx.query('delete from unpayable_account')
    await tx.query(
      `insert into unpayable_account (sha256, reason)
        select sha256, min(reason) from unnest($1::text[], $2::text[]) u (sha256, reason) group by sha256`,
      [found.map(({ sha256 }) => sha256), found.map(({ reason }) => reason)],
    )
  })
