import { exportLog, termsOutstanding, userAccess } from './catalogue/compliance.ts'
import { disputes } from './catalogue/disputes.ts'
import { equipmentOutstanding } from './catalogue/equipment.ts'
import { monthChecklist, lockVersions } from './catalogue/months.ts'
import { nonProcessing } from './catalogue/nonProcessing.ts'
import { payoutEvidence, payoutHistory } from './catalogue/payments.ts'
import { payout } from './catalogue/payout.ts'
import { pci } from './catalogue/pci.ts'
import { attrition } from './catalogue/portfolio/attrition.ts'
import { merchantByMonth } from './catalogue/portfolio/merchantByMonth.ts'
import { portfolio } from './catalogue/portfolio/portfolioSummary.ts'
import { controlTotals, unmatchedMids } from './catalogue/processors.ts'
import { profitability } from './catalogue/profitability.ts'
import { statement } from './catalogue/statement.ts'
import { statementCompared } from './catalogue/statementCompared.ts'
import { summary } from './catalogue/summary.ts'
import { taxTotals } from './catalogue/taxTotals.ts'
import { tin } from './catalogue/tin.ts'
import { carryForward } from './catalogue/unpaid/carryForward.ts'
import { withheldPay } from './catalogue/unpaid/withheldPay.ts'
import type { Report } from './engine/report.ts'

/** Every report of the portal. A new report is a file in `catalogue/` and a line here. */
export const catalogue: readonly Report[] = [
  statement,
  statementCompared,
  summary,
  controlTotals,
  monthChecklist,
  lockVersions,
  carryForward,
  withheldPay,
  payout,
  payoutHistory,
  payoutEvidence,
  taxTotals,
  portfolio,
  profitability,
  merchantByMonth,
  attrition,
  nonProcessing,
  disputes,
  pci,
  tin,
  unmatchedMids,
  equipmentOutstanding,
  termsOutstanding,
  userAccess,
  exportLog,
]
