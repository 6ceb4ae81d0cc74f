import { expect, it } from 'vitest'
import { flows, journeys, walkOf, walks } from '../changedWalks.mjs'
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

const allFiles = [...files, ...['server', 'tests'].flatMap(allFilesOf)]

it.each(Object.entries(journeys))('the journey %s depends on files and flows that exist', (walk, journey) => {
  expect([walk, ...journey.files].filter((path) => !allFiles.some((file) => file.startsWith(path)))).toEqual(
    [],
  )
  expect(journey.flows.filter((name) => !(name in flows))).toEqual([])
})

it('each long test in Chromium is walked when the files of a flow or a journey change', () => {
  const long = allFiles.filter((file) => /^tests\/browser\/.+\.long\.test\.ts$/.test(file))
  expect(long.length).toBeGreaterThan(0)
  expect(
    long.filter((file) => !walks.some(({ walk, places }) => walk === file && places.length > 1)),
  ).toEqual([])
})

it('every machine but the widget belongs to a flow', async () => {
  const named = Object.values(flows).flat()
  const missing = (await machineFiles()).filter(({ path }) => !named.includes(path))
  expect(missing.map(({ name }) => name)).toEqual(['widget'])
})
