import { finished } from 'node:stream/promises'
import { escapeIdentifier } from 'pg'
import { to } from 'pg-copy-streams'
import type { Sql, Tx } from '../db/db.ts'
import type { LedgerSums, TableSum } from './file/contents.ts'
import { rowDigest } from './file/rowDigest.ts'
import { columnList, type StoredTable } from './tables.ts'

/** The tables of the payout ledger that hold amounts (payouts 13). */
const ledgerTables = ['payout_approval.total', 'payout_payment.amount', 'payout_allocation.amount']

/** The sums of the payout ledger, of the tables that this schema has. */
export async function ledgerSums(sql: Sql, tables: readonly StoredTable[]): Promise<LedgerSums> {
  const sums: LedgerSums = {}
  for (const place of ledgerTables) {
    const [table, column] = place.split('.') as [string, string]
    if (!tables.some(({ name }) => name === table)) continue
    const [row] = await sql.query<{ sum: string }>(
      `select coalesce(sum(${column}), 0)::text as sum from ${escapeIdentifier(table)}`,
    )
    sums[place] = row!.sum
  }
  return sums
}

/** The text of each value is the same on every server and for every user. */
export const plainText = `
  set local timezone = 'UTC'; set local datestyle = 'ISO, MDY'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1`

/** Reads all rows of a table in the text format of COPY, in pieces of any length. */
export async function* copyRows({ client }: Tx, table: StoredTable): AsyncGenerator<Buffer> {
  const copy = client.query(to(`copy ${escapeIdentifier(table.name)} (${columnList(table)}) to stdout`))
  let isCutShort = true
  try {
    for await (const chunk of copy.iterator({ destroyOnReturn: false })) yield chunk as Buffer
    isCutShort = false
  } catch (error) {
    isCutShort = false
    throw error
  } finally {
    // The connection takes no other statement before the last row is read.
    if (isCutShort) await finished(copy.resume())
  }
}

/** How many rows a table holds and their digest, as `backupRecords` wrote them down. */
export async function tableSum(tx: Tx, table: StoredTable): Promise<TableSum> {
  const digest = rowDigest()
  for await (const chunk of copyRows(tx, table)) digest.update(chunk)
  return digest.sum()
}
