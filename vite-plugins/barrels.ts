import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Exported = { name: string; from: string; original: string } | { all: string }

const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** `{ A, B as C }` as pairs of the name before and after `as`. */
const namesIn = (list: string): [string, string][] =>
  list
    .split(',')
    .map((part) => part.replace(/^\s*type\s/, '').trim())
    .filter(Boolean)
    .map((part) => {
      const [original, name = original] = part.split(/\s+as\s+/)
      return [original!, name!]
    })

/** The names that a module of a package re-exports, with the files they come from. */
const reexports = (file: string): Exported[] => {
  const text = read(file)
  const at = (path: string) => {
    const base = join(dirname(file), path)
    return [`${base}.js`, join(base, 'index.js'), base].find((it) => it.endsWith('.js') && existsSync(it))
  }
  const named = [...text.matchAll(/export\s*\{([^}]*)\}\s*from\s*["'](\.[^"']*)["']/g)].flatMap(
    ([, list = '', path = '']) =>
      namesIn(list).map(([original, name]) => ({ name, original, from: at(path) ?? '' })),
  )
  const spaces = [...text.matchAll(/import\s*\*\s*as\s+(\w+)\s+from\s*["'](\.[^"']*)["']/g)].map(
    ([, name = '', path = '']) => ({ name, original: '*', from: at(path) ?? '' }),
  )
  const all = [...text.matchAll(/export\s*\*\s*from\s*["'](\.[^"']*)["']/g)].map(([, path = '']) => ({
    all: at(path) ?? '',
  }))
  return [...named, ...spaces, ...all]
}

/**
 * Finds the file that declares a name which the entry of a package re-exports: what a module imports by name
 * is all that a bundler keeps of a package without side effects.
 */
export function barrelReader() {
  const known = new Map<string, Exported[]>()
  const of = (file: string) => {
    const found = known.get(file) ?? reexports(file)
    known.set(file, found)
    return found
  }
  const declaring = (file: string, name: string): string | null => {
    const direct = of(file).find((it) => 'name' in it && it.name === name)
    if (direct && 'name' in direct)
      return direct.original === '*' ? direct.from : (declaring(direct.from, direct.original) ?? direct.from)
    for (const it of of(file)) {
      const found = 'all' in it && it.all ? declaring(it.all, name) : null
      if (found) return found
    }
    return new RegExp(`export\\s+(const|let|var|function|class|async function)\\s+${name}\\b`).test(
      read(file),
    )
      ? file
      : null
  }
  return declaring
}

/** The names that the text of a module imports from a package. */
export const importedNames = (text: string, from: string): string[] =>
  [...text.matchAll(/import\s*(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from\s*["']([^"']+)["']/g)]
    .filter(([, , path]) => path === from)
    .flatMap(([, list = '']) => namesIn(list).map(([original]) => original))
