import { foldName } from '../schemas/usernames.ts'
import { hashPassword } from '../server/accounts/passwordHash.ts'
import type { Db } from '../server/db/db.ts'
import { encrypt } from '../server/db/encryption.ts'
import { mergeRowCounts } from '../server/entities/rowCounts.ts'

export const agents = 500
/** The open months, oldest first: a large customer that has locked none of them. */
export const months = Array.from({ length: 12 }, (_, n) =>
  new Date(Date.UTC(2025, n, 1)).toISOString().slice(0, 10),
)
/** Rows of a report of the most rows that a screen is given. */
export const mostEquipment = 100_000
/** Who calls: `agent` is the one whose branch the person sees, null for all. */
export const people = {
  admin: { agent: null },
  /** An agent of the first level with all below it, about a tenth of the rows. */
  branch: { agent: 1 },
  /** An agent without others below it. */
  leaf: { agent: agents },
} as const
export type Person = keyof typeof people

/** The number of a merchant as processors write it. */
export const xmidOf = (n: number) => `5${String(n).padStart(11, '0')}`
/** The id of any of so many records: ids count from 1. */
export const randomId = (count: number) => 1 + Math.floor(Math.random() * count)
/** A word that one merchant of ten thousand has in its name, and one that none has. */
export const [rareWord, absentWord] = ['Quillwort', 'Zzyzx']

/** 500 agents in four levels: 10, 50, 140 and 300. */
const insertAgents = `
  insert into master_agent (id, name, parentid, percentagecommissionreceived, amountcommissionreceived,
      routingnumber, businessname, taxtypeid)
    select n, (array['North', 'South', 'East', 'West', 'Harbor', 'Summit'])[1 + n % 6] || ' Partners ' || n,
      case when n <= 10 then null when n <= 60 then 1 + n % 10 when n <= 200 then 11 + n % 50
        else 61 + n % 140 end,
      case when n <= 10 then 70 when n <= 60 then 60 when n <= 200 then 55.5 else 50.25 end,
      case when n % 3 = 0 then 2.5 end, '021000021', 'Business ' || n, 2
    from generate_series(1, $1::int) n order by n`

/** `h` is scattered, and the same at each run. One of ten has a TIN result other than 'Match'. */
const insertMerchants = `
  insert into merchant (xmid, dba, businesstype, product, dbaaddress, dbacity, dbastate, dbazip, status,
      sales_rep, masteragentid, accountstatus, date_added, date_approved, date_submitted, date_closed,
      date_received, notes, tinstatus, processor)
    select '5' || lpad(n::text, 11, '0'),
      (array['Amber', 'Birch', 'Cedar', 'Delta', 'Eagle', 'Fern', 'Grand', 'Hill', 'Iron', 'Jade', 'Kings',
        'Lake'])[1 + h % 12] || ' '
        || (array['Bakery', 'Books', 'Cycles', 'Dental', 'Florist', 'Garage', 'Grill', 'Hardware', 'Optics',
        'Pets', 'Salon'])[1 + h / 12 % 11] || case when n % 10000 = 7 then ' Quillwort' else '' end
        || ' ' || substr(md5(n::text), 1, 6),
      (array['Retail', 'Restaurant', 'Service', 'Lodging', ''])[1 + h / 132 % 5],
      (array['Terminal', 'Gateway', 'Mobile'])[1 + h / 660 % 3],
      h % 9973 || ' Main Street', (array['Northfield', 'Ashland', 'Salem', 'Dover'])[1 + h % 4],
      (array['MN', 'OR', 'MA', 'DE'])[1 + h % 4], lpad((h % 99999)::text, 5, '0'),
      case when h / 7 % 10 < 8 then 'Approved' when h / 7 % 10 = 8 then 'Pending' else 'Declined' end,
      (array['Dana', 'Ira', 'Kim', 'Lou'])[1 + h / 3 % 4] || ' '
        || (array['Wells', 'Stone', 'Rivers', 'Fields', 'Woods'])[1 + h / 11 % 5] || ' ' || h / 5 % 20,
      1 + h % $2, case when h / 13 % 12 = 0 then 3 when h / 13 % 12 = 1 then 1 else 2 end,
      1700000000 + h % 30000000, case when h % 5 > 0 then 1700500000 + h / 17 % 30000000 end,
      1699000000 + h / 19 % 30000000, case when h / 13 % 12 = 0 then 1740000000 + h % 1000000 end,
      case when h % 7 > 0 then 1698000000 + h / 23 % 30000000 end,
      case when h % 4 = 0 then 'Prefers e-mail, mornings' else '' end,
      case when h / 29 % 10 > 0 then 'Match'
        else (array['Mismatch', 'Missing', 'Error', ''])[1 + h / 31 % 4] end, 'P' || n % 3
    from generate_series(1, $1::int) n
      cross join lateral (select hashint4(n) & 2147483647) s (h)
    order by n`

/** One merchant of 37 costs more than it brings; one of 101 is missing in each month. */
const insertResiduals = `
  insert into residual (month, processor, xmid, txncount, sales, income, expense, net, batchid)
    select $1::date, 'P' || n % 3, '5' || lpad(n::text, 11, '0'), n % 40, n, i.income, e.expense,
      i.income - e.expense, 1
    from generate_series(1, $2::int) n
      cross join lateral (select 20 + n % 977 * 0.37) i (income)
      cross join lateral (select case when n % 37 = 0 then 400 else n % 911 * 0.02 end) e (expense)
    where (n * 7 + $3::int * 13) % 101 <> 0
    order by 2, 3`

/** Thirty days, each with a tenth of the merchants. */
const insertVolume = `
  insert into daily_volume (volumedate, xmid, batchnumber, salescount, salesamount, netamount, batchid)
    select date '2025-12-01' + d, '5' || lpad(n::text, 11, '0'), 'B' || d, 3, 100 + n % 900, 95 + n % 900, 1
    from generate_series(0, 29) d cross join generate_series(1, $1::int) n
    where (n + d) % 10 = 0`

const insertEquipment = `
  insert into equipment (model, serialnumber, licensingkey, merchantid, masteragentid, soldfor, paidsofar,
      requestedpaperworkdate)
    select 'Model ' || n % 7, 'SN' || n, 'LK' || n, n, 1 + n % $2, 100 + n % 900, n % 100,
      1700000000 / 86400 * 86400
    from generate_series(1, $1::int) n`

/** The agents, with encrypted bank numbers and tax ids as people enter them. */
async function addAgents(db: Db, secret: Buffer): Promise<void> {
  await db.query(insertAgents, [agents])
  const ids = Array.from({ length: agents }, (_, at) => at + 1)
  const encrypted = (field: string, digits: (id: number) => string) =>
    ids.map((id) => encrypt(secret, digits(id), `master_agent.${field}.${id}`))
  await db.query(
    `update master_agent a set bankaccountnumber = s.account, taxid = s.taxid
      from unnest($1::int[], $2::bytea[], $3::bytea[]) s (id, account, taxid) where s.id = a.id`,
    [
      ids,
      encrypted('bankaccountnumber', (id) => String(1_000_000_000 + id)),
      encrypted('taxid', (id) => String(100_000_000 + id)),
    ],
  )
  await db.query(`select setval(pg_get_serial_sequence('master_agent', 'id'), $1)`, [agents])
}

/** The people of the bench; the portal adds none where there are some. */
async function addPeople(db: Db, password: string): Promise<void> {
  const hash = await hashPassword(password)
  for (const [name, { agent }] of Object.entries(people))
    await db.query(
      `insert into portal_user (username, foldedname, password_hash, admin, masteragentid)
        values ($1, $2, $3, $4, $5)`,
      [name, foldName(name), hash, agent === null, agent],
    )
}

type Filling = {
  merchants: number
  /** Whether the twelve months are filled. They are most of the rows, and only the money needs them. */
  hasMonths: boolean
  /** The secret key that bank numbers and tax ids are encrypted with. */
  secret: Buffer
  /** Of everybody. */
  password: string
}

/**
 * Fills an empty database: 500 agents in four levels, `merchants` merchants, as many residuals in each of
 * twelve open months, daily volume of thirty days, and equipment.
 */
export async function addData(db: Db, { merchants, hasMonths, secret, password }: Filling): Promise<void> {
  await addAgents(db, secret)
  await addPeople(db, password)
  await db.query(`insert into processor (name, since) select 'P' || n, $1 from generate_series(0, 2) n`, [
    months[0],
  ])
  if (merchants > 0) {
    await db.query(insertMerchants, [merchants, agents])
    await db.query(
      `insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
        values ('compdata', 'bench', '', 0, 'bench', 0, 0, 0, 0)`,
    )
    for (const [at, month] of hasMonths ? months.entries() : [])
      await db.query(insertResiduals, [month, merchants, at + 1])
    await db.query(insertVolume, [merchants])
    await db.query(insertEquipment, [Math.min(merchants, mostEquipment), agents])
  }
  await db.query('vacuum analyze')
  await mergeRowCounts(db)
}
