import type { Call } from '../../http.ts'
import { memoize } from '../../memoize.ts'
import { provideAudit } from './audit.ts'
import { provideDrive } from './drive.ts'
import { provideImports } from './imports.ts'
import { provideInbox } from './inbox.ts'
import { provideMonth, providePayouts } from './payouts.ts'
import { provideReports } from './reports.ts'
import { provideTickets } from './tickets.ts'
import { provideVariance } from './variance.ts'

/** The machines of the screens that are neither lists nor Home, with their calls. */
export const provideFetched = memoize((call: Call) => ({
  imports: provideImports(call),
  inbox: provideInbox(call),
  drive: provideDrive(call),
  report: provideReports(call),
  payouts: providePayouts(call),
  variance: provideVariance(call),
  month: provideMonth(call),
  audit: provideAudit(call),
  tickets: provideTickets(call),
}))
