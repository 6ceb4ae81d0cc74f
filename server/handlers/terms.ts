import { audit } from '../audit.ts'
import type { Call } from '../call.ts'
import type { Db } from '../db.ts'
import { Refusal } from '../errors.ts'

const latest = 'select id, tctext from terms order by id desc limit 1'

export const termsHandlers = (db: Db) => ({
  async latest() {
    const [terms] = await db.query<{ id: number; tctext: string }>(latest)
    if (!terms) throw new Refusal(404, 'There are no Terms and Conditions yet')
    return terms
  },

  /** Records version, time and address once; accepting twice changes nothing. */
  async accept({ caller, address }: Call) {
    await db.transaction(async (tx) => {
      const [terms] = await tx.query<{ id: number }>(latest)
      if (!terms) return
      const added = await tx.query(
        'insert into terms_acceptance (termsid, userid, ipaddress) values ($1, $2, $3) on conflict do nothing returning termsid',
        [terms.id, caller.userid, address],
      )
      if (added.length > 0) await audit(tx, { username: caller.username, address, action: 'accept', entity: 'terms', entityid: terms.id })
    })
  },
})
