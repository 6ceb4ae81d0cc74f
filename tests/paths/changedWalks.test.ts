import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { machineFiles } from '../mbt/machines.ts'
import {
  changedFiles,
  flows,
  journeys,
  pathsOfPart,
  turnOf,
  walkOf,
  walks,
  walksPartVariable,
} from '../runs/changedWalks.mjs'
import { allFilesOf, exists } from '../structure.ts'
import { repository } from './repository.ts'

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

it('a file counts as changed when what runs of it changes', async () => {
  const before = 'const a: number = 1 // One\n/** Adds. */\nexport const add = (b: number) => a + b\n'
  const after = {
    'comment.ts': before.replace('One', 'The first'),
    'width.ts': before.replace('=> a', '=>\n  a'),
    'type.ts': before.replace('a: number', 'a: 1'),
    'number.ts': before.replace('= 1', '= 2'),
    'operator.ts': before.replace('a + b', 'a - b'),
    'broken.ts': `${before}const`,
    'style.css': before,
  }
  const first = Object.fromEntries(Object.keys(after).map((name) => [name, before]))
  const style = (order: number) => ({ 'style.css': `a { order: ${order} }` })
  // 40 commits are looked at: the first one, which adds all files, is not among them.
  const folder = repository(first, after, ...Array.from({ length: 39 }, (_, order) => style(order)))
  expect([...(await changedFiles(folder))].toSorted()).toEqual([
    'broken.ts',
    'number.ts',
    'operator.ts',
    'style.css',
  ])
})

describe('the changed walks', () => {
  const found = (flowsChanged: number) => [
    ...Array.from({ length: flowsChanged }, (_, at) => ({ walk: `flow ${at}` })),
    ...Object.keys(journeys).map((walk) => ({ walk })),
  ]
  it.each([
    [0, 2],
    [1, 3],
    [7, 9],
    [8, 10],
  ])('of %i flows and both journeys are taken by %i commits in a row', (flowsChanged, parts) => {
    const all = found(flowsChanged)
    const turns = Array.from({ length: parts }, (_, commit) => turnOf(all, 1000 + commit))
    expect(new Set(turns.map(({ part }) => part)).size).toBe(parts)
    const walked = turns.flatMap((turn) => turn.found.map(({ walk }) => walk))
    expect(
      Object.fromEntries(all.map(({ walk }) => [walk, walked.filter((it) => it === walk).length])),
    ).toEqual(Object.fromEntries(all.map(({ walk }) => [walk, walk in journeys ? 1 : parts])))
  })

  it.each([1, 2, 3, 4, 9])(
    'with %i paths are walked whole after all parts, at least one path in each',
    (length) => {
      const paths = Array.from({ length }, (_, at) => at)
      const parts = [0, 1, 2, 3].map((turn) => pathsOfPart(paths, `${turn}/4`))
      expect(parts.filter((part) => part.length === 0)).toEqual([])
      expect([...new Set(parts.flat())].toSorted((a, b) => a - b)).toEqual(paths)
    },
  )

  it('take the part that the environment asks for, and all where it asks for none', () => {
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.stubEnv(walksPartVariable, undefined)
    expect(pathsOfPart([1, 2, 3])).toEqual([1, 2, 3])
    vi.stubEnv(walksPartVariable, '1/3')
    expect(pathsOfPart([1, 2, 3])).toEqual([2])
  })
})
