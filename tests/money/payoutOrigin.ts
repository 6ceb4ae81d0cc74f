import type { Permission } from '../../schemas/permissions.ts'
import { hashPassword } from '../../server/accounts/passwordHash.ts'
import { encrypt } from '../../server/db/encryption.ts'
import { testSecret } from '../setup/postgres.ts'
import { openTestPortal, type Answer, type SignedIn, type TestPortal } from '../testPortal.ts'
import { xmidOf, type Line, type Shop } from './book.ts'
import type { Account, ProcessorMonth } from './payoutBook.ts'

/** The bank of the payouts in tests. */
export const originator = {
  bank: 'First Example Bank',
  routing: '091000019',
  company: 'Portal Résidual',
  companyId: '1234567890',
  ppd: 'PAYROLL',
  ccd: 'RESIDUALS',
}
export const months = ['2025-10-01', '2025-11-01', '2025-12-01', '2026-01-01']
const names = ['October2025', 'November2025', 'December2025', 'January2026']
const processors = ['Aurora', 'Borealis']
/** The office account 1, and agents below it. */
export const agentIds = [1, 2, 3, 4, 5, 6]
/** Shops 1 to 6; files name a seventh, which is not in the portfolio until a step adds it. */
export const shopIds = [1, 2, 3, 4, 5, 6]
export const lateShop = 7

const password = 'nine tall green lanterns'
/** ed changes records, fay decides about accounts, ann and bob settle months, admin opens them again. */
export type Person = 'admin' | 'ann' | 'bob' | 'ed' | 'fay'
const settling: Permission[] = ['lock_reports', 'manage_master_agents']
const people: [Person, Permission[]][] = [
  ['ann', settling],
  ['bob', settling],
  [
    'ed',
    [
      ...settling,
      'edit_commission',
      'manage_merchants',
      'edit_maid_salesrep',
      'import_files',
      'create_users',
      'delete_merchants',
      'manage_equipment',
    ],
  ],
  ['fay', settling],
]

/** Figures of one file, different for each seed: losses, shops that processed nothing, odd cents. */
export const fileLines = (month: string, processor: string, seed: number): Line[] =>
  [...shopIds, lateShop]
    .filter((shop) => (shop + seed) % 4 !== 0)
    .map((shop) => {
      const odd = (shop * 7919 + seed * 104_729 + months.indexOf(month) * 1_299_709) % 60_000
      return {
        month,
        processor,
        xmid: xmidOf(shop),
        txns: odd % 5,
        sales: (odd % 5) * 1_000,
        income: odd,
        expense: (odd * 31) % 30_000,
      }
    })

/** Imports a file; a corrected one may take rows away. */
function importFile(who: SignedIn, kind: string, filename: string, lines: readonly string[]) {
  const head = `content-disposition: form-data; name="file"; filename="${filename}"`
  const accepted = JSON.stringify({ accepted: ['taken-away'] })
  const answers = `content-disposition: form-data; name="answers"\r\n\r\n${accepted}\r\n`
  return who.call(
    'POST',
    `/api/v1/file/${kind}?again=1`,
    `--cut\r\n${answers}--cut\r\n${head}\r\n\r\n${lines.join('\n')}\n\r\n--cut--\r\n`,
    { 'content-type': 'multipart/form-data; boundary=cut' },
  )
}

/** Imports these lines as the file of their month and processor; the file may have been there before. */
export async function importLines(who: SignedIn, lines: readonly Line[]): Promise<Answer> {
  const [{ month, processor }] = lines as [Line]
  const dollars = (cents: number) => (cents / 100).toFixed(2)
  const rows = lines.map(({ xmid, txns, sales, income, expense }) =>
    [xmid, txns, dollars(sales), dollars(income), dollars(expense), dollars(income - expense)].join(),
  )
  const filename = `${processor}_${names[months.indexOf(month)]}.csv`
  const headings = 'MID,Transactions,Sales Amount,Income,Expenses,Net'
  return importFile(who, 'compdata', filename, [headings, ...rows])
}

/** Imports the status of a shop and its Date Closed, an ISO day, '-' for none or '' for what is stored. */
export function importStatus(who: SignedIn, { id, status }: Pick<Shop, 'id' | 'status'>, closed: string) {
  const [year, month, day] = closed.split('-')
  const date = day ? `${month}/${day}/${year}` : closed
  return importFile(who, 'merchant', 'Merchants.csv', [
    'XMID,DBA,Master Agent,Account Status,Date Closed',
    `${xmidOf(id)},,,${status},${date}`,
  ])
}

export const accountNumber = (id: number) => (id % 3 === 0 ? `9876543210123${id}456` : `00123${id}`)
export const firstAccount = (id: number): Account => ({
  payee: null,
  routing: '021000021',
  number: accountNumber(id),
  checking: true,
  business: id % 2 === 0,
})

/** Epoch seconds of an ISO day. */
export const epoch = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000
/** Shops 4 to 6 are Inactive, closed on a day that can be moved. */
const farAway = '2030-01-01'
export const firstShops = (): Shop[] =>
  shopIds.map((id) => ({ id, agent: 2, status: id > 3 ? 3 : 2, closed: id > 3 ? farAway : null }))

export type Origin = {
  portal: TestPortal
  people: Record<Person, SignedIn>
  processorMonths: ProcessorMonth[]
}

async function addRecords({ db }: TestPortal) {
  await db.query(
    `insert into master_agent (id, name, parentid, isofficeaccount, payoninactive, commissionnoteditable,
        businessname, notes, routingnumber, isbankaccounttypebusiness, amountcommissionreceived)
      select n, 'Agent ' || n, case when n > 1 then 1 end, n = 1, false, false, '', '', '021000021', n % 2 = 0,
        case when n = 3 then 1.5 else 0 end
      from generate_series(1, $1) n`,
    [agentIds.length],
  )
  for (const id of agentIds)
    await db.query('update master_agent set bankaccountnumber = $2 where id = $1', [
      id,
      encrypt(testSecret, accountNumber(id), `master_agent.bankaccountnumber.${id}`),
    ])
  for (const { id, agent, status, closed } of firstShops())
    await db.query(
      `insert into merchant (id, xmid, dba, masteragentid, accountstatus, date_closed)
        overriding system value values ($1, $2, $3, $4, $5, $6)`,
      [id, xmidOf(id), `Shop ${id}`, agent, status, closed && epoch(closed)],
    )
  for (const table of ['merchant', 'master_agent'])
    await db.query('select setval(pg_get_serial_sequence($1, $2), 100)', [table, 'id'])
}

/** A portal with agents, shops, the files of four months and people who are signed in, to be copied. */
export async function payoutOrigin(): Promise<Origin> {
  const portal = await openTestPortal({
    demo: false,
    adminPassword: password,
    ach: originator,
    timeZone: 'UTC',
  })
  await addRecords(portal)
  await portal.db.query('insert into processor (name) select unnest($1::text[])', [processors])
  const hash = await hashPassword(password)
  for (const [username, held] of people)
    await portal.db.query(
      'insert into portal_user (username, password_hash, permissions, masteragentid) values ($1, $2, $3, 1)',
      [username, hash, held],
    )
  const names = ['admin', ...people.map(([name]) => name)] as Person[]
  const signedIn = await Promise.all(names.map(async (name) => [name, await portal.login(name, password)]))
  const known = Object.fromEntries(signedIn) as Record<Person, SignedIn>
  const files = months.flatMap((month) =>
    processors.map((processor, at) => fileLines(month, processor, at + 1)),
  )
  const processorMonths: ProcessorMonth[] = []
  for (const lines of files) {
    const { status, body } = await importLines(known.ed, lines)
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
    const { month, processor } = lines[0]!
    processorMonths.push({ month, processor, files: [{ batch: body.batch, lines }] })
  }
  await portal.stop()
  return { portal, people: known, processorMonths }
}
