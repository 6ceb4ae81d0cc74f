import { everyone } from '../../permissions.ts'
import { arrayOf, boolean, objectOf, string, type ShapeOf } from '../../shapes.ts'
import type { Endpoint } from '../endpoint.ts'
import { maxFindLength } from './findText.ts'

const foundRecord = objectOf({
  /** What it is called. */
  text: string,
  /** The address that opens it. */
  to: string,
})
const foundKind = objectOf({
  /** The heading of its records. */
  title: string,
  rows: arrayOf(foundRecord),
  /** The address of the list with all that match; blank where there are no more or no such list. */
  all: string,
  /** It took too long, and its records are not there. */
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
