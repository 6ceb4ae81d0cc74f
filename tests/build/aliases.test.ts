import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import viteConfig from '../../vite.config.ts'
import { exportsOf, filesOf, importsOf, read } from '../structure.ts'

/** The files of packages that the build replaces (vite.config.ts). */
const replaced = 'markdown-to-jsx/react'
const stub = 'src/stubs/markdown.ts'
const iconNames = './generated/16px/blueprint-icons-16'
const iconStub = 'src/stubs/iconNames.ts'
const icons = 'node_modules/@blueprintjs/icons/lib/esm'

const built = fileURLToPath(new URL('../../dist/portal/assets/', import.meta.url))
/** The files that the code of the build was made of, from the source maps beside it. */
const sourcesOfBuild = (): string[] => {
  if (!existsSync(built)) throw new Error('There is no build to look at: run npm run build')
  return readdirSync(built)
    .filter((name) => name.endsWith('.js.map'))
    .flatMap((name) => (JSON.parse(readFileSync(built + name, 'utf8')) as { sources: string[] }).sources)
}

/** What the form library imports of the package, by the path it names. */
const importsOfForms = () =>
  ['core', 'utils', 'validator-ajv8']
    .flatMap((name) => filesOf(`node_modules/@rjsf/${name}/lib`))
    .filter((file) => file.endsWith('.js') && read(file).includes('markdown-to-jsx'))
    .flatMap((file) =>
      [...read(file).matchAll(/from\s*['"](markdown-to-jsx[^'"]*)['"]/g)].map(([, path]) => ({
        path,
        names: importsOf(file).find(({ to }) => to === 'markdown-to-jsx')?.names,
      })),
    )

test('two files of packages are replaced in the build, and no other', () => {
  const { resolve } = viteConfig({ mode: 'production', command: 'build' })
  const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
  expect(resolve?.alias).toEqual([
    { find: /^markdown-to-jsx\/react$/, replacement: at(stub) },
    { find: /^\.\/generated\/16px\/blueprint-icons-16$/, replacement: at(iconStub) },
  ])
})

test('the lists of icon names are imported where they were, by the names that stand in for them', () => {
  const importing = ['iconNames.js', 'iconCodepoints.js'].map((file) => `${icons}/${file}`)
  for (const file of importing) expect(read(file)).toContain(`from "${iconNames}"`)
  const names = importing
    .flatMap(importsOf)
    .flatMap(({ to, names }) => (to.includes('blueprint-icons-16') ? (names ?? []) : []))
  expect(names).toEqual(exportsOf(iconStub))
  expect(existsSync(`${icons}/${iconNames}.js`)).toBe(true)
})

test('the build holds what stands in for the icon names and no list of them', () => {
  const sources = sourcesOfBuild()
  expect(sources.some((source) => source.endsWith(iconStub.slice('src'.length)))).toBe(true)
  expect(sources.filter((source) => source.includes('blueprint-icons-16'))).toEqual([])
})

test('no icon is given as a text, which would not be drawn', () => {
  const files = filesOf('src').filter((file) => file.endsWith('.tsx'))
  expect(files.filter((file) => /\b(left|right|end)?[iI]con="/.test(read(file)))).toEqual([])
})

test('the form library imports the replaced file by the names that stand in for it, and nothing else of its package', () => {
  const all = importsOfForms()
  expect(all.length).toBeGreaterThan(0)
  for (const { path, names } of all)
    expect({ path, names }).toEqual({ path: replaced, names: exportsOf(stub) })
})

test('the package still offers the file that is replaced', () => {
  const { resolve } = createRequire(import.meta.url)
  expect(resolve(replaced)).toMatch(/node_modules[\\/]markdown-to-jsx[\\/]/)
})

test('the build holds what stands in for it and nothing of the package', () => {
  const sources = sourcesOfBuild()
  expect(sources.filter((source) => source.includes('node_modules/@rjsf/core/'))).not.toEqual([])
  expect(sources.some((source) => source.endsWith(stub.slice('src'.length)))).toBe(true)
  expect(sources.filter((source) => source.includes('markdown-to-jsx'))).toEqual([])
})

test('no form asks for Markdown, which would be shown as it is typed', () => {
  const files = ['src', 'schemas'].flatMap(filesOf)
  expect(files.filter((file) => read(file).includes('enableMarkdown'))).toEqual([])
})

test('the build holds no description of a state of a machine', () => {
  sourcesOfBuild()
  const code = readdirSync(built)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(built + name, 'utf8'))
    .join('')
  const described = filesOf('machines').flatMap((file) =>
    [...read(file).matchAll(/\bdescription:\s*(?:'([^'\n]*)'|"([^"\n]*)"),/g)].map(
      ([, single, double]) => single ?? double!,
    ),
  )
  expect(described.length).toBeGreaterThan(10)
  expect(described.filter((text) => code.includes(text))).toEqual([])
})
