import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
export const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The code files of a room, named from the top: 'src/features/entity/EntityPage.tsx'. */
export const filesOf = (room: string): string[] =>
  existsSync(join(root, room))
    ? readdirSync(join(root, room), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs|js)$/.test(entry.name))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
        .sort()
    : []

/** `to` is a package ('node:fs', '@rjsf/core') or one of our own files, named from the top. `names` are what is taken from it. */
export type Import = { from: string; to: string; isOurs: boolean; isType: boolean; names: readonly string[] }

type Node = { type?: string; [key: string]: unknown }
type Specifier = { importKind?: string; exportKind?: string; imported?: { name?: string } }

/** Everything a file takes from elsewhere, also lazily (`import()`) and as a type alone. */
export function importsOf(file: string): Import[] {
  const found: Import[] = []
  visit(parseAst(read(file), { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body)
  return found

  function visit(node: unknown): void {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const { type, source, specifiers, importKind, exportKind } = node as Node
    const to = typeof source === 'object' && source !== null ? (source as { value?: unknown }).value : null
    if (typeof to === 'string' && /^(Import|Export|TSImport)/.test(type ?? '')) {
      const taken = (specifiers ?? []) as Specifier[]
      const values = taken.filter((one) => one.importKind !== 'type' && one.exportKind !== 'type')
      const isType =
        type === 'TSImportType' ||
        importKind === 'type' ||
        exportKind === 'type' ||
        (taken.length > 0 && values.length === 0)
      found.push({ from: file, ...target(to), isType, names: values.map((one) => one.imported?.name ?? '*') })
    }
    Object.values(node).forEach(visit)
  }

  function target(to: string) {
    if (to.startsWith('.')) return { isOurs: true, to: join(dirname(file), to) }
    return {
      isOurs: false,
      to: to.startsWith('node:')
        ? to
        : to
            .split('/')
            .slice(0, to.startsWith('@') ? 2 : 1)
            .join('/'),
    }
  }
}

/** 'src' of 'src/features/entity/EntityPage.tsx'. */
export const roomOf = (file: string) => file.split('/')[0]!

/** Ways round that lead back to where they began, along imports that are there at run time. */
export function circles(imports: readonly Import[]): string[] {
  const next = new Map<string, string[]>()
  for (const { from, to, isOurs, isType } of imports)
    if (isOurs && !isType) next.set(from, [...(next.get(from) ?? []), to])
  const done = new Set<string>()
  const found: string[] = []
  const walk = (file: string, way: readonly string[]) => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file].join(' -> '))
    if (way.includes(file) || done.has(file)) return
    for (const to of next.get(file) ?? []) walk(to, [...way, file])
    done.add(file)
  }
  for (const file of next.keys()) walk(file, [])
  return found
}
