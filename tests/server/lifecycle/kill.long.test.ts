import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { endChildren } from '../../fixtures/children.ts'
import { folderWithDatabase, removeFolders, removeOriginal } from '../../fixtures/folders.ts'
import { killInWrites } from './kills.ts'

vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 240_000 })
afterAll(removeOriginal)
afterEach(async () => {
  await endChildren()
  removeFolders()
})

test('a portal killed with -9 eight times, every other time with its database, has everything it acknowledged', async () => {
  await expect(killInWrites(await folderWithDatabase(), 8)).resolves.toBeUndefined()
})
