import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { portfolioCsv } from '../../files/portfolio.ts'
import { endChildren } from '../../fixtures/children.ts'
import { folderWithDatabase, removeFolders, removeOriginal } from '../../fixtures/folders.ts'
import { launch, opened, type RunningPortal } from '../../fixtures/portal.ts'

/** The suite kills a few small imports; `IMPORT_KILLS=20 IMPORT_KILL_ROWS=200000` is the whole proof. */
const kills = Number(process.env['IMPORT_KILLS'] ?? 3)
const rows = Number(process.env['IMPORT_KILL_ROWS'] ?? 10_000)

const isProof = process.env['IMPORT_KILLS'] !== undefined

vi.setConfig({ testTimeout: 60_000 + 3 * kills * (30_000 + rows) })
afterAll(removeOriginal)
afterEach(async () => {
  await endChildren()
  removeFolders()
})

/** Sends a file of merchants that no other number's file holds. */
async function send(
  portal: RunningPortal,
  number: number,
  query = '',
): Promise<{ status: number; body: Record<string, unknown> }> {
  const form = new FormData()
  form.append('file', new Blob([...portfolioCsv(rows, number * rows)]), `merchants ${number}.csv`)
  const reply = await fetch(`${portal.url}/api/v1/file/merchant${query}`, {
    method: 'POST',
    headers: portal.headers(),
    body: form,
  })
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
}
const lengthOf = async (portal: RunningPortal, path: string) =>
  Number((await portal.call('GET', path)).body['total_length'])
const stored = async (portal: RunningPortal) => ({
  merchants: await lengthOf(portal, '/api/v1/merchant'),
  batches: await lengthOf(portal, '/api/v1/file/merchant/history?page=1&size=10'),
})

test('a portal killed with -9 in the middle of an import has stored all of the file or nothing, and imports again', async () => {
  const data = await folderWithDatabase()
  const start = () => opened(launch({ DATA_DIR: data, DEMO: '1' }))
  let portal = await start()
  const began = performance.now()
  expect(await send(portal, 0, '?dryrun=1')).toMatchObject({ status: 200, body: { inserted: rows } })
  // What a busy machine took for the first it may not need for the next: an answer before the kill says how long it takes now.
  let took = performance.now() - began
  let before = await stored(portal)
  const ends: string[] = []

  for (let round = 1; round <= kills || (round <= 3 * kills && !ends.includes('nothing')); round += 1) {
    const sent = performance.now()
    const sending = send(portal, round)
      .then((reply) => {
        took = Math.min(took, performance.now() - sent)
        return reply
      })
      .catch(() => null)
    // Spread over the import, and a little beyond what a dry run takes, for that one stores nothing.
    await new Promise((resolve) => setTimeout(resolve, (took * 1.5 * (((round - 1) % kills) + 1)) / kills))
    portal.child.process.kill('SIGKILL')
    const answered = (await sending)?.status === 200
    await portal.child.ended
    portal = await start()
    const now = await stored(portal)
    const whole = { merchants: before.merchants + rows, batches: before.batches + 1 }
    expect([before, whole]).toContainEqual(now)
    if (answered) expect(now).toEqual(whole)
    expect(readdirSync(join(data, 'tmp'))).toEqual([])
    ends.push(now.merchants === before.merchants ? 'nothing' : answered ? 'answered' : 'all')
    if (isProof)
      process.stdout.write(
        `kill ${round} of ${kills}, ${rows} rows, a dry run took ${Math.round(took)} ms: ${ends.at(-1)} stored\n`,
      )
    before = now
  }
  // Otherwise no kill fell into an import.
  expect(ends).toContain('nothing')

  expect(await send(portal, 3 * kills + 1)).toMatchObject({
    status: 200,
    body: { inserted: rows, updated: 0, unchanged: 0 },
  })
  expect((await stored(portal)).merchants).toBe(before.merchants + rows)
})
