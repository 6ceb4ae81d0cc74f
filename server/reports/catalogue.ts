import { exportLog, termsOutstanding, userAccess } from './catalogue/compliance.ts'
import { disputes } from './catalogue/disputes.ts'
import { equipment } from './catalogue/equipment.ts'
import { checklist, versions } from './catalogue/months.ts'
import { silent } from './catalogue/nonProcessing.ts'
import { payout } from './catalogue/payout.ts'
import { pci } from './catalogue/pci.ts'
import { attrition, portfolio } from './catalogue/portfolio.ts'
import { control, mids } from './catalogue/processors.ts'
import { profitability } from './catalogue/profitability.ts'
import { statement } from './catalogue/statement.ts'
import { summary } from './catalogue/summary.ts'
import { taxTotals } from './catalogue/taxTotals.ts'
import { tin } from './catalogue/tin.ts'
import type { Report } from './engine/report.ts'

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
