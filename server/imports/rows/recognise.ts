import type { Import, ImportName } from '../../../schemas/imports/imports.ts'
import type { Line } from '../formats/sheet.ts'
import { headingFit } from './heading.ts'

/**
 * The kinds that a file may be of; one alone is its kind. `proposed` is the likeliest; null when no
 * kind knows two columns of a line.
 */
export type Recognised = { candidates: ImportName[]; proposed: ImportName | null }

type Fit = { sheet: number; name: ImportName; isHeading: boolean; known: number[] }
const isWithin = (one: Fit, other: Fit) =>
  one.sheet === other.sheet &&
  one.known.length < other.known.length &&
  one.known.every((at) => other.known.includes(at))

/**
 * Recognises a kind by the first lines of each sheet (inbox 4). The columns of kinds overlap: a kind is left
 * out when another one knows the same columns and more.
 */
export function recognise(definitions: readonly Import[], sheets: readonly Line[][]): Recognised {
  const fits = sheets.flatMap((lines, sheet) =>
    definitions.map((definition) => ({
      sheet,
      name: definition.name as ImportName,
      ...headingFit(definition, lines),
    })),
  )
  const fitting = fits.filter(({ isHeading }) => isHeading)
  const most = (one: Fit, other: Fit) => other.known.length - one.known.length
  const best = fitting.filter((fit) => !fitting.some((other) => isWithin(fit, other))).toSorted(most)
  const candidates = [...new Set(best.map(({ name }) => name))]
  const [nearest] = fits.filter(({ known }) => known.length > 1).toSorted(most)
  return { candidates, proposed: candidates[0] ?? nearest?.name ?? null }
}
