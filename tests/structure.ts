import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
export const read = (file: string) => readFileSync(join(root, file), 'utf8')
export const exists = (file: string) => existsSync(join(root, file))

/** All files below a folder, named from the project's root: 'src/app/mount.tsx'. */
export const allFilesOf = (folder: string): string[] =>
  exists(folder)
    ? readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
        .sort()
    : []

/** The files of code below a folder. */
export const filesOf = (folder: string): string[] =>
  allFilesOf(folder).filter((file) => /\.(ts|tsx|mjs|js)$/.test(file))

type Node = { type?: string; start: number; end: number; [key: string]: unknown }
export const parse = (file: string, text = read(file)): Node[] =>
  parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body as unknown as Node[]

/** Calls `enter` with every node of a syntax tree; `name` is the name nearest around it. */
export function walk(node: unknown, enter: (node: Node, name: string) => void, name = ''): void {
  if (Array.isArray(node)) return node.forEach((one) => walk(one, enter, name))
  if (typeof node !== 'object' || node === null) return
  const it = node as Node & { id?: { name?: string }; key?: { name?: string } }
  const nearest = it.id?.name ?? it.key?.name ?? name
  if (typeof it.type === 'string') enter(it, nearest)
  for (const value of Object.values(it)) walk(value, enter, nearest)
}

/** `to` is a package ('node:fs', '@rjsf/core') or a file of the project. `names` are the imported values. */
export type Import = { from: string; to: string; isOurs: boolean; isType: boolean; names: readonly string[] }
type Specifier = { importKind?: string; exportKind?: string; imported?: { name?: string } }

/** Everything a file of the project imports, `import()` and imports of types included. */
export const importsOf = (file: string): Import[] => importsIn(file, read(file))

/** The same of a file with this text. */
export function importsIn(file: string, text: string): Import[] {
  const found: Import[] = []
  walk(parse(file, text), ({ type, source, specifiers, importKind, exportKind }) => {
    const to = typeof source === 'object' && source !== null ? (source as { value?: unknown }).value : null
    if (typeof to !== 'string' || !/^(Import|Export|TSImport)/.test(type ?? '')) return
    const taken = (specifiers ?? []) as Specifier[]
    const values = taken.filter((one) => one.importKind !== 'type' && one.exportKind !== 'type')
    const isType =
      type === 'TSImportType' ||
      importKind === 'type' ||
      exportKind === 'type' ||
      (taken.length > 0 && values.length === 0)
    const names = values.map((one) => one.imported?.name ?? '*')
    found.push({ from: file, ...target(to), isType, names })
  })
  return found

  function target(to: string) {
    if (to.startsWith('.')) return { isOurs: true, to: join(dirname(file), to) }
    const name = to.split('/').slice(0, to.startsWith('@') ? 2 : 1)
    return { isOurs: false, to: to.startsWith('node:') ? to : name.join('/') }
  }
}

/** The top folder: 'src' of 'src/app/mount.tsx'. */
export const topFolderOf = (file: string) => file.split('/')[0]!

/**
 * The folder that stands for one subject: 'server/imports/rows', 'src/features/home', 'src/app'. A file
 * directly in a top folder, in server/imports or in server/reports stands for itself.
 */
export function subjectOf(file: string): string {
  const parts = file.split('/')
  const isDivided = /^(server\/(imports|reports)|src\/features)$/.test(parts.slice(0, 2).join('/'))
  const depth = isDivided ? 3 : 2
  return parts.length > depth ? parts.slice(0, depth).join('/') : file
}

/** The circles of a graph of 'from' to 'to', each as 'a -> b -> a'. */
export function circles(arrows: readonly { from: string; to: string }[]): string[] {
  const next = new Map<string, Set<string>>()
  for (const { from, to } of arrows) if (from !== to) next.set(from, (next.get(from) ?? new Set()).add(to))
  const done = new Set<string>()
  const found: string[] = []
  const visit = (place: string, path: readonly string[]) => {
    if (path.includes(place)) found.push([...path.slice(path.indexOf(place)), place].join(' -> '))
    if (path.includes(place) || done.has(place)) return
    for (const to of next.get(place) ?? []) visit(to, [...path, place])
    done.add(place)
  }
  for (const place of next.keys()) visit(place, [])
  return found
}

/** The functions of a file with the number of lines each takes. */
export function functionsOf(file: string): { name: string; lines: number }[] {
  const text = read(file)
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
  const found: { name: string; lines: number }[] = []
  walk(parse(file), (node, name) => {
    if (!/^(Function(Declaration|Expression)|ArrowFunctionExpression)$/.test(node.type ?? '')) return
    found.push({ name, lines: lineOf(node.end) - lineOf(node.start) + 1 })
  })
  return found
}

/** Object types with two members or more, by their text without comments and line ends. */
export function objectTypesOf(file: string): { name: string; text: string }[] {
  const text = read(file)
  const found: { name: string; text: string }[] = []
  walk(parse(file), (node, name) => {
    const type = node.typeAnnotation as (Node & { members?: unknown[] }) | undefined
    if (node.type !== 'TSTypeAliasDeclaration' || type?.type !== 'TSTypeLiteral') return
    if ((type.members ?? []).length < 2) return
    const bare = text.slice(type.start, type.end).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    found.push({ name, text: bare.replace(/[\s;,]+/g, ' ') })
  })
  return found
}

/** The names a file exports. */
export function exportsOf(file: string): string[] {
  return parse(file).flatMap((node) => {
    const declared = node.type === 'ExportNamedDeclaration' ? (node.declaration as Node | null) : null
    if (!declared) return []
    const declarations = (declared.declarations ?? [declared]) as { id?: { name?: string } }[]
    return declarations.flatMap(({ id }) => id?.name ?? [])
  })
}
