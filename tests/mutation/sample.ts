import type { Mutant } from './operators/mutant.ts'

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

function shuffled<T>(items: readonly T[], next: () => number): T[] {
  const mixed = [...items]
  for (let index = mixed.length - 1; index > 0; index--) {
    const other = Math.floor(next() * (index + 1))
    ;[mixed[index], mixed[other]] = [mixed[other]!, mixed[index]!]
  }
  return mixed
}

/** 'server/imports' of 'server/imports/undo.ts'; three levels at most. */
export const folderOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 3).join('/')

/**
 * At most so many mutants, the same for the same seed: the operators take turns, and each takes from the
 * folder that was drawn from least.
 */
export function sample(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const waiting = new Map<string, Mutant[]>()
  const mixed = shuffled(
    mutants.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    random(seed),
  )
  for (const mutant of mixed) waiting.set(mutant.operator, [...(waiting.get(mutant.operator) ?? []), mutant])
  const drawn = new Map<string, number>()
  const times = ({ file }: Mutant) => drawn.get(folderOf(file)) ?? 0
  const chosen: Mutant[] = []
  while (chosen.length < count && waiting.size > 0) {
    for (const [operator, left] of waiting) {
      if (chosen.length === count) break
      const next = left.reduce((best, mutant) => (times(mutant) < times(best) ? mutant : best))
      left.splice(left.indexOf(next), 1)
      if (left.length === 0) waiting.delete(operator)
      drawn.set(folderOf(next.file), times(next) + 1)
      chosen.push(next)
    }
  }
  return chosen
}
