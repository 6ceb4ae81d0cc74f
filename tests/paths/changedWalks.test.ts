import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { changedFiles, flows, journeys, walkOf, walks } from '../changedWalks.mjs'
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

/** Makes a repository with a commit a list of files, and returns its folder. */
function repository(...commits: Record<string, string>[]) {
  const folder = mkdtempSync(join(tmpdir(), 'portal-commits-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
    const { status, stderr } = spawnSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' })
    expect(status, stderr).toBe(0)
  }
  git('init', '--quiet')
  for (const files of commits) {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    git('add', '.')
    git('commit', '--quiet', '--message', 'change')
  }
  return folder
}

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
