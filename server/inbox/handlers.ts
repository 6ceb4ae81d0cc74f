import type { InboxAnswers } from '../../schemas/api/inbox/answers.ts'
import type { InboxFile } from '../../schemas/api/inbox/inbox.ts'
import type { Config } from '../config/config.ts'
import { audit } from '../db/audit.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Call, Caller, Handlers } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { abortOnDisconnect, withoutSocketTimeout } from '../http/fileResponse.ts'
import { parseId } from '../http/ids.ts'
import type { DiskQuota } from '../jobs/diskQuota.ts'
import {
  checkInboxFile,
  importInboxFile,
  ReaderRefused,
  takenOverCode,
  type InboxWork,
  type Reader,
  type Refusal,
} from './check.ts'
import { describeFailedClaim, whileClaimed, type Purpose } from './claims.ts'
import { describeFolder } from './folder.ts'
import { assertNotOutgrown } from './originals.ts'
import { createInboxReceiver } from './receive.ts'
import { endReplaced } from './replaced.ts'
import {
  countWaiting,
  isClaimed,
  isVisible,
  isWaiting,
  listInbox,
  readInboxFile,
  storeFinding,
  visibleTo,
} from './rows.ts'

/** The id of a file in an address. Throws an HttpError (404). */
const fileId = ({ id }: { id: string }): number => parseId(id, 'file of the inbox')

/** The answer to an import that found something in its way (inbox 6). */
function refusalOf({ state, message, asks, repeated, faults }: Refusal): HttpError {
  if (state === 'asks') return new HttpError(409, message, { code: 'asks', asks })
  if (state === 'repeated') return new HttpError(409, message, { code: 'repeated', ...repeated })
  return new HttpError(422, message, { ...faults })
}

type FileCall = Call<{ id: string }>
type Claimed = (work: InboxWork, claim: string) => Promise<void>
type OnFile = { id: number; purpose: Purpose; answers?: InboxAnswers | null }

/** Runs work on a file that the caller claims, and answers the file as it stands then. */
const createOnFile =
  (db: Db, config: Config) =>
  async (
    { caller, authorizeAgain, address, reply }: Call,
    { id, purpose, answers = null }: OnFile,
    work: Claimed,
  ): Promise<InboxFile> => {
    const signal = abortOnDisconnect(reply, 'The call was cancelled')
    const { username } = caller
    const readerOf = (viewer: Caller): Reader => {
      const { userid, scope } = viewer
      return { viewer, userid, username, scope, address, authorizeAgain: authorizeReader }
    }
    const authorizeReader = () =>
      authorizeAgain()
        .then(async (now) => {
          await readInboxFile(db, now, id)
          return readerOf(now)
        })
        .catch((error: unknown) => {
          throw error instanceof HttpError
            ? new ReaderRefused(error.status, error.message, error.extra)
            : error
        })
    const reader = readerOf(caller)
    const request = { id, purpose, viewer: caller, username, answers }
    await whileClaimed(db, request, (file, claim) => work({ db, config, file, reader, signal }, claim))
    return readInboxFile(db, caller, id)
  }

const check: Claimed = async (work, claim) => {
  await storeFinding(work.db, claim, work.reader.userid, await checkInboxFile(work))
}

/**
 * Notes in the transaction of an import that the file ended in it, while the claim still holds and its
 * original is what was taken.
 */
async function endInImport(tx: Tx, { config, reader, file }: InboxWork, claim: string, batch: number) {
  await assertNotOutgrown(tx, config, file.id)
  const ended = await tx.query(
    `update inbox_file set state = 'imported', batchid = $2, checkedby = $3, endedby = $4,
        ended_at = now(), asks = null, message = null, faults = null, repeated = null
      where claim = $1 returning id`,
    [claim, batch, reader.userid, reader.username],
  )
  if (ended.length > 0) return
  // The claim ran out while this process stood still, and somebody else may be importing the file.
  const message = `${file.filename} was taken over by somebody else. Nothing was stored.`
  throw new HttpError(409, message, { code: takenOverCode })
}

const store =
  (again: boolean): Claimed =>
  async (work, claim) => {
    const result = await importInboxFile(work, again, async (tx, batch, by) => {
      await endInImport(tx, work, claim, batch)
      await endReplaced(tx, batch, by)
    })
    if (!('state' in result)) return
    await storeFinding(work.db, claim, work.reader.userid, result)
    throw refusalOf(result)
  }

/** The calls of the inbox (inbox 8). */
export function inboxHandlers(db: Db, config: Config, uploads: DiskQuota): Handlers['inbox'] {
  const receive = createInboxReceiver(db, config, uploads)
  const onFile = createOnFile(db, config)
  return {
    async list({ caller, query }) {
      const { watched } = config.inbox
      const page = await listInbox(db, caller, query)
      const isShown = watched !== null && caller.scope === null
      return { ...page, folder: isShown ? await describeFolder(watched, config.uploadLimit) : null }
    },
    count: async ({ caller }) => ({ waiting: await countWaiting(db, caller) }),
    add: (call) =>
      withoutSocketTimeout(call.reply, async () => {
        const { id, caller } = await receive(call)
        const file = await readInboxFile(db, caller, id)
        return file.state === 'waiting' ? onFile({ ...call, caller }, { id, purpose: 'check' }, check) : file
      }),
    check: (call) =>
      onFile(call, { id: fileId(call.params), purpose: 'check', answers: call.body.answers }, check),
    import: (call) => {
      const { answers, again = false } = call.body
      return onFile(call, { id: fileId(call.params), purpose: 'import', answers }, store(again))
    },
    dismiss: (call) => dismiss(db, call),
  }
}

/**
 * Throws an HttpError: 404 for a file outside the scope of the caller, 409 for one that is in use or has
 * ended.
 */
async function dismiss(db: Db, { caller, address, params }: FileCall) {
  const id = fileId(params)
  const dismissed = await db.transaction(async (tx) => {
    const [file] = await tx.query<{ filename: string; sha256: string }>(
      `update inbox_file f set state = 'dismissed', endedby = $4, ended_at = now(), claim = null
        where ${isVisible} and f.id = $3 and ${isWaiting} and not (${isClaimed}) returning filename, sha256`,
      [...visibleTo(caller), id, caller.username],
    )
    if (!file) return false
    const { username } = caller
    await audit(tx, { username, address, action: 'dismiss', entity: 'inbox file', entityid: id, after: file })
    return true
  })
  if (!dismissed) throw await describeFailedClaim(db, caller, id)
  return readInboxFile(db, caller, id)
}
