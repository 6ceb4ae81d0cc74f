import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  filesByTurn,
  filesLeftOut,
  allImportsOf,
  inTurns,
  placesOf,
  turnOfCommit,
  turns,
} from '../runs/turns.mjs'
import { exists } from '../structure.ts'
import { repository } from './repository.ts'

const files = Object.keys(inTurns)
const commits = Array.from({ length: turns }, (_, at) => 1000 + at)

describe('the slow files of the short run', () => {
  it('are there', () => {
    expect(files.filter((file) => !exists(file))).toEqual([])
  })

  it('depend on places that are there', () => {
    const tracked = spawnSync('git', ['ls-files'], { encoding: 'utf8', maxBuffer: 2 ** 28 }).stdout.split(
      '\n',
    )
    const isThere = (place: string) => tracked.some((file) => file.startsWith(place))
    expect(files.flatMap(placesOf).filter((place) => !isThere(place))).toEqual([])
  })

  it('are each run by one of eight commits in a row, when nothing they depend on changed', () => {
    const run = commits.flatMap((commit) => {
      const leftOut = filesLeftOut(commit, ['bench/run.ts', 'docs/qa.md'])
      return files.filter((file) => !leftOut.includes(file))
    })
    expect(run.toSorted()).toEqual(files.toSorted())
  })

  it('take about as long in every turn', () => {
    const times = filesByTurn().map((turn) => turn.reduce((sum, file) => sum + inTurns[file]!, 0))
    expect(Math.max(...times) / Math.min(...times)).toBeLessThan(1.15)
  })

  it.each([
    ['tests/walks/screens/month.test.tsx', 'machines/month.machine.ts'],
    ['tests/walks/screens/month.test.tsx', 'src/features/payouts/PayoutPage.tsx'],
    ['tests/walks/screens/month.test.tsx', 'tests/models/month/steps.ts'],
    ['tests/walks/screens/record/recordKinds.test.tsx', 'machines/modal.machine.ts'],
    ['tests/walks/screens/imports/upload.test.tsx', 'src/parts/FilePicker.tsx'],
    ['tests/browser/readmeWalk.test.ts', 'README.md'],
    ['tests/adding/adding.test.ts', 'README.md'],
    ['tests/browser/screens/shell.test.ts', 'tests/browser/screens/shell.test.ts'],
    ['tests/screens/payouts/payoutsPage.test.tsx', 'src/features/payouts/DifferenceList.tsx'],
    ['tests/screens/entity/dialog.test.tsx', 'src/forms/widgets/picker/records.ts'],
    ['tests/machines/tables.test.ts', 'tests/spec/month.table.ts'],
    ['tests/server/lifecycle/start.test.ts', 'server/db/postgres/lock.ts'],
    ['tests/server/payouts/scenarios.test.ts', 'server/money/lock.ts'],
    ['tests/browser/widget.test.ts', 'package-lock.json'],
    ['tests/journeys/records.test.tsx', 'tests/setup/journey.ts'],
  ])('%s runs at each commit after %s changed', (file, changed) => {
    expect(commits.filter((commit) => filesLeftOut(commit, []).includes(file))).toHaveLength(turns - 1)
    expect(commits.filter((commit) => filesLeftOut(commit, [changed]).includes(file))).toEqual([])
  })

  it('are left out when only a screen changed that they do not import', () => {
    const leftOut = commits.map((commit) => filesLeftOut(commit, ['src/features/drive/DriveTree.tsx']))
    const runs = (file: string) => leftOut.filter((files) => !files.includes(file)).length
    expect(runs('tests/screens/tickets/fields.test.tsx')).toBe(1)
    expect(runs('tests/screens/drive/treeKeys.test.tsx')).toBe(turns)
  })

  it('that are rendered screens depend on all that they import, styles and what is loaded later among it', () => {
    const imports = allImportsOf('tests/screens/app/portal.test.tsx')
    const named = [
      'src/features/bulk/bulk.css',
      'src/features/month/MonthDialog.tsx',
      'machines/load.machine.ts',
    ]
    expect(imports).toEqual(expect.arrayContaining(named))
    expect(imports.filter((path) => path.startsWith('server/'))).toEqual([])
  })
})

describe('the turn of a commit', () => {
  it('is told by the number of commits, and a change that is not committed runs what depends on it', async () => {
    const folder = repository({ 'README.md': 'One' }, ...commits.map((at) => ({ 'a.txt': `${at}` })))
    const before = await turnOfCommit(folder)
    expect(before).toEqual({
      turn: ((commits.length + 1) % turns) + 1,
      leftOut: filesLeftOut(commits.length + 1, []),
      unknown: null,
    })
    expect(before.leftOut).toContain('tests/browser/readmeWalk.test.ts')
    writeFileSync(join(folder, 'README.md'), 'Two')
    const after = await turnOfCommit(folder)
    expect(after.leftOut).not.toContain('tests/browser/readmeWalk.test.ts')
  })

  it('is unknown where there is no history, and nothing is left out', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-no-history-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    expect(await turnOfCommit(folder)).toEqual({
      turn: null,
      leftOut: [],
      unknown: 'there is no git history here',
    })
  })
})
