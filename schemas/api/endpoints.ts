import { emailCalls } from './accounts/email.ts'
import { openSessionCalls } from './accounts/openSessions.ts'
import { auditCalls } from './audit/audit.ts'
import { bulkCalls } from './bulk/bulk.ts'
import { decisionCalls } from './decisions.ts'
import { driveCalls } from './drive.ts'
import { findCalls } from './find/find.ts'
import { importCalls } from './imports.ts'
import { inboxCalls } from './inbox/inbox.ts'
import { viewCalls } from './lists/views.ts'
import { differenceCalls } from './months/differences.ts'
import { monthCalls } from './months/months.ts'
import { trendCalls } from './months/trend.ts'
import { varianceCalls } from './months/variance.ts'
import { reportCalls } from './reports.ts'
import { sessionCalls } from './sessionCalls.ts'
import { shellCalls } from './shellCalls.ts'
import { ticketCalls } from './tickets.ts'

/**
 * Every call of the API: the client takes routes and types from it, the server routes, rules and schemas
 * (api 1).
 */
export const endpoints = {
  ...shellCalls,
  session: { ...sessionCalls.session, ...shellCalls.session },
  sessions: openSessionCalls,
  terms: { ...sessionCalls.terms, ...shellCalls.terms },
  reports: reportCalls,
  months: { ...monthCalls, ...differenceCalls, ...trendCalls },
  variance: varianceCalls,
  email: emailCalls,
  bulk: bulkCalls,
  decisions: decisionCalls,
  ...importCalls,
  inbox: inboxCalls,
  drive: driveCalls,
  tickets: ticketCalls,
  audit: auditCalls,
  views: viewCalls,
  find: findCalls,
} as const
