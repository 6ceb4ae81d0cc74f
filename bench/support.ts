import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openDb } from '../server/db/db.ts'
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

/** Milliseconds that `work` takes. */
export async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
