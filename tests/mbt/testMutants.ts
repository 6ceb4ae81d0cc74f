import { expect, it } from 'vitest'
import { type Edge, explore } from './explore.ts'
import { type Mutant, mutants } from './mutants.ts'
import { logEntry } from './pathLog.ts'
import { everyIgnored, everyPairFromStart, names } from './paths.ts'
import { runPath, type Spec } from './runPath.ts'

/** Breaks a machine in every way that one change allows; a path that follows the table must fail for each. */
export function testMutants(spec: Spec): void {
  const machine = spec.machine.id
  it(`no single fault of the ${machine} machine passes all paths`, async () => {
    const graph = explore(spec)
    const paths = [...everyPairFromStart(graph), ...everyIgnored(graph)].sort((a, b) => a.length - b.length)
    const all = mutants(spec.machine)
    const survivors: string[] = []
    for (const mutant of all) if (await survives(spec, paths, mutant)) survivors.push(mutant.name)
    const shown = all.length - survivors.length
    console.log(`${machine}: ${shown} of ${all.length} faults shown by ${paths.length} paths`)
    logEntry({ kind: 'faults', machine, shown, all: all.length, harmless: spec.harmless ?? {} })
    expect(survivors.sort()).toEqual(Object.keys(spec.harmless ?? {}).sort())
  }, 300_000)
}

/** Whether a faulty machine passes every path. The paths that visit the faulty state run first. */
async function survives(spec: Spec, paths: readonly Edge[][], { machine, at }: Mutant) {
  const inside = ({ state }: { state: string }) =>
    at === null || `${machine.id}.${state}.`.startsWith(`${at}.`)
  const visits = (path: Edge[]) => path.some((edge) => inside(edge.from))
  try {
    for (const path of [...paths.filter(visits), ...paths.filter((path) => !visits(path))])
      await runPath(spec, names(path), { machine })
    return true
  } catch {
    return false
  }
}
