// Chooses which slow files the short run leaves out: those that nothing lately changed can reach, but for the
// part of them whose turn it is at a commit.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root } from '../../server/install.mjs'
import { changedFiles, commitNumber, walks } from './changedWalks.mjs'

/** So many commits in a row run all files of `inTurns`. */
export const turns = 8
/** What changed in so many of the last commits runs at once: they may be checked together. */
const recentCommits = 4

/** What every file depends on: a change of one of these runs all of them. */
const ofAll = ['package-lock.json', 'vite.config.ts', 'vite-plugins/', 'tests/setup/']

const starting = [
  'server/lifecycle.ts',
  'server/main.ts',
  'server/app.ts',
  'server/config/',
  'server/db/postgres/',
]
const paying = ['server/money/', 'server/payouts/', 'server/db/migrations/', 'tests/money/']
const shell = ['src/app/', 'src/parts/', 'src/forms/']

/**
 * The slow files, each with the seconds it takes and, where it goes through more of the portal than it is
 * about, the places a change of which runs it at once, besides those of its flow. A place is a folder or how
 * the names of files begin. A file without places runs when anything changed that it imports.
 */
const slow = [
  ['tests/adding/adding.test.ts', 76, ['README.md']],
  ['tests/browser/happyPaths.test.ts', 57, []],
  ['tests/browser/inspector.test.ts', 27, ['inspector/']],
  ['tests/browser/keyboardTasks.test.ts', 35, []],
  ['tests/browser/readmeWalk.test.ts', 75, ['README.md']],
  ['tests/browser/screens/importsAndTickets.test.ts', 32, []],
  ['tests/browser/screens/months.test.ts', 67, []],
  ['tests/browser/screens/records.test.ts', 60, []],
  ['tests/browser/screens/shell.test.ts', 89, []],
  ['tests/browser/shell.test.ts', 55, shell],
  ['tests/browser/twoTabs.test.ts', 12, ['machines/account/', 'src/api/']],
  ['tests/browser/widget.test.ts', 25, ['machines/widget.machine.ts', ...shell]],
  ['tests/journeys/columns.test.tsx', 18, ['schemas/entities/', 'src/features/entity/']],
  ['tests/journeys/bulk.test.tsx', 8, ['machines/bulk.machine.ts', 'src/features/bulk/', 'server/bulk/']],
  ['tests/journeys/messages.test.tsx', 14, ['schemas/', 'src/features/entity/', 'src/forms/']],
  ['tests/journeys/records.test.tsx', 16, ['schemas/', 'src/features/entity/', 'src/forms/']],
  ['tests/machines/tables.test.ts', 11],
  ['tests/server/backup/backup.test.ts', 18, ['server/backup/', 'server/db/postgres/']],
  ['tests/server/db/postgres.test.ts', 16, ['server/db/postgres/']],
  ['tests/server/db/unresponsive.test.ts', 11, ['server/db/']],
  ['tests/server/drive/google.test.ts', 11, ['server/drive/']],
  ['tests/server/http/fuzz.test.ts', 24, ['server/http/', 'schemas/api/', 'tests/fuzz/']],
  ['tests/server/imports/process/launcher.test.ts', 10, ['server/imports/process/', 'server/jobs/']],
  ['tests/server/imports/process/stopped.test.ts', 11, ['server/imports/process/', 'server/jobs/']],
  ['tests/server/imports/reading/corpus.test.ts', 10],
  ['tests/server/lifecycle/recovery.test.ts', 12, [...starting, 'server/db/']],
  ['tests/server/lifecycle/start.test.ts', 51, [...starting, 'server/start.mjs', 'server/install.mjs']],
  ['tests/server/lists/pages.test.ts', 20, ['server/entities/', 'server/db/', 'schemas/entities/']],
  ['tests/server/lists/plans.test.ts', 30, ['server/']],
  ['tests/server/mail/mail.test.ts', 11, ['server/mail/']],
  ['tests/server/money/checklist.test.ts', 26, paying],
  ['tests/server/money/cockpit.test.ts', 12, paying],
  ['tests/server/money/selfDealingAmounts.test.ts', 12, paying],
  ['tests/server/payouts/approval.test.ts', 13, paying],
  ['tests/server/payouts/duties.test.ts', 11, paying],
  ['tests/server/payouts/kill.test.ts', 11, paying],
  ['tests/server/payouts/pairEmails.test.ts', 16, [...paying, 'server/mail/']],
  ['tests/server/payouts/run.test.ts', 12, paying],
  ['tests/server/payouts/scenarios.test.ts', 45, paying],
  ['tests/server/reports/stopped.test.ts', 23, ['server/reports/engine/', 'server/jobs/', 'server/db/']],
  ['tests/walks/screens/decision.test.tsx', 7, []],
  ['tests/walks/screens/email.test.tsx', 7, []],
  ['tests/walks/screens/imports/upload.test.tsx', 24, []],
  ['tests/walks/screens/list.test.tsx', 21, []],
  ['tests/walks/screens/load.test.tsx', 6, []],
  ['tests/walks/screens/bulk.test.tsx', 15, []],
  ['tests/walks/screens/month.test.tsx', 35, []],
  ['tests/walks/screens/password.test.tsx', 7, []],
  ['tests/walks/screens/record.test.tsx', 27, []],
  ['tests/walks/screens/record/recordKinds.test.tsx', 29, []],
  ['tests/walks/screens/report.test.tsx', 37, []],
  ['tests/walks/screens/session.test.tsx', 17, []],
  ['tests/walks/screens/ticket.test.tsx', 9, []],
  // Rendered screens: those that take longest, and the others with two seconds each.
  ['tests/screens/anywhere/anywhere.test.tsx', 19],
  ['tests/screens/app/guards.test.tsx', 11],
  ['tests/screens/app/portal.test.tsx', 8],
  ['tests/screens/app/shell.test.tsx', 7],
  ['tests/screens/entity/columns.test.tsx', 13],
  ['tests/screens/entity/dialog.test.tsx', 12],
  ['tests/screens/entity/filters.test.tsx', 9],
  ['tests/screens/entity/list.test.tsx', 6],
  ['tests/screens/entity/review.test.tsx', 8],
  ['tests/screens/entity/unsaved.test.tsx', 11],
  ['tests/screens/forms/fields.test.tsx', 9],
]

const screens = readdirSync(join(root, 'tests/screens'), { recursive: true })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .map((name) => [join('tests/screens', name).replaceAll('\\', '/'), 2])

/** The files that come in turns, with the seconds each takes. */
export const inTurns = Object.fromEntries([...screens, ...slow].map(([file, seconds]) => [file, seconds]))
const places = Object.fromEntries(slow.map(([file, , of]) => [file, of]))

/** What makes a file run at once: its own places and those of its flow, or its imports; and what all need. */
export function placesOf(file) {
  const own = places[file]
  if (own === undefined) return [...ofAll, ...allImportsOf(file)]
  const isWalk = file.startsWith('tests/walks/')
  const flow = isWalk && walks.find(({ name }) => file.includes(`/${name}/`) || file.includes(`/${name}.`))
  return [...ofAll, file, ...own, ...(flow ? flow.places : [])]
}

/** A file and all that it imports, directly or through others, by their paths from the project's folder. */
export function allImportsOf(file) {
  const found = new Set([file])
  for (const path of found) for (const imported of importedBy(path)) found.add(imported)
  return [...found]
}

const imported = new Map()

/**
 * The files of the project that one names in its imports, those of types and those that are loaded later
 * among them; a name in a comment counts where it is one. They are found in the text, because a parser takes
 * ten times as long; a test compares the two.
 */
export function importedBy(path) {
  if (!imported.has(path)) imported.set(path, /\.[mc]?[jt]sx?$/.test(path) ? namesIn(path) : [])
  return imported.get(path)
}

function namesIn(path) {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"?]+)/g)]
    .map(([, name]) => posix.join(posix.dirname(path), name))
    .filter((file) => existsSync(join(root, file)))
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
  const changed = await changedFiles(folder, recentCommits)
  if (typeof changed === 'string') return { turn: null, leftOut: [], unknown: changed }
  const commit = commitNumber(folder)
  const git = (...args) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout.split('\n')
  const uncommitted = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '-o', '--exclude-standard')]
  const leftOut = filesLeftOut(commit, [...changed, ...uncommitted.filter(Boolean)])
  return { turn: (commit % turns) + 1, leftOut, unknown: null }
}
