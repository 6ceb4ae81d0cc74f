import { everyone } from '../../permissions.ts'
import { arrayOf, boolean, objectOf, string, type ShapeOf } from '../../shapes.ts'
import type { Endpoint } from '../endpoint.ts'
import { maxFindLength } from './findText.ts'

const foundRecord = objectOf({
  /** The name that is shown. */
  text: string,
  /** The address that opens it. */
  to: string,
})
const foundKind = objectOf({
  /** The heading of its records. */
  title: string,
  rows: arrayOf(foundRecord),
  /** The address of the list with all that match; '' if there are no more, or no such list. */
  all: string,
  /** The search of this kind was stopped because it took too long. */
  slow: boolean,
})
export type FoundKind = ShapeOf<typeof foundKind>

export const findCalls = {
  find: {
    route: 'GET /api/v1/find',
    allow: everyone,
    query: {
      type: 'object',
      additionalProperties: false,
      required: ['q'],
      properties: { q: { type: 'string', maxLength: maxFindLength } },
    },
    reply: objectOf({ data: arrayOf(foundKind) }),
    quiet: true,
  },
} as const satisfies Record<string, Endpoint>
