import type { Permission } from '../../../schemas/permissions.ts'
import { hashPassword } from '../../../server/accounts/passwordHash.ts'
import type { Config } from '../../../server/config/config.ts'
import type { Db } from '../../../server/db/db.ts'
import { encrypt } from '../../../server/db/encryption.ts'
import { waive } from '../../money/book.ts'
import { testSecret } from '../../setup/postgres.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

const password = 'nine tall green lanterns'
const passwordHash = hashPassword(password)
/** Epoch seconds of a UTC day. */
export const epoch = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000

/** Insert rows as they stand here; columns from the first. */
async function fill(db: Db, table: string, rows: Record<string, unknown>[]) {
  const columns = Object.keys(rows[0]!)
  await db.query(
    `insert into ${table} (${columns.join(', ')}) select ${columns.join(', ')} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  )
}

export const agents = [
  { id: 1, name: 'House', parentid: null, percentagecommissionreceived: null, isofficeaccount: true },
  {
    id: 2,
    name: 'North',
    parentid: 1,
    percentagecommissionreceived: 60,
    percentageequipmentcommissionreceived: 70,
    isbankaccounttypebusiness: true,
  },
  {
    id: 3,
    name: 'East',
    parentid: 2,
    percentagecommissionreceived: 50,
    percentageequipmentcommissionreceived: 50,
  },
  {
    id: 4,
    name: 'Wést & Co',
    parentid: 1,
    percentagecommissionreceived: 40,
    amountcommissionreceived: 1,
    isbankaccounttypechecking: false,
    isbankaccounttypebusiness: false,
  },
  { id: 5, name: 'South', parentid: 1, percentagecommissionreceived: 30, payeeid: 4 },
]
const merchant = (xmid: string, dba: string, masteragentid: number, others: object = {}) => ({
  xmid,
  dba,
  masteragentid,
  accountstatus: 2,
  processor: 'Aurora',
  date_added: epoch('2026-01-10'),
  date_closed: null,
  tinstatus: '',
  ...others,
})
export const merchants = [
  merchant('0012345678901', 'Alder Bakery', 3),
  merchant('4012345678902345', '=Briar & Sons, "Inc."', 3),
  merchant('401234567890', 'Cinder Diner', 2, { tinstatus: 'Mismatch' }),
  merchant('40123456789', 'Dapple Garage', 4),
  merchant('401234567895555', 'Ember Café', 5, { date_added: epoch('2026-08-20') }),
  merchant('401234567896666', 'Fennel Motel', 4, { accountstatus: 3, date_closed: epoch('2026-09-15') }),
  merchant('401234567897777', 'Gable Books', 2),
]
const line = (
  month: string,
  xmid: string,
  txncount: number,
  sales: number,
  income: number,
  expense: number,
  processor = 'Aurora',
) => ({
  month: `${month}-01`,
  processor,
  xmid,
  dba: 'in the file',
  txncount,
  sales,
  income,
  expense,
  net: Number((income - expense).toFixed(2)),
  batchid: 1,
})
export const residuals = [
  line('2026-08', '0012345678901', 8, 900, 130, 50),
  line('2026-08', '401234567890', 4, 400, 40, 10),
  line('2026-08', '401234567897777', 2, 100, 12, 2),
  line('2026-09', '0012345678901', 10, 1000, 150, 50),
  line('2026-09', '4012345678902345', 0, 0, 0, 20.05),
  line('2026-09', '401234567890', 5, 500, 40, 6.67),
  line('2026-09', '40123456789', 1, 100, 12, 2, 'Borealis'),
  line('2026-09', '401234567895555', 20, 4000, 260, 60),
  line('2026-09', '401234567896666', 3, 300, 60, 10),
  line('2026-09', 'X-900', 2, 77, 10, 2.23, 'Borealis'),
]

export type Ledger = TestPortal & { admin: SignedIn; as(name: string): Promise<SignedIn> }

/**
 * An empty portal with a portfolio of five agents and two months, small enough to be reckoned by hand; its
 * administrator is signed in. The records are stored once a process, and every portal gets a copy of them.
 */
export async function ledger(settings: Partial<Config> = {}): Promise<Ledger> {
  filled ??= fillPortfolio()
  const portal = await openTestPortal({ ach: bank, timeZone: 'UTC', ...settings }, await filled)
  const as = (name: string) => portal.login(name, password)
  return { ...portal, admin: await as('admin'), as }
}

let filled: Promise<TestPortal> | undefined

/** A portal that was stopped; its database holds the portfolio. */
async function fillPortfolio(): Promise<TestPortal> {
  const portal = await openTestPortal({ demo: false, adminPassword: password, timeZone: 'UTC' })
  const { db } = portal
  await fill(
    db,
    'master_agent',
    agents.map((agent) => ({
      isofficeaccount: false,
      isbankaccounttypechecking: true,
      isbankaccounttypebusiness: true,
      percentageequipmentcommissionreceived: null,
      amountcommissionreceived: null,
      payeeid: null,
      payoninactive: false,
      commissionnoteditable: false,
      businessname: '',
      notes: '',
      routingnumber: '',
      ...agent,
    })),
  )
  await db.query(`select setval(pg_get_serial_sequence('master_agent', 'id'), 100)`)
  for (const [id, account] of [
    [2, '0012345'],
    [4, '98765432101234567'],
  ] as const)
    await db.query(
      'update master_agent set routingnumber = $2, bankaccountnumber = $3, taxid = $4, taxtypeid = 2 where id = $1',
      [
        id,
        id === 2 ? '091000019' : '021000021',
        encrypt(testSecret, account, `master_agent.bankaccountnumber.${id}`),
        encrypt(testSecret, '123456789', `master_agent.taxid.${id}`),
      ],
    )
  await fill(db, 'merchant', merchants)
  await db.query(
    `insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged) values ('compdata', 'Aurora_Sep2026.csv', '', 0, 'x', 0, 0, 0, 0)`,
  )
  await fill(db, 'residual', residuals)
  await fill(db, 'equipment', [
    {
      model: 'T1',
      serialnumber: 'SN-1',
      licensingkey: 'LK1',
      trackingnumber: '',
      paymentterms: '',
      masteragentid: 3,
      merchantid: null,
      cost: 100,
      soldfor: 160,
      paidsofar: 160,
      requestedpaperworkdate: null,
      completedpaperworkdate: null,
      equipmentownertypeid: 1,
    },
    {
      model: 'T2',
      serialnumber: 'SN-2',
      licensingkey: '',
      trackingnumber: '',
      paymentterms: 'Net 30',
      masteragentid: null,
      merchantid: 4,
      cost: 50,
      soldfor: 80.5,
      paidsofar: 30.25,
      requestedpaperworkdate: epoch('2026-09-01'),
      completedpaperworkdate: epoch('2026-09-20'),
      equipmentownertypeid: 3,
    },
    {
      model: 'T3',
      serialnumber: 'SN-3',
      licensingkey: '',
      trackingnumber: '',
      paymentterms: '',
      masteragentid: 2,
      merchantid: null,
      cost: 50,
      soldfor: 0,
      paidsofar: 0,
      requestedpaperworkdate: epoch('2026-09-10'),
      completedpaperworkdate: null,
      equipmentownertypeid: 2,
    },
  ])
  await db.query(`update equipment set paidmonth = '2026-09-01' where serialnumber = 'SN-1'`)
  await db.query(
    `insert into collection_subscription (masteragentid, amount, notes, startmonth) values (3, 15.50, 'Portal access', '2026-09-01')`,
  )
  await db.query(
    `insert into adjustment (masteragentid, month, amount, reason, author) values (4, '2026-09-01', 25, 'Missed in July', 'admin')`,
  )
  await db.query(
    `insert into processor_statement (processor, month, statednet) values ('Aurora', '2026-09-01', 363.29), ('Corona', '2026-09-01', null)`,
  )
  await db.query(`update processor_statement set nofile = true where processor = 'Corona'`)
  for (const [username, agent, held] of people)
    await db.query(
      'insert into portal_user (username, password_hash, permissions, masteragentid) values ($1, $2, $3, $4)',
      [username, await passwordHash, held, agent],
    )
  await portal.stop()
  return portal
}

export const bank = {
  bank: 'First Example Bank',
  routing: '091000019',
  company: 'Portal Résidual',
  ppd: 'PAYROLL',
  ccd: 'RESIDUALS',
  companyId: '1234567890',
}
const people: [string, number, Permission[]][] = [
  ['north', 2, []],
  ['east', 3, []],
  ['office', 1, ['lock_reports', 'manage_master_agents']],
]

/**
 * Locks a month as a person would: every stated total that differs is waived by itself, the other warnings
 * with the lock.
 */
export async function publish(who: SignedIn, month: string | null, type = 'residual-summary') {
  const lock = () => who.call('POST', `/api/v1/report/${type}/publish`, { month, waive })
  const first = await lock()
  if (first.body.code !== 'findings') return first
  for (const { kind, key } of first.body.findings)
    await who.call('POST', `/api/v1/month/${month}/waive`, { kind, key, reason: waive })
  return lock()
}

/** Approves the run of a month and marks it as paid on a day; who locked the month may not approve it. */
export async function payMonth(who: SignedIn, month: string, date: string) {
  const { body: run } = await who.call('GET', `/api/v1/month/${month}/payout`)
  const approved = await who.call('POST', `/api/v1/month/${month}/approve`, { hash: run.hash })
  if (approved.status !== 200) throw new Error(`approve answers ${JSON.stringify(approved.body)}`)
  const { hash } = approved.body
  const released = await who.call('POST', `/api/v1/month/${month}/release`, { hash, how: 'other', date })
  if (released.status !== 200) throw new Error(`release answers ${JSON.stringify(released.body)}`)
}

export type Cells = (string | number | boolean | null)[]
/** A report's rows and totals, cut to some of its columns. */
export async function answered(who: SignedIn, type: string, inputs: object, names: string[]) {
  const { status, body } = await who.call('POST', `/api/v1/report/${type}`, inputs)
  if (status !== 200) throw new Error(`${type} answers ${status} ${JSON.stringify(body)}`)
  const cut = (row: Record<string, Cells[number]>): Cells => names.map((name) => row[name] ?? null)
  return { rows: body.data.map(cut) as Cells[], totals: body.totals ? cut(body.totals) : null, body }
}

/** Lets the records of today count in a month that was opened again (months 14). */
export async function takeOverAll(who: SignedIn, month: string): Promise<void> {
  const path = `/api/v1/month/${month}`
  const { kinds } = (await who.call('GET', `${path}/differences`)).body as { kinds: { kind: string }[] }
  const { status, body } = await who.call('POST', `${path}/takeover`, { keys: kinds.map(({ kind }) => kind) })
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
}
