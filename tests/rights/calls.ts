import type { Endpoint } from '../../schemas/api/endpoint.ts'
import type { Permission } from '../../schemas/permissions.ts'
import { oracles } from './all.ts'
import type { Person, Says } from './oracle.ts'

/** Every call below a table of endpoints with its name. */
export const rows = (table: object, path: string[] = []): [string, Endpoint][] =>
  Object.entries(table).flatMap(([name, row]) =>
    'route' in row
      ? [[[...path, name].join('.'), row as Endpoint] as [string, Endpoint]]
      : rows(row, [...path, name]),
  )

/**
 * Written by hand (permissions 3); null: any signed-in user; a list: any of them; `all`: every one of them.
 */
export type Allowed =
  | readonly Permission[]
  | { all: readonly Permission[] }
  | null
  | 'anyone'
  | 'pending'
  | Says
/** The calls of records, by the tables of tests/rights. */
const callsOf = ({ oracle }: (typeof oracles)[number]): [string, Allowed][] => {
  const { it, list, create, put, remove } = oracle
  const calls = { list, export: list, read: list, create, update: put, remove }
  return Object.entries(calls).map(([call, says]) => [`entities.${it.name}.${call}`, says])
}
/** The calls of many records: for a person who changes or deletes any of them. */
const bulkOf = ({ oracle }: (typeof oracles)[number]): [string, Allowed][] => {
  const { it, put, remove } = oracle
  const says: Says = (...asked) => put(...asked) || remove(...asked)
  return ['preview', 'commit', 'history', 'undo'].map((call) => [`bulk.${it.name}.${call}`, says])
}
export const who: Record<string, Allowed> = {
  ...Object.fromEntries(oracles.flatMap(callsOf)),
  ...Object.fromEntries(oracles.filter(({ oracle }) => oracle.it.bulk).flatMap(bulkOf)),
  'session.login': 'anyone',
  'session.renew': 'pending',
  'session.logout': 'pending',
  'session.changePassword': null,
  'session.reauthenticate': null,
  'sessions.own': null,
  'sessions.endOwn': null,
  'sessions.endOthers': null,
  'sessions.ofUser': [],
  'sessions.endOfUser': [],
  'sessions.endAllOfUser': [],
  'terms.latest': 'pending',
  'terms.accept': 'pending',
  'terms.acceptance': [],
  'home.profit': null,
  'home.own': null,
  'home.portal': null,
  'find.find': null,
  'reports.types': null,
  'reports.run': null,
  'reports.export': null,
  'reports.progress': null,
  'reports.publish': ['lock_reports'],
  'reports.unlock': [],
  'agents.rates': null,
  'decisions.adjustment.accept': ['lock_reports'],
  'decisions.adjustment.refuse': ['lock_reports'],
  'decisions.masteragent.confirm': { all: ['lock_reports', 'manage_master_agents'] },
  'decisions.masteragent.reject': { all: ['lock_reports', 'manage_master_agents'] },
  'decisions.masteragent.hold': ['lock_reports'],
  'decisions.masteragent.unhold': ['lock_reports'],
  'months.list': null,
  'months.lock': ['lock_reports'],
  'months.reopen': [],
  'months.payout': ['lock_reports'],
  'months.releases': ['lock_reports'],
  'months.approve': ['lock_reports'],
  'months.release': ['lock_reports'],
  'months.file': { all: ['lock_reports', 'manage_master_agents'] },
  'months.hold': ['lock_reports'],
  'months.unhold': ['lock_reports'],
  'months.return': ['lock_reports'],
  'months.returnrelease': ['lock_reports'],
  'months.returnfile': ['lock_reports'],
  'months.ledger': null,
  'months.detail': null,
  'months.waive': ['lock_reports'],
  'months.differences': ['lock_reports'],
  'months.takeover': ['lock_reports'],
  'variance.compare': ['import_files', 'lock_reports', 'reports_admin'],
  'variance.compareFile': ['import_files', 'lock_reports', 'reports_admin'],
  'variance.missing': ['import_files', 'lock_reports', 'reports_admin'],
  'variance.missingFile': ['import_files', 'lock_reports', 'reports_admin'],
  'variance.recovered': ['import_files', 'lock_reports', 'reports_admin'],
  'variance.dismiss': ['lock_reports'],
  'months.trend': null,
  'audit.list': [],
  'audit.read': [],
  'audit.export': [],
  'views.list': null,
  'views.count': null,
  'views.save': null,
  'views.remove': null,
  'email.request': null,
  'email.verify': null,
  'email.helpdeskToken': null,
  'ids.masteragent': null,
  'ids.merchant': null,
  'tickets.list': null,
  'tickets.export': null,
  'tickets.types': null,
  'tickets.statuses': null,
  'tickets.helpdeskForm': null,
  'tickets.read': null,
  'tickets.create': null,
  'tickets.update': null,
  'tickets.remove': ['manage_tickets'],
  'tickets.attachments': null,
  'tickets.detach': null,
  'drive.manifest': null,
  'drive.file': null,
  'file.merchant': ['import_files'],
  'file.pcicompliance': ['import_files'],
  'file.chargeback': ['import_files'],
  'file.tinvalidation': ['import_files'],
  'file.compdata': ['import_files'],
  'file.dailyvolume': ['import_files'],
  'batches.rejected': ['import_files'],
  'batches.template': ['import_files'],
  'batches.progress': ['import_files'],
  'batches.running': ['import_files'],
  'batches.history': ['import_files'],
  'batches.undo': ['import_files'],
  'inbox.list': ['import_files'],
  'inbox.count': ['import_files'],
  'inbox.add': ['import_files'],
  'inbox.check': ['import_files'],
  'inbox.import': ['import_files'],
  'inbox.dismiss': ['import_files'],
  'batches.mappings': ['import_files'],
  'batches.removeMapping': ['import_files'],
}

/** Whether this person may send the call. Nobody but a signed-in user is asked for. */
export const allows = (allowed: Allowed, person: Person): boolean => {
  if (allowed === null || allowed === 'anyone' || allowed === 'pending') return true
  if (typeof allowed === 'function') return allowed(person)
  const holds = (name: Permission) =>
    person.given.includes(name) || (person.admin && name !== 'manage_tickets')
  return person.admin || ('all' in allowed ? allowed.all.every(holds) : allowed.some(holds))
}

/**
 * The calls that are only for people who see all, whatever permissions they hold (permissions 4, imports 1,
 * payouts 6).
 */
const seesAllAgents = [
  'entities.processor.',
  'entities.processorstatement.',
  'bulk.processor.',
  'bulk.processorstatement.',
  'decisions.',
  'file.compdata',
  'months.file',
]
/**
 * Those that settle months, the hold of a payee among them, and those of variance: for those who see all, and
 * for holders of reports_admin (months 4, agents 14, variance 9).
 */
const settling =
  'lock payout releases approve release hold unhold return returnrelease returnfile waive differences takeover trend'
const ofWholeMonths = [
  ...settling.split(' ').map((call) => `months.${call}`),
  'decisions.masteragent.hold',
  'decisions.masteragent.unhold',
  'variance.',
]

/** Whether this person sees enough agents for the call, whose kind of file is `kind` if it has one. */
export function seesEnough(
  name: string,
  kind: string,
  seesAll: boolean,
  given: readonly Permission[],
): boolean {
  if (seesAll) return true
  if (ofWholeMonths.some((call) => name === call || (call.endsWith('.') && name.startsWith(call))))
    return given.includes('reports_admin')
  if (seesAllAgents.some((start) => name.startsWith(start))) return false
  return !(name.startsWith('batches.') && kind === 'compdata')
}
