import type { LatestTerms } from '../../schemas/api/session.ts'
import { nounOfOne } from '../../schemas/entities/entity.ts'
import { terms as termsEntity, type Acceptance } from '../../schemas/entities/terms.ts'
import { audit } from '../db/audit.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Handlers } from '../http/call.ts'
import { notFound, HttpError } from '../http/errors.ts'
import { parseId } from '../http/ids.ts'

const latest = 'select id, tctext from terms order by id desc limit 1'

/**
 * The version in force, null where there is none. Throws an HttpError: 404 for an unknown `id`, 409 for that
 * of a version which is not in force any more, because a newer one was published while it was read.
 */
async function versionToAccept(tx: Tx, id: number | undefined): Promise<{ id: number } | null> {
  const [terms] = await tx.query<{ id: number }>(latest)
  if (id && id !== terms?.id) {
    const [former] = await tx.query('select 1 from terms where id = $1', [id])
    if (!former) throw notFound(nounOfOne(termsEntity))
    throw new HttpError(
      409,
      'The Terms and Conditions were changed while you read them. Please read the new text.',
    )
  }
  return terms ?? null
}

export const termsHandlers = (db: Db): Handlers['terms'] => ({
  async latest() {
    const [terms] = await db.query<LatestTerms>(latest)
    if (!terms) throw new HttpError(404, 'There are no Terms and Conditions yet')
    return terms
  },

  /** Records version, time and address; accepting the same version again changes nothing (terms 4). */
  async accept({ caller, address, body }) {
    await db.transaction(async (tx) => {
      const terms = await versionToAccept(tx, body?.id)
      if (!terms) return
      const added = await tx.query(
        `insert into terms_acceptance (termsid, userid, ipaddress) values ($1, $2, $3)
          on conflict do nothing returning termsid`,
        [terms.id, caller.userid, address],
      )
      if (added.length > 0)
        await audit(tx, {
          username: caller.username,
          address,
          action: 'accept',
          entity: 'terms',
          entityid: terms.id,
        })
    })
  },

  /** Who accepted this version and who has not yet (terms 5); `acceptancedate` is epoch seconds UTC. */
  async acceptance({ params }) {
    const id = parseId(params.id, nounOfOne(termsEntity))
    const [known] = await db.query('select 1 from terms where id = $1', [id])
    if (!known) throw notFound(nounOfOne(termsEntity))
    const data = await db.query<Acceptance>(
      `select a.userid, u.username,
          floor(extract(epoch from a.acceptancedate))::bigint as acceptancedate, a.ipaddress
        from terms_acceptance a join portal_user u on u.id = a.userid
        where a.termsid = $1 order by a.acceptancedate, a.userid`,
      [id],
    )
    const pending = await db.query<{ userid: number; username: string }>(
      `select u.id as userid, u.username from portal_user u
        where not exists (select from terms_acceptance a where a.termsid = $1 and a.userid = u.id)
        order by u.username`,
      [id],
    )
    return { data, pending }
  },
})
