import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../schemas/api/endpoint.ts'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import { permissions, type Permission } from '../../../schemas/permissions.ts'
import { oracles } from '../../rights/all.ts'
import type { Says } from '../../rights/oracle.ts'
import { world, type SignedIn, type World } from '../../world.ts'

let portal: World
let probe: SignedIn
beforeAll(async () => {
  portal = await world()
  probe = await portal.login('clerk')
})
afterAll(() => portal.close())

const become = (held: readonly string[], admin = false) =>
  portal.db.query(`update portal_user set permissions = $1, admin = $2 where username = 'clerk'`, [
    held,
    admin,
  ])

const rows = (table: object, path: string[] = []): [string, Endpoint][] =>
  Object.entries(table).flatMap(([name, row]) =>
    'route' in row
      ? [[[...path, name].join('.'), row as Endpoint] as [string, Endpoint]]
      : rows(row, [...path, name]),
  )

/** Written by hand (permissions 3); null: any signed-in user; a list: any of them; `all`: every one of them. */
type Allowed = readonly Permission[] | { all: readonly Permission[] } | null | 'anyone' | 'pending' | Says
/** The calls of records, by the tables of tests/rights. */
const callsOf = ({ oracle }: (typeof oracles)[number]): [string, Allowed][] => {
  const { it, list, create, put, remove } = oracle
  const calls = { list, read: list, create, update: put, remove }
  return Object.entries(calls).map(([call, says]) => [`entities.${it.name}.${call}`, says])
}
const who: Record<string, Allowed> = {
  ...Object.fromEntries(oracles.flatMap(callsOf)),
  'session.login': 'anyone',
  'session.renew': 'pending',
  'session.logout': 'pending',
  'session.changePassword': null,
  'terms.latest': 'pending',
  'terms.accept': 'pending',
  'terms.acceptance': [],
  'home.profit': null,
  'home.portal': null,
  'reports.types': null,
  'reports.run': null,
  'reports.export': null,
  'reports.publish': ['lock_reports'],
  'reports.unlock': [],
  'agents.rates': null,
  'decisions.adjustment.accept': ['lock_reports'],
  'decisions.adjustment.refuse': ['lock_reports'],
  'decisions.masteragent.confirm': { all: ['lock_reports', 'manage_master_agents'] },
  'decisions.masteragent.reject': { all: ['lock_reports', 'manage_master_agents'] },
  'months.list': null,
  'months.lock': ['lock_reports'],
  'months.reopen': [],
  'months.payout': ['lock_reports'],
  'months.approve': ['lock_reports'],
  'months.release': ['lock_reports'],
  'months.file': { all: ['lock_reports', 'manage_master_agents'] },
  'months.hold': ['lock_reports'],
  'months.unhold': ['lock_reports'],
  'months.return': ['lock_reports'],
  'months.returnfile': ['lock_reports'],
  'months.ledger': null,
  'months.detail': null,
  'months.waive': ['lock_reports'],
  'months.differences': ['lock_reports'],
  'months.takeover': ['lock_reports'],
  'email.request': null,
  'email.verify': null,
  'email.helpdeskToken': null,
  'ids.masteragent': null,
  'ids.merchant': null,
  'tickets.list': null,
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
  'batches.history': ['import_files'],
  'batches.undo': ['import_files'],
}

describe('every endpoint answers each kind of person as docs/product says', () => {
  test('no endpoint is without a row in this table', () => {
    expect(
      rows(endpoints)
        .map(([name]) => name)
        .sort(),
    ).toEqual(Object.keys(who).sort())
  })

  test.each(rows(endpoints).filter(([name]) => name !== 'session.logout'))('%s', async (name, row) => {
    const [method, url] = row.route.split(' ') as ['GET' | 'PUT' | 'POST' | 'DELETE', string]
    const path = url.replace(':id', '999999')
    const body =
      method === 'PUT' || method === 'POST' ? (row.upload ? undefined : { surely: 'unknown' }) : undefined
    const allowed = who[name]
    const stranger = await (await portal.stranger()).call(method, path, body)
    expect(stranger.status === 401, 'a stranger').toBe(allowed !== 'anyone')
    const isAll = allowed !== null && typeof allowed === 'object' && 'all' in allowed
    const people: [name: string, given: Permission[]][] = [
      ['admin', []],
      ['nobody', []],
      ...permissions.map((name): [string, Permission[]] => [name, [name]]),
      ...(isAll ? [['all of them', [...allowed.all]] as [string, Permission[]]] : []),
    ]
    for (const [person, given] of people) {
      await become(given, person === 'admin')
      const { status } = await probe.call(method, path, body)
      const isSaid = typeof allowed === 'function'
      const may =
        person === 'admin' ||
        (isSaid
          ? allowed({ admin: false, given })
          : isAll
            ? allowed.all.every((name) => given.includes(name))
            : !Array.isArray(allowed) || given.some((name) => allowed.includes(name)))
      expect(status === 403, `${person} gets ${status}`).toBe(!may)
      expect(status, person).not.toBe(401)
      expect(status, person).toBeLessThan(500)
    }
  })
})
