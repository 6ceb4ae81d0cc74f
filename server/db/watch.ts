import pg from 'pg'

/** A connection that is in use for so many checks makes the watch ask whether the database answers. */
const checksBeforeProbe = 2
/**
 * The watch waits so many checks for an answer. Checks are counted and not time, because a busy portal is
 * late for its own timers as well.
 */
const checksForAnswer = 8
/** After so many checks without an answer the database counts as away. */
const checksUntilAway = 2

type Client = pg.PoolClient & { connection?: { stream: { destroy(reason: Error): void } } }

/** Whether the database answers. */
export type Watch = {
  /** The last probe was not answered in time, or has waited for `checksUntilAway` checks. */
  isAway(): boolean
  /** A connection that is being set up: the pool does not count it yet. */
  addNew(client: pg.PoolClient): void
  close(): void
}

type Probe = { checks: number; end(): void }

/**
 * Connects once and asks for a row; `answered` is called with whatever comes, a refusal too: statements fail
 * by themselves then.
 */
function probeDatabase(url: string, answered: () => void): Probe {
  const client: Client = new pg.Client({ connectionString: url }) as Client
  client.on('error', () => {})
  void client
    .connect()
    .then(() => client.query('select 1'))
    .catch(() => {})
    .then(answered)
    .then(() => client.end())
    .catch(() => {})
  return { checks: 0, end: () => client.connection?.stream.destroy(new Error('unanswered')) }
}

/**
 * Watches a database while connections of `pool` are in use (operations 16). A frozen one, or one behind a
 * network that lost it, ends no connection: statements would wait for ever. So a new connection is tried when
 * one is in use for a second; when that gets no answer for four seconds, all are broken off, and what waits
 * for them fails. However long a statement takes, the database answers others meanwhile. `checkInterval` is
 * in milliseconds.
 */
export function watchDatabase(url: string, pool: pg.Pool, checkInterval = 500): Watch {
  const clients = new Set<Client>()
  const usedSince = new Map<pg.PoolClient, number>()
  let probe: Probe | null = null
  let hasFailed = false
  /** Every other check starts no probe. */
  let isPause = true

  pool.on('connect', () => (hasFailed = false))
  pool.on('acquire', (client) => usedSince.set(client, performance.now()))
  pool.on('release', (_, client) => usedSince.delete(client))

  function breakOff() {
    const reason = new Error('Connection terminated: the database does not answer')
    hasFailed = true
    for (const client of clients) client.connection?.stream.destroy(reason)
  }
  function check() {
    if (probe) {
      probe.checks += 1
      if (probe.checks < checksForAnswer) return
      probe.end()
      probe = null
      return breakOff()
    }
    const longest = performance.now() - Math.min(...usedSince.values())
    if (longest < checksBeforeProbe * checkInterval) return
    isPause = !isPause
    if (!isPause) probe = startProbe()
  }
  function startProbe() {
    const started: Probe = probeDatabase(url, () => {
      if (probe !== started) return
      probe = null
      hasFailed = false
    })
    return started
  }

  const timer = setInterval(check, checkInterval).unref()
  return {
    isAway: () => hasFailed || (probe?.checks ?? 0) >= checksUntilAway,
    addNew(client) {
      clients.add(client)
      usedSince.set(client, performance.now())
      client.once('end', () => {
        clients.delete(client)
        usedSince.delete(client)
      })
    },
    close() {
      clearInterval(timer)
      probe?.end()
    },
  }
}
