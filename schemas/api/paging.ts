import { defaultPageSize, maxColumnsLength, maxFilterLength, pageSizes } from '../constants.ts'
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
const filter = { type: 'string', maxLength: maxFilterLength, default: '' } as const
/** A page of a list that can be filtered too: `filter` is '{field}:{values}', several with ';' (lists 15). */
export const filteredQuery = {
  ...listQuery,
  properties: { ...listQuery.properties, filter },
} as const
export type ListQuery = ShapeOf<typeof filteredQuery, true>

/** The formats of a list in a file (lists 16). */
const listFormats = ['xlsx', 'csv'] as const
const { search, sort } = listQuery.properties
const columns = { type: 'string', maxLength: maxColumnsLength, default: '' } as const
/** All pages of a list, in a file; `columns` are those shown, in their order, '' for its own (lists 18). */
export const listFileQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    search,
    sort,
    filter,
    columns,
    format: { type: 'string', enum: listFormats, default: 'xlsx' },
  },
} as const
export type ListFileQuery = ShapeOf<typeof listFileQuery, true>
export type Page<R> = { data: R[]; total_length: number }
