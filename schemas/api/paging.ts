import { defaultPageSize, pageSizes } from '../constants.ts'
import type { ShapeOf } from '../shapes.ts'

/** The number of a page and how many rows it has (constants 2). */
export const pageQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    page: { type: 'integer', minimum: 1, maximum: 10_000_000, default: 1 },
    size: { type: 'integer', enum: pageSizes, default: defaultPageSize },
  },
} as const
/** A page of a list that can be searched and sorted: `sort` is '{field}' or '-{field}'. */
export const listQuery = {
  ...pageQuery,
  properties: {
    ...pageQuery.properties,
    search: { type: 'string', maxLength: 200, default: '' },
    sort: { type: 'string', maxLength: 60, default: '' },
  },
} as const
export type ListQuery = ShapeOf<typeof listQuery, true>
export type Page<R> = { data: R[]; total_length: number }
