import { useMemo } from 'react'
import type { Column, Entity } from '../../../../schemas/entities/entity.ts'
import {
  densities,
  offeredColumns,
  readColumns,
  writeColumns,
  type Density,
  type LayoutColumn,
} from '../../../../schemas/entities/lists/layout.ts'
import type { Viewer } from '../../../../schemas/permissions.ts'
import { useListAddress, type ListAddress } from '../address.ts'

const [defaultDensity] = densities
const readDensity = (text: string): Density => densities.find((name) => name === text) ?? defaultDensity

/** How a list shows its records, and the functions that change it in the address (lists 18). */
export type ListLayout = {
  offered: readonly Column[]
  columns: readonly LayoutColumn[]
  density: Density
  show: (columns: readonly LayoutColumn[]) => void
  /** In pixels; null for as wide as its texts. */
  resize: (field: string, width: number | null) => void
  setDensity: (density: Density) => void
  reset: () => void
}

const layoutOf = (entity: Entity, viewer: Viewer, { others, changeOthers }: ListAddress): ListLayout => {
  const columns = readColumns(entity, viewer, others['columns'] ?? '')
  const show = (next: readonly LayoutColumn[]) => changeOthers({ columns: writeColumns(entity, next) })
  return {
    offered: offeredColumns(entity, viewer),
    columns,
    density: readDensity(others['density'] ?? ''),
    show,
    resize: (field, width) =>
      show(columns.map((column) => (column.field === field ? { ...column, width } : column))),
    setDensity: (density) => changeOthers({ density: density === defaultDensity ? '' : density }),
    reset: () => changeOthers({ columns: '' }),
  }
}

/** The address of a list that also holds its columns and its density. */
export function useListLayout(entity: Entity, viewer: Viewer): { address: ListAddress; layout: ListLayout } {
  const fields = useMemo(() => entity.list.columns.map(({ field }) => field), [entity])
  const parameters = useMemo(
    () => ({
      columns: (text: string) => writeColumns(entity, readColumns(entity, viewer, text)),
      density: (text: string) => (readDensity(text) === defaultDensity ? '' : text),
    }),
    [entity, viewer],
  )
  const address = useListAddress(fields, parameters)
  return { address, layout: useMemo(() => layoutOf(entity, viewer, address), [entity, viewer, address]) }
}
