import type { OpenSession } from '../../schemas/api/accounts/openSessions.ts'
import { user as userEntity } from '../../schemas/entities/user.ts'
import type { Config } from '../config/config.ts'
import { audit } from '../db/audit.ts'
import type { Db } from '../db/db.ts'
import type { Caller, Handlers } from '../http/call.ts'
import { HttpError, notFound } from '../http/errors.ts'
import { parseId } from '../http/ids.ts'
import { describeDevice } from './device.ts'
import { endSessions, openSessions, type StoredSession } from './sessions.ts'

const describe = ({ useragent, ...session }: StoredSession): OpenSession => ({
  ...session,
  device: describeDevice(useragent),
})

/** The sessions of a user, listed and ended by the user and by administrators (session 13). */
export function openSessionHandlers(
  db: Db,
  { idleMinutes }: Pick<Config, 'idleMinutes'>,
): Handlers['sessions'] {
  /** Throws an HttpError (404). */
  const userId = async (text: string): Promise<number> => {
    const id = parseId(text, userEntity.noun)
    const [known] = await db.query('select 1 from portal_user where id = $1', [id])
    if (!known) throw notFound(userEntity.noun)
    return id
  }
  const list = async ({ tokenHash }: Caller, userid: number) => ({
    data: (await openSessions(db, userid, { tokenHash, idleMinutes })).map(describe),
  })
  /** Ends the session with this id, or all but the current one. Throws an HttpError (404, 409). */
  const end = ({ caller, address }: { caller: Caller; address: string }, userid: number, session?: string) =>
    db.transaction(async (tx) => {
      const { tokenHash } = caller
      const open = await openSessions(tx, userid, { tokenHash, idleMinutes })
      const id = session === undefined ? null : parseId(session, 'session')
      const chosen = open.filter((it) => (id === null ? !it.current : it.id === id))
      if (id !== null && chosen.length === 0) throw notFound('session')
      if (chosen.some(({ current }) => current))
        throw new HttpError(409, 'This is the session that you are using: log out instead')
      const ended = await endSessions(
        tx,
        chosen.map((it) => it.id),
      )
      if (id !== null && ended.length === 0) throw notFound('session')
      for (const it of chosen.filter((one) => ended.includes(one.id)))
        await audit(tx, {
          username: caller.username,
          address,
          action: 'logout',
          entity: 'user',
          entityid: userid,
          before: { session: it.id, device: describeDevice(it.useragent), address: it.address },
        })
    })
  return {
    own: ({ caller }) => list(caller, caller.userid),
    endOwn: (call) => end(call, call.caller.userid, call.params.session),
    endOthers: (call) => end(call, call.caller.userid),
    ofUser: async ({ caller, params }) => list(caller, await userId(params.id)),
    endOfUser: async (call) => end(call, await userId(call.params.id), call.params.session),
    endAllOfUser: async (call) => end(call, await userId(call.params.id)),
  }
}
