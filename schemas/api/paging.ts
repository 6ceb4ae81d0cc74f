import { defaultSize, pageSizes } from '../constants.ts'

/** Which page of how many rows; anything else is a 400 that names it. */
export const pageQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    page: { type: 'integer', minimum: 1, maximum: 10_000_000, default: 1 },
    size: { type: 'integer', enum: pageSizes, default: defaultSize },
  },
} as const
/** The page of a list that can be searched and sorted. */
export const listQuery = {
  ...pageQuery,
  properties: {
    ...pageQuery.properties,
    search: { type: 'string', maxLength: 200, default: '' },
    sort: { type: 'string', maxLength: 60, default: '' },
  },
} as const
export type ListQuery = { page: number; size: number; search: string; sort: string }
export type Page<R> = { data: R[]; total_length: number }
