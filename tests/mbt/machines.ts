import { readdirSync, readFileSync } from 'node:fs'
import type { AnyStateMachine } from 'xstate'

const folder = new URL('../../machines/', import.meta.url)

/** A file of machines/: its name without the ending, its text and everything it exports. */
export type MachineFile = {
  name: string
  source: string
  exported: Record<string, unknown>
  machine: AnyStateMachine
}

/** Every machine of the portal, in the order of their names. */
export const machineFiles = (): Promise<MachineFile[]> =>
  Promise.all(
    readdirSync(folder)
      .filter((file) => file.endsWith('.machine.ts'))
      .sort()
      .map(async (file) => {
        const name = file.replace('.machine.ts', '')
        const exported = (await import(new URL(file, folder).href)) as Record<string, unknown>
        return {
          name,
          source: readFileSync(new URL(file, folder), 'utf8'),
          exported,
          machine: exported[`${name}Machine`] as AnyStateMachine,
        }
      }),
  )
