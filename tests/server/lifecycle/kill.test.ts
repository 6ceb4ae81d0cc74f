import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { endChildren } from '../../fixtures/children.ts'
import { folderWithDatabase, removeFolders, removeOriginal } from '../../fixtures/folders.ts'
import { killInWrites } from './kills.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })
afterAll(removeOriginal)
afterEach(async () => {
  await endChildren()
  removeFolders()
})

test('a portal killed with -9 in the middle of writes opens again on the same folder with everything it acknowledged', async () => {
  await expect(killInWrites(await folderWithDatabase(), 2)).resolves.toBeUndefined()
})
