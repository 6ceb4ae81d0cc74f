import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import { recorder } from '../../mbt/coverage.ts'
import type { Edge } from '../../mbt/explore.ts'
import { type Layer, noted } from '../../mbt/pathLog.ts'
import { names, title, tours } from '../../mbt/paths.ts'
import type { Driver } from './drivers/driver.ts'
import { untakenOf } from './unreachable.ts'
import { along, gaps, graphOf, walk, type UserModel } from './userModel.ts'

/** Where a model is lived: how to open a tab there, and how long a walk may be before the next begins afresh. */
export type Place = {
  begin(): Promise<void>
  open(seen: Pick<ReturnType<typeof recorder>, 'inspect' | 'take'>): Driver | Promise<Driver>
  end(): Promise<void>
  longest: number
  layer: Exclude<Layer, 'actor'>
}

/** Lives through one path in a window of its own, and notes it. */
export function livePath(
  model: UserModel,
  machine: string,
  place: Place,
  seen: ReturnType<typeof recorder>,
  path: readonly Edge[],
): Promise<void> {
  const told = {
    layer: place.layer,
    machine,
    model: model.machine.id,
    steps: names(path),
    states: path.map(({ to }) => to.state),
  }
  return noted(told, seen, async (own, shots) => {
    const tab = await place.open(own)
    try {
      await walk(model, tab, path, shots)
    } finally {
      await tab.close()
    }
  })
}

/**
 * The same promises for every model, wherever it is lived. `machine` is the product's, which it knows nothing of; `also`
 * are paths that once led to a fault no single step shows.
 */
export function lives(
  model: UserModel,
  machine: AnyStateMachine,
  place: Place,
  also: readonly (readonly string[])[] = [],
): void {
  const graph = graphOf(model)
  const seen = recorder()

  describe(model.machine.id, () => {
    beforeAll(place.begin)
    afterAll(place.end)

    it('is modelled without gaps', () => {
      expect(Object.entries(gaps(model, graph)).filter(([, names]) => names.length > 0)).toEqual([])
    })

    it.each(
      [...tours(graph, place.longest), ...also.map((names) => along(graph, ['begins', ...names]))].map(
        (path) => [title(path), path] as const,
      ),
    )('%s', (_, path) => livePath(model, machine.id, place, seen, path), 180_000)

    it(`takes every transition of the ${machine.id} machine`, () => {
      expect(seen.missing(machine)).toEqual(untakenOf(machine.id))
    })
  })
}
