import { openDb, type Db } from '../../server/db/db.ts'
import { encrypt } from '../../server/db/encryption.ts'
import { runningPostgres } from '../../server/db/postgres/postgres.ts'
import { launch, opened, type RunningPortal } from '../fixtures/portal.ts'
import { write, type Line } from '../money/book.ts'
import { testSecret } from '../setup/postgres.ts'

/** One person may do everything, so that an action is one call. */
export const officeEnv = { DEMO: '0', FOUR_EYES: 'off', SECRET_KEY: testSecret.toString('hex') }
/** The month that is locked and paid. */
export const month = '2026-03'
export const firstDay = `${month}-01`

/** A running portal, and its database as the owner sees it. */
export type Office = { portal: RunningPortal; db: Db }

/** Starts a portal with a database of its own in this folder. */
export async function startOffice(dataDir: string, env: Record<string, string> = {}): Promise<Office> {
  const portal = await opened(launch({ ...officeEnv, DATA_DIR: dataDir, ...env }))
  return { portal, db: openDb(env['MIGRATE_DATABASE_URL'] ?? runningPostgres(dataDir)!, { max: 2 }) }
}

export async function stopOffice({ portal, db }: Office): Promise<void> {
  await db.close()
  portal.child.process.kill('SIGTERM')
  await portal.child.ended
}

/** Creates `agents` agents with bank accounts below the first, an office account, and `shops` merchants. */
export async function fillOffice(db: Db, agents: number, shops: number): Promise<void> {
  await db.query(
    `insert into master_agent (id, name, isofficeaccount, payoninactive, commissionnoteditable, businessname, notes,
        routingnumber, isbankaccounttypebusiness, percentagecommissionreceived)
      select n, 'Agent ' || n, n = 1, false, false, '', '', '021000021', n % 2 = 0, 50 from generate_series(1, $1::int) n`,
    [agents],
  )
  await db.query(`select setval(pg_get_serial_sequence('master_agent', 'id'), 1000)`)
  for (let id = 1; id <= agents; id++)
    await db.query('update master_agent set bankaccountnumber = $2, parentid = $3 where id = $1', [
      id,
      encrypt(testSecret, `00123${id}`, `master_agent.bankaccountnumber.${id}`),
      id === 1 ? null : 1,
    ])
  const numbers = Array.from({ length: shops }, (_, at) => at + 1)
  await write(db, {
    agents: [],
    shops: numbers.map((id) => ({ id, agent: (id % agents) + 1, status: 2 })),
    lines: numbers.map((id) => lineOf(id)),
    terminals: [],
    subscriptions: [],
    adjustments: [],
    rates: [],
    settings: { netNegative: 'pass', amountBasis: 'perActiveMerchant', minimum: 0 },
  })
  await db.query(`select setval(pg_get_serial_sequence('merchant', 'id'), 100000)`)
  // Merchants of both are imported; a month with a processor that has no file is not locked (months 10).
  for (const processor of shops > 0 ? ['Borealis'] : ['Aurora', 'Borealis'])
    await db.query('insert into processor_statement (processor, month, nofile) values ($1, $2, true)', [
      processor,
      firstDay,
    ])
}

const lineOf = (shop: number): Line => ({
  month: firstDay,
  processor: 'Aurora',
  xmid: `4000${String(shop).padStart(8, '0')}`,
  txns: 1,
  sales: 10_000,
  income: 1_000,
  expense: 100,
})

/** Adds an adjustment that raises what an agent is due for the month. */
export const earn = (db: Db, agent: number, amount: number) =>
  db.query(
    `insert into adjustment (masteragentid, month, amount, reason, author) values ($1, $2, $3, 'Earned', 'x')`,
    [agent, firstDay, amount],
  )

export type Reply = { status: number; body: Record<string, unknown> }

/** A call of the month; null when the portal died before it answered. */
export const monthCall = (
  { portal }: Office,
  action: 'lock' | 'reopen' | 'approve' | 'release',
  body: object,
): Promise<Reply | null> => portal.call('POST', `/api/v1/month/${month}/${action}`, body).catch(() => null)

export const lockNow = (office: Office) => monthCall(office, 'lock', { waive: 'Looked at one by one' })
export const reopenNow = (office: Office) => monthCall(office, 'reopen', { reason: 'A late file' })

/** The body of a call that must succeed with this status. Throws an Error otherwise. */
export async function must(what: Promise<Reply | null>, status = 200): Promise<Record<string, unknown>> {
  const reply = await what
  if (reply?.status !== status) throw new Error(`not ${status}: ${JSON.stringify(reply)}`)
  return reply.body
}

/** Writers that store one merchant after another until they are stopped or the portal dies. */
type Writers = { acknowledged: string[]; stop(): Promise<void>; reached(count: number): Promise<void> }

/** The XMIDs begin with 9, and then the round; no other merchant of an office does. */
export function startWriters({ portal }: Office, round: number, writers = 3): Writers {
  const acknowledged: string[] = []
  const waiting: { count: number; go(): void }[] = []
  let isStopped = false
  const write = async (writer: number) => {
    for (let count = 0; !isStopped; count++) {
      const xmid = `9${String(round).padStart(4, '0')}${writer}${String(count).padStart(6, '0')}`
      const merchant = { xmid, dba: `Kept ${xmid}`, masteragentid: 1, accountstatus: 1 }
      const { status } = await portal.call('POST', '/api/v1/merchant', merchant)
      if (status !== 201) return
      acknowledged.push(xmid)
      for (const it of waiting) if (acknowledged.length >= it.count) it.go()
    }
  }
  const all = Promise.allSettled(Array.from({ length: writers }, (_, writer) => write(writer)))
  return {
    acknowledged,
    async stop() {
      isStopped = true
      await all
    },
    reached: (count) =>
      Promise.race([new Promise<void>((go) => waiting.push({ count, go })), all.then(() => undefined)]),
  }
}

/** The number of these merchants that are stored. */
export async function foundOf(db: Db, xmids: readonly string[]): Promise<number> {
  const [row] = await db.query<{ count: number }>('select count(*) from merchant where xmid = any ($1)', [
    xmids,
  ])
  return row!.count
}

/** How many merchants of the writers are stored without their entry in the audit, or the other way round. */
export async function halfMerchants(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) from (select id::text as id from merchant where xmid like '9%') m
      full join (select entityid::text as id from audit
        where entity = 'merchant' and action = 'create' and after->>'xmid' like '9%') a on a.id = m.id
      where a.id is null or m.id is null`,
  )
  return row!.count
}
