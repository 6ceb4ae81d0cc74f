import type { Browser } from 'playwright-core'

/**
 * What came of a fault. `acknowledged` counts the writes that the portal answered as done, `found` those of
 * them that were there afterwards, `half` the actions of which a part was stored. `problems` are sentences
 * about anything else that was not as it must be.
 */
export type Outcome = { tried: number; acknowledged: number; found: number; half: number; problems: string[] }

/** What the faults share: a folder for data, and the browser of those that look at pages. */
export type Place = { folder(): string; folderWithDatabase(): Promise<string>; browser(): Promise<Browser> }

/** `rounds` is how often a whole run tries it. */
export type Fault = {
  name: string
  what: string
  rounds: number
  /** Why it cannot be tried on this machine, null when it can. */
  missing?(): string | null
  run(place: Place, rounds: number): Promise<Outcome>
}

export const newOutcome = (): Outcome => ({ tried: 0, acknowledged: 0, found: 0, half: 0, problems: [] })

export const isGood = ({ acknowledged, found, half, problems }: Outcome): boolean =>
  acknowledged > 0 && found === acknowledged && half === 0 && problems.length === 0

/** Adds a sentence where something is not as it must be. */
export function expectThat(outcome: Outcome, isTrue: boolean, sentence: string): void {
  if (!isTrue && !outcome.problems.includes(sentence)) outcome.problems.push(sentence)
}

/** Waits until `isTrue` answers true; false when it does not within so many milliseconds. */
export async function comesTrue(isTrue: () => boolean | Promise<boolean>, within: number): Promise<boolean> {
  const end = performance.now() + within
  while (performance.now() < end) {
    if (await isTrue()) return true
    await new Promise((next) => setTimeout(next, 20))
  }
  return isTrue()
}
