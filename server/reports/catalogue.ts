import { equipment } from './equipment.ts'
import { termsOutstanding, userAccess } from './people.ts'
import { portfolio } from './portfolio.ts'
import type { Report } from './report.ts'

/** Every report of the portal: a new one is a file and its line here. */
export const catalogue: readonly Report[] = [equipment, portfolio, termsOutstanding, userAccess]
