import { columnWidths } from '../../constants.ts'
import type { Kind } from '../../fields.ts'
import type { Viewer } from '../../permissions.ts'
import type { Column, ColumnAs, Entity } from '../entity.ts'

/** A column as it is shown: `width` is in pixels, null for as wide as its texts. */
export type LayoutColumn = Column & { width: number | null }

/** How closely the rows stand (lists 18). */
export const densities = ['comfortable', 'compact'] as const
export type Density = (typeof densities)[number]

/** The kinds of field that a cell can show, and how. */
const formats: Partial<Record<Kind, ColumnAs>> = {
  text: 'text',
  textarea: 'text',
  number: 'number',
  dollars: 'dollars',
  percent: 'percent',
  seconds: 'date',
  month: 'month',
  reference: 'label',
  choice: 'choice',
  flag: 'flag',
}

/**
 * The columns that a list offers this viewer: its own, then the other fields of the form that the viewer is
 * shown there and a cell can show (lists 18).
 */
export function offeredColumns({ list, form, schema }: Entity, viewer: Viewer): Column[] {
  const own = new Set(list.columns.map(({ field }) => field))
  const further = form.groups
    .flatMap(({ fields }) => fields)
    .flatMap((field): Column[] => {
      const { kind, title, writeOnly } = schema.properties[field] ?? {}
      const as = kind && formats[kind]
      const isShown = form.onlyFor?.[field]?.(viewer) ?? true
      return as && title && !writeOnly && isShown && !own.has(field) ? [{ head: title, field, as }] : []
    })
  return [...list.columns, ...further]
}

/** The columns that a list shows unless others are chosen. */
const defaultColumns = ({ list }: Entity): readonly Column[] => list.columns.filter(({ unshown }) => !unshown)

const readWidth = (text: string | undefined): number | null => {
  const width = /^\d{2,3}$/.test(text ?? '') ? Number(text) : 0
  return width >= columnWidths.min && width <= columnWidths.max ? width : null
}

/**
 * The columns of an address, 'xmid,dba:240,status'. Unknown and repeated ones are left out, as are widths out
 * of range; where none is left, the list's default columns.
 */
export function readColumns(entity: Entity, viewer: Viewer, text: string): LayoutColumn[] {
  const offered = new Map(offeredColumns(entity, viewer).map((column) => [column.field, column]))
  const laid: LayoutColumn[] = []
  for (const part of text === '' ? [] : text.split(',')) {
    const [field = '', width] = part.split(':')
    const column = offered.get(field)
    if (column) laid.push({ ...column, width: readWidth(width) })
    offered.delete(field)
  }
  return laid.length > 0 ? laid : defaultColumns(entity).map((column) => ({ ...column, width: null }))
}

/** Columns as `readColumns` reads them; '' for the default columns without widths. */
export function writeColumns(entity: Entity, columns: readonly LayoutColumn[]): string {
  const text = columns.map(({ field, width }) => (width === null ? field : `${field}:${width}`)).join()
  const defaults = defaultColumns(entity).map(({ field }) => field)
  return text === defaults.join() ? '' : text
}

/** A sentence that names the first column which the list does not offer this viewer; null for none. */
export function columnsFault(entity: Entity, viewer: Viewer, text: string): string | null {
  const offered = offeredColumns(entity, viewer).map(({ field }) => field)
  const fields = text === '' ? [] : text.split(',').map((part) => part.split(':')[0]!)
  const wrong = fields.find((field, at) => !offered.includes(field) || fields.indexOf(field) !== at)
  if (wrong === undefined) return null
  return offered.includes(wrong)
    ? `columns names ${JSON.stringify(wrong)} twice`
    : `${JSON.stringify(wrong)} is no column of this list: use ${offered.join(', ')}`
}
