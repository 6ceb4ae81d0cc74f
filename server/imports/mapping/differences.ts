import {
  columnsOfSource,
  type ColumnRef,
  type FieldSource,
  type MappedSheet,
  type Mapping,
  type MappingDifference,
} from '../../../schemas/imports/mapping/mapping.ts'
import { normalizeHeading } from '../rows/heading.ts'
import type { StoredMapping } from './storedMapping.ts'

/** A saved mapping carried over to the headings of a file. */
type CarriedMapping = { mapping: Mapping; difference: MappingDifference; shared: number }

/** The columns that the fields of a mapping take, each once. */
const usedColumns = ({ fields }: Mapping): ColumnRef[] => {
  const all = Object.values(fields).flatMap(columnsOfSource)
  return all.filter(
    (one, at) => all.findIndex(({ sheet, name }) => sheet === one.sheet && name === one.name) === at,
  )
}

/** The sheets of a file for those of a saved mapping: by name, else in their order. */
function pairSheets(saved: readonly MappedSheet[], given: readonly MappedSheet[]): Map<string, MappedSheet> {
  const free = [...given]
  const pairs = new Map<string, MappedSheet>()
  const take = (name: string, at: number) => {
    if (at >= 0) pairs.set(name, free.splice(at, 1)[0]!)
  }
  for (const { name } of saved)
    take(
      name,
      free.findIndex((one) => one.name === name),
    )
  for (const { name } of saved) if (!pairs.has(name)) take(name, free.length ? 0 : -1)
  return pairs
}

/**
 * Where the columns of a saved heading stand in another: by name, else by the place of a name that is new.
 */
function compareHeadings(saved: readonly string[], given: readonly string[]) {
  const savedNames = saved.map(normalizeHeading)
  const givenNames = given.map(normalizeHeading)
  const renamed = new Map<string, string>()
  const stayed = new Map<string, string>()
  saved.forEach((name, at) => {
    const same = givenNames.indexOf(savedNames[at]!)
    const inPlace = given[at]
    if (same >= 0) stayed.set(name, given[same]!)
    else if (inPlace !== undefined && !savedNames.includes(givenNames[at]!)) renamed.set(name, inPlace)
  })
  const order = (names: readonly string[], others: readonly string[]) =>
    names.filter((name) => others.includes(name))
  const before = order(savedNames, givenNames)
  const after = order(givenNames, savedNames)
  const targets = new Set([...stayed.values(), ...renamed.values()])
  return {
    renamed,
    stayed,
    isMoved: (name: string) =>
      before.indexOf(normalizeHeading(name)) !== after.indexOf(normalizeHeading(name)),
    added: given.filter((name) => !targets.has(name)),
  }
}

/**
 * Carries a saved mapping over to the sheets of a file (mapping 5). Columns of it that are gone leave their
 * fields open. Null when fewer than half of its columns are there under their names.
 */
function carryOver(saved: StoredMapping, given: readonly MappedSheet[]): CarriedMapping | null {
  const pairs = pairSheets(saved.mapping.sheets, given)
  const compared = new Map(
    saved.mapping.sheets.map(({ name, heading }) => [
      name,
      compareHeadings(heading, pairs.get(name)?.heading ?? []),
    ]),
  )
  const used = usedColumns(saved.mapping)
  const sameNames = used.filter(({ sheet, name }) => compared.get(sheet)!.stayed.has(name)).length
  if (sameNames === 0 || sameNames * 2 < used.length) return null
  const carry = (column: ColumnRef): ColumnRef | null => {
    const { stayed, renamed } = compared.get(column.sheet)!
    const name = stayed.get(column.name) ?? renamed.get(column.name)
    return name === undefined ? null : { ...column, sheet: pairs.get(column.sheet)!.name, name }
  }
  const carrySource = (source: FieldSource): FieldSource | null => {
    if ('constant' in source) return source
    const columns = source.columns.map(carry)
    return columns.every((column) => column !== null) ? { ...source, columns } : null
  }
  const fields = Object.fromEntries(
    Object.entries(saved.mapping.fields).flatMap(([field, source]) => {
      const carried = carrySource(source)
      return carried ? [[field, carried]] : []
    }),
  )
  const names = (has: (column: ColumnRef) => boolean) => used.filter(has).map(({ name }) => name)
  return {
    mapping: { sheets: [...pairs.values()], fields },
    shared: sameNames / used.length,
    difference: {
      processor: saved.processor,
      renamed: used.flatMap(({ sheet, name }) => {
        const to = compared.get(sheet)!.renamed.get(name)
        return to === undefined ? [] : [{ from: name, to }]
      }),
      moved: names(
        ({ sheet, name }) => compared.get(sheet)!.stayed.has(name) && compared.get(sheet)!.isMoved(name),
      ),
      missing: names(
        ({ sheet, name }) =>
          !compared.get(sheet)!.stayed.has(name) && !compared.get(sheet)!.renamed.has(name),
      ),
      added: [...compared.values()].flatMap(({ added }) => added),
    },
  }
}

/** Of saved mappings, newest first, the one that shares most of its columns with a file. */
export const closestMapping = (
  saved: readonly StoredMapping[],
  given: readonly MappedSheet[],
): CarriedMapping | null =>
  saved
    .flatMap((one) => carryOver(one, given) ?? [])
    .reduce<CarriedMapping | null>((best, one) => (best && best.shared >= one.shared ? best : one), null)
