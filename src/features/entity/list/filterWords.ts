import type { Entity } from '../../../../schemas/entities/entity.ts'
import { optionsOf, propertyOf, valueTitle } from '../../../../schemas/entities/lists/columns.ts'
import type { Filter } from '../../../../schemas/entities/lists/filters.ts'
import { joinWithOr } from '../../../../schemas/wording.ts'
import { formatDollars, formatMonth, formatPercent, formatUtcDate } from '../../../parts/format.ts'

const boundText = ({ kind, column }: Filter, bound: string): string => {
  if (kind === 'days') return formatUtcDate(Date.parse(`${bound}T00:00:00Z`) / 1000)
  if (kind === 'months') return formatMonth(bound)
  if (column.as === 'dollars') return formatDollars(bound)
  return column.as === 'percent' ? formatPercent(bound) : bound
}

/** What a filter asks for, without its title: 'Active or Inactive', 'from 1/1/2026 to 1/31/2026', 'empty'. */
export function filterWords(entity: Entity, filter: Filter, labelOf: (id: number) => string): string {
  const { column, kind, test } = filter
  if (test.is === 'between') {
    const { from, to } = test
    if (from !== null && from === to) return boundText(filter, from)
    return [from && `from ${boundText(filter, from)}`, to && `to ${boundText(filter, to)}`]
      .filter(Boolean)
      .join(' ')
  }
  if (test.is !== 'among') return test.is === 'empty' ? 'empty' : 'not empty'
  if (kind === 'reference') return joinWithOr(test.values.map((id) => labelOf(Number(id))))
  const options = optionsOf(column, propertyOf(entity, column))
  return joinWithOr(options.filter(({ value }) => test.values.includes(value)).map(({ title }) => title))
}

/** The title of a filter's column: 'Account Status'. */
export const filterTitle = (entity: Entity, { column }: Pick<Filter, 'column'>): string =>
  valueTitle(column, propertyOf(entity, column))
