import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectFolder } from '../../../server/config/projectFolder.ts'

let copy: string
let failures: string[]
let titles: string[]
const run = promisify(execFile)
const fixture = (name: string) => readFile(join(projectFolder, 'tests/fixtures', name), 'utf8')
const change = async (file: string, edit: (text: string) => string) =>
  writeFile(join(copy, file), edit(await readFile(join(copy, file), 'utf8')))

type Report = {
  testResults: { assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[]
}
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'portal-copy-'))
  const parts = [
    'schemas',
    'server',
    'src',
    'machines',
    'vite-plugins',
    'tests/world.ts',
    'tests/setup',
    'tests/fixtures',
    'tests/files',
    'tests/server/db/tables.test.ts',
  ]
  for (const part of parts) await cp(join(projectFolder, part), join(copy, part), { recursive: true })
  for (const file of ['package.json', 'tsconfig.json', 'vite.config.ts', 'vite.server.config.ts'])
    await cp(join(projectFolder, file), join(copy, file))
  await symlink(join(projectFolder, 'node_modules'), join(copy, 'node_modules'))

  await writeFile(join(copy, 'schemas/entities/vendor.ts'), await fixture('vendor.ts.txt'))
  await change(
    'schemas/entities/index.ts',
    (text) => `import { vendor } from './vendor.ts'\n${text.replace(/= \{\s+/, '$&vendor, ')}`,
  )
  await writeFile(join(copy, 'server/db/migrations/900_vendor.sql'), await fixture('vendor.sql'))
  await writeFile(join(copy, 'tests/server/db/vendor.test.ts'), await fixture('vendor.check.ts.txt'))

  const row = await fixture('loan.row.txt')
  await change('schemas/imports/imports.ts', (text) =>
    text.replace('export const imports = {', `${row}$& loan,`),
  )
  await writeFile(join(copy, 'server/db/migrations/901_loan.sql'), await fixture('loan.sql'))
  await writeFile(join(copy, 'tests/server/db/loan.test.ts'), await fixture('loan.check.ts.txt'))

  // What was built knows nothing of the seventh import.
  const env = { ...process.env, READER: '' }
  const { stdout } = await run('npx', ['vitest', 'run', '--project', 'node', '--reporter', 'json'], {
    cwd: copy,
    env,
    maxBuffer: 1e8,
  }).catch((error) => error)
  const all = (JSON.parse(stdout.slice(stdout.indexOf('{"num'))) as Report).testResults.flatMap(
    (file) => file.assertionResults,
  )
  failures = all
    .filter(({ status }) => status !== 'passed')
    .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]}`)
  titles = all.map(({ fullName }) => fullName)
}, 240_000)
afterAll(() => rm(copy, { recursive: true, force: true }))

test('adding an entity takes one file, one line and one migration', () => {
  expect(failures).toEqual([])
  expect(titles).toContain(
    "the table of 'vendor' holds the fields of its schema, and is as strict about null",
  )
  expect(titles).toContain('a sixth entity is created, listed, searched, changed, guarded and deleted')
})

test('adding an import takes one row and one migration', () => {
  expect(failures).toEqual([])
  expect(titles).toContain('a seventh import is offered, checked, stored and taken back')
})

test('and neither needs a change elsewhere for the types to agree', async () => {
  const { stdout: types } = await run('npx', ['tsc', '--noEmit', '--pretty', 'false'], {
    cwd: copy,
    maxBuffer: 1e8,
  }).catch((error) => error)
  expect(types.split('\n').filter((line: string) => /^(schemas|server|src|machines)\//.test(line))).toEqual(
    [],
  )
}, 120_000)
