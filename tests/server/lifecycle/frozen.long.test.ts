import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { processesIn } from '../../../server/db/postgres/process.ts'
import { endChildren } from '../../fixtures/children.ts'
import { folderWithDatabase, removeFolders, removeOriginal } from '../../fixtures/folders.ts'
import { launch, opened } from '../../fixtures/portal.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })
afterAll(removeOriginal)

let pids: number[] = []
const signal = (name: NodeJS.Signals) => {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch {
      // A connection that has ended meanwhile.
    }
}
afterEach(async () => {
  signal('SIGCONT')
  await endChildren()
  removeFolders()
})

test('a database that is frozen twice is reported by every call within eight seconds, and serves again within two', async () => {
  const data = await folderWithDatabase()
  const portal = await opened(launch({ DATA_DIR: data, DEMO: '0' }))
  const timed = async (path: string, method = 'GET', body?: object) => {
    const begun = performance.now()
    const { status, body: answer } = await portal.call(method, path, body)
    return { path, status, error: answer['error'], seconds: (performance.now() - begun) / 1000 }
  }
  for (const round of [1, 2]) {
    pids = processesIn(join(data, 'postgres'))
    expect(pids.length).toBeGreaterThan(2)
    signal('SIGSTOP')
    const answers = await Promise.all([
      timed('/api/v1/merchant'),
      timed('/api/v1/report'),
      timed('/api/v1/report/user-access', 'POST', {}),
      timed('/api/v1/masteragent', 'POST', { name: `Frozen ${round}`, parentid: 0 }),
      timed('/readyz'),
    ])
    for (const { path, status, error, seconds } of answers) {
      expect({ path, status, error }).toEqual({
        path,
        status: 503,
        error: 'The database is not available at the moment. Please try again.',
      })
      expect({ path, isInTime: seconds < 8 }).toEqual({ path, isInTime: true })
    }
    const alive = await timed('/healthz')
    expect([alive.status, alive.seconds < 1]).toEqual([200, true])

    signal('SIGCONT')
    const thawed = performance.now()
    await expect.poll(async () => (await timed('/readyz')).status, { interval: 50 }).toBe(200)
    expect((await timed('/api/v1/merchant')).status).toBe(200)
    expect(performance.now() - thawed).toBeLessThan(2_000)
  }
})
