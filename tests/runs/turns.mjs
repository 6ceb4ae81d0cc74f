// Divides slow files of the short run that find few faults for their time: each commit runs some of them.
import { spawnSync } from 'node:child_process'
import { root } from '../../server/install.mjs'
import { changedFiles, commitNumber, walks } from './changedWalks.mjs'

/** So many commits in a row run all files of `inTurns`. */
export const turns = 4

/** The files that come in turns, with the seconds each takes. */
export const inTurns = {
  'tests/adding/adding.test.ts': 76,
  'tests/browser/happyPaths.test.ts': 57,
  'tests/browser/inspector.test.ts': 27,
  'tests/browser/keyboardTasks.test.ts': 35,
  'tests/browser/readmeWalk.test.ts': 75,
  'tests/browser/screens/importsAndTickets.test.ts': 32,
  'tests/browser/screens/months.test.ts': 67,
  'tests/browser/screens/records.test.ts': 60,
  'tests/browser/screens/shell.test.ts': 89,
  'tests/walks/screens/decision.test.tsx': 7,
  'tests/walks/screens/email.test.tsx': 7,
  'tests/walks/screens/imports/upload.test.tsx': 24,
  'tests/walks/screens/list.test.tsx': 21,
  'tests/walks/screens/load.test.tsx': 6,
  'tests/walks/screens/many.test.tsx': 15,
  'tests/walks/screens/month.test.tsx': 35,
  'tests/walks/screens/password.test.tsx': 7,
  'tests/walks/screens/record.test.tsx': 27,
  'tests/walks/screens/record/recordKinds.test.tsx': 29,
  'tests/walks/screens/report.test.tsx': 37,
  'tests/walks/screens/session.test.tsx': 17,
  'tests/walks/screens/ticket.test.tsx': 9,
}

/** What makes a file run at once besides its own change: the places of its flow, or what it reads. */
const placesOf = (file) => {
  const flow = walks.find(({ name }) => file.includes(`/${name}/`) || file.includes(`/${name}.`))
  if (file.startsWith('tests/walks/') && flow) return [file, ...flow.places]
  return /adding|readmeWalk/.test(file) ? [file, 'README.md'] : [file]
}

/** The files of each turn: the slowest first, each to the turn that takes the least time so far. */
export function filesByTurn() {
  const parts = Array.from({ length: turns }, () => ({ files: [], time: 0 }))
  for (const [file, time] of Object.entries(inTurns).toSorted(([, a], [, b]) => b - a)) {
    const shortest = parts.toSorted((a, b) => a.time - b.time)[0]
    shortest.files.push(file)
    shortest.time += time
  }
  return parts.map(({ files }) => files)
}

/**
 * The files that a commit leaves to those after it: not of its turn, and nothing they depend on is in
 * `changed`.
 */
export function filesLeftOut(commit, changed) {
  const now = filesByTurn()[commit % turns]
  const isChanged = (file) => placesOf(file).some((place) => changed.some((it) => it.startsWith(place)))
  return Object.keys(inTurns).filter((file) => !now.includes(file) && !isChanged(file))
}

/**
 * The number of the turn of this commit, from 1, and the files that it leaves out; a sentence instead where
 * the commits are not known, and then nothing is left out. A file runs where what it depends on changed
 * in the last four commits or is not committed yet.
 */
export async function turnOfCommit(folder = root) {
  const changed = await changedFiles(folder, turns)
  if (typeof changed === 'string') return { turn: null, leftOut: [], unknown: changed }
  const commit = commitNumber(folder)
  const git = (...args) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout.split('\n')
  const uncommitted = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '-o', '--exclude-standard')]
  const leftOut = filesLeftOut(commit, [...changed, ...uncommitted.filter(Boolean)])
  return { turn: (commit % turns) + 1, leftOut, unknown: null }
}
