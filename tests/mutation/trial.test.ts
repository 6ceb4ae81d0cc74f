import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Lane } from './lanes.ts'
import { mutantsOf } from './operators/operators.ts'
import type { Selection } from './selection.ts'
import { read } from './tree.ts'
import { tryMutant } from './trial.ts'

const file = 'src/limit.ts'
const files: Record<string, string> = {
  'package.json': '{ "type": "module" }',
  [file]: 'export const isAllowed = (count: number) => count < 10\n',
  'vitest.config.ts': `export default { test: { projects: [{ test: { name: 'all', include: ['*.test.ts'] } }] } }\n`,
  'weak.test.ts': testOf('expect(isAllowed(9)).toBe(true)\n  expect(isAllowed(11)).toBe(false)'),
  'strong.test.ts': testOf('expect(isAllowed(10)).toBe(false)'),
}

function testOf(body: string): string {
  return `import { expect, it } from 'vitest'\nimport { isAllowed } from './${file}'\nit('knows the limit', () => {\n  ${body}\n})\n`
}

const root = mkdtempSync(join(tmpdir(), 'mutants-'))
const lane = new Lane({ root, temporary: join(root, 'temporary'), config: join(root, 'vitest.config.ts') })

beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(root, 'node_modules'))
  await lane.testFiles()
})

afterAll(async () => {
  await lane.close()
  rmSync(root, { recursive: true, force: true })
})

const [mutant] = mutantsOf(file, files[file]!)
const by = (test: string): Selection => ({
  tried: [{ file: test, project: 'all', seconds: 1, passed: 1, failure: null, hash: '', hits: {} }],
  left: [],
  isInSetup: false,
})

it('says that a weak test lets a fault survive', async () => {
  expect(mutant!.after).toBe('count <= 10')
  expect(await tryMutant(lane, mutant!, by('weak.test.ts'), false)).toMatchObject({
    outcome: 'survived',
    tried: ['weak.test.ts'],
  })
})

it('says that a strong test catches a fault, and leaves the file as it was', async () => {
  expect(await tryMutant(lane, mutant!, by('strong.test.ts'), false)).toMatchObject({
    outcome: 'failed',
    by: expect.stringMatching(/^strong\.test\.ts: knows the limit: expected true to be false/) as string,
  })
  expect(read(root, file)).toBe(files[file])
})

it('says of a fault that no test runs that it is not covered', async () => {
  expect(await tryMutant(lane, mutant!, { tried: [], left: [], isInSetup: false }, false)).toMatchObject({
    outcome: 'not covered',
  })
})
