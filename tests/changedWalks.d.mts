export const changedWalksVariable: string
export const flows: Readonly<Record<string, readonly string[]>>
export const journeys: Readonly<Record<string, { flows: readonly string[]; files: readonly string[] }>>
export const walks: readonly { name: string; walk: string; places: readonly string[] }[]
export function changedWalks(): Promise<{
  found: { name: string; walk: string; because: string[] }[]
  unknown: string | null
}>
export function walkOf(name: string): string
export function changedFiles(folder: string): Promise<string[] | string>
