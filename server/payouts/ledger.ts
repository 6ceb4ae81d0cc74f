import type { LedgerRow } from '../../schemas/api/months/months.ts'
import type { ListQuery, Page } from '../../schemas/api/paging.ts'
import type { Sql } from '../db/db.ts'
import { maskSecret } from '../db/encryption.ts'
import { agentInScope } from '../db/scope.ts'
import { escapeLike, searchText } from '../db/search.ts'
import { sortError } from '../http/errors.ts'
import { decryptAccount } from '../money/bankChanges.ts'
import { earliestReturn, paymentCannotReturn } from './returns/returns.ts'

/** One page of the ledger, or one payment; `page` counts from 1, `today` is the ISO day of the portal. */
type LedgerQuery = Omit<ListQuery, 'filter'> & { month?: string; id?: number; today: string }
type StoredRow = Omit<LedgerRow, 'account' | 'cannotreturn'> & {
  encrypted: Buffer | null
  earliest: string | null
  total: number
}

/**
 * The payments of the ledger, newest first (payouts 13). A caller with a scope sees the payments that hold a
 * statement of its agents, with these statements and their sum alone.
 */
export async function readLedger(
  sql: Sql,
  secret: Buffer,
  scope: readonly number[] | null,
  { page, size, search, sort, month, id = 0, today }: LedgerQuery,
): Promise<Page<LedgerRow>> {
  const text = search.trim() === '' ? null : `%${escapeLike(search.trim())}%`
  const matched = [scope, text, month ?? null] as const
  const rows = await sql.query<StoredRow>(ledgerQuery(sort), [...matched, size, (page - 1) * size, id])
  const [{ total } = { total: await countLedger(sql, matched) }] = rows
  const data = rows.map(({ encrypted, earliest, total: _total, ...row }) => ({
    ...row,
    cannotreturn: row.returned === null ? paymentCannotReturn(earliest, today) : null,
    account: maskSecret(decryptAccount(secret, row.masteragentid, encrypted)),
  }))
  return { data, total_length: total }
}

const searched = `p.displayid || ' ' || p.name || ' ' || coalesce(p.trace, '') || ' '
  || to_char(r.month, 'YYYY-MM FMMonth YYYY') || ' ' || coalesce(b.code, '')`
const matching = `
  from payout_payment p join payout_release r on r.id = p.releaseid join month_lock l on l.id = r.lockid
    left join payout_return b on b.paymentid = p.id
  where ($1::int[] is null or exists (select from payout_allocation a
      where a.paymentid = p.id and ${agentInScope('$1', 'a.masteragentid')}))
    and ($2::text is null or ${searchText(searched)} like ${searchText('$2')})
    and ($3::text is null or r.month = ($3 || '-01')::date)`

/** What the columns of the list are sorted by. */
const sortColumns: Readonly<Record<string, string>> = {
  payee: 'p.displayid',
  month: 'r.month',
  amount: 'x.amount',
  effective: 'p.effective',
  account: 'p.displayid',
  how: 'r.how',
  trace: 'p.trace',
  returned: 'b.day',
  statements: 'x.allocations',
}

/** Throws an HttpError (400) for a column that the list does not have. */
function orderBy(sort: string): string {
  if (sort === '') return 'r.month desc'
  const field = sort.replace(/^-/, '')
  const column = Object.hasOwn(sortColumns, field) && sortColumns[field]
  if (!column) throw sortError(Object.keys(sortColumns))
  return sort.startsWith('-') ? `${column} desc nulls last` : `${column} nulls last`
}

const ledgerQuery = (sort: string) => `
  select p.id, to_char(r.month, 'YYYY-MM') as month, l.version, p.payeeid as masteragentid, p.displayid,
    p.name, p.bankaccountnumber as encrypted, x.amount, r.how, p.effective::text as effective, p.trace,
    r.username as paidby, floor(extract(epoch from r.at))::bigint as paidat, b.code as returncode,
    b.day::text as returned, ${earliestReturn('p.effective')} as earliest, x.allocations,
    count(*) over () as total
  from (select p.id as found ${matching} and $6 in (0, p.id)) f join payout_payment p on p.id = f.found
    join payout_release r on r.id = p.releaseid join month_lock l on l.id = r.lockid
    left join payout_return b on b.paymentid = p.id
    cross join lateral (
      select sum(a.amount) as amount, jsonb_agg(jsonb_build_object('masteragentid', a.masteragentid,
        'name', s.displayid || ' - ' || s.name, 'amount', a.amount) order by s.displayid) as allocations
      from payout_allocation a
        left join locked_statement s on s.lockid = r.lockid and s.masteragentid = a.masteragentid
      where a.paymentid = p.id and ${agentInScope('$1', 'a.masteragentid')}) x
  order by ${orderBy(sort)}, p.id desc limit $4 offset $5`

/** A page behind the last one has no row that could carry the total. */
async function countLedger(sql: Sql, matched: readonly unknown[]): Promise<number> {
  const [row] = await sql.query<{ total: number }>(`select count(*) as total ${matching}`, matched)
  return row!.total
}
