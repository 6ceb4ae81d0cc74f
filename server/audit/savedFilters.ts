import { savedFilterLimits, type AuditFilters, type SavedFilter } from '../../schemas/api/audit/audit.ts'
import type { Db } from '../db/db.ts'
import { HttpError, notFound } from '../http/errors.ts'

/** The filters that a person keeps, by name (permissions 13). */
export const listFilters = (db: Db, userid: number) =>
  db.query<SavedFilter>('select id, name, filters from audit_filter where userid = $1 order by name', [
    userid,
  ])

/** Keeps a filter in place of one of the same name. Throws an HttpError (409) for more than may be kept. */
export const saveFilter = (
  db: Db,
  userid: number,
  { name, filters }: { name: string; filters: AuditFilters },
): Promise<SavedFilter> =>
  db.transaction(async (tx) => {
    await tx.query('select from portal_user where id = $1 for no key update', [userid])
    const [saved] = await tx.query<SavedFilter>(
      `insert into audit_filter (userid, name, filters) values ($1, $2, $3)
        on conflict (userid, name) do update set filters = excluded.filters returning id, name, filters`,
      [userid, name.trim(), filters],
    )
    const [kept] = await tx.query<{ n: number }>('select count(*) as n from audit_filter where userid = $1', [
      userid,
    ])
    if (kept!.n > savedFilterLimits.count)
      throw new HttpError(409, `You keep ${savedFilterLimits.count} filters already: remove one first`)
    return saved!
  })

/** Throws an HttpError (404) for a filter that this person does not keep. */
export async function removeFilter(db: Db, userid: number, id: string) {
  const removed = /^[1-9]\d{0,8}$/.test(id)
    ? await db.query('delete from audit_filter where id = $1 and userid = $2 returning id', [id, userid])
    : []
  if (removed.length === 0) throw notFound('filter')
}
