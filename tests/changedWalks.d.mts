export const flows: Readonly<Record<string, readonly string[]>>
export function changedWalks(): {
  flows: { name: string; because: string[] }[]
  unknown: string | null
}
export function walkOf(name: string): string
