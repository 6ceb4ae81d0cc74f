import type { DifferenceKind } from '../../../schemas/api/months/differences.ts'
import type { Sql, Tx } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'
import { reopenedLock } from '../months.ts'

/** What was taken over, or counts as its copy again; `agents` are those of whose pay it is a record. */
export type TakenRow = { key: string; kind: DifferenceKind; agents: number[]; what: string }

/**
 * Who takes over: `chain` are the agents whose pay the person must not change, their own and those above it
 * (agents 13); `isOfBranch`: the person sees a branch alone, and reports of all.
 */
export type TakingPerson = { chain: readonly number[]; isOfBranch: boolean }

/** The kinds that change no pay. */
const names: readonly DifferenceKind[] = ['agent-name', 'merchant-name']

/** SQL: the merchants (xmid, masteragentid) as the lock $1 copied them, of files and of adjustments. */
const copiedMerchants = `(
  select xmid, masteragentid from locked_merchant where lockid = $1
  union all select xmid, masteragentid from locked_adjusted_merchant where lockid = $1)`

/** Throws an HttpError (403) for what decides the pay of the person who takes it over (months 14). */
export async function refuseOwnPay(
  tx: Tx,
  lockid: number,
  taken: readonly TakenRow[],
  { chain, isOfBranch }: TakingPerson,
): Promise<void> {
  const rows = taken.filter(({ kind }) => !names.includes(kind))
  const [own] = await ownRecords(tx, rows, chain)
  if (own)
    throw new HttpError(
      403,
      `${own.what}: this is your own agent or one above it: somebody else must take it over`,
    )
  const [paying] = isOfBranch ? await payingRecords(tx, lockid, rows, chain) : []
  if (paying)
    throw new HttpError(
      403,
      `${paying.what}: your own agent or one above it may be paid more by it: ` +
        'somebody else must take it over',
    )
}

/** The rows that are records of these agents, office accounts, which are never paid, apart. */
async function ownRecords(tx: Tx, rows: readonly TakenRow[], chain: readonly number[]) {
  const own = rows.filter(({ agents }) => agents.some((it) => chain.includes(it)))
  if (own.length === 0) return []
  const paid = await tx.query<{ id: number }>(
    'select id from master_agent where id = any ($1) and not isofficeaccount',
    [own.flatMap(({ agents }) => agents)],
  )
  return own.filter(
    ({ kind, agents }) => kind === 'agent-office' || paid.some(({ id }) => agents.includes(id)),
  )
}

/**
 * The rows of records whose pay is shared by these agents: as the lock copied the records and the tree, as
 * they are today, or as they were taken over.
 */
async function payingRecords(tx: Tx, lockid: number, rows: readonly TakenRow[], chain: readonly number[]) {
  const found = await tx.query<{ key: string }>(
    `with recursive taken as materialized (
        select key, entity, recordid, value from month_takeover where lockid = $1 and key = any ($2)),
      tree (id, parentid) as materialized (
        select masteragentid, parentid from locked_statement where lockid = $1
        union select id, parentid from master_agent
        union select recordid::int, (value ->> 'parentid')::int from month_takeover
          where lockid = $1 and kind = 'agent-parent'),
      share (key, id) as (
        select key, recordid::int from taken where entity = 'agent'
        union select key, (value ->> 'masteragentid')::int from taken where entity <> 'agent'
        union select t.key, c.masteragentid from taken t join ${copiedMerchants} c
          on t.entity = 'merchant' and c.xmid = t.recordid
        union select t.key, m.masteragentid from taken t join merchant m
          on t.entity = 'merchant' and m.xmid = t.recordid
        union select t.key, c.masteragentid from taken t join locked_terminal c
          on c.lockid = $1 and t.entity = 'terminal' and c.id::text = t.recordid
        union select s.key, u.parentid from share s join tree u on u.id = s.id)
      select distinct s.key from share s join master_agent a on a.id = s.id
      where s.id = any ($3) and not a.isofficeaccount`,
    [lockid, rows.map(({ key }) => key), chain],
  )
  return rows.filter(({ key }) => found.some((it) => it.key === key))
}

/**
 * Whether what is adjusted of this merchant pays one of these agents, office accounts aside, because the
 * month (an ISO first day) is open again and its last lock copied the merchant as one of that agent, or that
 * was taken over (months 14).
 */
export async function paysByCopy(
  sql: Sql,
  month: string,
  merchantid: number,
  chain: readonly number[],
): Promise<boolean> {
  const base = await reopenedLock(sql, month)
  if (!base || chain.length === 0) return false
  const [found] = await sql.query<{ pays: boolean }>(
    `with adjusted as (select xmid from merchant where id = $2),
      copied (id) as (
        select c.masteragentid from ${copiedMerchants} c where c.xmid = (select xmid from adjusted)
        union
        select (t.value ->> 'masteragentid')::int from month_takeover t
        where t.lockid = $1 and t.entity = 'merchant' and t.recordid = (select xmid from adjusted))
      select exists (select from copied c join master_agent a on a.id = c.id
        where c.id = any ($3) and not a.isofficeaccount) as pays`,
    [base.id, merchantid, chain],
  )
  return found!.pays
}
