import { describe } from 'vitest'
import { testWalks, type Place } from '../lib/testWalks.ts'
import { kinds } from './kinds.ts'
import { recordOf, termsRecord } from './kindSteps.ts'

const models = [
  ...kinds.map((kind) => [kind.noun, recordOf(kind)] as const),
  ['terms', termsRecord()] as const,
]

/** Walks the model of every kind of record beside merchants, each on its own screen. */
export function testKinds(place: Place): void {
  describe.each(models)('%s', (_, model) => testWalks(model, 'modal', place))
}
