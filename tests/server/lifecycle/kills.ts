import { expect } from 'vitest'
import { databasePid } from '../../fixtures/folders.ts'
import { launch, opened, type RunningPortal } from '../../fixtures/portal.ts'

/**
 * Four writers at once until the portal dies; answers the XMIDs it acknowledged. `kill` is called in the
 * middle of the writes.
 */
async function writeUntilDeath(portal: RunningPortal, round: number, kill: () => void): Promise<string[]> {
  const acknowledged: string[] = []
  const write = async (writer: number) => {
    for (let count = 0; ; count++) {
      const xmid = `9${round}${writer}${String(count).padStart(6, '0')}`
      const merchant = { xmid, dba: `Killed ${xmid}`, masteragentid: 1, accountstatus: 1 }
      const { status, body } = await portal.call('POST', '/api/v1/merchant', merchant)
      if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
      if (acknowledged.push(xmid) === 30 + round * 7) kill()
    }
  }
  const ends = await Promise.allSettled([0, 1, 2, 3].map(write))
  for (const end of ends)
    expect(String(end.status === 'rejected' && end.reason)).toMatch(
      /fetch failed|terminated|other side closed|5\d\d/,
    )
  return acknowledged
}

/**
 * Kills a portal in so many rounds, in every other one together with its database; then looks for all it
 * acknowledged.
 */
export async function killInWrites(data: string, rounds: number): Promise<void> {
  const start = () => opened(launch({ DATA_DIR: data, DEMO: '0' }))
  const all: string[] = []
  for (let round = 0; round < rounds; round++) {
    const portal = await start()
    if (round === 0) await portal.call('POST', '/api/v1/masteragent', { name: 'North', parentid: 0 })
    const kept = await writeUntilDeath(portal, round, () => {
      // As when the machine's process table is wiped.
      if (round % 2) process.kill(databasePid(data), 'SIGKILL')
      portal.child.process.kill('SIGKILL')
    })
    await portal.child.ended
    expect(kept.length).toBeGreaterThanOrEqual(30)
    all.push(...kept)
  }

  const portal = await start()
  const found = new Set<unknown>()
  const pages = Math.ceil(Number((await portal.call('GET', '/api/v1/merchant')).body['total_length']) / 100)
  for (let page = 1; page <= pages; page++) {
    const { body } = await portal.call('GET', `/api/v1/merchant?size=100&page=${page}`)
    for (const { xmid } of body['data'] as { xmid: string }[]) found.add(xmid)
  }
  expect(all.filter((xmid) => !found.has(xmid))).toEqual([])
}
