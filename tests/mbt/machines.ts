import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { AnyStateMachine } from 'xstate'

const folder = new URL('../../machines/', import.meta.url)

/** A machine's file: its name without the ending, its path in the repository, its text and all it exports. */
export type MachineFile = {
  name: string
  path: string
  source: string
  exported: Record<string, unknown>
  machine: AnyStateMachine
}

/** Every machine of the portal, in the order of their names. */
export const machineFiles = (): Promise<MachineFile[]> =>
  Promise.all(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.machine.ts'))
      .map((file) => ({ file, name: basename(file, '.machine.ts') }))
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map(async ({ file, name }) => {
        const exported = (await import(new URL(file, folder).href)) as Record<string, unknown>
        return {
          name,
          path: `machines/${file}`,
          source: readFileSync(new URL(file, folder), 'utf8'),
          exported,
          machine: exported[`${name}Machine`] as AnyStateMachine,
        }
      }),
  )
