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
export const describeCases = (): [area: string, name: string, goals: string][] =>
  areas.flatMap((area) =>
    area.cases.map((it): [string, string, string] => [
      area.name,
      it.name,
      it.goals.map(describeGoal).join('; ') || 'none',
    ]),
  )
