import type { Db } from '../../db/db.ts'
import { allowMemory } from '../../db/largeWork.ts'

/** One row of month_presence holds the bits of so many merchants, by their ids. */
export const sliceSize = 512
/**
 * So many merchants may be newer than a month's bitmaps and be looked up singly; with more they are made
 * again.
 */
const mostNewMerchants = 10_000

/**
 * SQL: the first month from $1 to $2 whose bitmaps are stale, locked for update: its files were changed since
 * (then `iskept` is false), or many merchants were added. Months whose files another transaction is changing
 * are skipped, and locked months too where $3 is true.
 */
const staleMonth = `
  select to_char(s.month, 'YYYY-MM-DD') as month, m.newest
  from month_presence_state s cross join (select coalesce(max(id), 0) as newest from merchant) m
  where s.month between $1 and $2 and (not s.iskept or m.newest - s.newest > ${mostNewMerchants})
    and not ($3 and exists (select from month_lock l where l.month = s.month and l.reopened_at is null))
  order by s.month limit 1 for update of s skip locked`

/**
 * Materializes again what is stale of the months from `first` to `last`, ISO first days: bitmaps of the
 * merchants that are in a month's files, and row counts and sums of these files (variance 10, decision 23).
 * Each month is a transaction of its own. A month whose files are being changed at this moment is skipped,
 * and its readers read the rows instead. `onlyOpen` skips locked months too.
 */
export async function refreshPresence(
  db: Db,
  first: string,
  last: string,
  { onlyOpen = false }: { onlyOpen?: boolean } = {},
): Promise<void> {
  const refreshNext = () =>
    db.transaction(async (tx) => {
      await allowMemory(tx)
      const [stale] = await tx.query<{ month: string; newest: number }>(staleMonth, [first, last, onlyOpen])
      if (!stale) return false
      const { month, newest } = stale
      await tx.query('delete from month_presence where month = $1', [month])
      await tx.query(
        `insert into month_presence (month, slice, bits)
          select $1::date, m.id / ${sliceSize},
            bit_or(set_bit(repeat('0', ${sliceSize})::bit(${sliceSize}), m.id % ${sliceSize}, 1))
          from residual r join merchant m on m.xmid = r.xmid where r.month = $1::date group by 2`,
        [month],
      )
      await tx.query('delete from month_file where month = $1', [month])
      await tx.query(
        `with file as (
            select processor, batchid, count(*) as rows, sum(net) as net, sum(sales) as sales
            from residual where month = $1 group by processor, batchid),
          recorded as (
            insert into month_file (month, processor, batchid, rows, net)
            select $1, processor, batchid, rows, net from file)
          update month_presence_state set iskept = true, newest = $2, net = r.net, sales = r.sales
          from (select coalesce(sum(net), 0) as net, coalesce(sum(sales), 0) as sales from file) r
          where month = $1`,
        [month, newest],
      )
      return true
    })
  while (await refreshNext());
}

const isFresh = (month: string) =>
  `exists (select from month_presence_state s where s.month = ${month} and s.iskept)`

/**
 * SQL: the rows and the net of each file of a month, by processor and batch (processor, batchid, rows, net):
 * from month_file while it is fresh, else from the rows of the files.
 */
export const filesOf = (month: string) => `
  select processor, batchid, rows, net from month_file where month = ${month} and ${isFresh(month)}
  union all
  select processor, batchid, count(*)::int, sum(net) from residual
  where month = ${month} and not ${isFresh(month)} group by processor, batchid`

/**
 * SQL: the bits (slice, bits) of the merchants that are in the files of every month of the relation `months`
 * (month, isfresh); none where the bitmaps of one of the months are stale.
 */
export const bitsOfAll = (months: string) => `
  select p.slice, bit_and(p.bits) as bits from month_presence p join ${months} a on a.month = p.month
  where a.isfresh group by p.slice having count(*) = (select count(*) from ${months})`

/**
 * SQL: the ids (id, isdoubted) of merchants whose rows must be asked: those whose bit is not set in `slices`
 * (slice, bits), and those whose bits do not count (variance 10). It starts from the bits, because nearly all
 * merchants have theirs set in every month; so some of the ids are of no merchant.
 */
export const idsWithoutBit = (slices: string) => `
  select id, bool_or(isdoubted) as isdoubted
  from (
    select g.slice * ${sliceSize} + n.n as id, false as isdoubted
    from generate_series(0, (select max(id) from merchant) / ${sliceSize}) g (slice)
      left join ${slices} s on s.slice = g.slice
      cross join generate_series(0, ${sliceSize - 1}) n (n)
    where s.bits is null or get_bit(s.bits, n.n) = 0
    union all
    select merchantid, true from month_presence_doubt) a
  group by id`
