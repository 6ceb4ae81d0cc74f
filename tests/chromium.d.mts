export function findChromium(): string | null
export function needsBrowser(args: readonly string[]): boolean
