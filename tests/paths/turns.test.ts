import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { filesByTurn, filesLeftOut, inTurns, turnOfCommit, turns } from '../runs/turns.mjs'
import { exists } from '../structure.ts'
import { repository } from './repository.ts'

const files = Object.keys(inTurns)
const commits = Array.from({ length: turns }, (_, at) => 1000 + at)

describe('the slow files of the short run', () => {
  it('are there', () => {
    expect(files.filter((file) => !exists(file))).toEqual([])
  })

  it('are each run by one of four commits in a row, when nothing they depend on changed', () => {
    const run = commits.flatMap((commit) => {
      const leftOut = filesLeftOut(commit, ['server/main.ts', 'docs/qa.md'])
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
  ])('%s runs at each commit after %s changed', (file, changed) => {
    expect(commits.filter((commit) => filesLeftOut(commit, []).includes(file))).toHaveLength(turns - 1)
    expect(commits.filter((commit) => filesLeftOut(commit, [changed]).includes(file))).toEqual([])
  })
})

describe('the turn of a commit', () => {
  it('is told by the number of commits, and a change that is not committed runs what depends on it', async () => {
    const folder = repository({ 'README.md': 'One' }, ...commits.map((at) => ({ 'a.txt': `${at}` })))
    const before = await turnOfCommit(folder)
    expect(before).toEqual({ turn: 2, leftOut: filesLeftOut(5, []), unknown: null })
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
