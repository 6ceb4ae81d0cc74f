import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { projectFolder } from '../../server/config/projectFolder.ts'
import { additions, applyEdit, type Edit } from './additions.ts'

const run = promisify(execFile)
const here = (path: string) => join(projectFolder, path)
const names = Object.keys(additions)
const [vitest, tsc] = ['node_modules/vitest/vitest.mjs', 'node_modules/typescript/bin/tsc'] as const

/** The steps under a heading of README. */
const stepsOf = (readme: string, name: string): string => {
  const found = [...readme.matchAll(/\n### (.+)\n\n((?:\d\..*\n| .*\n)+)/g)]
  return found.find(([, heading]) => heading === name)?.[2] ?? ''
}
/** The files that steps name, '<entity>' and the like in place of a name of one's own. */
const filesOf = (steps: string): string[] => [
  ...new Set([...steps.matchAll(/`((?:server|schemas|tests|docs)\/[^`]+\.\w+)`/g)].map(([, path]) => path!)),
]
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/<\w+>/g, '[\\w-]+')}$`)
/** Files that are only looked at, or that only other fields than that of the example need. */
const notTouched: Record<string, string[]> = {
  'A field': ['schemas/fields.ts', 'tests/schemas/limits.test.ts', 'docs/growing.md'],
}

describe('README names exactly the files that are touched', () => {
  test('for these things', async () => {
    const readme = await readFile(here('README.md'), 'utf8')
    const section = /\n## Adding things\n[^]*?\n## /.exec(readme)![0]
    const headings = [...section.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual([...names, 'Other things'])
  })

  test.each(names)('%s', async (name) => {
    const named = filesOf(stepsOf(await readFile(here('README.md'), 'utf8'), name))
    const wanted = named.filter((path) => !notTouched[name]?.includes(path))
    const touched = [...new Set(additions[name]!.map(({ file }) => file))]
    expect(touched.filter((file) => !wanted.some((path) => patternOf(path).test(file)))).toEqual([])
    expect(wanted.filter((path) => !touched.some((file) => patternOf(path).test(file)))).toEqual([])
  })
})

/** The tests that run in the copy: of what was added, and the tables that ask for a row of everything. */
const tables = [
  'tests/{structure,citations}.test.ts',
  'tests/schemas/{limits,rules,columns,fieldRules,filters,everywhere}.test.ts',
  'tests/schemas/{permissionsPage,importsPage}.test.ts',
  'tests/server/entities/{rights,sort,everyEntity}.test.ts',
  'tests/server/limits/{fields,imports}.test.ts',
  'tests/server/db/tables.test.ts',
  'tests/server/accounts/rights.test.ts',
  'tests/server/imports/everyKind.test.ts',
  'tests/server/reports/scope.test.ts',
  'tests/journeys/added.test.tsx',
].flatMap((path) => {
  const [, before, list, after] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? []
  return list === undefined ? [path] : list.split(',').map((name) => `${before}${name}${after}`)
})
const wanted = [
  `^(${names.join('|')}) `,
  'loan|[Vv]endor|terminals-by-agent|warranty|table|permission',
  'at most 15 files|number their headings|the page of help',
].join('|')

type Test = { status: string; fullName: string; failureMessages: string[] }
let copy: string
let tests: Test[] = []
let types = ''

const edit = async (change: Edit) => {
  const path = join(copy, change.file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, applyEdit(existsSync(path) ? await readFile(path, 'utf8') : '', change))
}

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'portal-copy-'))
  const folders = [
    'schemas',
    'server',
    'src',
    'machines',
    'bench',
    'inspector',
    'vite-plugins',
    'tests',
    'docs',
  ]
  const files = ['README.md', 'package.json', 'tsconfig.json', 'vite.config.ts', 'vite.server.config.ts']
  for (const part of [...folders, ...files]) await cp(here(part), join(copy, part), { recursive: true })
  await symlink(here('node_modules'), join(copy, 'node_modules'))
  for (const change of Object.values(additions).flat()) await edit(change)
  await cp(here('tests/adding/files/added.test.tsx.txt'), join(copy, 'tests/journeys/added.test.tsx'))

  const { url, ...templates } = inject('postgres')
  // What was built does not hold what was added; the database takes the migrations that were added as that of
  // a portal does at its next start. One worker, since each begins by importing everything.
  const env = {
    ...process.env,
    READER: '',
    TEST_BUILT: '',
    DATABASE_URL: url,
    TEST_TEMPLATES: JSON.stringify(templates),
    VITEST_MAX_WORKERS: '1',
  }
  const inCopy = { cwd: copy, env, maxBuffer: 1e8 }
  const failed = (error: { stdout: string }) => error
  const options = ['--project', 'node', '--project', 'walks', '--reporter', 'json', '-t', wanted]
  const [{ stdout }, checked] = await Promise.all([
    run(process.execPath, [vitest, 'run', ...options, ...tables], inCopy).catch(failed),
    run(process.execPath, [tsc, '--noEmit', '--singleThreaded', '--pretty', 'false'], inCopy).catch(failed),
  ])
  const report = JSON.parse(stdout.slice(stdout.indexOf('{"num'))) as {
    testResults: { name: string; message: string; assertionResults: Test[] }[]
  }
  tests = report.testResults.flatMap(({ name, message, assertionResults }) =>
    message === '' ? assertionResults : [{ status: 'failed', fullName: name, failureMessages: [message] }],
  )
  types = checked.stdout
  // The tests in the copy have limits of their own, and how long all of them take is not judged here.
}, 0)
afterAll(() => rm(copy, { recursive: true, force: true }))

const faults = (of: readonly Test[]) =>
  of.filter(({ status }) => status === 'failed').map((it) => `${it.fullName}: ${it.failureMessages[0]}`)

describe('after these steps on a copy', () => {
  test.each(names)('%s works, in the API and on the screen', (name) => {
    const own = tests.filter(
      ({ fullName, status }) => fullName.startsWith(`${name} `) && status !== 'pending',
    )
    expect(faults(own)).toEqual([])
    expect(own.length).toBeGreaterThan(1)
  })

  test('no table of the tests lacks a row', () => {
    expect(faults(tests)).toEqual([])
    const passed = tests.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName)
    for (const of of [
      "the table of 'vendor' holds",
      "'Vendors' what the rules leave open",
      'loan a file is stored',
      'terminals-by-agent is offered',
    ])
      expect(
        passed.filter((title) => title.startsWith(of)),
        of,
      ).toHaveLength(1)
  })

  test('the types agree', () => expect(types).toBe(''))
})
