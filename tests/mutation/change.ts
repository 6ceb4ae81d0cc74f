import { applied, type Change } from './operators/mutant.ts'

/** The lines of a file that a change removes and adds, as in a diff. */
export function changeOf(source: string, change: Change): string {
  const [before, after] = [source.split('\n'), applied(source, change).split('\n')]
  const shorter = Math.min(before.length, after.length)
  let first = 0
  while (first < shorter && before[first] === after[first]) first++
  let last = 0
  while (last < shorter - first && before.at(-1 - last) === after.at(-1 - last)) last++
  const part = (lines: readonly string[], sign: string) =>
    lines.slice(first, lines.length - last).map((line) => `${sign} ${line}`)
  return [...part(before, '-'), ...part(after, '+')].join('\n')
}
