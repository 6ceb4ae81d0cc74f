import type { FindingKind } from '../../../schemas/api/months/months.ts'
import { sumDollars } from '../../../schemas/dollars.ts'
import { countNoun } from '../../../schemas/wording.ts'
import type { Sql } from '../../db/db.ts'
import { formatAmount } from '../amounts.ts'
import { monthName, reopenedLock } from '../months.ts'
import { byRow, lateChanges, rowOf, settledRows, storedRows, type Stored } from './lateRows.ts'
import { revisedRows, sharesOf, type ChangedRow } from './revisedRows.ts'

/** A finding of the checklist before it is stored; its key is without its kind. */
export type FoundBefore = {
  kind: FindingKind
  key: string
  what: string | null
  where: string
  amount: number
  link: string
}

/**
 * The accepted pay of late MIDs of a month that is open again, an ISO first day, which its next lock
 * withdraws as the month is now (money 21).
 */
export async function lateWithdrawals(sql: Sql, month: string): Promise<FoundBefore[]> {
  const before = await reopenedLock(sql, month)
  if (!before) return []
  const stored = await storedRows(sql, month)
  if (!stored.some(({ state, isopen }) => state === 'accepted' && isopen)) return []
  const versions = { before, now: null }
  const { revised, files } = await revisedRows(sql, versions, stored)
  if (revised.length === 0) return []
  const shares = await sharesOf(sql, versions, settledRows(stored, revised))
  const { gone, made } = lateChanges(stored, revised, shares)
  const withdrawn = byRow(gone.filter(({ state }) => state === 'accepted'))
  const proposed = byRow(made)
  const changed = new Map(files.map((it) => [rowOf(it), it]))
  const names = await merchantNames(sql, gone)
  return [...withdrawn].map(([row, rows]) => {
    const sum = sumDollars((proposed.get(row) ?? []).map(({ amount }) => Number(amount)))
    return finding(rows, names, `${reasonOf(changed.get(row))}, proposed anew ${formatAmount(sum)}`)
  })
}

async function merchantNames(sql: Sql, rows: readonly Stored[]): Promise<Map<string, string>> {
  const found = await sql.query<{ xmid: string; dba: string }>(
    'select xmid, dba from merchant where xmid = any ($1)',
    [[...new Set(rows.map(({ xmid }) => xmid))]],
  )
  return new Map(found.map(({ xmid, dba }) => [xmid, dba]))
}

function finding(rows: readonly Stored[], names: ReadonlyMap<string, string>, reason: string): FoundBefore {
  const { xmid, processor, month } = rows[0]!
  const amount = sumDollars(rows.map((it) => Number(it.amount)))
  const agents = countNoun(rows.length, 'agent')
  const name = [xmid, names.get(xmid)].filter(Boolean).join(' ')
  return {
    kind: 'late-changed',
    key: `${xmid} ${processor}`,
    what: null,
    where: `${name}, ${processor}, ${formatAmount(amount)} to ${agents} in ${monthName(month)}, ${reason}`,
    amount,
    link: `/manage/adjustments?search=${encodeURIComponent(xmid)}`,
  }
}

/** What is another one than in the version of which the pay was accepted. */
function reasonOf(row: ChangedRow | undefined): string {
  if (!row) return 'an agent has another rate, parent or Pay on Inactive'
  if (row.was === row.net) return 'other transactions or sales'
  const [was, now] = [row.was, row.net].map((net) => (net === null ? 'none' : formatAmount(net)))
  return `net ${was} to ${now}`
}
