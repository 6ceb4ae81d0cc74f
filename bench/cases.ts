import { calls } from './areas/calls.ts'
import { firstLoad } from './areas/firstLoad.ts'
import { imports } from './areas/imports.ts'
import { lists } from './areas/lists.ts'
import { money } from './areas/money.ts'
import { reports } from './areas/reports.ts'
import { type Area, describeGoal } from './case.ts'

/**
 * Everything that is measured. A new case is a row in `cases` of its area, and a line in the table of
 * docs/growing.md, which a test compares with these.
 */
export const areas: readonly Area[] = [calls, lists, reports, money, imports, firstLoad]

/** The cases as docs/growing.md lists them: area, name, goals. */
export function describeCases(): [area: string, name: string, goals: string][] {
  const listed = new Map<string, [string, string, string]>()
  for (const area of areas) {
    for (const { name, listedAs = name, goals } of area.cases) {
      const row: [string, string, string] = [
        area.name,
        listedAs,
        goals.map(describeGoal).join('; ') || 'none',
      ]
      listed.set(row.join('\n'), row)
    }
  }
  return [...listed.values()]
}
