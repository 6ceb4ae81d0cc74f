import { escapeIdentifier } from 'pg'
import type { Sql } from '../db/db.ts'
import { decrypt, encrypt, unreadable } from '../db/encryption.ts'

/**
 * A column of encrypted values; `context` is what each is authenticated with, before its id. Only values of
 * records are encrypted again when the key is rotated: copies of locked months and the ledger may not be
 * changed.
 */
type EncryptedColumn = { table: string; column: string; id: string; context: string; isRecord: boolean }

const account = 'master_agent.bankaccountnumber'
const taxId = 'master_agent.taxid'
const copy = { isRecord: false }

/** Every column that holds encrypted values (operations 8). */
export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: 'master_agent', column: 'bankaccountnumber', id: 'id', context: account, isRecord: true },
  { table: 'master_agent', column: 'taxid', id: 'id', context: taxId, isRecord: true },
  { table: 'bank_change', column: 'bankaccountnumber', id: 'masteragentid', context: account, ...copy },
  { table: 'bank_change', column: 'formerbankaccountnumber', id: 'masteragentid', context: account, ...copy },
  { table: 'locked_agent', column: 'bankaccountnumber', id: 'masteragentid', context: account, ...copy },
  { table: 'payout_payment', column: 'bankaccountnumber', id: 'payeeid', context: account, ...copy },
  { table: 'payout_payment', column: 'taxid', id: 'payeeid', context: taxId, ...copy },
  { table: 'payout_release', column: 'file', id: 'id', context: 'payout_release.file', ...copy },
]

const readColumn = (sql: Sql, { table, column, id }: EncryptedColumn) =>
  sql.query<{ id: number; encrypted: Buffer }>(
    `select ${id} as id, ${column} as encrypted from ${escapeIdentifier(table)} where ${column} is not null
      order by ${id}`,
  )

/** The encrypted values that the key does not decrypt: 'master_agent.taxid of 12'. */
export async function unreadableFields(sql: Sql, secret: Buffer): Promise<string[]> {
  const found: string[] = []
  for (const column of encryptedColumns)
    for (const { id, encrypted } of await readColumn(sql, column))
      if (decrypt(secret, encrypted, `${column.context}.${id}`) === unreadable)
        found.push(`${column.table}.${column.column} of ${id}`)
  return found
}

/**
 * Encrypts the values of records again, with `next`, and returns how many. Those that `secret` does not
 * decrypt stay as they are.
 */
export async function reencryptFields(sql: Sql, secret: Buffer, next: Buffer): Promise<number> {
  let count = 0
  for (const column of encryptedColumns.filter(({ isRecord }) => isRecord))
    for (const { id, encrypted } of await readColumn(sql, column)) {
      const context = `${column.context}.${id}`
      const text = decrypt(secret, encrypted, context)
      if (text === unreadable) continue
      count++
      await sql.query(
        `update ${escapeIdentifier(column.table)} set ${column.column} = $2 where ${column.id} = $1`,
        [id, encrypt(next, text, context)],
      )
    }
  return count
}
