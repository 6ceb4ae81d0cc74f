import type { FileSource, ImportAnswers, ImportAsks } from '../../schemas/imports/answers.ts'
import type { ImportName, ImportReply, Preview } from '../../schemas/imports/imports.ts'
import type { Config } from '../config/config.ts'
import { maxListedFaults, defaultImportLimits, type ImportLimits } from '../config/importLimits.ts'
import { audit } from '../db/audit.ts'
import type { Db, Sql, Tx } from '../db/db.ts'
import { HttpError } from '../http/errors.ts'
import { createProgressReporter, type ProgressReporter } from '../jobs/progress.ts'
import { acquireImportLocks, importerOf } from './kinds/kinds.ts'
import type { Mappings } from './mapping/chooseTable.ts'
import { saveMapping, storedMappings } from './mapping/savedMappings.ts'
import { cancellable } from './process/cancellation.ts'
import { inUploadTurn, type Sender } from './process/turns.ts'
import type { TableReport } from './rows/table.ts'
import { refuseUnacceptedQuestions } from './store/asks.ts'
import { listDifferences } from './store/differences.ts'
import { firstFaults, refuseFaults, refuseWithFaults, type FaultList } from './store/faults.ts'
import type { Importer } from './store/importer.ts'
import { findEarlierImport, refuseRepeatedImport, describeRepeatedImport } from './store/repeatedFile.ts'
import { dropBrokenRows, stageRows } from './store/staging.ts'
import type { FileContext, ImportStep } from './store/step.ts'
import { storeRows, usedParameters } from './store/storeRows.ts'
import { unlikelyValues } from './store/unlikelyValues.ts'

/** One uploaded file on disk. */
export type Upload = {
  db: Db
  kind: ImportName
  path: string
  filename: string
  size: number
  sha256: string
  /** An ISO day, for the kinds that need one. */
  date: string | null
  sender: Sender
  address?: string
  authorizeAgain?: () => Promise<Sender>
  /** What the sender answered about the file (processors 1); nothing by default. */
  answers?: ImportAnswers
  /** The instant that decides which month is the current one; the present by default. */
  now?: Date
  dryrun: boolean
  /** Import it although the same file was imported before (imports 17). */
  again?: boolean
  /** The UUID under which its progress is asked for. */
  job?: string | null
  config: Pick<Config, 'timeZone'>
  signal: AbortSignal
  limits?: ImportLimits
  /** Called in the transaction of the import, before it ends, with its batch and who imports. */
  onStored?: OnStored
}
export type OnStored = (tx: Tx, batch: number, by: Pick<Upload, 'sender' | 'address'>) => Promise<void>

/** `processor` is '' for kinds whose files are of none. */
const insertBatch = async (
  tx: Tx,
  { kind, filename, sha256, size, sender }: Upload,
  { date, processor }: FileContext,
): Promise<number> => {
  const [batch] = await tx.query<{ id: number }>(
    `insert into import_batch (kind, filename, sha256, size, userid, username, fordate, processor,
        rows, inserted, updated, unchanged)
      values ($1, $2, $3, $4, $5, $6, $7, $8, 0, 0, 0, 0) returning id`,
    [kind, filename, sha256, size, sender.userid ?? null, sender.username, date, processor],
  )
  return batch!.id
}

/** The mappings by which a file may be read (mapping 1). */
export const mappingsOf = async (sql: Sql, { kind, answers }: Upload): Promise<Mappings> => ({
  given: answers?.mapping ?? null,
  headings: answers?.headings ?? [],
  saved: await storedMappings(sql, kind),
})

/**
 * A warning where the file is read by a mapping that was saved with one of another processor (mapping 4): two
 * processors may call different amounts by the same names.
 */
const warnOfMapping = (
  { mapping }: TableReport,
  { saved }: Mappings,
  { processor }: FileContext,
): string[] => {
  if (!mapping || mapping.isGiven || processor === '') return []
  const by = saved.find(({ fingerprint }) => fingerprint === mapping.fingerprint)?.processor
  return by && by !== processor
    ? [
        `The columns are read by the mapping that was saved with a file of ${by}; ` +
          'they must mean the same here',
      ]
    : []
}

/** A file whose rows are in `staging`. */
type CheckedFile = {
  importer: Importer
  report: TableReport
  context: FileContext
  step: ImportStep
  /** Those of reading the file, then those of each check. */
  faults: FaultList[]
  /** Those of reading the file, of what it is of, and of its rows. */
  warnings: string[]
  /** Why the whole file is not taken, whatever its rows are; or null. */
  refusal: HttpError | null
}

/**
 * Which date and processor a file is of, and that its month is open and not yet to come; or the refusal,
 * which does not keep the rows from being checked.
 */
async function describeUpload(
  tx: Tx,
  importer: Importer,
  { filename, date, answers = {}, now = new Date(), config }: Upload,
  report: TableReport,
): Promise<{ context: FileContext; refusal: HttpError | null }> {
  const empty: FileContext = { date, processor: '', warnings: [] }
  const refusalOf = (error: unknown) => {
    if (error instanceof HttpError) return error
    throw error
  }
  const refuseMonth = async (month: string | null) => {
    if (!month) return
    importer.refuseLaterMonth?.(month, now, config.timeZone)
    await importer.refuseClosedMonth?.(tx, month, config.timeZone)
  }
  const file = { sql: tx, report, filename, answers }
  const found = importer.describeFile ? await importer.describeFile(file).catch(refusalOf) : empty
  if (!(found instanceof HttpError)) {
    const refusal = await refuseMonth(found.date).then(() => null, refusalOf)
    return { context: found, refusal }
  }
  // Nothing is asked about a file that cannot be taken whatever the answer is.
  const month = (found.extra.asks as ImportAsks | undefined)?.source?.month
  const unfit = month ? await refuseMonth(`${month}-01`).then(() => null, refusalOf) : null
  return { context: empty, refusal: unfit ?? found }
}

/** Reads a file into `staging` and checks its rows; a null `faultLimit` lists all faults. */
export async function stageAndCheck(
  tx: Tx,
  upload: Upload,
  reporter: ProgressReporter,
  faultLimit: number | null = maxListedFaults,
): Promise<CheckedFile> {
  const { kind, path, filename, sender, signal, limits = defaultImportLimits } = upload
  const importer = importerOf(kind)
  const mappings = await mappingsOf(tx, upload)
  const request = { kind, path, filename, limits, mappings }
  const report = await stageRows(tx, importer.definition, { request, signal, reporter })
  reporter.report({ phase: 'checking', done: 0, total: report.rows })
  // Imports of one kind wait for each other, so that what is checked still holds when it is stored.
  await acquireImportLocks(tx, kind)
  const readFaults = { rows: report.faults, count: report.faulty }
  const { context, refusal } = await describeUpload(tx, importer, upload, report)
  const { date, processor } = context
  const step: ImportStep = { sql: tx, scope: sender.scope, date, processor, batch: null, faultLimit }
  const merged = await importer.mergeRows?.(step)
  const faults = [readFaults, ...(merged ? [merged.faults] : []), ...(await importer.check(step))]
  if (report.rejected > 0) await dropBrokenRows(tx)
  const warnings = [
    ...report.warnings,
    ...context.warnings,
    ...warnOfMapping(report, mappings, context),
    ...(merged?.warnings ?? []),
    ...(await unlikelyValues(step, importer)),
  ]
  return { importer, report, context, step, faults, warnings, refusal }
}

/** What a file is of, as the answers name it. */
const sourceOf = ({ definition }: Importer, { date, processor }: FileContext): FileSource => ({
  month: definition.dated ? null : (date?.slice(0, 7) ?? null),
  processor: processor === '' ? null : processor,
  day: definition.dated ? date : null,
})

/** The control totals of the staged rows, in dollars, and their number as `rows` (imports 20). */
const totalsOf = async (
  { sql }: ImportStep,
  { definition: { totals = {} } }: Importer,
): Promise<Record<string, number>> => {
  const sums = Object.entries(totals).map(([name, field]) => `coalesce(sum(${field}), 0) as ${name}`)
  return (
    await sql.query<Record<string, number>>(`select ${['count(*) as rows', ...sums].join(', ')} from staging`)
  )[0]!
}

/** Counts what an import of the rows without faults would do (imports 16). */
async function preview(tx: Tx, upload: Upload, reporter: ProgressReporter): Promise<Preview> {
  const checkedFile = await stageAndCheck(tx, upload, reporter)
  const { importer, report, context, step, faults, refusal } = checkedFile
  if (refusal) refuseWithFaults(refusal, faults, report.mapping?.sheets)
  const repeated = await findEarlierImport(tx, upload.kind, upload.sha256, context.date)
  const warnings = [...checkedFile.warnings, ...((await importer.warn?.(step)) ?? [])]
  const [rejected] = await tx.query<{ n: number }>('select count(distinct row)::int as n from rejected')
  await tx.query('delete from staging s using rejected r where s.row = r.row')
  const questions = (await importer.ask?.(step)) ?? []
  warnings.push(...((await importer.removeReplacedRows?.(step)) ?? []))
  const values = importer.parameters(step)
  const [counts] = await tx.query<{ inserted: number; updated: number }>(
    importer.upsert.count,
    usedParameters(importer.upsert.count, values),
  )
  const differences = await listDifferences(
    tx,
    importer.definition,
    importer.upsert.differences,
    usedParameters(importer.upsert.differences, values),
  )
  const totals = await totalsOf(step, importer)
  const { inserted, updated } = counts!
  return {
    batch: null,
    source: sourceOf(importer, context),
    inserted,
    updated,
    unchanged: totals.rows! - inserted - updated,
    totals,
    // A question says what the warning that it begins with says.
    warnings: warnings.filter((warning) => !questions.some(({ text }) => text.startsWith(warning))),
    ignored: report.ignored,
    rejected: report.rejected + rejected!.n,
    ...firstFaults(faults, report.mapping?.sheets),
    differences,
    questions,
    repeated,
  }
}

async function storeFile(tx: Tx, upload: Upload, reporter: ProgressReporter): Promise<ImportReply> {
  const { kind: name, filename, sha256, sender, address = '', again = false, config } = upload
  // Where the date is known, a repeated file is refused before it is read.
  const earlier =
    again || importerOf(name).describeFile ? null : await findEarlierImport(tx, name, sha256, upload.date)
  if (earlier) refuseRepeatedImport(earlier, config.timeZone)
  const checkedFile = await stageAndCheck(tx, upload, reporter)
  const { importer, report, context, step: checked, faults, refusal } = checkedFile
  if (refusal) refuseWithFaults(refusal, faults, report.mapping?.sheets)
  refuseFaults(faults, report.mapping?.sheets)
  const repeated = await findEarlierImport(tx, name, sha256, context.date)
  if (repeated && !again) refuseRepeatedImport(repeated, config.timeZone)
  refuseUnacceptedQuestions((await importer.ask?.(checked)) ?? [], upload.answers)
  const warnings = [...checkedFile.warnings]
  if (repeated) warnings.push(describeRepeatedImport(repeated, config.timeZone))
  warnings.push(...((await importer.warn?.(checked)) ?? []))
  if (context.isNewProcessor)
    await importer.addProcessor?.(tx, context.processor, { username: sender.username, address })
  const batch = await insertBatch(tx, upload, context)
  const step = { ...checked, batch }
  warnings.push(...((await importer.removeReplacedRows?.(step)) ?? []))
  const { inserted, updated } = await storeRows(importer, step, report.rows, reporter)
  await importer.afterStore?.(step, tx, { username: sender.username, address })
  if (report.mapping?.isGiven)
    await saveMapping(tx, name, { ...report.mapping, processor: context.processor }, { ...sender, address })
  const totals = await totalsOf(step, importer)
  const rows = totals.rows!
  const unchanged = rows - inserted - updated
  await tx.query(
    `update import_batch set rows = $2, inserted = $3, updated = $4, unchanged = $5, totals = $6
      where id = $1`,
    [batch, rows, inserted, updated, unchanged, totals],
  )
  const after = { filename, sha256, date: context.date, inserted, updated, unchanged, totals }
  await audit(tx, {
    username: sender.username,
    address,
    action: 'import',
    entity: name,
    entityid: batch,
    after,
  })
  await upload.onStored?.(tx, batch, upload)
  const source = sourceOf(importer, context)
  return { batch, source, inserted, updated, unchanged, totals, warnings, ignored: report.ignored }
}

/**
 * Imports one file in one transaction, all or nothing (imports 19), when it is the user's turn; a dry run
 * stores nothing and returns a Preview. Throws HttpError 422 with `rows` and `more` for a file with faults
 * (imports 15), and 409 for one about which something is asked (processors 1), that was imported before
 * (imports 17), of a closed month (imports 29), and for a record stored by somebody else at the same moment.
 */
export async function importFile(upload: Upload): Promise<ImportReply | Preview> {
  const { db, kind, job = null, filename, sender, signal, dryrun } = upload
  const { username, userid = null } = sender
  const reporter = createProgressReporter({ db, job, kind, userid }, dryrun ? null : { filename, username })
  const work = dryrun ? preview : storeFile
  const onWait = (before: number) => reporter.report({ phase: 'waiting', done: before, total: null })
  try {
    return await inUploadTurn(
      upload,
      (current) =>
        db.transaction((tx) =>
          cancellable(db, tx, signal, (cancellableTx) => work(cancellableTx, current, reporter)),
        ),
      onWait,
    )
  } catch (error) {
    if ((error as { code?: string }).code === '23505')
      throw new HttpError(
        409,
        'Somebody stored one of these records at the same moment. ' +
          'Nothing was stored; please submit the file again.',
      )
    throw error
  } finally {
    await reporter.end()
  }
}
