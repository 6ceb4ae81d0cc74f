import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { projectFolder } from '../../../server/config/projectFolder.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { endChildren, run } from '../../fixtures/children.ts'
import { folder, removeFolders } from '../../fixtures/folders.ts'
import { place, removePlaces } from '../backup/places.ts'
import { shapeOf } from '../backup/shape.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 })

afterEach(async () => {
  await endChildren()
  await removePlaces()
  removeFolders()
})

const source = join(projectFolder, 'server/db/migrations')
const files = readdirSync(source).sort()

test('a portal killed with -9 at the end of each migration leaves nothing of it, and the next start goes on at once', async () => {
  const { url, db } = await place('nothing')
  const ran = async () =>
    (await db.query<{ name: string }>('select name from migration order by id')).map(({ name }) => name)
  for (const [at, file] of files.entries()) {
    const partial = folder()
    for (const former of files.slice(0, at)) copyFileSync(join(source, former), join(partial, former))
    const statements = readFileSync(join(source, file), 'utf8')
    writeFileSync(join(partial, file), `${statements}\nselect pg_sleep(600);\n`)
    const before = at === 0 ? [] : await shapeOf(db)
    const child = run('tests/fixtures/migrating.ts', [url, partial])
    await expect
      .poll(
        () =>
          db.query(
            `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
          ),
        { timeout: 60_000 },
      )
      .toHaveLength(1)
    child.process.kill('SIGKILL')
    await child.ended
    copyFileSync(join(source, file), join(partial, file))
    const told = performance.now()
    const former = files.slice(0, at + 1).map((name) => name.replace('.sql', ''))
    if (at > 0) expect(await shapeOf(db)).toEqual(before)
    await migrate(url, partial)
    expect(performance.now() - told).toBeLessThan(60_000)
    expect(await ran()).toEqual(former)
  }
  expect(await shapeOf(db)).toEqual(await shapeOf((await place('tables')).db))
})
