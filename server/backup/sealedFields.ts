import type { Sql } from '../db/db.ts'
import { decrypt, encrypt, unreadable } from '../db/encryption.ts'
import { quoteName } from './tables.ts'

/**
 * A column of encrypted values; `context` is what each is authenticated with, before its id. Only values of
 * records are sealed again by a rotation: copies of locked months and the ledger may not be changed.
 */
type SealedColumn = { table: string; column: string; id: string; context: string; isRecord: boolean }

const account = 'master_agent.bankaccountnumber'
const taxId = 'master_agent.taxid'
const copy = { isRecord: false }

/** Every column that holds encrypted values (operations 8). */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'master_agent', column: 'bankaccountnumber', id: 'id', context: account, isRecord: true },
  { table: 'master_agent', column: 'taxid', id: 'id', context: taxId, isRecord: true },
  { table: 'bank_change', column: 'bankaccountnumber', id: 'masteragentid', context: account, ...copy },
  { table: 'bank_change', column: 'formerbankaccountnumber', id: 'masteragentid', context: account, ...copy },
  { table: 'locked_agent', column: 'bankaccountnumber', id: 'masteragentid', context: account, ...copy },
  { table: 'payout_payment', column: 'bankaccountnumber', id: 'payeeid', context: account, ...copy },
  { table: 'payout_payment', column: 'taxid', id: 'payeeid', context: taxId, ...copy },
  { table: 'payout_release', column: 'file', id: 'id', context: 'payout_release.file', ...copy },
]

const readColumn = (sql: Sql, { table, column, id }: SealedColumn) =>
  sql.query<{ id: number; sealed: Buffer }>(
    `select ${id} as id, ${column} as sealed from ${quoteName(table)} where ${column} is not null
      order by ${id}`,
  )

/** The encrypted values that the key does not open: 'master_agent.taxid of 12'. */
export async function unreadableFields(sql: Sql, secret: Buffer): Promise<string[]> {
  const found: string[] = []
  for (const column of sealedColumns)
    for (const { id, sealed } of await readColumn(sql, column))
      if (decrypt(secret, sealed, `${column.context}.${id}`) === unreadable)
        found.push(`${column.table}.${column.column} of ${id}`)
  return found
}

/** Seals the values of records with `next`. Those that `secret` does not open stay as they are. */
export async function sealAgain(sql: Sql, secret: Buffer, next: Buffer): Promise<number> {
  let count = 0
  for (const column of sealedColumns.filter(({ isRecord }) => isRecord))
    for (const { id, sealed } of await readColumn(sql, column)) {
      const context = `${column.context}.${id}`
      const text = decrypt(secret, sealed, context)
      if (text === unreadable) continue
      count++
      await sql.query(`update ${quoteName(column.table)} set ${column.column} = $2 where ${column.id} = $1`, [
        id,
        encrypt(next, text, context),
      ])
    }
  return count
}
