import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { importMerchants, reachesPhase } from '../../fixtures/imports.ts'
import { launch, opened, type RunningPortal } from '../../fixtures/portal.ts'

const lengthOf = async (portal: RunningPortal, path: string) =>
  Number((await portal.call('GET', path)).body['total_length'])
const stored = async (portal: RunningPortal) => ({
  merchants: await lengthOf(portal, '/api/v1/merchant'),
  batches: await lengthOf(portal, '/api/v1/file/merchant/history?page=1&size=10'),
})

/**
 * Kills a portal in an import once for each of these phases; at least one kill must fall into an import. Each
 * time all of the file is stored or nothing, and in the end a file can be imported.
 */
export async function killInImports(data: string, phases: readonly string[], rows: number): Promise<void> {
  const start = () => opened(launch({ DATA_DIR: data, DEMO: '1' }))
  let portal = await start()
  let before = await stored(portal)
  const ends: string[] = []
  for (const [round, phase] of phases.entries()) {
    const job = randomUUID()
    const sending = importMerchants(portal, rows, round, job)
    await reachesPhase(portal, job, phase, sending)
    portal.child.process.kill('SIGKILL')
    const answered = (await sending)?.status === 200
    await portal.child.ended
    portal = await start()
    const now = await stored(portal)
    const whole = { merchants: before.merchants + rows, batches: before.batches + 1 }
    expect([before, whole]).toContainEqual(now)
    if (answered) expect(now).toEqual(whole)
    expect(readdirSync(join(data, 'tmp'))).toEqual([])
    ends.push(now.merchants === before.merchants ? 'nothing' : 'all')
    before = now
  }
  // Otherwise no kill fell into an import.
  expect(ends).toContain('nothing')
  expect(await importMerchants(portal, rows, phases.length)).toMatchObject({
    status: 200,
    body: { inserted: rows, updated: 0, unchanged: 0 },
  })
  expect((await stored(portal)).merchants).toBe(before.merchants + rows)
}
