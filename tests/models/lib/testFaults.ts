import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Config } from '../../../server/config/config.ts'
import { title, ways } from '../../mbt/paths.ts'
import type { World } from '../../world.ts'
import { openDom } from './drivers/domDriver.tsx'
import { timeout, type Driver } from './drivers/driver.ts'
import { ready } from './onScreens.ts'
import type { Fault } from './tamper.ts'
import { graphOf, takeLast, walk } from './userModel.ts'

/** The shortest path that ends with the step at which the fault is met. */
export function pathTo({ model, state, stimulus }: Omit<Fault, 'says' | 'tamper' | 'name'>) {
  const graph = graphOf(model)
  const edge = graph.edges.find(({ from, stimulus: name }) => from.state === state && name === stimulus)
  if (!edge) throw new Error(`nobody ${stimulus} at ${state}`)
  return [...ways(graph).get(edge.from.key)!, edge]
}

/** From now on it does not wait for what will not come: once no call is under way, ten looks in a second are enough. */
const withShortTimeout = (tab: Driver) =>
  Object.assign(tab, {
    async eventually(check: () => Promise<void> | void) {
      const begun = Date.now()
      for (let [quiet, looks] = [begun, 0]; ; looks++) {
        try {
          return await check()
        } catch (error) {
          if (!tab.network.isIdle()) [quiet, looks] = [Date.now(), 0]
          if ((looks >= 10 && Date.now() > quiet + 1_000) || Date.now() > begun + timeout) throw error
          await new Promise((again) => setTimeout(again, 50))
        }
      }
    },
  })

/** A portal with the fault is lived through up to the step that shows it; there the path fails in words, and says what is wrong. */
export function testFaults(
  of: string,
  faults: readonly Fault[],
  settings?: () => Promise<Partial<Config>>,
): void {
  describe(`the models of ${of} would notice that`, () => {
    let home: World
    beforeAll(async () => {
      home = await ready(settings)
    })
    afterAll(() => home.close())

    it.each(faults.map((fault) => [fault.name, fault] as const))(
      '%s',
      async (_, { model, says, tamper, ...where }) => {
        const path = pathTo({ model, ...where })
        const tab = openDom(home, { tamper })
        try {
          await walk(model, tab, path.slice(0, -1))
          const told = await takeLast(model, withShortTimeout(tab), path).then(
            () => 'nothing',
            (error: Error) => error.message,
          )
          expect(told).toMatch(says)
          expect(told).toContain(`${title(path)}\nwas to lead to: ${path.at(-1)!.to.state}\n`)
        } finally {
          await tab.close()
        }
      },
      30_000,
    )
  })
}
