import { inCallersTurn } from '../../jobs/callersTurn.ts'
import { createLimiter, type Turn } from '../../jobs/limiter.ts'

/**
 * Two files are read and stored at a time, and of each user one; the others wait without a connection to the
 * database (imports 24, operations 14).
 */
export const limitImports = createLimiter(2, 1)

/** Who sends a file, and the master agents whose merchants they may import; null for all (imports 25). */
export type Sender = { username: string; userid?: number | null; scope: number[] | null }

type Sent = {
  sender: Sender
  /** Who that is by session and rights when the turn has come (session 6); the same without it. */
  authorizeAgain?: () => Promise<Sender>
  signal: AbortSignal
}

/** Does `work` when it is the sender's turn, with the upload of the sender as `inCallersTurn` gives it. */
export function inUploadTurn<U extends Sent, T>(
  upload: U,
  work: (upload: U) => Promise<T>,
  onWait?: Turn['onWait'],
): Promise<T> {
  const { sender: caller, signal } = upload
  const authorizeAgain = upload.authorizeAgain ?? (async () => caller)
  return inCallersTurn(limitImports, { caller, authorizeAgain }, (sender) => work({ ...upload, sender }), {
    signal,
    ...(onWait && { onWait }),
  })
}
