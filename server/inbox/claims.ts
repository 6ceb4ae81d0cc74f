import { randomUUID } from 'node:crypto'
import type { InboxAnswers } from '../../schemas/api/inbox/answers.ts'
import type { Db } from '../db/db.ts'
import { HttpError } from '../http/errors.ts'
import {
  claimSeconds,
  isClaimed,
  isVisible,
  isWaiting,
  readInboxFile,
  visibleTo,
  type InboxViewer,
  type StoredFile,
} from './rows.ts'

/** What one process does with a file, while no other does anything with it. */
export type Purpose = 'check' | 'import'
type ClaimRequest = {
  id: number
  purpose: Purpose
  viewer: InboxViewer
  /** Shown to others meanwhile. */
  username: string
  /** Take the place of those that were given before; null leaves these. */
  answers: InboxAnswers | null
}

/** Milliseconds between two renewals of a claim. */
const renewInterval = (claimSeconds * 1000) / 3

/** Another file w of the same sender with the same bytes waits: an ended one f cannot beside it (inbox 5). */
const waitsInItsPlace = `w.sha256 = f.sha256 and w.source = f.source and w.username = f.username
  and w.id <> f.id and w.state not in ('imported', 'dismissed')`
/** An ended file may be checked again when it was dismissed, or its import was undone. */
const isCheckable = `(f.state <> 'imported' or exists (
    select from import_batch b where b.id = f.batchid and b.undone_at is not null))
  and not exists (select from inbox_file w where ${waitsInItsPlace})`

const doing = { checking: 'is being checked', importing: 'is being imported' } as const

/**
 * Runs `work` on a file that it claims for this process. The claim is renewed until the work has ended; that
 * of a process that was killed runs out (inbox 6). Throws an HttpError: 404 for a file that the viewer cannot
 * see, 409 for one that somebody else has claimed, or that has ended.
 */
export async function whileClaimed<T>(
  db: Db,
  { id, purpose, viewer, username, answers }: ClaimRequest,
  work: (file: StoredFile, claim: string) => Promise<T>,
): Promise<T> {
  const claim = randomUUID()
  const [file] = await db.query<StoredFile>(
    `update inbox_file f set claim = $4, claimfor = $5, claimedby = $6, claimed_at = now(),
        answers = coalesce($7::jsonb, f.answers)
      where ${isVisible} and f.id = $3 and not (${isClaimed}) and not f.outgrown
        and ${purpose === 'check' ? isCheckable : isWaiting}
      returning f.id, f.filename, f.sha256, f.size, f.kind, f.answers`,
    [...visibleTo(viewer), id, claim, purpose, username, answers],
  )
  if (!file)
    throw (
      (purpose === 'check' ? await describeTwin(db, viewer, id) : null) ??
      (await describeFailedClaim(db, viewer, id))
    )
  const renew = () =>
    void db.query('update inbox_file set claimed_at = now() where claim = $1', [claim]).catch(() => {})
  const timer = setInterval(renew, renewInterval)
  try {
    return await work(file, claim)
  } finally {
    clearInterval(timer)
    // Without the database the claim runs out by itself.
    await db.query('update inbox_file set claim = null where claim = $1', [claim]).catch(() => {})
  }
}

/** Why an ended file cannot be checked again: the same bytes wait under another name. Null when none do. */
async function describeTwin(db: Db, viewer: InboxViewer, id: number): Promise<HttpError | null> {
  const [twin] = await db.query<{ filename: string; waiting: string }>(
    `select f.filename, w.filename as waiting from inbox_file f join inbox_file w on ${waitsInItsPlace}
      where ${isVisible} and f.id = $3`,
    [...visibleTo(viewer), id],
  )
  if (!twin) return null
  const message = `The content of ${twin.filename} waits in the inbox already, as ${twin.waiting}`
  return new HttpError(409, message)
}

/** Why a file could not be claimed. Throws an HttpError (404) when the viewer cannot see it. */
export async function describeFailedClaim(db: Db, viewer: InboxViewer, id: number): Promise<HttpError> {
  const { filename, state, by, note } = await readInboxFile(db, viewer, id)
  if (state === 'checking' || state === 'importing')
    return new HttpError(409, `${filename} ${doing[state]} by ${by || 'the portal'} at this moment`)
  if (state === 'outgrown') return new HttpError(409, note ?? `${filename} changed after it was taken`)
  if (state === 'imported') return new HttpError(409, `${filename} was imported by ${by}`)
  if (state === 'undone')
    return new HttpError(
      409,
      `The import of ${filename} was undone; check the file again before it is imported`,
    )
  if (state === 'replaced') return new HttpError(409, `${filename} was replaced in an import by ${by}`)
  if (state === 'dismissed') return new HttpError(409, `${filename} was dismissed by ${by}`)
  return new HttpError(409, `${filename} was changed by somebody else at this moment. Please try again.`)
}
