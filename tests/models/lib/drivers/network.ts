/** In place of the server's: a status, or a connection that is lost before an answer. */
export type Answer = 401 | 403 | 404 | 409 | 422 | 428 | 429 | 500 | 'no answer'
/** A call as a proxy sees it; `status` is null until it is answered and 0 when that never happens. */
export type Seen = {
  route: string
  query: string
  bearer: string | null
  body: string
  status: number | null
}

/** What the tests say when they answer in the server's place: `{error, requestId}` like every refusal. */
export const refusalText = (status: number) => `Answered ${status} by the test`
export const refusalBody = (status: number) =>
  JSON.stringify({ error: refusalText(status), requestId: `request-${status}` })

/**
 * Stands between the browser and the server. A route is 'PUT /api/v1/renew', without a query; a record's id
 * is part of it.
 */
export function createNetwork() {
  const planned = new Map<string, Answer[]>()
  const held = new Map<string, (() => void)[]>()
  const log: Seen[] = []
  return {
    log,
    /** The calls of this route, oldest first. */
    calls: (route: string) => log.filter((call) => call.route === route),
    /** The next call of this route is answered so, without reaching the server. */
    fault: (route: string, answer: Answer) =>
      void planned.set(route, [...(planned.get(route) ?? []), answer]),
    /** The calls of this route wait on their way to the server until it is released. */
    hold: (route: string) => void held.set(route, held.get(route) ?? []),
    release(route: string) {
      const waiting = held.get(route) ?? []
      held.delete(route)
      for (const go of waiting) go()
    },
    /** Whether every call that is not held is answered, but those of routes like `except`. */
    isIdle: (except?: RegExp) =>
      log.every((call) => call.status !== null || held.has(call.route) || except?.test(call.route)),
    /** What was planned and not used: a test that leaves something here did not do what it says. */
    unused: () => [...planned].filter(([, answers]) => answers.length > 0).map(([route]) => route),
    /** Forgets everything; what is held goes on. */
    reset() {
      planned.clear()
      for (const waiting of held.values()) for (const go of waiting) go()
      held.clear()
      log.length = 0
    },
    /** For the drivers: a call goes out. Answers what to answer in the server's place, or null. */
    async pass(call: Seen, cancelled: Promise<void> = new Promise(() => {})): Promise<Answer | null> {
      log.push(call)
      const waiting = held.get(call.route)
      if (waiting) await Promise.race([new Promise<void>((go) => waiting.push(go)), cancelled])
      return planned.get(call.route)?.shift() ?? null
    },
  }
}
export type Network = ReturnType<typeof createNetwork>
