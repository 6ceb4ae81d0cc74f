export const turns: number
export const inTurns: Readonly<Record<string, number>>
export function placesOf(file: string): string[]
export function allImportsOf(file: string): string[]
export function importedBy(path: string): string[]
export function filesByTurn(): string[][]
export function filesLeftOut(commit: number, changed: readonly string[]): string[]
type Turn = { turn: number | null; leftOut: string[]; unknown: string | null }
export function turnOfCommit(folder?: string): Promise<Turn>
