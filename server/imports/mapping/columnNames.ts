import { createHash } from 'node:crypto'
import type { Import } from '../../../schemas/imports/imports.ts'
import type { MappedSheet } from '../../../schemas/imports/mapping/mapping.ts'
import { displayText, type Line } from '../formats/sheet.ts'
import { redactNumbers } from '../rows/cardNumbers.ts'
import { columnName, normalizeHeading, numberNames } from '../rows/heading.ts'

const maxNameLength = 100

/**
 * The names of the columns of a line, up to the last one with a name: without line breaks, a blank one by its
 * letter, one that is there several times numbered. Card numbers and tax ids are hidden, since the line may
 * turn out to be no heading.
 */
export function columnNames({ cells }: Line, definition: Import): string[] {
  const texts = cells.map((cell) => displayText(cell).replace(/\s+/g, ' '))
  const width = texts.findLastIndex((text) => text !== '') + 1
  const numbered = numberNames()
  return texts
    .slice(0, width)
    .map((text, at) => numbered(redactNumbers(text, definition).slice(0, maxNameLength) || columnName(at)))
}

/** The names by which headings are compared: case, spaces and punctuation do not count (imports 6). */
const normalizeNames = (heading: readonly string[]): string[] => heading.map(normalizeHeading)

export const isSameHeading = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length &&
  normalizeNames(one).every((name, at) => name === normalizeHeading(other[at] ?? ''))

/** SHA-256 (hex) of a kind and the names of the columns of each sheet in their order (mapping 4). */
export const fingerprintOf = (kind: string, sheets: readonly MappedSheet[]): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, ...sheets.map(({ heading }) => normalizeNames(heading))]))
    .digest('hex')
