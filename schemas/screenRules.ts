import { allOf, holds, seesAllAgents, ruleWithReason, worksOnMonths, type Rule } from './permissions.ts'

/*
 * Who may open the screens that are neither lists nor imports. The menu asks these rules: beside the calls of
 * the screens they would bring all calls into the first load (decision 32).
 */

/** Who sees open months and findings (months 4). */
export const seesOpenMonths: Rule = ruleWithReason(
  (viewer) => seesAllAgents(viewer) || viewer.permissions.reports_admin,
  'Needs the sight of all master agents',
)
/** Who waives, locks, approves, releases, holds and books returns (months 4, payouts 11). */
export const settlesPayouts = allOf(holds('lock_reports'), seesOpenMonths)
/** Who opens the screen Payouts: who settles months, and the people of a master agent (payouts 15). */
export const seesPayouts: Rule = (viewer) => settlesPayouts(viewer) || viewer.masteragentid !== null
/** Who sees variance and missing income: people who work on months and see all of them (variance 9). */
export const readsVariance = allOf(worksOnMonths, seesOpenMonths)
/** Who reads the audit (permissions 12). */
export const readsAudit = ruleWithReason((viewer) => viewer.admin, 'Only an administrator may read the audit')
