// Finds the flows whose machine, model or screens changed lately: `.ci/run` walks them in Chromium too.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../server/install.mjs'

/** Has the paths, with commas, of the walks that `.ci/run` adds to the project `browser` of `npm test`. */
export const changedWalksVariable = 'CHANGED_WALKS'
/** Has the part of each walk in Chromium that such a run takes, as `0/3`: the first of three. */
export const walksPartVariable = 'WALKS_PART'

/**
 * The files each flow depends on, besides its own in tests/models and tests/walks; a path is a folder or how
 * the names of files begin. The machine `widget` is not among them: it has no flow, and
 * tests/browser/widget.test.ts runs it in Chromium every time.
 */
export const flows = {
  drive: ['machines/download.machine.ts', 'src/features/drive/'],
  email: ['machines/account/verification.machine.ts', 'src/app/shell/Email', 'src/app/shell/SupportCard.tsx'],
  failure: ['machines/failure.machine.ts', 'src/app/shell/ErrorDialog.tsx', 'src/api/failure.ts'],
  find: ['machines/find.machine.ts', 'src/app/anywhere/'],
  inbox: ['machines/inbox/inbox.machine.ts', 'src/features/inbox/'],
  list: [
    'machines/list.machine.ts',
    'src/features/entity/EntityList.tsx',
    'src/features/entity/address.ts',
    'src/features/entity/list.ts',
    'src/parts/table/Pager.tsx',
    'src/parts/SearchBox.tsx',
  ],
  decision: ['machines/decision.machine.ts', 'src/features/entity/record/RecordReview.tsx'],
  bulk: ['machines/bulk.machine.ts', 'src/features/bulk/', 'src/parts/table/Checks.tsx'],
  mapping: ['machines/mapping.machine.ts', 'src/features/imports/mapping/'],
  month: ['machines/month.machine.ts', 'src/features/payouts/', 'src/api/provide/fetched/payouts.ts'],
  load: ['machines/load.machine.ts', 'src/features/home/', 'src/app/shell/TermsDialog.tsx'],
  password: ['machines/account/password.machine.ts', 'src/app/shell/Password'],
  record: [
    'machines/modal.machine.ts',
    'src/features/entity/record/',
    'src/parts/unsaved/',
    'src/forms/EntityForm.tsx',
  ],
  report: ['machines/report.machine.ts', 'src/features/reports/', 'src/forms/reportInputs.ts'],
  session: [
    'machines/account/session.machine.ts',
    'src/features/login/',
    'src/app/guards.tsx',
    'src/api/sessionClient.ts',
    'src/api/storedSession.ts',
    'src/api/http.ts',
  ],
  ticket: ['machines/ticket.machine.ts', 'src/features/tickets/'],
  undo: [
    'machines/undo.machine.ts',
    'src/features/imports/ImportHistory.tsx',
    'src/features/imports/ImportBatch.tsx',
  ],
  upload: ['machines/upload.machine.ts', 'src/features/imports/', 'src/parts/FilePicker.tsx'],
}

const monthJourney = {
  flows: ['inbox', 'mapping', 'month', 'upload'],
  files: ['server/imports/', 'server/inbox/', 'server/money/', 'server/payouts/', 'tests/month/'],
}

/**
 * Tests of the long run that go through several flows, with what they depend on besides their own file and
 * these flows.
 */
export const journeys = {
  'tests/browser/month.long.test.ts': monthJourney,
  'tests/browser/unseenMonth.long.test.ts': monthJourney,
}

/** Where a flow is walked in Chromium. */
export const walkOf = (name) => {
  const walk = (folder) => `tests/walks/chromium/${folder}${name}.test.ts`
  return existsSync(join(root, walk('imports/'))) ? walk('imports/') : walk('')
}

/** What each walk depends on, by the file of the walk: `name` is the flow, or the journey's own file. */
export const walks = [
  ...Object.entries(flows).map(([name, files]) => ({
    name,
    walk: walkOf(name),
    places: [...files, `tests/models/${name}/`, walkOf(name)],
  })),
  ...Object.entries(journeys).map(([walk, { flows: names, files }]) => ({
    name: walk,
    walk,
    places: [walk, ...files, ...names.flatMap((name) => flows[name])],
  })),
]

/**
 * The walks whose files changed, each with these files, and the part of each that this commit takes; or a
 * sentence why that cannot be known.
 */
export async function changedWalks() {
  const changed = await changedFiles(root)
  if (typeof changed === 'string') return { found: [], part: '0/1', unknown: changed }
  const found = walks
    .map(({ name, walk, places }) => ({
      name,
      walk,
      because: changed.filter((file) => places.some((place) => file.startsWith(place))),
    }))
    .filter(({ because }) => because.length > 0)
  return { ...turnOf(found, commitNumber(root)), unknown: null }
}

/**
 * The part of the changed walks whose turn it is at a commit, by its number: as many commits in a row as
 * flows and journeys changed take all of them, so a run takes about as long as one whole walk. Of a flow
 * that is some of its paths, of the journeys one at a time.
 */
export function turnOf(found, commit) {
  const parts = Math.max(1, found.length)
  const turn = commit % parts
  const changedJourneys = found.filter(({ walk }) => walk in journeys)
  const isLater = (it) => changedJourneys.includes(it) && changedJourneys.indexOf(it) % parts !== turn
  return { found: found.filter((it) => !isLater(it)), part: `${turn}/${parts}` }
}

/** Of a flow's paths those of the part that is asked for, at least one; all where none is. */
export function pathsOfPart(paths, part = process.env[walksPartVariable] ?? '0/1') {
  const [turn, parts] = part.split('/').map(Number)
  const steps = Math.min(parts, paths.length)
  return paths.filter((_, at) => at % steps === turn % steps)
}

/** The number of commits up to the one that is checked out; NaN where there is no git history. */
export function commitNumber(folder) {
  const { status, stdout } = spawnSync('git', ['rev-list', '--count', 'HEAD'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return status === 0 ? Number(stdout) : NaN
}

/**
 * The files in which the last commits of a repository change what runs, or a sentence why that cannot be
 * known. A file that a commit only moves, or in which it changes only comments, types or the width of lines,
 * does not count; of a merge those count that differ from both sides.
 */
export async function changedFiles(folder, commits = 40) {
  const git = (...args) => spawnSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 })
  const count = commitNumber(folder)
  if (Number.isNaN(count)) return 'there is no git history here'
  if (count <= commits && git('rev-parse', '--is-shallow-repository').stdout.trim() === 'true')
    return `this clone holds only ${count} commits of the history`
  const { status, stdout, stderr } = git(
    'log',
    `-${commits}`,
    '--format=',
    '--raw',
    '--no-abbrev',
    '-M',
    '-l0',
    '-c',
  )
  if (status !== 0) return `git could not list the last ${commits} commits: ${stderr.trim()}`
  const running = await runningCode((object) => git('cat-file', 'blob', object).stdout)
  const changed = new Set()
  for (const { file, before, after } of stdout.split('\n').filter(Boolean).map(parseRawLine)) {
    if (changed.has(file)) continue
    const [now, ...then] = await Promise.all([after, ...before].map((object) => running(file, object)))
    if (then.every((code) => code !== now)) changed.add(file)
  }
  return [...changed]
}

/**
 * Returns the file, its contents before (one a parent) and its contents after a line of `git log --raw`:
 * colons and modes, one a parent and one after, the ids of the contents in the same order, then the names.
 */
function parseRawLine(line) {
  const [numbers, ...names] = line.split('\t')
  const parents = numbers.match(/^:+/)[0].length
  const objects = numbers.split(' ').slice(parents + 1, -1)
  return { file: names.at(-1), before: objects.slice(0, parents), after: objects.at(-1) }
}

/**
 * Returns a function that gives what runs of a file's stored content, equal for contents that run alike;
 * `read` gives the content by its id.
 */
async function runningCode(read) {
  const { minifySync, transformWithOxc } = await import('vite')
  const known = new Map()
  return (file, object) => {
    const isCode = !/^0+$/.test(object) && /\.tsx?$/.test(file)
    if (isCode && !known.has(object)) known.set(object, codeOf(file, read(object)))
    return isCode ? known.get(object) : object
  }
  async function codeOf(file, text) {
    try {
      const { code } = await transformWithOxc(text, file, { sourcemap: false })
      return minifySync(file, code, { compress: false, mangle: false }).code
    } catch {
      // A content that does not compile is compared as it stands.
      return text
    }
  }
}
