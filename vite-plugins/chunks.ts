import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { barrelReader, importedNames } from './barrels.ts'

/** A module as the bundler describes it: the ids of those it imports statically. */
type ModuleInfo = { importedIds: readonly string[] }
type Modules = { getModuleInfo: (id: string) => ModuleInfo | null }

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url))

/**
 * The files that are fetched one after the other until a list is there, in this order, with the modules at
 * which each begins. A module is in the first file that needs it.
 */
const stages: Readonly<Record<string, readonly string[]>> = {
  index: ['main.tsx'],
  // What is there once somebody is signed in, and lists, of which every screen draws with something.
  shell: ['app/shell/Shell.tsx', 'app/Screens.tsx', 'app/screenTable.tsx', 'api/provide.ts'],
}

/** Packages whose entry re-exports more than anybody uses. */
const barrels = ['@blueprintjs/core', '@blueprintjs/icons']
const barrelOf = (id: string) =>
  barrels.find((name) => /\/(esm|generated)\/index\.js$/.test(id) && id.includes(`/${name}/`))

/** All modules that `roots` import, directly or not, and the roots; of a barrel what is imported by name. */
function reached(roots: readonly string[], modules: Modules): Set<string> {
  const found = new Set<string>()
  const declaring = barrelReader()
  const add = (id: string) => {
    if (found.has(id)) return
    found.add(id)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) {
      const name = barrelOf(imported)
      if (!name) add(imported)
      else
        for (const it of importedNames(readFileSync(id, 'utf8'), name)) {
          const file = declaring(imported, it)
          if (file) add(file)
        }
    }
  }
  roots.forEach(add)
  return found
}

/**
 * Names the file of a module, null where the bundler may choose. By itself it makes a file for each set of
 * screens that share a module, which was 70 files for the first list (decision 32).
 */
export function stageOf() {
  let found: [string, Set<string>][] | null = null
  return (id: string, modules: Modules): string | null => {
    if (id.includes('rolldown/runtime')) return 'index'
    found ??= Object.entries(stages).map(([name, roots]) => [name, reached(roots.map(source), modules)])
    return found.find(([, ids]) => ids.has(id))?.[0] ?? null
  }
}
