import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { listBackups, makeBackup } from '../../../server/backup/backup.ts'
import { rehearse } from '../../../server/backup/rehearse.ts'
import { restoreBackup } from '../../../server/backup/restore.ts'
import { snapshotHash } from '../../../server/money/snapshot.ts'
import { endChildren, run } from '../../fixtures/children.ts'
import { folder, folderWithDatabase, removeFolders, removeOriginal } from '../../fixtures/folders.ts'
import { launch, opened } from '../../fixtures/portal.ts'
import { testSecret } from '../../setup/postgres.ts'
import { openTestPortal } from '../../testPortal.ts'
import { contentOf, pairsOf, pairWriter, place, removePairs, removePlaces } from './places.ts'
import { shapeOf } from './shape.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

afterEach(async () => {
  await endChildren()
  await removePlaces()
  removeFolders()
})
afterAll(removeOriginal)

test('the demo portal under writes is backed up, restored elsewhere with every row, and every lock adds up to its hash', async () => {
  const portal = await openTestPortal()
  const writer = pairWriter(portal.db)
  await expect.poll(() => writer.written()).toBeGreaterThan(0)
  const { file } = await makeBackup(portal.db, {
    folder: folder(),
    keep: null,
    passphrase: null,
    drive: null,
    inbox: null,
  })
  await writer.stop()
  const { db } = await place('nothing')
  await restoreBackup(db, { file, passphrase: null, replace: false, drive: null, inbox: null })
  const pairs = await pairsOf(db)
  expect(pairs.a).toBe(pairs.b)
  for (const one of [db, portal.db]) await removePairs(one)
  expect(await contentOf(db)).toEqual(await contentOf(portal.db))
  expect(await shapeOf(db)).toEqual(await shapeOf(portal.db))
  const locks = await db.query<{ id: number; hash: string }>('select id, hash from month_lock')
  expect(locks.length).toBe(24)
  for (const { id, hash } of locks) expect(await snapshotHash(db, id)).toBe(hash)
  expect(await rehearse(portal, { file, passphrase: null, secret: testSecret })).toMatchObject({
    months: 24,
    unreadable: [],
    fault: null,
  })
  await portal.close()
})

test('npm run backup, rehearse and restore: of a running portal, encrypted, and into another folder', async () => {
  const data = await folderWithDatabase()
  const portal = await opened(launch({ DATA_DIR: data, DEMO: '0' }))
  await portal.call('POST', '/api/v1/masteragent', { name: 'North', parentid: 0 })
  mkdirSync(join(data, 'drive'), { recursive: true })
  writeFileSync(join(data, 'drive', 'list.txt'), 'a list')
  const word = join(folder(), 'passphrase')
  writeFileSync(word, 'seven small brown foxes\n')
  const env = { DATA_DIR: data, BACKUP_PASSPHRASE_FILE: word }
  const command = async (words: string[], more: Record<string, string> = {}) => {
    const child = run('server/backup/command.ts', words, { ...env, ...more })
    return { code: await child.ended, said: child.said(), complained: child.complained() }
  }

  expect(await command(['backup', '--keep', '2'])).toMatchObject({
    code: 0,
    said: expect.stringMatching(
      /^Backed up \d+ rows, 1 files of the drive and 0 of the inbox into .*backups\/portal-/,
    ),
  })
  expect(await command(['rehearse'])).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^Rehearsed portal-.*: \d+ rows and 0 locks are as they were\n$/),
  })
  const [name] = await listBackups(join(data, 'backups'))
  const file = join(data, 'backups', name!)
  expect(await command(['restore', file, '--replace'])).toMatchObject({
    code: 1,
    complained: expect.stringContaining('is already open in another process'),
  })

  const other = folder()
  const foreign = { DATA_DIR: other, SECRET_KEY: 'ab'.repeat(32) }
  expect((await command(['restore', file], foreign)).complained).toMatch(
    /^The backup .* is of another portal: it was written with the secret key [0-9a-f]{16}, and the one here is /,
  )
  expect(await command(['restore', file], { DATA_DIR: other })).toMatchObject({
    code: 0,
    said: expect.stringMatching(
      /^Restored .*\nPayouts .*\nBefore the portal is started, put its secret key \([0-9a-f]{16}\)/,
    ),
  })
  cpSync(join(data, 'secret.key'), join(other, 'secret.key'))
  const restored = await opened(launch({ DATA_DIR: other, DEMO: '0' }))
  const agents = await restored.call('GET', '/api/v1/masteragent')
  expect(agents.body['data']).toMatchObject([{ name: 'North' }])
  expect((await restored.call('GET', '/api/v2/drive')).body['data']).toMatchObject([{ name: 'list.txt' }])
})
