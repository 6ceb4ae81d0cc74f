import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { endChildren } from '../../fixtures/children.ts'
import { folderWithDatabase, removeFolders, removeOriginal } from '../../fixtures/folders.ts'
import { killInImports } from './kills.ts'

const phases = Array.from({ length: 5 }, () => ['reading', 'checking', 'storing']).flat()

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 240_000 })
afterAll(removeOriginal)
afterEach(async () => {
  await endChildren()
  removeFolders()
})

test('a portal killed with -9 in every phase of an import, five times each, has stored all of the file or nothing', async () => {
  await expect(killInImports(await folderWithDatabase(), phases, 200_000)).resolves.toBeUndefined()
})
