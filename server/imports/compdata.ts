import { holdMonth, monthName, refuseLocked } from '../months.ts'
import { imports } from '../../schemas/imports.ts'
import type { Kind, Step } from './kinds.ts'
import { plain } from './plain.ts'
import { counted } from './strangers.ts'
import { remove } from './track.ts'
import { upsertOf } from './upsert.ts'
import { monthAndProcessor } from './whole.ts'

const it = imports.compdata
const upsert = upsertOf(it, { fixed: { month: '$1::date', processor: '$2' }, stamp: { batchid: '$3::int' } })

/** The file stands for its month and processor: what it does not name any more goes, as far as the caller sees. */
async function clear(step: Step): Promise<string[]> {
  const { date, part, scope } = step
  const gone = await remove(
    step,
    'residual',
    `m.month = $1::date and m.processor = $2 and not exists (select from staging s where s.xmid = m.xmid)
      and ($3::int[] is null or exists (select from merchant x where x.xmid = m.xmid and x.masteragentid = any($3)))`,
    [date, part, scope],
  )
  const which = `of ${part} for ${monthName(date!)}`
  return gone ? [`${counted(gone, 'row', 'rows')} that an earlier file ${which} had ${gone === 1 ? 'is' : 'are'} not in this one and ${gone === 1 ? 'goes' : 'go'}`] : []
}

/** What a processor says a month brought in. A locked month takes no file and gives none back. */
export const compensation: Kind = plain(it, {
  upsert,
  parameters: ({ date, part, batch }) => [date, part, batch],
  about: monthAndProcessor,
  async guard(tx, date, timeZone) {
    await holdMonth(tx, date)
    await refuseLocked(tx, date, timeZone)
  },
  clear,
  replaces: true,
})
