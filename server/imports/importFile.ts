import type { ImportName, ImportReply, Preview } from '../../schemas/imports/imports.ts'
import type { Config } from '../config/config.ts'
import {
  maxListedFaults,
  defaultImportLimits as standard,
  type ImportLimits,
} from '../config/importLimits.ts'
import { audit } from '../db/audit.ts'
import type { Db, Tx } from '../db/db.ts'
import { HttpError } from '../http/errors.ts'
import { importKind } from './kinds/kinds.ts'
import { cancellable } from './process/cancellation.ts'
import { createProgressReporter, type ProgressReporter } from './process/progress.ts'
import type { TableReport } from './rows/table.ts'
import { listDifferences } from './store/differences.ts'
import { firstFaults, refuseFaults, type FaultList } from './store/faults.ts'
import type { ImportKind } from './store/importKind.ts'
import { findEarlierImport, refuseRepeatedImport, describeRepeatedImport } from './store/repeatedFile.ts'
import { stageRows } from './store/staging.ts'
import type { FileContext, ImportStep } from './store/step.ts'
import { storeRows, usedParameters } from './store/store.ts'

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
  /** Import it although the same file was imported before. */
  again?: boolean
  /** What its progress is called. */
  job?: string | null
  config: Pick<Config, 'timeZone'>
  signal: AbortSignal
  limits?: ImportLimits
}

const insertBatch = async (
  tx: Tx,
  { kind, filename, sha256, size, viewer }: Upload,
  { date, part }: FileContext,
): Promise<number> => {
  const [batch] = await tx.query<{ id: number }>(
    `insert into import_batch (kind, filename, sha256, size, userid, username, fordate, part, rows, inserted, updated, unchanged)
      values ($1, $2, $3, $4, $5, $6, $7, $8, 0, 0, 0, 0) returning id`,
    [kind, filename, sha256, size, viewer.userid ?? null, viewer.username, date, part],
  )
  return batch!.id
}

/** The file in `staging`, what it is of, and what is wrong with it. */
export type CheckedFile = {
  kind: ImportKind
  report: TableReport
  about: FileContext
  step: ImportStep
  faults: FaultList[]
}

/** Reads a file and checks it, all faults or those that are listed. */
export async function stageAndCheck(
  tx: Tx,
  upload: Upload,
  teller: ProgressReporter,
  listed: number | null = maxListedFaults,
): Promise<CheckedFile> {
  const { kind: name, path, filename, scope, date, signal, config, limits = standard } = upload
  const kind = importKind(name)
  const report = await stageRows(tx, kind.definition, { kind: name, path, filename, limits }, signal, teller)
  teller.report({ phase: 'checking', done: 0, total: report.rows })
  // Imports of one kind wait for each other, so that what is checked here is still so when it is stored.
  for (const lock of new Set([kind.waitsFor ?? name, name]))
    await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`import ${lock}`])
  const read = { rows: report.faults, count: report.faulty }
  const about = (await kind.describeFile?.(tx, report, filename).catch((error: unknown) => {
    // Rows that cannot be read may be why it is not known.
    refuseFaults([read])
    throw error
  })) ?? { date, part: '', warnings: [] }
  if (about.date) await kind.refuseClosedMonth?.(tx, about.date, config.timeZone)
  const step: ImportStep = {
    sql: tx,
    scope,
    date: about.date,
    part: about.part,
    batch: null,
    faultLimit: listed,
  }
  const faults = [read, ...(await kind.check(step))]
  return { kind, report, about, step, faults }
}

const totalsOf = async (
  { sql }: ImportStep,
  { definition: { totals = {} } }: ImportKind,
): Promise<Record<string, number>> => {
  const sums = Object.entries(totals).map(([word, field]) => `coalesce(sum(${field}), 0) as ${word}`)
  return (
    await sql.query<Record<string, number>>(`select ${['count(*) as rows', ...sums].join(', ')} from staging`)
  )[0]!
}

/** Counts what an import would do, leaving out what it would refuse; nothing is stored. */
async function preview(tx: Tx, upload: Upload, teller: ProgressReporter): Promise<Preview> {
  const { kind, report, about, step, faults } = await stageAndCheck(tx, upload, teller)
  const repeated = await findEarlierImport(tx, upload.kind, upload.sha256, about.date)
  const warnings = [...report.warnings, ...about.warnings, ...((await kind.warn?.(step)) ?? [])]
  const [refused] = await tx.query<{ n: number }>('select count(distinct row)::int as n from rejected')
  await tx.query('delete from staging s using rejected r where s.row = r.row')
  warnings.push(...((await kind.removeReplacedRows?.(step)) ?? []))
  const values = kind.parameters(step)
  const [counts] = await tx.query<{ inserted: number; updated: number }>(
    kind.upsert.count,
    usedParameters(kind.upsert.count, values),
  )
  const differences = await listDifferences(
    tx,
    kind.definition,
    kind.upsert.differences,
    usedParameters(kind.upsert.differences, values),
  )
  const totals = await totalsOf(step, kind)
  const { inserted, updated } = counts!
  return {
    batch: null,
    inserted,
    updated,
    unchanged: totals.rows! - inserted - updated,
    totals,
    warnings,
    ignored: report.ignored,
    rejected: report.rejected + refused!.n,
    ...firstFaults(faults),
    differences,
    repeated,
  }
}

async function storeFile(tx: Tx, upload: Upload, teller: ProgressReporter): Promise<ImportReply> {
  const { kind: name, filename, sha256, viewer, address = '', again = false, config } = upload
  // Before the work of reading it, where the date is known already.
  const known =
    again || importKind(name).describeFile ? null : await findEarlierImport(tx, name, sha256, upload.date)
  if (known) refuseRepeatedImport(known, config.timeZone)
  const { kind, report, about, step: looked, faults } = await stageAndCheck(tx, upload, teller)
  refuseFaults(faults)
  const repeated = await findEarlierImport(tx, name, sha256, about.date)
  if (repeated && !again) refuseRepeatedImport(repeated, config.timeZone)
  const warnings = [...report.warnings, ...about.warnings]
  if (repeated) warnings.push(describeRepeatedImport(repeated, config.timeZone))
  warnings.push(...((await kind.warn?.(looked)) ?? []))
  const batch = await insertBatch(tx, upload, about)
  const step = { ...looked, batch }
  warnings.push(...((await kind.removeReplacedRows?.(step)) ?? []))
  const { inserted, updated } = await storeRows(kind, step, report.rows, teller)
  await kind.afterStore?.(step)
  const totals = await totalsOf(step, kind)
  const unchanged = report.rows - inserted - updated
  await tx.query(
    'update import_batch set rows = $2, inserted = $3, updated = $4, unchanged = $5, totals = $6 where id = $1',
    [batch, report.rows, inserted, updated, unchanged, totals],
  )
  const after = { filename, sha256, date: about.date, inserted, updated, unchanged, totals }
  await audit(tx, {
    username: viewer.username,
    address,
    action: 'import',
    entity: name,
    entityid: batch,
    after,
  })
  return { batch, inserted, updated, unchanged, totals, warnings, ignored: report.ignored }
}

/**
 * Imports one file, all or nothing, in one transaction. Throws a Refusal (422) with `rows` and `more` when anything in
 * it is wrong, or (409) when it was imported before; then nothing is stored. A dry run answers a Preview and stores nothing.
 */
export async function importFile(upload: Upload): Promise<ImportReply | Preview> {
  const { db, kind, job = null, viewer, signal, dryrun } = upload
  const teller = createProgressReporter(db, job, kind, viewer.userid ?? null)
  const work = dryrun ? preview : storeFile
  try {
    return await db.transaction((tx) =>
      cancellable(db, tx, signal, (stoppable) => work(stoppable, upload, teller)),
    )
  } catch (error) {
    if ((error as { code?: string }).code === '23505')
      throw new HttpError(
        409,
        'Somebody stored one of these records at the same moment. Nothing was stored; please submit the file again.',
      )
    throw error
  } finally {
    await teller.end()
  }
}
