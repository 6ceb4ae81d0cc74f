import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { unusedComponents, unusedParts } from '../../vite-plugins/blueprintStyles.ts'
import { allFilesOf } from '../structure.ts'

const built = fileURLToPath(new URL('../../dist/portal/assets/', import.meta.url))
const filesOfBuild = (ending: string): string[] => {
  if (!existsSync(built)) throw new Error('There is no build to look at: run npm run build')
  return readdirSync(built).filter((name) => name.endsWith(ending))
}
/** The folders of Blueprint's components of which the build holds code. */
const drawnWith = () =>
  new Set(
    filesOfBuild('.js.map')
      .flatMap((name) => (JSON.parse(readFileSync(built + name, 'utf8')) as { sources: string[] }).sources)
      .flatMap((source) => /@blueprintjs\/core\/lib\/esm\/components\/([^/]+)\//.exec(source)?.[1] ?? []),
  )
const styles = () =>
  filesOfBuild('.css')
    .map((name) => readFileSync(built + name, 'utf8'))
    .join('')

describe('the styles of Blueprint', () => {
  test.each(Object.keys(unusedComponents))('are left out of %s, with which no screen draws', (folder) => {
    expect(drawnWith()).toContain('button')
    expect(drawnWith()).not.toContain(folder)
    for (const name of unusedComponents[folder]!)
      expect([name, new RegExp(`\\.bp6-${name}(?![a-z0-9])`).test(styles())]).toEqual([name, false])
  })

  test.each(unusedParts)('are left out of %s, which no source names', (name) => {
    const sources = allFilesOf('src').map((file) => readFileSync(file, 'utf8'))
    const constant = new RegExp(`Classes\\.${name.replaceAll('-', '_').toUpperCase()}\\b|bp6-${name}\\b`)
    expect(sources.filter((text) => constant.test(text))).toEqual([])
    expect(new RegExp(`\\.bp6-${name}(?![a-z0-9])`).test(styles())).toBe(false)
  })

  test.each([
    'button',
    'popover',
    'menu',
    'dialog',
    'drawer',
    'html-table',
    'html-select',
    'input',
    'tag',
    'callout',
  ])('are there of %s', (name) => {
    expect(new RegExp(`\\.bp6-${name}(?![a-z0-9])`).test(styles())).toBe(true)
  })
})

type Chunk = { file: string; imports?: string[]; css?: string[]; isEntry?: true; isDynamicEntry?: true }

test('a picker has its styles wherever it is loaded', () => {
  const portal = new URL('../../dist/portal/', import.meta.url)
  const read = (name: string) => readFileSync(fileURLToPath(new URL(name, portal)), 'utf8')
  const chunks = JSON.parse(read('.vite/manifest.json')) as Record<string, Chunk>
  const neededBy = (name: string, seen = new Set<string>()): Set<string> => {
    if (!seen.has(name)) for (const it of chunks[name]!.imports ?? []) neededBy(it, seen.add(name))
    return seen.add(name)
  }
  const drawsPicker = ({ file }: Chunk) =>
    existsSync(fileURLToPath(new URL(`${file}.map`, portal))) &&
    /forms\/widgets\/picker\/Picker\.tsx"/.test(read(`${file}.map`))
  const loading = Object.entries(chunks)
    .filter(([, { isEntry, isDynamicEntry }]) => isEntry || isDynamicEntry)
    .map(([name]) => ({ name, needed: [...neededBy(name)].map((it) => chunks[it]!) }))
    .filter(({ needed }) => needed.some(drawsPicker))
  expect(loading.map(({ name }) => name)).toContain('features/entity/list/FilterPanel.tsx')
  const unstyled = loading.filter(
    ({ needed }) =>
      !needed.some(({ css = [] }) => css.some((file) => read(file).includes('.form-picker-list'))),
  )
  expect(unstyled.map(({ name }) => name)).toEqual([])
})
