import { createVitest, type TestModule, type TestSpecification, type Vitest } from 'vitest/node'

/**
 * A process that runs test files in one copy of the project, again and again: Vite's server, its transformed
 * modules and the database of the global setup stay; every run has a new worker. Told by messages from
 * lanes.ts.
 */
export type Asked =
  | { ask: 'setup' }
  | { ask: 'files' }
  | { ask: 'run'; files: readonly TestFile[]; seconds: number }
  | { ask: 'forget'; path: string }
  | { ask: 'close' }
export type TestFile = { file: string; project: string }
/** `passed` counts tests. */
type FileResult = TestFile & { isPassed: boolean; passed: number; failure: string | null }
export type RunResult = { files: FileResult[]; error: string | null; isLate: boolean }

const [root, config, recordAs] = process.argv.slice(2) as [string, string, string?]
if (recordAs) Object.assign(globalThis, { __recordAs: recordAs })

/** Test files run in the order they are asked for. */
class Sequencer {
  sort(files: TestSpecification[]) {
    return files
  }
  shard(files: TestSpecification[]) {
    return files
  }
}

const vitest: Vitest = await createVitest(
  'test',
  {
    root,
    config,
    watch: false,
    run: true,
    silent: true,
    bail: 1,
    update: false,
    reporters: [{}],
    sequence: { sequencer: Sequencer as never },
  },
  { logLevel: 'error' },
)
const specifications = new Map(
  (await vitest.globTestSpecifications()).map((it) => [keyOf(it.project.name, pathOf(it.moduleId)), it]),
)

function keyOf(project: string, file: string): string {
  return `${project} ${file}`
}

function pathOf(id: string): string {
  return id.slice(root.length + 1)
}

function resultOf(module: TestModule): FileResult {
  const [failed] = module.children.allTests('failed')
  const errors = [
    ...(failed?.result()?.errors ?? []),
    ...module.errors(),
    ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
  ]
  const name = failed?.fullName ?? 'outside of any test'
  return {
    file: pathOf(module.moduleId),
    project: module.project.name,
    isPassed: module.ok(),
    passed: [...module.children.allTests('passed')].length,
    failure: module.ok() ? null : `${name}: ${errors[0]?.message.split('\n')[0] ?? 'failed'}`,
  }
}

async function run(files: readonly TestFile[], seconds: number): Promise<RunResult> {
  const deadline = Date.now() + seconds * 1000
  process.env['MUTANT_DEADLINE'] = String(deadline)
  // Vitest counts failures over all runs: those of an earlier fault would stop this run.
  vitest.state.filesMap.clear()
  vitest.state.idMap.clear()
  const wanted = files.map(({ file, project }) => specifications.get(keyOf(project, file))!)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(wanted)
  const [error] = unhandledErrors as { message?: string }[]
  return {
    files: testModules.map(resultOf),
    error: error ? (error.message ?? String(error)) : null,
    isLate: Date.now() >= deadline,
  }
}

/**
 * A changed file is read anew, and so is every module that a plugin makes from files (its id has a query).
 */
function forget(path: string) {
  vitest.invalidateFile(path)
  for (const { vite } of vitest.projects) {
    for (const { moduleGraph } of Object.values(vite.environments)) {
      for (const [id, module] of moduleGraph.idToModuleMap)
        if (id.includes('?') && !id.includes('/node_modules/')) moduleGraph.invalidateModule(module)
    }
  }
}

/** What Vitest does before its first run: here it must be done before any file is changed. */
type Setup = { initializeGlobalSetup(specifications: TestSpecification[]): Promise<void> }

async function answer(asked: Asked): Promise<unknown> {
  if (asked.ask === 'setup')
    return (vitest as unknown as Setup).initializeGlobalSetup([...specifications.values()])
  if (asked.ask === 'files')
    return [...specifications.values()].map((it): TestFile => ({
      file: pathOf(it.moduleId),
      project: it.project.name,
    }))
  if (asked.ask === 'run') return run(asked.files, asked.seconds)
  if (asked.ask === 'forget') return forget(asked.path)
  await vitest.close()
  setImmediate(() => process.exit(0))
  return null
}

process.on('message', (asked: Asked) => {
  answer(asked).then(
    (value) => process.send!({ value }),
    (error: Error) => process.send!({ error: error.stack ?? String(error) }),
  )
})
// Ending with `exit` lets the database notice and stop.
process.on('disconnect', () => process.exit(1))
process.on('SIGTERM', () => process.exit(1))
// Ctrl-C in a terminal goes to every process: the first of them ends the others in order.
process.on('SIGINT', () => {})
