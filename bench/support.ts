import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '../server/db/db.ts'
import { migrate } from '../server/db/migrate.ts'
import { startPostgres } from '../server/db/postgres/postgres.ts'

type Options = { max?: number; settings?: Record<string, string> }

/**
 * A new database with the portal's tables in a temporary folder; `close` removes both. `pid` is the server's
 * first process, whose children serve the connections.
 */
export async function openBenchDatabase(name: string, { max, settings }: Options = {}) {
  const folder = await mkdtemp(join(tmpdir(), `bench-${name}-`))
  const postgres = await startPostgres({ folder: join(folder, 'data'), ...(settings && { settings }) })
  try {
    await migrate(postgres.url)
  } catch (error) {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  const db = openDb(postgres.url, max === undefined ? {} : { max })
  const close = async () => {
    await db.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  const pid = Number(readFileSync(join(folder, 'data/postgres/postmaster.pid'), 'utf8').split('\n')[0])
  return { folder, url: postgres.url, runtimeUrl: postgres.runtimeUrl, pid, db, close }
}

/** Signs a user in; answers the headers of further calls, and what the portal said of the user. */
export async function signInAs(address: string, username: string, password: string) {
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
  if (!answer.ok) throw new Error(`${username} cannot sign in: ${await answer.text()}`)
  const user = (await answer.json()) as { access_token: string }
  const xsrfToken = tokenOf(answer)
  return {
    user: { username, ...user },
    xsrfToken,
    headers: { ...headersWith(xsrfToken), authorization: `Bearer ${user.access_token}` },
  }
}

/** Signs a user in; answers the headers of further calls. */
export const signIn = async (address: string, username: string, password: string) =>
  (await signInAs(address, username, password)).headers
