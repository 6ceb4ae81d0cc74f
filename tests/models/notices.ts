import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ways } from '../mbt/paths.ts'
import { world, type World } from '../world.ts'
import { openDom } from './dom.tsx'
import { eventually } from './driver.ts'
import type { Fault } from './faults.ts'
import { graphOf, take, walk } from './suite.ts'

/** The shortest way to the step at which the fault is met, and that step. */
function wayTo({ model, state, stimulus }: Fault) {
  const graph = graphOf(model)
  const edge = graph.edges.find(({ from, stimulus: name }) => from.state === state && name === stimulus)
  if (!edge) throw new Error(`nobody ${stimulus} at ${state}`)
  return { way: ways(graph).get(edge.from.key)!, edge }
}

/** What is there after this time, in milliseconds, is there for good. */
const soon = 1_000

/** A portal with the fault is lived through up to the step that shows it, and there the model says what is wrong. */
export function notices(title: string, faults: readonly Fault[]): void {
  describe(title, () => {
    let home: World
    beforeAll(async () => {
      home = await world()
    })
    afterAll(() => home.close())

    it.each(faults.map((fault) => [fault.name, fault] as const))(
      '%s',
      async (_, fault) => {
        const { way, edge } = wayTo(fault)
        const tab = openDom(home, { tamper: fault.tamper })
        try {
          await walk(fault.model, tab, way)
          const impatient = { ...tab, eventually: (check: () => Promise<void> | void) => eventually(check, soon) }
          await expect(take(fault.model, impatient, edge)).rejects.toThrow(fault.says)
        } finally {
          await tab.close()
        }
      },
      30_000,
    )
  })
}
