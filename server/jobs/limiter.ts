/** Options of one call of a limiter. */
export type Turn = {
  /** Users take turns, however many calls each has; calls without a user share one turn. */
  user?: string
  /** An abort ends the waiting at once with the signal's reason, and the work never begins. */
  signal?: AbortSignal
  /** Called with the number of calls ahead: when the work has to wait, and whenever that number changes. */
  onWait?: (before: number) => void
}

/**
 * Runs `work` as soon as fewer than the limits are running, of all users and of this one (operations 14).
 * Resolves or rejects as `work` does. Once `work` has begun, it must watch the signal itself.
 */
export type Limiter = <T>(work: () => Promise<T>, turn?: Turn) => Promise<T>

type Waiting = { begin: () => void; onWait: Turn['onWait']; reported: number | null }
/** The waiting calls of each user; the first user below the limit per user is next. */
type Queues = Map<string, Waiting[]>

/** How many begin before the one at index `at` of the queue of `user`, those of other users included. */
function countBefore(queues: Queues, user: string, at: number): number {
  let count = at
  let isEarlier = true
  for (const [other, queue] of queues) {
    if (other === user) isEarlier = false
    else count += Math.min(queue.length, isEarlier ? at + 1 : at)
  }
  return count
}

function reportPositions(queues: Queues) {
  for (const [user, queue] of queues)
    for (const [at, waiting] of queue.entries()) {
      if (!waiting.onWait) continue
      const before = countBefore(queues, user, at)
      if (before === waiting.reported) continue
      waiting.reported = before
      waiting.onWait(before)
    }
}

function leaveQueue(queues: Queues, user: string, waiting: Waiting) {
  const rest = (queues.get(user) ?? []).filter((it) => it !== waiting)
  if (rest.length > 0) queues.set(user, rest)
  else queues.delete(user)
  reportPositions(queues)
}

const checkLimit = (limit: number) => {
  if (limit !== Infinity && !(Number.isInteger(limit) && limit > 0))
    throw new TypeError('A limit is a whole number above 0')
}

/**
 * A limiter that runs at most `most` at a time, and at most `perUser` of one user. Throws a TypeError unless
 * both are whole numbers above 0, or Infinity.
 */
export function createLimiter(most: number, perUser = most): Limiter {
  checkLimit(most)
  checkLimit(perUser)
  const queues: Queues = new Map()
  const running = new Map<string, number>()
  let total = 0

  const isFree = (user: string) => (running.get(user) ?? 0) < perUser
  const count = (user: string, change: 1 | -1) => {
    total += change
    const now = (running.get(user) ?? 0) + change
    if (now === 0) running.delete(user)
    else running.set(user, now)
  }
  function advance() {
    while (total < most) {
      const user = [...queues.keys()].find(isFree)
      if (user === undefined) break
      const [next, ...rest] = queues.get(user)!
      // Set again after it was deleted, so that the user's next turn comes after those of all others.
      queues.delete(user)
      if (rest.length > 0) queues.set(user, rest)
      count(user, 1)
      next!.begin()
    }
    reportPositions(queues)
  }
  /** Resolves when the work may begin. */
  const turnOf = (user: string, { signal, onWait }: Turn) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        leaveQueue(queues, user, waiting)
        reject(signal!.reason as Error)
      }
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const waiting: Waiting = { begin, onWait, reported: null }
      signal?.addEventListener('abort', leave, { once: true })
      queues.set(user, [...(queues.get(user) ?? []), waiting])
      advance()
    })

  return async (work, turn = {}) => {
    const { user = '', signal } = turn
    signal?.throwIfAborted()
    await turnOf(user, turn)
    try {
      signal?.throwIfAborted()
      return await work()
    } finally {
      count(user, -1)
      advance()
    }
  }
}
