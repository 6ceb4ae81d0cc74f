import type { Db } from '../../db/db.ts'
import { allowMemory } from '../../db/largeWork.ts'

/** One row of month_presence holds the bits of so many merchants, by their ids. */
export const sliceSize = 512
/** The bits of a month are written anew once more newer merchants have none: each is looked up by itself. */
const mostNewMerchants = 10_000

/** SQL: the next month from $1 to $2 whose bits are stale, but for months whose files are being changed. */
const staleMonth = `
  select to_char(s.month, 'YYYY-MM-DD') as month, m.newest
  from month_presence_state s cross join (select coalesce(max(id), 0) as newest from merchant) m
  where s.month between $1 and $2 and (not s.iskept or m.newest - s.newest > ${mostNewMerchants})
  order by s.month limit 1 for update of s skip locked`

/**
 * Writes down which merchants are in the files of each month from `first` to `last`, ISO first days, where
 * that is not known any more (variance 10). Each month is a transaction of its own. A month whose files are
 * being changed at this moment is left out; its rows are read instead.
 */
export async function keepPresence(db: Db, first: string, last: string): Promise<void> {
  const keepNext = () =>
    db.transaction(async (tx) => {
      await allowMemory(tx)
      const [stale] = await tx.query<{ month: string; newest: number }>(staleMonth, [first, last])
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
      await tx.query('update month_presence_state set iskept = true, newest = $2 where month = $1', [
        month,
        newest,
      ])
      return true
    })
  while (await keepNext());
}
