import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { home } from '../../server/home.ts'

let copy: string
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'sixth-'))
  for (const part of ['schemas', 'server', 'src', 'machines', 'vite-plugins', 'tests/world.ts', 'tests/setup', 'tests/fixtures', 'tests/server/tables.test.ts'])
    await cp(join(home, part), join(copy, part), { recursive: true })
  for (const file of ['package.json', 'tsconfig.json', 'vite.config.ts', 'vite.server.config.ts']) await cp(join(home, file), join(copy, file))
  await symlink(join(home, 'node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rm(copy, { recursive: true, force: true }))

const fixture = (name: string) => readFile(join(home, 'tests/fixtures', name), 'utf8')

test('adding an entity takes one file, one line and one migration', async () => {
  await writeFile(join(copy, 'schemas/vendor.ts'), await fixture('vendor.ts.txt'))
  const registry = await readFile(join(copy, 'schemas/index.ts'), 'utf8')
  await writeFile(join(copy, 'schemas/index.ts'), `import { vendor } from './vendor.ts'\n${registry.replace(/= \{ /, '= { vendor, ')}`)
  await writeFile(join(copy, 'server/migrations/900_vendor.sql'), await fixture('vendor.sql'))
  await writeFile(join(copy, 'tests/server/vendor.test.ts'), await fixture('vendor.check.ts.txt'))
  const run = promisify(execFile)
  const { stdout } = await run('npx', ['vitest', 'run', '--project', 'node', '--reporter', 'json'], { cwd: copy, maxBuffer: 1e8 }).catch((error) => error)
  const report = JSON.parse(stdout.slice(stdout.indexOf('{"num')))
  const failures = report.testResults.flatMap((file: { assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }) =>
    file.assertionResults.filter(({ status }) => status !== 'passed').map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]}`),
  )
  expect(failures).toEqual([])
  const titles = report.testResults.flatMap((file: { assertionResults: { fullName: string }[] }) => file.assertionResults.map(({ fullName }) => fullName))
  expect(titles).toContain("the table of 'vendor' holds the fields of its schema, and is as strict about null")
  expect(titles).toContain('a sixth entity is created, listed, searched, changed, guarded and deleted')
  const { stdout: types } = await run('npx', ['tsc', '--noEmit', '--pretty', 'false'], { cwd: copy, maxBuffer: 1e8 }).catch((error) => error)
  expect(types.split('\n').filter((line: string) => /^(schemas|server|src|machines)\//.test(line))).toEqual([])
}, 120_000)
