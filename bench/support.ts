import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openDb, type Sql } from '../server/db/db.ts'
import { migrate } from '../server/db/migrate.ts'
import { startPostgres } from '../server/db/postgres/postgres.ts'

/** A new database with the portal's tables in a temporary folder; `close` removes both. */
export async function openBenchDatabase(name: string, options?: { max?: number }) {
  const folder = await mkdtemp(join(tmpdir(), `bench-${name}-`))
  const postgres = await startPostgres({ folder: join(folder, 'data') })
  await migrate(postgres.url)
  const db = openDb(postgres.url, options)
  const close = async () => {
    await db.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { folder, url: postgres.url, db, close }
}

/** Serves an app on a free port of the loopback; answers its address. */
export async function serve(app: Pick<FastifyInstance, 'listen'>): Promise<string> {
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/** Signs a user in; answers the headers of further calls. */
export async function signIn(address: string, username: string, password: string) {
  const tokenOf = ({ headers }: Response) =>
    /XSRF-TOKEN=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
  const headersWith = (xsrfToken: string) => ({
    'content-type': 'application/json',
    cookie: `XSRF-TOKEN=${xsrfToken}`,
    'x-xsrf-token': xsrfToken,
  })
  const answer = await fetch(`${address}/api/v1/login`, {
    method: 'PUT',
    headers: headersWith(tokenOf(await fetch(`${address}/healthz`))),
    body: JSON.stringify({ username, password }),
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  return { ...headersWith(tokenOf(answer)), authorization: `Bearer ${access_token}` }
}

/** CPU seconds of a process, from /proc; 0 where it cannot be read. */
function secondsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return (Number(user) + Number(system)) / 100
  } catch {
    return 0
  }
}

/** CPU seconds of this process and of those of its database so far; of ended connections nothing is known. */
export async function cpuSeconds(db: Sql): Promise<number> {
  const { user, system } = process.cpuUsage()
  const backends = await db.query<{ pid: number }>('select pid from pg_stat_activity')
  return backends.reduce((sum, { pid }) => sum + secondsOf(pid), (user + system) / 1_000_000)
}

/** Milliseconds that `work` takes. */
export async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
