import { expect, it } from 'vitest'
import { flows, walkOf } from '../changedWalks.mjs'
import { machineFiles } from '../mbt/machines.ts'
import { allFilesOf, exists } from '../structure.ts'

const files = ['src', 'machines'].flatMap(allFilesOf)

it.each(Object.entries(flows))(
  'the flow %s names files that exist, and has a model and a walk',
  (name, paths) => {
    expect(paths.filter((path) => !files.some((file) => file.startsWith(path)))).toEqual([])
    expect([`tests/models/${name}/model.ts`, walkOf(name)].filter((it) => !exists(it))).toEqual([])
  },
)

it('every machine but the widget belongs to a flow', async () => {
  const named = Object.values(flows).flat()
  const missing = (await machineFiles()).filter(({ path }) => !named.includes(path))
  expect(missing.map(({ name }) => name)).toEqual(['widget'])
})
