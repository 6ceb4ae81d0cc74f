import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import { recorder } from './coverage.ts'
import { type Edge, explore, type Graph, start } from './explore.ts'
import { note, noted } from './journal.ts'
import { live, type Spec } from './judge.ts'
import { type Mutant, mutants } from './mutate.ts'
import { everyIgnored, everyPair, names } from './paths.ts'
import { rowFor } from './table.ts'

/** The same five promises for every machine: its table is the truth, and the tests would notice any single fault. */
export function keepsItsTable<M extends AnyStateMachine>(given: Spec<M>) {
  const spec = given as unknown as Spec
  const graph = explore(spec)
  const starts = graph.edges.filter((edge) => edge.from === start)
  const pairs = [...starts.map((edge) => [edge]), ...everyPair(graph)]
  const ignored = everyIgnored(graph)
  const seen = recorder()
  const machine = spec.machine.id
  const told = (path: Edge[]) =>
    ({
      layer: 'actor',
      machine,
      model: `the ${machine} machine`,
      steps: names(path),
      states: path.map(({ to }) => to.key),
    }) as const
  const lived = (path: Edge[]) =>
    noted(told(path), seen, ({ inspect }) => live(spec, names(path), { inspect }))

  describe(`the ${machine} machine`, () => {
    it('can do what its table says, and nothing else', () => {
      const used = graph.edges.map((edge) => ({ edge, row: rowFor(spec.rows, edge.from, edge.stimulus) }))
      const unsaid = used
        .filter(({ row }) => !row)
        .map(({ edge }) => `${edge.from.key} | ${edge.stimulus} | ${edge.to.state}`)
      const different = used
        .filter(({ edge, row }) => row && row.to !== edge.to.state)
        .map(({ edge, row }) => `${row!.line} <- leads to ${edge.to.state}`)
      const dead = spec.rows
        .filter((row) => !used.some((one) => one.row === row))
        .map((row) => `${row.line} (${row.state})`)
      expect({ unsaid, different, dead }).toEqual({ unsaid: [], different: [], dead: [] })
    })

    it.each(
      spec.rows.map(
        (row) => [`${[row.state, ...row.words].join(', ')} | ${row.stimulus} | ${row.to}`, row] as const,
      ),
    )('%s, whatever came before', async (_, row) => {
      const paths = pairs.filter(
        (path) => rowFor(spec.rows, path.at(-1)!.from, path.at(-1)!.stimulus) === row,
      )
      expect(paths).not.toEqual([])
      for (const path of paths) await lived(path)
    })

    it('takes no notice of what the table does not name', async () => {
      for (const path of ignored) await lived(path)
    })

    it('was seen to take every transition it declares', () => {
      expect(seen.missing(spec.machine)).toEqual([])
    })

    it('keeps the table on long walks at random', async () => {
      const choices = fc.array(fc.nat(), { minLength: 20, maxLength: 60 })
      await fc.assert(
        fc.asyncProperty(choices, (numbers) => live(spec, stroll(graph, numbers))),
        { numRuns: 25, seed: 1 },
      )
    })

    it('cannot have a single fault that no path shows', async () => {
      const paths = [...pairs, ...ignored].sort((a, b) => a.length - b.length)
      const all = mutants(spec.machine)
      const survivors: string[] = []
      for (const mutant of all) if (await survives(spec, paths, mutant)) survivors.push(mutant.name)
      const shown = all.length - survivors.length
      console.log(`${machine}: ${shown} of ${all.length} faults shown by ${paths.length} paths`)
      note({ kind: 'faults', machine, shown, all: all.length, harmless: spec.harmless ?? {} })
      expect(survivors.sort()).toEqual(Object.keys(spec.harmless ?? {}).sort())
    }, 300_000)
  })
}

/** Whether a faulty machine lives through every path as the table says. The paths that visit the fault come first. */
async function survives(spec: Spec, paths: readonly Edge[][], { machine, at }: Mutant) {
  const inside = ({ state }: { state: string }) =>
    at === null || `${machine.id}.${state}.`.startsWith(`${at}.`)
  const visits = (path: Edge[]) => path.some((edge) => inside(edge.from))
  try {
    for (const path of [...paths.filter(visits), ...paths.filter((path) => !visits(path))])
      await live(spec, names(path), { machine })
    return true
  } catch {
    return false
  }
}

/** A walk through the graph in which each number chooses what comes next, also from what is to be ignored. */
function stroll(graph: Graph, numbers: readonly number[]): string[] {
  const stays = graph.ignored.map(({ at, stimulus }): Edge => ({ from: at, stimulus, to: at }))
  const edges = [...graph.edges, ...stays]
  let at = graph.start.key
  return numbers.map((number) => {
    const choices = edges.filter((edge) => edge.from.key === at)
    const edge = choices[number % choices.length]!
    at = edge.to.key
    return edge.stimulus
  })
}
