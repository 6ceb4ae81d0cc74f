import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { iconImage } from '../../src/parts/browser.ts'

/** One file of the build, as Vite's manifest lists it. */
type Chunk = {
  file: string
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
  isEntry?: boolean
}

const built = fileURLToPath(new URL('../../dist/portal/', import.meta.url))
const manifestPath = `${built}.vite/manifest.json`
let manifest: Record<string, Chunk> = {}

/** A chunk and all it needs before it runs. */
const needed = (...names: string[]): Set<string> => {
  const all = new Set<string>()
  const add = (name: string) => {
    if (all.has(name)) return
    if (!manifest[name]) throw new Error(`${name} is not in the build`)
    all.add(name)
    manifest[name].imports?.forEach(add)
  }
  names.forEach(add)
  return all
}
const without = (all: Set<string>, known: Set<string>) => new Set([...all].filter((name) => !known.has(name)))
const sizes = new Map<string, number>()
const brotli = (file: string) => {
  const size = sizes.get(file) ?? brotliCompressSync(readFileSync(built + file)).length
  sizes.set(file, size)
  return size
}
const sum = (files: Iterable<string>) =>
  [...new Set(files)].reduce((total, file) => total + brotli(file), 0) / 1000
const js = (names: Set<string>) => sum([...names].map((name) => manifest[name]!.file))
const css = (names: Set<string>) => sum([...names].flatMap((name) => manifest[name]!.css ?? []))

/** The file of a stage of the first load (vite-plugins/chunks.ts), and all it needs. */
const stage = (name: string) => {
  const found = Object.keys(manifest).filter((it) => it.startsWith(`_${name}-`) && it.endsWith('.js'))
  expect([name, found.length]).toEqual([name, 1])
  return needed(...found)
}
const entry = () => stage('index')
/** What is there once somebody is signed in, lists among it. */
const inside = () => stage('shell')
const shell = () => without(inside(), entry())
const report = () => without(needed('features/reports/ReportPage.tsx'), inside())
const reportResult = () =>
  without(
    needed('features/reports/ReportResult.tsx'),
    new Set([...needed('features/reports/ReportPage.tsx'), ...inside()]),
  )
const fetched = () => without(needed('api/provide/fetched/fetched.ts'), inside())
const form = () => without(needed('forms/EntityForm.tsx'), inside())
const home = () => needed('features/home/HomePage.tsx', 'features/home/Chart.tsx')
const chart = () => without(needed('features/home/Chart.tsx'), needed('features/home/HomePage.tsx'))
/** All files of the first load of a list. */
const filesOfList = () => [
  'index.html',
  ...new Set([...inside()].flatMap((name) => [manifest[name]!.file, ...(manifest[name]!.css ?? [])])),
]
const validators = () => Object.keys(manifest).filter((name) => name.includes('?validator='))

beforeAll(() => {
  if (!existsSync(manifestPath)) throw new Error('There is no build to measure: run npx vite build')
  manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<string, Chunk>
})

/*
 * The entry has 4.2 kB that no screen uses: 3.7 of axios' second way to send, by fetch, and 0.5 of the warnings
 * of react-router, whose package offers no other build. Replacing these files inside the packages would save
 * them, and break unnoticed when a package moves its files (decision 17). A file becomes up to 0.2 kB larger
 * or smaller as the names of the files change that it imports: budgets lie that much above what was measured.
 */
describe('the first load, in kB of brotli', () => {
  test.each([
    ['the entry with the login', () => js(entry()), 123.2],
    ['the styles of the login', () => css(entry()), 3],
    // With lists, which other screens draw with as well.
    ['the shell with lists', () => js(shell()), 73.5],
    ['the machines of the other screens', () => js(fetched()), 21],
    // With the styles of a list, and without those of Blueprint's components that no screen draws with.
    ['the styles of the shell', () => css(shell()), 30],
    // With the question before a lock, which no list needs.
    ['the report runner', () => js(report()), 10.7],
    ['the result of a report, as a table and as cards', () => js(reportResult()), 15.6],
    // With luxon, by which the months of a choice are counted.
    ['the forms', () => js(form()), 82.1],
    // With the layout of labels, which leaves out those that would lie over others.
    ['the chart', () => js(chart()), 154],
    ['a signed-in home', () => js(home()), 352.2],
    // With headers and answers about 239.9, of which the goal is 240 (decision 32).
    ['the first load of a list', () => sum(filesOfList()), 228],
  ])('%s fits its budget', (_, size, most) => {
    expect(size()).toBeGreaterThan(0)
    expect(size()).toBeLessThanOrEqual(most)
  })

  // With the calls for the session, the settings, the waiting files, the rows and the views.
  it('of a list asks for six files', () => {
    expect(filesOfList()).toHaveLength(6)
  })

  it('of a further form is at most 3.5 kB', () => {
    expect(validators()).not.toEqual([])
    for (const name of validators())
      expect([name, js(without(needed(name), needed('forms/EntityForm.tsx'))) <= 3.5]).toEqual([name, true])
  })
})

describe('the login page', () => {
  it('brings no Blueprint, no form, no chart and no table of screens', () => {
    const text = [...entry()].map((name) => readFileSync(built + manifest[name]!.file, 'utf8')).join('')
    const styles = [...entry()]
      .flatMap((name) => manifest[name]!.css ?? [])
      .map((file) => readFileSync(built + file, 'utf8'))
      .join('')
    for (const stranger of ['bp6-button', 'zrender', 'rjsf', 'xmid'])
      expect([stranger, (text + styles).includes(stranger)]).toEqual([stranger, false])
  })

  it('is reached from a page without inline scripts and with no file of another host', () => {
    const page = readFileSync(`${built}index.html`, 'utf8')
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/)
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//)
    // The icon of the tab is that of the bar.
    expect(page).toContain(`href="${iconImage}"`)
    expect(statSync(`${built}index.html`).size).toBeLessThan(2000)
  })
})
