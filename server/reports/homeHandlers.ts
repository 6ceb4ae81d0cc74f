import { profitDays, type ProfitDay } from '../../schemas/api/home.ts'
import { describeNotes, readNotes } from '../backup/notes.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import type { Handlers } from '../http/call.ts'
import { readOwnHome } from './ownHome.ts'

/** Newest day first; `amount` is the net of sales and refunds in dollars, of the merchants in the scope. */
const profitByDay = `
  select extract(epoch from volumedate::timestamp)::bigint as processdate, sum(netamount) as amount
  from daily_volume v
  where $1::int[] is null
    or exists (select from merchant m where m.xmid = v.xmid and m.masteragentid = any ($1))
  group by volumedate order by volumedate desc limit $2`

export const homeHandlers = (db: Db, config: Config): Handlers['home'] => ({
  async profit({ caller }) {
    return { data: await db.query<ProfitDay>(profitByDay, [caller.scope, profitDays]) }
  },
  own: ({ caller }) => readOwnHome(db, caller),
  async portal({ caller }) {
    const links = [...config.links].sort((a, b) => a.title.localeCompare(b.title))
    return {
      links,
      store: config.store,
      training: config.training,
      widget: config.helpdesk.widget?.script ?? null,
      backup: caller.admin ? describeNotes(await readNotes(db)) : null,
    }
  },
})
