import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { endChildren } from '../../fixtures/children.ts'
import { folderWithDatabase, removeFolders, removeOriginal } from '../../fixtures/folders.ts'
import { killInImports } from './kills.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })
afterAll(removeOriginal)
afterEach(async () => {
  await endChildren()
  removeFolders()
})

test('a portal killed with -9 in the middle of an import has stored all of the file or nothing, and imports again', async () => {
  await expect(killInImports(await folderWithDatabase(), ['storing'], 10_000)).resolves.toBeUndefined()
})
