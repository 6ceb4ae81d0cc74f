import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissions, type Permission } from '../../../schemas/permissions.ts'
import { catalogue } from '../../../server/reports/catalogue.ts'
import type { SignedIn } from '../../testPortal.ts'
import { epoch, ledger, type Ledger, publish } from './ledger.ts'

let portal: Ledger
let admin: SignedIn
/** Belongs to North: sees North and East below it. */
let north: SignedIn
beforeAll(async () => {
  portal = await ledger()
  admin = portal.admin
  north = await portal.as('north')
  const { db } = portal
  for (const xmid of ['0012345678901', '40123456789', 'X-900']) {
    await db.query(
      `insert into chargeback (xmid, casenumber, filedate, amount, batchid) values ($1, 'C', $2, 5, 1)`,
      [xmid, epoch('2026-09-05')],
    )
    await db.query(`insert into pci_compliance (xmid, compliancestatus, batchid) values ($1, 'Failed', 1)`, [
      xmid,
    ])
    await db.query(
      `insert into tin_validation (xmid, code, tinstatus, batchid) values ($1, 3, 'Mismatch', 1)`,
      [xmid],
    )
    await db.query(
      `insert into daily_volume (volumedate, xmid, salescount, salesamount, netamount, batchid) values ('2026-09-02', $1, 1, 5, 5, 1)`,
      [xmid],
    )
  }
  // Of West at a merchant of East: whose they are and what was paid for them is for a person who sees both.
  await db.query(
    `insert into equipment (model, serialnumber, merchantid, masteragentid, soldfor, paidsofar, requestedpaperworkdate)
      select 'T1', t.serial, m.id, 4, 10, 0, t.requested
      from merchant m, (values ('SN-8', $1::bigint), ('SN-9', null)) t (serial, requested)
      where m.xmid = '0012345678901'`,
    [epoch('2026-09-05')],
  )
  await db.query(`insert into terms (tctext) values ('Be good.')`)
  await db.query(
    `insert into terms_acceptance (termsid, userid, ipaddress) select t.id, u.id, '' from terms t, portal_user u where username in ('admin', 'north')`,
  )
  for (const month of ['2026-08', '2026-09']) expect((await publish(admin, month)).status).toBe(200)
})
afterAll(() => portal.close())

/**
 * What each is asked, and who may ask: null for any signed-in user, else one of the permissions; 'admin' for
 * administrators alone.
 */
const asked: Record<string, { inputs: object; may: Permission[] | null; whole?: true }> = {
  'agent-residual-statement': { inputs: { month: '2026-09', agent: '2' }, may: null },
  'statement-compared': { inputs: { month: '2026-09', agent: '2', before: '2026-08' }, may: null },
  'residual-summary': { inputs: { month: '2026-09' }, may: null },
  'processor-control-totals': { inputs: { month: '2026-09' }, may: null },
  'month-checklist': { inputs: { month: '2026-09' }, may: ['lock_reports'], whole: true },
  'lock-versions-compared': { inputs: { month: '2026-09', older: 1, newer: 2 }, may: null },
  'carry-forward': { inputs: { month: '2026-09' }, may: null },
  'withheld-pay': { inputs: { month: '2026-09' }, may: null },
  'ach-payout': { inputs: { month: '2026-09' }, may: null },
  'payout-history': { inputs: { from: '01/01/2026', to: '12/31/2026' }, may: null },
  'payout-evidence': { inputs: { month: '2026-09' }, may: ['lock_reports'], whole: true },
  'agent-1099-totals': { inputs: { year: 2026 }, may: null },
  'portfolio-summary': { inputs: { from: '01/01/2026', to: '12/31/2026' }, may: null },
  'merchant-profitability': { inputs: { month: '2026-09' }, may: null },
  'merchant-by-month': { inputs: { merchant: '0012345678901' }, may: null },
  attrition: { inputs: { from: '08/01/2026', to: '09/30/2026' }, may: null },
  'non-processing-merchants': { inputs: { days: 1 }, may: null },
  'dispute-ratio': { inputs: { month: '2026-09' }, may: null },
  'pci-non-compliance': { inputs: {}, may: null },
  'tin-mismatch': { inputs: {}, may: null },
  'missing-unmatched-mids': { inputs: { month: '2026-09' }, may: null },
  'equipment-outstanding': { inputs: {}, may: null },
  'terms-outstanding': { inputs: {}, may: [] },
  'user-access': { inputs: {}, may: ['manage_users'] },
  'export-log': { inputs: { from: '01/01/2026', to: '12/31/2030' }, may: ['reports_admin'], whole: true },
}
const hold = (held: readonly string[], username = 'north') =>
  portal.db.query('update portal_user set permissions = $1 where username = $2', [held, username])
const offered = new Map<string, string[]>()
/** The reports that North is offered while it holds these permissions; asked once. */
async function offeredTo(held: readonly string[]): Promise<string[]> {
  const known = offered.get(held.join())
  if (known) return known
  const { body } = await north.call('GET', '/api/v1/report')
  const ids = body.data.map((type: { id: string }) => type.id)
  offered.set(held.join(), ids)
  return ids
}
const call = (who: SignedIn, id: string) => who.call('POST', `/api/v1/report/${id}`, asked[id]!.inputs)

/** What nobody of the branch of North may read anywhere in an answer. */
const foreign = [
  'MA0001',
  'MA0004',
  'MA0005',
  'Wést',
  'South',
  'Dapple',
  'Ember',
  'Fennel',
  '40123456789"',
  '401234567895555',
  '401234567896666',
  'X-900',
  'SN-2',
  'SN-9',
  'office',
  'Corona',
  'Aurora_Sep2026.csv',
  '363.29',
]

test('every report stands in this table', () => {
  expect(catalogue.map(({ id }) => id).sort()).toEqual(Object.keys(asked).sort())
})

describe.each(Object.keys(asked))('%s', (id) => {
  const { may, whole } = asked[id]!

  test('a stranger is asked to sign in', async () => {
    expect((await call(await portal.stranger(), id)).status).toBe(401)
  })

  test('is offered to and answered for users who may run it, and nobody else', async () => {
    for (const held of [[], ...permissions.map((name) => [name]), [...permissions]]) {
      await hold(held)
      const widened = held.includes('reports_admin')
      const allowed =
        (may === null || held.some((name) => may.includes(name as Permission))) && (!whole || widened)
      const { status, body } = await call(north, id)
      expect({ held, status, body: status === 200 ? '' : body }).toEqual({
        held,
        status: allowed ? 200 : 403,
        body: allowed ? '' : expect.anything(),
      })
      expect({ held, offered: (await offeredTo(held)).includes(id) }).toEqual({ held, offered: allowed })
      const file = await north.call('POST', `/api/v1/report/${id}/export?format=csv`, asked[id]!.inputs)
      expect({ held, status: file.status }).toEqual({ held, status: allowed ? 200 : 403 })
    }
  })

  test('shows an administrator all, and a branch nothing of the others, on the screen and in the file', async () => {
    await hold(permissions.filter((name) => name !== 'reports_admin'))
    const all = await call(admin, id)
    expect(all.status).toBe(200)
    const types = await north.call('GET', '/api/v1/report')
    const own = [
      types.body,
      (await call(north, id)).body,
      (await north.call('POST', `/api/v1/report/${id}/export?format=csv`, asked[id]!.inputs)).body,
    ].map((body) => JSON.stringify(body))
    for (const text of own) expect(foreign.filter((word) => text.includes(word))).toEqual([])
  })

  test('is widened to all by reports_admin', async () => {
    if (may && !may.includes('reports_admin') && may.length === 0) return
    await hold(permissions)
    const [wide, all] = [await call(north, id), await call(admin, id)]
    if (id === 'export-log') return void expect(wide.body.data.length).toBeGreaterThan(0)
    // A link leads where its reader may go.
    const fields = wide.body.columns.flatMap(({ link }: { link?: string }) => link ?? [])
    for (const row of [...wide.body.data, ...all.body.data]) for (const field of fields) delete row[field]
    expect(wide.body).toEqual(all.body)
  })
})

test('an agent outside the branch is no value of Master Agent', async () => {
  await hold([])
  for (const agent of [4, '1', '999', 'x', '2; drop table audit'])
    for (const id of ['agent-residual-statement', 'merchant-profitability']) {
      const { status, body } = await north.call('POST', `/api/v1/report/${id}`, { month: '2026-09', agent })
      expect({ status, fields: body.fields }).toEqual({
        status: 422,
        fields: { agent: 'Master Agent must be one of the offered values' },
      })
    }
})

test('a merchant outside the branch has no history for it', async () => {
  await hold([])
  const monthsOf = async (who: SignedIn, merchant: string) => {
    const { status, body } = await who.call('POST', '/api/v1/report/merchant-by-month', { merchant })
    return { status, months: body.data.map((row: { month: string }) => row.month) }
  }
  for (const merchant of ['40123456789', 'X-900']) {
    expect(await monthsOf(north, merchant)).toEqual({ status: 200, months: [] })
    expect(await monthsOf(admin, merchant)).toEqual({ status: 200, months: ['2026-09'] })
  }
})

test('the file for the bank needs lock_reports and manage_master_agents, and the sight of all', async () => {
  const ask = (who: SignedIn) =>
    who.call('POST', '/api/v1/report/ach-payout/export?format=nacha', { month: '2026-09' })
  const office = await portal.as('office')
  await portal.db.query(
    `insert into terms_acceptance (termsid, userid, ipaddress) select t.id, u.id, '' from terms t, portal_user u where username = 'office'`,
  )
  for (const held of [
    [],
    ['lock_reports'],
    ['manage_master_agents'],
    permissions.filter((name) => name !== 'lock_reports'),
  ]) {
    await hold(held, 'office')
    expect({ held, status: (await ask(office)).status }).toEqual({ held, status: 403 })
  }
  await hold([...permissions])
  const refused = await ask(north)
  expect([refused.status, refused.body.error]).toEqual([
    403,
    'You do not have permission to take ACH Payout as nacha. Needs the sight of all master agents',
  ])
  await hold(['lock_reports', 'manage_master_agents'], 'office')
  // Allowed; but none was released yet.
  expect((await ask(office)).status).toBe(409)
})
