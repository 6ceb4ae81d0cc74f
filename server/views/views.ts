import { mayList, viewLimits, type View, type ViewBody } from '../../schemas/api/lists/views.ts'
import { ticketList } from '../../schemas/entities/ticket.ts'
import type { Db } from '../db/db.ts'
import type { Caller, Handlers } from '../http/call.ts'
import { HttpError, notFound } from '../http/errors.ts'
import { abortOnDisconnect } from '../http/fileResponse.ts'
import { parseId } from '../http/ids.ts'
import { requireEmail } from '../tickets/find.ts'
import { countViews } from './counts.ts'

/** The columns of a `View`, for the caller with this id, who is an administrator or not. */
const columns = (userid: string, admin: string) =>
  `v.id, v.name, v.shared, v.userid = ${userid} as own,
    v.userid = ${userid} or ${admin} and v.shared as removable, u.username as owner, v.search`

/** Throws an HttpError (403) for a list that the caller may not open. */
function checkList(caller: Caller, list: string) {
  if (!mayList(caller, list)) throw new HttpError(403, 'You may not open this list')
  if (list === ticketList.name) requireEmail(caller)
}

/**
 * One's own views of a list and the shared ones, by name. The search of a view can name what only its owner
 * may see, so a shared one reaches those of the same master agent, and the view of somebody who sees all
 * branches those who see all too (views 2).
 */
const listViews = (db: Db, caller: Caller, list: string): Promise<View[]> => {
  checkList(caller, list)
  return db.query<View>(
    `select ${columns('$1', '$5::boolean')}
       from saved_view v join portal_user u on u.id = v.userid
       left join master_agent a on a.id = u.masteragentid
       cross join lateral (select u.admin or coalesce(a.isofficeaccount, false) as seesall) owner
      where v.list = $2 and (v.userid = $1 or v.shared and owner.seesall = $3
        and (owner.seesall or u.masteragentid = $4))
      order by lower(v.name), v.id`,
    [caller.userid, list, caller.seesall, caller.masteragentid, caller.admin],
  )
}

/**
 * Saves a view, and replaces the caller's view of the same name. Throws an HttpError (409) above the limit.
 */
const saveView = (db: Db, caller: Caller, { list, name, shared, search }: ViewBody): Promise<View> => {
  checkList(caller, list)
  return db.transaction(async (tx) => {
    // Two calls at once would both find room for the last one.
    await tx.query('select from portal_user where id = $1 for no key update', [caller.userid])
    const [saved] = await tx.query<View>(
      `with v as (
         insert into saved_view (userid, list, name, shared, search) values ($1, $2, $3, $4, $5)
           on conflict (userid, list, name) do update
             set shared = excluded.shared, search = excluded.search
           returning *)
       select ${columns('$1', 'false')} from v join portal_user u on u.id = v.userid`,
      [caller.userid, list, name.trim(), shared, search],
    )
    const [owned] = await tx.query<{ n: number }>(
      'select count(*) as n from saved_view where userid = $1 and list = $2',
      [caller.userid, list],
    )
    if (owned!.n > viewLimits.count)
      throw new HttpError(409, `You keep ${viewLimits.count} views of this list already: remove one first`)
    return saved!
  })
}

/** Throws an HttpError (404) for a view that the caller may not remove. */
async function removeView(db: Db, { userid, admin }: Caller, id: number) {
  const removed = await db.query(
    'delete from saved_view where id = $1 and (userid = $2 or $3 and shared) returning id',
    [id, userid, admin],
  )
  if (removed.length === 0) throw notFound('view')
}

/** The calls of saved views (views 1). */
export const viewHandlers = (db: Db): Handlers['views'] => ({
  list: async ({ caller, query }) => ({ data: await listViews(db, caller, query.list) }),
  count: async ({ caller, query: { list }, reply }) => {
    const views = await listViews(db, caller, list)
    const signal = abortOnDisconnect(reply, 'The counts were cancelled')
    return { data: await countViews(db, caller, { list, views, signal }) }
  },
  save: ({ caller, body }) => saveView(db, caller, body),
  remove: ({ caller, params }) => removeView(db, caller, parseId(params.id, 'view')),
})
