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
