import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { InboxFile } from '../../../schemas/api/inbox/inbox.ts'
import { portfolioCsv } from '../../files/portfolio.ts'
import { endChildren } from '../../fixtures/children.ts'
import { folder, folderWithDatabase, removeFolders, removeOriginal } from '../../fixtures/folders.ts'
import { launch, opened, type RunningPortal } from '../../fixtures/portal.ts'

afterAll(removeOriginal)
afterEach(async () => {
  await endChildren()
  removeFolders()
})

const filesOf = async (portal: RunningPortal, ended: 0 | 1) =>
  (await portal.call('GET', `/api/v1/inbox?ended=${ended}`)).body['data'] as InboxFile[]
const batchesOf = async (portal: RunningPortal) =>
  Number((await portal.call('GET', '/api/v1/file/merchant/history?page=1&size=10')).body['total_length'])

test('after a portal is killed during an import from its inbox, the file is either imported or waiting', async () => {
  const [data, watched] = [await folderWithDatabase(), folder()]
  const start = () =>
    opened(launch({ DATA_DIR: data, DEMO: '1', INBOX_DIR: watched, INBOX_QUIET_SECONDS: '1' }))
  let portal = await start()
  mkdirSync(watched, { recursive: true })
  for (let round = 0; round < 3; round++) {
    const rows = 5_000
    const name = `merchants ${round}.csv`
    writeFileSync(
      join(watched, name),
      Buffer.concat([...portfolioCsv(rows, round * rows)].map((it) => Buffer.from(it))),
    )
    await expect
      .poll(async () => (await filesOf(portal, 0)).map(({ state }) => state), { timeout: 120_000 })
      .toEqual(['ready'])
    const [file] = await filesOf(portal, 0)
    const before = await batchesOf(portal)
    const importing = portal.call('POST', `/api/v1/inbox/${file!.id}/import`, {}).catch(() => null)
    // Later in each round: before the rows are read, while they are, and about when they are stored.
    await expect
      .poll(async () => (await filesOf(portal, 0)).map(({ state }) => state), { interval: 20 })
      .toEqual(['importing'])
    for (let asked = 0; asked < round * 25; asked++) await filesOf(portal, 0)
    portal.child.process.kill('SIGKILL')
    const isAnswered = (await importing)?.status === 200
    await portal.child.ended
    portal = await start()
    // The claim of the killed process runs out.
    await expect
      .poll(async () => (await filesOf(portal, 0)).map(({ state }) => state), { timeout: 60_000 })
      .not.toContain('importing')
    const isImported = (await batchesOf(portal)) === before + 1
    expect((await filesOf(portal, 0)).length).toBe(isImported ? 0 : 1)
    if (isAnswered) expect(isImported).toBe(true)
    const again = await portal.call('POST', `/api/v1/inbox/${file!.id}/import`, {})
    expect(again.status).toBe(isImported ? 409 : 200)
    expect(await batchesOf(portal)).toBe(before + 1)
    expect(readdirSync(join(data, 'tmp'))).toEqual([])
  }
  portal.child.process.kill('SIGTERM')
  await portal.child.ended
}, 600_000)
