import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import { checkInboxFile, type Reader } from './check.ts'
import { whileClaimed } from './claims.ts'
import { forgetEnded } from './copies.ts'
import { describeFolderFault, filesOfFolder, isFolderFault } from './folder.ts'
import { compareOriginals } from './originals.ts'
import { quietPeriod } from './quietPeriod.ts'
import { isClaimed, storeFinding } from './rows.ts'
import { inFolderTurn, takeFiles } from './take.ts'

/** Milliseconds between two scans of the folder. */
export const scanInterval = 3_000
/** Milliseconds between two removals of what has ended. */
const forgetInterval = 3_600_000
/** Seconds until a check is tried again that the disk or the database kept from ending. */
const retrySeconds = 30

type WatchOptions = {
  db: Db
  config: Config
  /** Called once for each fault of the folder until it is over. */
  onFault: (reason: string) => void
  /** Epoch milliseconds. */
  now?: () => number
}

/** `scan` never throws; called while a scan is under way, it waits for that one. */
export type InboxWatch = { scan(): Promise<void>; close(): Promise<void> }

/**
 * Watches the folder by scanning it, because a network drive sends no notice of changes. A scan takes the
 * files that have not changed for the quiet period, compares those that were taken with what they were then,
 * checks those of the folder that wait, and once an hour deletes what has ended (inbox 3, inbox 7, inbox 11).
 */
export function createInboxWatch({ db, config, onFault, now = Date.now }: WatchOptions): InboxWatch {
  const closing = new AbortController()
  const quietTime = config.inbox.quietSeconds * 1000
  const quiet = quietPeriod(quietTime, now)
  const quietAfterTaken = quietPeriod(quietTime, now)
  let fault: string | null = null
  let forgotten: number | null = null
  let underWay: Promise<void> | null = null

  const report = (reason: string | null) => {
    if (reason !== null && reason !== fault) onFault(reason)
    fault = reason
  }

  async function scanFolder(folder: string) {
    const complete = quiet(await filesOfFolder(folder))
    await inFolderTurn(db, async () => {
      await compareOriginals(db, config, folder, quietAfterTaken)
      await takeFiles(db, config, folder, complete)
    })
  }

  async function scanOnce() {
    const { watched } = config.inbox
    try {
      if (watched !== null) await scanFolder(watched)
      report(null)
    } catch (error) {
      if (!isFolderFault(error)) throw error
      report(describeFolderFault(error))
    }
    await checkWaiting(db, config, closing.signal)
    if (forgotten === null || now() - forgotten >= forgetInterval) {
      await forgetEnded(db, config, now())
      forgotten = now()
    }
  }

  return {
    async scan() {
      if (closing.signal.aborted) return
      underWay ??= scanOnce()
        // The next scan tries again; calls of the screens answer 503 while the database is away.
        .catch(() => {})
        .finally(() => {
          underWay = null
        })
      await underWay
    },
    async close() {
      closing.abort(new Error('the portal ends'))
      await underWay
    },
  }
}

/** Checks the files of the folder that nobody has checked, with the rights of the house (inbox 9). */
async function checkWaiting(db: Db, config: Config, signal: AbortSignal) {
  const waiting = await db.query<{ id: number }>(
    `select f.id from inbox_file f where f.state = 'waiting' and f.source = 'folder'
      and not f.outgrown and not (${isClaimed})
      and (f.checked_at is null or f.checked_at < now() - interval '${retrySeconds} seconds') order by f.id`,
  )
  // Blanks begin no name of a user, so the files of the folder have turns of their own.
  const reader: Reader = {
    viewer: null,
    userid: null,
    username: ' inbox',
    scope: null,
    address: '',
    authorizeAgain: async () => reader,
  }
  const viewer = { userid: 0, scope: null }
  for (const { id } of waiting) {
    if (signal.aborted) return
    const request = { id, purpose: 'check', viewer, username: '', answers: null } as const
    await whileClaimed(db, request, async (file, claim) => {
      const found = await checkInboxFile({ db, config, file, reader, signal })
      await storeFinding(db, claim, null, found)
    }).catch((error: Error) =>
      db.query(`update inbox_file set checked_at = now(), message = $2 where id = $1 and state = 'waiting'`, [
        id,
        error.message,
      ]),
    )
  }
}
