import { exportLog, termsOutstanding, userAccess } from './catalogue/compliance.ts'
import { equipmentOutstanding } from './catalogue/equipment.ts'
import { monthChecklist, lockVersions } from './catalogue/months.ts'
import { payoutEvidence, payoutHistory } from './catalogue/payments.ts'
import { payout } from './catalogue/payout.ts'
import { attrition } from './catalogue/portfolio/attrition.ts'
import { merchantByMonth } from './catalogue/portfolio/merchantByMonth.ts'
import { nonProcessing } from './catalogue/portfolio/nonProcessing.ts'
import { portfolio } from './catalogue/portfolio/portfolioSummary.ts'
import { profitability } from './catalogue/portfolio/profitability.ts'
import { controlTotals, unmatchedMids } from './catalogue/processors.ts'
import { disputes } from './catalogue/risk/disputes.ts'
import { pci } from './catalogue/risk/pci.ts'
import { tin } from './catalogue/risk/tin.ts'
import { statement } from './catalogue/statement.ts'
import { statementCompared } from './catalogue/statementCompared.ts'
import { summary } from './catalogue/summary.ts'
import { taxTotals } from './catalogue/taxTotals.ts'
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
