import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recorder } from '../../mbt/coverage.ts'
import { title, tours } from '../../mbt/paths.ts'
import { livePath, type Place } from '../lib/testWalks.ts'
import { along, gaps, graphOf } from '../lib/userModel.ts'
import { kinds } from './kinds.ts'
import { recordOf, termsRecord } from './kindSteps.ts'

/** `isWhole`: a browser walks all of it too. */
const models = [
  ...kinds.map((kind, index) => ({ name: kind.noun, model: recordOf(kind), isWhole: index === 0 })),
  { name: 'terms', model: termsRecord(), isWhole: true },
]

/** What is done with a record in its best of lives. */
const short = [
  'begins',
  'opens the list',
  'presses Create',
  'fills it in',
  'presses Save',
  'begins anew',
  'follows the row',
  'changes it',
  'presses Save',
]

/**
 * One model for every entity beside merchants, each on its own screen. Rendered screens walk all of it for each; a browser, which takes
 * longer, for the first and for the terms, whose model is another one, and lives a short life with the others.
 */
export function livesRecords(place: Place): void {
  beforeAll(place.begin)
  afterAll(place.end)

  describe.each(models)('a person and a record: $name', ({ model, isWhole }) => {
    const graph = graphOf(model)
    const paths = isWhole || place.layer === 'screen' ? tours(graph, place.longest) : [along(graph, short)]

    it('is modelled without gaps', () => {
      expect(Object.entries(gaps(model, graph)).filter(([, names]) => names.length > 0)).toEqual([])
    })

    it.each(paths.map((path) => [title(path), path] as const))(
      '%s',
      (_, path) => livePath(model, 'modal', place, recorder(), path),
      180_000,
    )
  })
}
