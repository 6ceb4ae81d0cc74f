import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recorder } from '../mbt/coverage.ts'
import { title, tours } from '../mbt/paths.ts'
import { livePath, type Place } from './lives.ts'
import { kinds } from './record.kinds.ts'
import { recordOf, termsRecord } from './record.steps.ts'
import { gaps, graphOf } from './suite.ts'

const models = [...kinds.map((kind) => ({ name: kind.noun, model: recordOf(kind) })), { name: 'terms', model: termsRecord() }]

/** One model for every entity beside merchants, each on its own screen. */
export function livesRecords(place: Place): void {
  beforeAll(place.begin)
  afterAll(place.end)

  describe.each(models)('a person and a record: $name', ({ model }) => {
    const graph = graphOf(model)

    it('is modelled without gaps', () => {
      expect(Object.entries(gaps(model, graph)).filter(([, names]) => names.length > 0)).toEqual([])
    })

    it.each(tours(graph, place.longest).map((path) => [title(path), path] as const))(
      '%s',
      (_, path) => livePath(model, 'modal', place, recorder(), path),
      180_000,
    )
  })
}
