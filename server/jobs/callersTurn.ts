import type { Limiter, Turn } from './limiter.ts'

/** Who asks for work, and how to find again who that is by session and rights (session 6). */
export type Requester<C extends { username: string }> = { caller: C; authorizeAgain: () => Promise<C> }

/**
 * Does `work` when it is the caller's turn. Who had to wait is authorized again then, because session and
 * rights may have been taken meanwhile: `work` is given the caller of that moment. Throws an HttpError (401,
 * 403, 428), and what `work` throws.
 */
export function inCallersTurn<C extends { username: string }, T>(
  limit: Limiter,
  { caller, authorizeAgain }: Requester<C>,
  work: (caller: C) => Promise<T>,
  { signal, onWait }: Omit<Turn, 'user'> = {},
): Promise<T> {
  let hasWaited = false
  const noteWaiting = (before: number) => {
    hasWaited = true
    onWait?.(before)
  }
  return limit(async () => work(hasWaited ? await authorizeAgain() : caller), {
    user: caller.username,
    onWait: noteWaiting,
    ...(signal && { signal }),
  })
}
