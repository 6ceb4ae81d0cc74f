import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Config } from '../../../server/config/config.ts'
import { title, ways } from '../../mbt/paths.ts'
import type { TestPortal } from '../../testPortal.ts'
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

/**
 * Does not wait for what will not come: once no call is under way and React has nothing left to draw, some
 * more checks are enough.
 * The pauses between them are for what uses timers of its own, such as a picker.
 */
const withFewChecks = (tab: Driver) =>
  Object.assign(tab, {
    async eventually(check: () => Promise<void> | void) {
      const end = Date.now() + timeout
      for (let checks = 1; ; checks++) {
        try {
          return await check()
        } catch (error) {
          if (!tab.network.isIdle()) checks = 0
          if (checks >= 10 || Date.now() > end) throw error
          await tab.settle()
          await new Promise((again) => setTimeout(again, 50))
        }
      }
    },
  })

/**
 * Walks a faulty portal up to the step that shows the fault; there the model must fail, with the path and
 * what is wrong in words.
 */
export function testFaults(
  of: string,
  faults: readonly Fault[],
  settings?: () => Promise<Partial<Config>>,
): void {
  describe(`the models of ${of} would notice that`, () => {
    let home: TestPortal
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
          const told = await takeLast(model, withFewChecks(tab), path).then(
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
