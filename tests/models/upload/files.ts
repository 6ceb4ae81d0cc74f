import { createHash } from 'node:crypto'
import type { TestPortal } from '../../testPortal.ts'
import { names } from './views.ts'

/** The files of the models: one merchant of two is new, the other gets another name. */
export const contents = {
  merchants: 'XMID,DBA,Master Agent\r\n49980000001,First Shop,MA0002\r\n40000000001,Bakery One,MA0002\r\n',
  faulty: 'XMID,DBA,Master Agent\r\n1.23E+15,First Shop,MA0002\r\n49980000002,Second Shop,Nobody\r\n',
  comp: 'MID,Month,Processor,Sales Amount,Income,Expenses\r\n40000000001,2026-11,Model,1000.00,30.00,10.50\r\n40000000002,2026-11,Model,0.00,0.00,4.25\r\n',
  unsaid:
    'MID,Processor,Sales Amount,Income,Expenses\r\n40000000001,Model,1000.00,30.00,10.50\r\n40000000002,Model,0.00,0.00,4.25\r\n',
  volume: 'MID,Sales Amount\r\n40000000001,120.50\r\n40000000002,80.00\r\n',
}
export const day = '2026-05-04'

/** As if none of the files had ever been imported, nor anything else of their kinds. */
export async function emptyTables({ db }: TestPortal): Promise<void> {
  await db.query(`delete from merchant where xmid like '4998%'`)
  await db.query(`update merchant set dba = 'Bakery 01', masteragentid = 2 where id = 1`)
  await db.query(`insert into processor (name) values ('Model') on conflict do nothing`)
  await db.query('delete from daily_volume where volumedate between $1::date - 1 and $1::date', [day])
  await db.query(`delete from residual where processor = 'Model'`)
  await db.query(`delete from month_lock where month = '2026-11-01'`)
  await db.query('delete from import_batch where filename = any($1)', [Object.values(names)])
}

/** As if ann had imported a file of this content, to no effect. */
export async function importedByAnn({ db }: TestPortal, kind: string, content: string): Promise<void> {
  await db.query(
    `insert into import_batch (kind, filename, sha256, size, username, imported_at, rows, inserted, updated, unchanged)
      values ($1, $2, $3, $4, 'ann', '2026-05-04 12:00Z', 2, 0, 0, 2)`,
    [kind, names.good, createHash('sha256').update(content).digest('hex'), content.length],
  )
}

/** What the database holds of the files, whichever screen it came by. */
export const stored = async ({ db }: TestPortal) => ({
  merchants: (
    await db.query(
      `select xmid, dba, masteragentid from merchant where xmid like '4998%' or id = 1 order by xmid`,
    )
  ).map((row) => Object.values(row).join(' ')),
  volume: (
    await db.query<{ xmid: string; cents: number }>(
      'select xmid, (salesamount * 100)::int as cents from daily_volume where volumedate = $1::date order by xmid',
      [day],
    )
  ).map((row) => `${row.xmid} ${row.cents}`),
  comp: (
    await db.query<{ xmid: string; cents: number }>(
      `select xmid, (net * 100)::int as cents from residual where processor = 'Model' order by xmid`,
    )
  ).map((row) => `${row.xmid} ${row.cents}`),
})
export const nothing = {
  merchants: ['40000000001 Bakery 01 2'],
  volume: [] as string[],
  comp: [] as string[],
}
export const whole = {
  merchants: { ...nothing, merchants: ['40000000001 Bakery One 2', '49980000001 First Shop 2'] },
  volume: { ...nothing, volume: ['40000000001 12050', '40000000002 8000'] },
  comp: { ...nothing, comp: ['40000000001 1950', '40000000002 -425'] },
}

/** Imports of merchants wait for each other here. */
const lock = `select pg_advisory_xact_lock(hashtext('import merchant'))`
/** As if ann had locked the month of the compensation data. */
export const lockMonth = ({ db }: TestPortal) =>
  db.query(`insert into month_lock (month, version, hash, username) values ('2026-11-01', 1, 'hash', 'ann')`)

const busy = new WeakMap<TestPortal, { end: () => void; over: Promise<unknown> }>()
/** Somebody else imports merchants: later imports wait before the rows are checked. */
export async function holdImports(portal: TestPortal): Promise<void> {
  await releaseImports(portal)
  let end = () => {}
  const until = new Promise<void>((resolve) => (end = resolve))
  await new Promise<void>((begun) => {
    const over = portal.db.transaction(async (tx) => {
      await tx.query(lock)
      begun()
      await until
    })
    busy.set(portal, { end, over })
  })
}
export async function releaseImports(portal: TestPortal): Promise<void> {
  const other = busy.get(portal)
  if (!other) return
  busy.delete(portal)
  other.end()
  await other.over
  // Imports that waited behind them run before ours.
  await portal.db.transaction((tx) => tx.query(lock))
}
