export const changedWalksVariable: string
export const walksPartVariable: string
export const flows: Readonly<Record<string, readonly string[]>>
export const journeys: Readonly<Record<string, { flows: readonly string[]; files: readonly string[] }>>
export const walks: readonly { name: string; walk: string; places: readonly string[] }[]
type ChangedWalk = { name: string; walk: string; because: string[] }
export function changedWalks(): Promise<{ found: ChangedWalk[]; part: string; unknown: string | null }>
export function turnOf<T extends { walk: string }>(
  found: readonly T[],
  commit: number,
): { found: T[]; part: string }
export function pathsOfPart<T>(paths: readonly T[], part?: string): T[]
export function walkOf(name: string): string
export function commitNumber(folder: string): number
export function changedFiles(folder: string, commits?: number): Promise<string[] | string>
