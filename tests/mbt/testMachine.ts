import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recorder } from './coverage.ts'
import { type Edge, explore, type Graph } from './explore.ts'
import { logPath } from './pathLog.ts'
import { everyIgnored, everyPairFromStart, names } from './paths.ts'
import { runPath, type Spec } from './runPath.ts'
import { rowFor } from './table.ts'

/**
 * Compares a running machine with its table: every two transitions that can follow each other, and random
 * long paths.
 */
export function testMachine(spec: Spec): void {
  const graph = explore(spec)
  const pairs = everyPairFromStart(graph)
  const ignored = everyIgnored(graph)
  const seen = recorder()
  const machine = spec.machine.id
  const descriptionOf = (path: Edge[]) =>
    ({
      layer: 'actor',
      machine,
      model: `the ${machine} machine`,
      steps: names(path),
      states: path.map(({ to }) => to.key),
    }) as const
  const run = (path: Edge[]) =>
    logPath(descriptionOf(path), seen, ({ inspect }) => runPath(spec, names(path), { inspect }))

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
      for (const path of paths) await run(path)
    })

    it('ignores what the table does not name', async () => {
      for (const path of ignored) await run(path)
    })

    it('takes every transition it declares', () => {
      expect(seen.missing(spec.machine)).toEqual([])
    })

    // Ignored stimuli among the others keep a path near its start; without them it shows what is left over
    // in the context from steps far back.
    it.each([true, false])(
      'follows the table on long random paths, ignored stimuli among them: %s',
      async (all) => {
        const choices = fc.array(fc.nat(), { minLength: 20, maxLength: 60 })
        await fc.assert(
          fc.asyncProperty(choices, (numbers) => runPath(spec, randomPath(graph, numbers, all))),
          { numRuns: 25, seed: 1 },
        )
      },
    )
  })
}

/** A path through the graph: each number chooses the next stimulus, with `all` also of those that are ignored. */
function randomPath(graph: Graph, numbers: readonly number[], all: boolean): string[] {
  const stays = graph.ignored.map(({ at, stimulus }): Edge => ({ from: at, stimulus, to: at }))
  const edges = all ? [...graph.edges, ...stays] : graph.edges
  let at = graph.start.key
  return numbers.flatMap((number) => {
    const choices = edges.filter((edge) => edge.from.key === at)
    const edge = choices[number % choices.length]
    at = edge?.to.key ?? at
    return edge?.stimulus ?? []
  })
}
