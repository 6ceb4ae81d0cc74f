import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it, test } from 'vitest'

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

const entry = () => needed('index.html')
const shell = () => without(needed('app/shell/Shell.tsx'), entry())
/** What is there once somebody is signed in. */
const inside = () =>
  needed(
    'index.html',
    'app/shell/Shell.tsx',
    'app/Screens.tsx',
    'api/provide.ts',
    'app/screenTable.tsx',
    'features/home/HomePage.tsx',
  )
/** Dates and numbers, used by lists and forms alike: format.ts and the calendar it stands on. */
const dates = () =>
  new Set([...needed('features/entity/EntityPage.tsx')].filter((name) => name.startsWith('_format-')))
/**
 * Blueprint's text field and select and our own parts, which forms, imports and reports draw with as well.
 */
const controls = () =>
  new Set(
    [...needed('features/entity/EntityPage.tsx')].filter((name) =>
      /^_(inputGroup|htmlSelect|parts|cross|SortHead|EmptyState|SearchBox|search|list|Confirm)-/.test(name),
    ),
  )
const list = () =>
  without(without(needed('features/entity/EntityPage.tsx'), inside()), new Set([...dates(), ...controls()]))
const report = () =>
  without(without(needed('features/reports/ReportPage.tsx'), inside()), new Set([...dates(), ...controls()]))
const reportResult = () =>
  without(
    without(
      needed('features/reports/ReportResult.tsx'),
      needed('features/reports/ReportPage.tsx', ...inside()),
    ),
    new Set([...dates(), ...controls()]),
  )
const form = () =>
  without(needed('forms/EntityForm.tsx'), needed('features/entity/EntityPage.tsx', ...inside()))
const chart = () => without(needed('features/home/Chart.tsx'), inside())
const validators = () => Object.keys(manifest).filter((name) => name.includes('?validator='))

beforeAll(() => {
  if (!existsSync(manifestPath)) throw new Error('There is no build to measure: run npx vite build')
  manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<string, Chunk>
})

/*
 * The entry has 4.2 kB that no screen uses: 3.7 of axios' second way to send, by fetch, and 0.5 of the warnings
 * of react-router, whose package offers no other build. Replacing these files inside the packages would save
 * them, and break unnoticed when a package moves its files (decision 17).
 */
describe('the first load, in kB of brotli', () => {
  test.each([
    ['the entry with the login', () => js(entry()), 124],
    ['the styles of the login', () => css(entry()), 3],
    // With the menu More, the card that folds, the number of waiting files, and what fetches Find, keys and
    // messages later.
    ['the shell', () => js(shell()), 53.8],
    ['the styles of the shell', () => css(shell()), 36],
    // With the address of filters, the checkboxes of the rows and what a viewer may do to many of them, and
    // the place of the tools, which are loaded beside the list.
    ['a list', () => js(list()), 9.4],
    ['text fields, selects and what other screens share', () => js(controls()), 6.1],
    ['the report runner', () => js(report()), 8.2],
    ['the result of a report, as a table and as cards', () => js(reportResult()), 16.5],
    ['dates and numbers', () => js(dates()), 21],
    ['the forms', () => js(form()), 64],
    // With the layout of labels, which leaves out those that would lie over others.
    ['the chart', () => js(chart()), 154],
    // With the calls of many records in the table of all calls.
    ['a signed-in home', () => js(new Set([...inside(), ...chart()])), 372.7],
  ])('%s fits its budget', (_, size, most) => {
    expect(size()).toBeGreaterThan(0)
    expect(size()).toBeLessThanOrEqual(most)
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
    expect(statSync(`${built}index.html`).size).toBeLessThan(2000)
  })
})
