import { attrition } from './attrition.ts'
import { control } from './control.ts'
import { disputes } from './disputes.ts'
import { equipment } from './equipment.ts'
import { exportLog } from './exportLog.ts'
import { mids } from './mids.ts'
import { checklist, versions } from './months.ts'
import { payout } from './payout.ts'
import { pci } from './pci.ts'
import { termsOutstanding, userAccess } from './people.ts'
import { portfolio } from './portfolio.ts'
import { profitability } from './profitability.ts'
import type { Report } from './report.ts'
import { silent } from './silent.ts'
import { statement } from './statement.ts'
import { summary } from './summary.ts'
import { taxTotals } from './taxTotals.ts'
import { tin } from './tin.ts'

/** Every report of the portal: a new one is a file and its line here. */
export const catalogue: readonly Report[] = [
  statement,
  summary,
  control,
  checklist,
  versions,
  payout,
  taxTotals,
  portfolio,
  profitability,
  attrition,
  silent,
  disputes,
  pci,
  tin,
  mids,
  equipment,
  termsOutstanding,
  userAccess,
  exportLog,
]
