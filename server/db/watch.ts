import pg from 'pg'

/** Looks for which a connection is in use before the watch asks whether the database answers. */
const unsuspiciousLooks = 2
/**
 * Looks for which the watch waits for an answer. They are counted, because a busy portal is late for its own
 * timers as well.
 */
const patientLooks = 8
/** Looks after which the database counts as away. */
const doubtfulLooks = 2

type Client = pg.PoolClient & { connection?: { stream: { destroy(reason: Error): void } } }

/** Whether the database answers. */
export type Watch = {
  /** No answer has come to the last question, or it waits for one already. */
  isAway(): boolean
  /** A connection that is being set up: the pool does not count it yet. */
  addNew(client: pg.PoolClient): void
  close(): void
}

type Question = { looks: number; end(): void }

/**
 * Connects once and asks for a row; `answered` is called with whatever comes, a refusal too: statements fail
 * by themselves then.
 */
function askDatabase(url: string, answered: () => void): Question {
  const client: Client = new pg.Client({ connectionString: url }) as Client
  client.on('error', () => {})
  void client
    .connect()
    .then(() => client.query('select 1'))
    .catch(() => {})
    .then(answered)
    .then(() => client.end())
    .catch(() => {})
  return { looks: 0, end: () => client.connection?.stream.destroy(new Error('unanswered')) }
}

/**
 * Watches a database while connections of `pool` are in use (operations 16). A frozen one, or one behind a
 * network that lost it, ends no connection: statements would wait for ever. So a new connection is tried when
 * one is in use for a second; when that gets no answer for four seconds, all are broken off, and what waits
 * for them fails. However long a statement takes, the database answers others meanwhile. `lookInterval` is in
 * milliseconds, half a second unless a test hurries.
 */
export function watchDatabase(url: string, pool: pg.Pool, lookInterval = 500): Watch {
  const clients = new Set<Client>()
  const usedSince = new Map<pg.PoolClient, number>()
  let question: Question | null = null
  let hasFailed = false
  /** Every other look asks nothing. */
  let isPause = true

  pool.on('connect', () => (hasFailed = false))
  pool.on('acquire', (client) => usedSince.set(client, performance.now()))
  pool.on('release', (_, client) => usedSince.delete(client))

  function breakOff() {
    const reason = new Error('Connection terminated: the database does not answer')
    hasFailed = true
    for (const client of clients) client.connection?.stream.destroy(reason)
  }
  function look() {
    if (question) {
      question.looks += 1
      if (question.looks < patientLooks) return
      question.end()
      question = null
      return breakOff()
    }
    const longest = performance.now() - Math.min(...usedSince.values())
    if (longest < unsuspiciousLooks * lookInterval) return
    isPause = !isPause
    if (!isPause) question = ask()
  }
  function ask() {
    const asked: Question = askDatabase(url, () => {
      if (question !== asked) return
      question = null
      hasFailed = false
    })
    return asked
  }

  const timer = setInterval(look, lookInterval).unref()
  return {
    isAway: () => hasFailed || (question?.looks ?? 0) >= doubtfulLooks,
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
      question?.end()
    },
  }
}
