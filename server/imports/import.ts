import { audit } from '../audit.ts'
import type { Config } from '../config.ts'
import type { Db, Tx } from '../db.ts'
import { Refusal } from '../errors.ts'
import type { ImportName, ImportReply } from '../../schemas/imports.ts'
import { refuseFaults } from './faults.ts'
import { kinds, type Kind, type Step } from './kinds.ts'
import { limits as standard, type Limits } from './limits.ts'
import { stage } from './staging.ts'

/** One uploaded file, already on disk. `date` is an ISO day for the kinds that need one; `scope` as in Caller. */
export type Upload = {
  db: Db
  kind: ImportName
  path: string
  filename: string
  size: number
  sha256: string
  date: string | null
  viewer: { username: string; userid?: number | null }
  address?: string
  scope: number[] | null
  dryrun: boolean
  config: Pick<Config, 'timeZone'>
  signal: AbortSignal
  limits?: Limits
}

const openBatch = async (tx: Tx, { kind, filename, sha256, size, viewer, date }: Upload): Promise<number> => {
  const [batch] = await tx.query<{ id: number }>(
    `insert into import_batch (kind, filename, sha256, size, userid, username, fordate, rows, inserted, updated, unchanged)
      values ($1, $2, $3, $4, $5, $6, $7, 0, 0, 0, 0) returning id`,
    [kind, filename, sha256, size, viewer.userid ?? null, viewer.username, date],
  )
  return batch!.id
}

/** The same bytes again change nothing, which may surprise; so the reply says when they came first. */
async function seenBefore(tx: Tx, { kind, sha256, date, config }: Upload): Promise<string[]> {
  const [first] = await tx.query<{ username: string; imported_at: Date }>(
    `select username, imported_at from import_batch
      where kind = $1 and sha256 = $2 and fordate is not distinct from $3::date order by id limit 1`,
    [kind, sha256, date],
  )
  if (!first) return []
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: config.timeZone })
  return [`The same file was imported before, by ${first.username} on ${format.format(first.imported_at)}`]
}

async function store(tx: Tx, { upsert, parameters }: Kind, step: Step): Promise<{ inserted: number; updated: number }> {
  // PostgreSQL refuses parameters that a statement does not use.
  const values = (sql: string) => parameters(step).slice(0, Math.max(0, ...[...sql.matchAll(/\$(\d)/g)].map(([, place]) => Number(place))))
  if (step.batch === null) return (await tx.query<{ inserted: number; updated: number }>(upsert.count, values(upsert.count)))[0]!
  const updated = await tx.client.query(upsert.update, values(upsert.update))
  const inserted = await tx.client.query(upsert.insert, values(upsert.insert))
  return { inserted: inserted.rowCount ?? 0, updated: updated.rowCount ?? 0 }
}

async function run(tx: Tx, upload: Upload): Promise<ImportReply> {
  const { kind: name, path, filename, scope, date, dryrun, signal, limits = standard } = upload
  const kind = kinds[name]
  const report = await stage(tx, kind.it, { kind: name, path, filename, limits }, signal)
  // Imports of one kind wait for each other, so that what is checked here is still so when it is stored.
  await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`import ${name}`])
  signal.throwIfAborted()
  const looking: Step = { sql: tx, scope, date, batch: null }
  refuseFaults([{ rows: report.faults, count: report.faulty }, ...(await kind.check(looking))])
  const warnings = [...report.warnings, ...(await seenBefore(tx, upload)), ...((await kind.warn?.(looking)) ?? [])]
  const step: Step = { ...looking, batch: dryrun ? null : await openBatch(tx, upload) }
  warnings.push(...((await kind.clear?.(step)) ?? []))
  const { inserted, updated } = await store(tx, kind, step)
  const sums = Object.entries(kind.totals).map(([word, field]) => `sum(${field}) as ${word}`)
  const [totals] = await tx.query<Record<string, number>>(`select ${['count(*) as rows', ...sums].join(', ')} from staging`)
  const unchanged = report.rows - inserted - updated
  const reply = { batch: step.batch, inserted, updated, unchanged, totals: totals!, warnings, ignored: report.ignored }
  signal.throwIfAborted()
  // Without a batch the steps above only counted.
  if (step.batch === null) return reply
  await tx.query('update import_batch set rows = $2, inserted = $3, updated = $4, unchanged = $5, totals = $6 where id = $1', [
    step.batch,
    report.rows,
    inserted,
    updated,
    unchanged,
    reply.totals,
  ])
  const { sha256, viewer, address = '' } = upload
  const after = { filename, sha256, date, inserted, updated, unchanged, totals: reply.totals }
  await audit(tx, { username: viewer.username, address, action: 'import', entity: name, entityid: step.batch, after })
  return reply
}

/**
 * Imports one file, all or nothing, in one transaction. Throws a Refusal (422) with `rows` and `more` when anything in
 * it is wrong, then nothing is stored; on a dry run nothing is stored either way.
 */
export async function importFile(upload: Upload): Promise<ImportReply> {
  try {
    return await upload.db.transaction((tx) => run(tx, upload))
  } catch (error) {
    if ((error as { code?: string }).code === '23505')
      throw new Refusal(409, 'Somebody stored one of these records at the same moment. Nothing was stored; please submit the file again.')
    throw error
  }
}
