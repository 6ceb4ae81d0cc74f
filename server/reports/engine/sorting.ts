import { escapeIdentifier } from 'pg'
import { searchText } from '../../db/search.ts'
import { HttpError } from '../../http/errors.ts'
import type { Column, Report } from './report.ts'

export type Order = { column: Column; isDescending: boolean }

/**
 * The order that `sort` names: the name of a column, '-' before it for descending; null for ''. Throws an
 * HttpError (422) for anything else (reports 42).
 */
export function parseSort({ columns, name }: Report, sort: string): Order | null {
  if (sort === '') return null
  const isDescending = sort.startsWith('-')
  const column = columns.find((it) => it.name === (isDescending ? sort.slice(1) : sort))
  if (!column) throw new HttpError(422, `Sort must name a column of ${name}`)
  if (column.unsortable) throw new HttpError(422, `${name} cannot be sorted by ${column.displayname}`)
  return { column, isDescending }
}

/** What a column is compared by, as `reportOrder.ts` compares it on the screen. */
const keySql = ({ name, datatype }: Column) => {
  const value = `o.${escapeIdentifier(name)}`
  return datatype === 'text' || datatype === 'id'
    ? `nullif(${searchText(`${value}::text`)}, '') collate "C"`
    : value
}

/**
 * The statement with its rows in this order, within their sections, which keep their places. Blanks come last
 * and equal rows keep their order (reports 42). PostgreSQL sorts, so that memory does not grow with the rows.
 */
export const sortedSql = (
  sql: string,
  { sections = [] }: Pick<Report, 'sections'>,
  { column, isDescending }: Order,
): string => {
  const partition = sections.map((name) => `o.${escapeIdentifier(name)}`).join(', ')
  const keys = [
    ...(partition ? [`min(o.report_place) over (partition by ${partition})`] : []),
    `${keySql(column)} ${isDescending ? 'desc' : 'asc'} nulls last`,
    'o.report_place',
  ]
  return `
    select o.* from (
      select r.*, row_number() over () as report_place from (${sql}) r) o
    order by ${keys.join(', ')}`
}
