import { releaseWays, type LedgerRow } from '../../../schemas/api/months/months.ts'

/** '10/13/2026' of an ISO day; '' for null. */
export const formatDay = (day: string | null): string => day?.replace(/(.+)-(.+)-(.+)/, '$2/$3/$1') ?? ''

/** The words of a way to release, like 'Bank file'. */
export const formatReleaseWay = (how: LedgerRow['how']): string => releaseWays[how]

type StatementOf = { month: string; masteragentid: number }

/** The address of the agent's statement of a month, or of another report about that month (reports 41). */
export const statementPath = (
  { month, masteragentid }: StatementOf,
  report = 'agent-residual-statement',
): string => `/reporting?report=${report}&month=${month}&agent=${masteragentid}&run=1`

/**
 * A payment as a row of the list. It is part of the first load of every screen, so it uses no library of
 * dates.
 */
export const ledgerListRow = (row: LedgerRow) => ({
  id: row.id,
  version: row.version,
  masteragentid: row.masteragentid,
  displayid: row.displayid,
  payee: `${row.displayid} - ${row.name}`,
  month: row.month,
  amount: row.amount,
  effective: row.effective === null ? 'Not known' : formatDay(row.effective),
  account: row.account,
  how: `${formatReleaseWay(row.how)}, ${row.paidby}`,
  trace: row.trace ?? '',
  cannotreturn: row.cannotreturn,
  returned: row.returned === null ? '' : `${row.returncode} on ${formatDay(row.returned)}`,
  statements: row.allocations,
})
export type LedgerListRow = ReturnType<typeof ledgerListRow>
