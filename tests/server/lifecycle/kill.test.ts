import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endChildren } from '../../fixtures/children.ts'
import { folderWithDatabase, removeFolders, removeOriginal } from '../../fixtures/folders.ts'
import { launch, opened, type RunningPortal } from '../../fixtures/portal.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let data: string
beforeEach(async () => {
  data = await folderWithDatabase()
})
afterAll(removeOriginal)
afterEach(async () => {
  await endChildren()
  removeFolders()
})

const start = () => opened(launch({ DATA_DIR: data }))
const databasePid = () => Number.parseInt(readFileSync(join(data, 'postgres', 'postmaster.pid'), 'utf8'), 10)

/** Four writers at once until the portal dies; answers the XMIDs it acknowledged. `dies` is called in the middle of the writes. */
async function writeUntilDeath(portal: RunningPortal, round: number, dies: () => void): Promise<string[]> {
  const acknowledged: string[] = []
  const write = async (writer: number) => {
    for (let count = 0; ; count++) {
      const xmid = `9${round}${writer}${String(count).padStart(6, '0')}`
      const merchant = { xmid, dba: `Killed ${xmid}`, masteragentid: 1, accountstatus: 1 }
      const { status, body } = await portal.call('POST', '/api/v1/merchant', merchant)
      if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
      if (acknowledged.push(xmid) === 30 + round * 7) dies()
    }
  }
  const ends = await Promise.allSettled([0, 1, 2, 3].map(write))
  for (const end of ends)
    expect(String(end.status === 'rejected' && end.reason)).toMatch(
      /fetch failed|terminated|other side closed|5\d\d/,
    )
  return acknowledged
}

test('a portal killed with -9 in the middle of writes opens again on the same folder with everything it acknowledged', async () => {
  const all: string[] = []
  for (let round = 0; round < 5; round++) {
    const portal = await start()
    const kept = await writeUntilDeath(portal, round, () => {
      // In every other round the database dies with it, as when the machine's process table is wiped.
      if (round % 2) process.kill(databasePid(), 'SIGKILL')
      portal.child.process.kill('SIGKILL')
    })
    await portal.child.ended
    expect(kept.length).toBeGreaterThanOrEqual(30)
    all.push(...kept)
  }

  const portal = await start()
  for (const xmid of all) {
    const { body } = await portal.call('GET', `/api/v1/merchant?search=${xmid}`)
    expect([xmid, body['total_length']]).toEqual([xmid, 1])
  }
})
