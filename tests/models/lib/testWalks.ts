import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import { recorder } from '../../mbt/coverage.ts'
import type { Edge } from '../../mbt/explore.ts'
import { type Layer, logPath } from '../../mbt/pathLog.ts'
import { names, title } from '../../mbt/paths.ts'
import { tours } from '../../mbt/tours.ts'
import type { Driver } from './drivers/driver.ts'
import { unreachableOf } from './unreachable.ts'
import { gaps, graphOf, pathAlong, walk, type UserModel } from './userModel.ts'

type Recorder = ReturnType<typeof recorder>

/**
 * Where a model is walked: how to open a tab there, and how many steps a walk may have before the next one
 * begins.
 */
export type Place = {
  begin(): Promise<void>
  open(seen: Pick<Recorder, 'inspect' | 'take'>): Driver | Promise<Driver>
  end(): Promise<void>
  longest: number
  /** The paths that are walked there in this run. */
  choose?(paths: readonly Edge[][]): Edge[][]
  layer: Exclude<Layer, 'actor'>
}

/** Walks one path in a browser of its own, and notes it for the report. */
function walkPath(
  model: UserModel,
  machine: string,
  place: Place,
  seen: Recorder,
  path: readonly Edge[],
): Promise<void> {
  const description = {
    layer: place.layer,
    machine,
    model: model.machine.id,
    steps: names(path),
    states: path.map(({ to }) => to.state),
  }
  return logPath(description, seen, async (own, shots) => {
    const tab = await place.open(own)
    try {
      await walk(model, tab, path, shots)
    } finally {
      await tab.close()
    }
  })
}

/**
 * Walks every transition of a model. `machine` is the one of the portal behind it, of which the model knows
 * nothing: given as a machine, all its transitions must be taken; given as a name, the walks are only counted
 * for it. `also` are paths that once led to a fault no single step shows.
 */
export function testWalks(
  model: UserModel,
  machine: AnyStateMachine | string,
  place: Place,
  also: readonly (readonly string[])[] = [],
): void {
  const graph = graphOf(model)
  const seen = recorder()
  const name = typeof machine === 'string' ? machine : machine.id
  const all = [
    ...tours(graph, place.longest),
    ...also.map((stimuli) => pathAlong(graph, ['begins', ...stimuli])),
  ]
  const paths = place.choose?.(all) ?? all

  describe(model.machine.id, () => {
    beforeAll(place.begin)
    afterAll(place.end)

    it('is modelled without gaps', () => {
      expect(Object.entries(gaps(model, graph)).filter(([, found]) => found.length > 0)).toEqual([])
    })

    it.each(paths.map((path) => [title(path), path] as const))(
      '%s',
      (_, path) => walkPath(model, name, place, seen, path),
      300_000,
    )

    if (typeof machine === 'string' || paths.length < all.length) return
    it(`takes every transition of the ${name} machine`, () => {
      expect(seen.missing(machine)).toEqual(unreachableOf(name))
    })
  })
}
