import { appendFileSync } from 'node:fs'
import { recorder } from './coverage.ts'

/** Where a path was run: by the actor alone, on the rendered screens, or in Chromium. */
export type Layer = 'actor' | 'screen' | 'chromium'
export const layers: readonly Layer[] = ['actor', 'screen', 'chromium']

/**
 * One generated path that was run. `taken` holds ids of transitions in their order; `shots` file names by
 * model state.
 */
export type LivedPath = {
  kind: 'path'
  layer: Layer
  /** The machine whose transitions are counted. */
  machine: string
  /** Whose words the steps are: the machine's own table, or a model of a person. */
  model: string
  steps: string[]
  states: string[]
  taken: string[]
  error: string | null
  shots: Record<string, string>
}
/**
 * How many single faults of a machine its paths show; `harmless` make no difference, each with the reason.
 */
export type Faults = {
  kind: 'faults'
  machine: string
  shown: number
  all: number
  harmless: Record<string, string>
}
export type Entry = LivedPath | Faults

/** Where `npm run test:paths` wants to read of it; nowhere otherwise. */
export const logFile = process.env['PATHS_JOURNAL']

export function logEntry(entry: Entry): void {
  if (logFile) appendFileSync(logFile, `${JSON.stringify(entry)}\n`)
}

type Told = Pick<LivedPath, 'layer' | 'machine' | 'model' | 'steps' | 'states'>
type Seen = ReturnType<typeof recorder>

/** Runs one path and records it. `seen` is given its transitions too; `shots` is filled on the way. */
export async function logPath(
  told: Told,
  seen: Seen,
  work: (own: Pick<Seen, 'inspect' | 'take'>, shots: Record<string, string>) => Promise<void>,
): Promise<void> {
  const own = recorder()
  const shots: Record<string, string> = {}
  let error: string | null = null
  const both: Pick<Seen, 'inspect' | 'take'> = {
    inspect: (event) => (own.inspect(event), seen.inspect(event)),
    take: (ids) => (own.take(ids), seen.take(ids)),
  }
  try {
    await work(both, shots)
  } catch (reason) {
    error = (reason as Error).message
    throw reason
  } finally {
    logEntry({ kind: 'path', ...told, taken: [...own.taken], error, shots })
  }
}
