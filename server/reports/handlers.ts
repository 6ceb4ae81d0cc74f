import { takesBankFiles } from '../../schemas/api/months/months.ts'
import { maxShownRows, type ExportFormat, type ReportValues } from '../../schemas/api/reports.ts'
import { reasonOf } from '../../schemas/permissions.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import type { Caller, Handlers } from '../http/call.ts'
import { notFound, HttpError } from '../http/errors.ts'
import { abortOnDisconnect } from '../http/fileResponse.ts'
import type { Downloads } from '../jobs/downloads.ts'
import { sendAnswer, writeAnswer } from '../jobs/longAnswer.ts'
import { readProgress, reportWaiting } from '../jobs/progress.ts'
import { lockMonth, reopenMonth } from '../money/lock.ts'
import { lockReply, reopenedLockReply } from '../money/lockReply.ts'
import { catalogue } from './catalogue.ts'
import { inReadTransaction } from './engine/cursor.ts'
import { payMonthInput } from './engine/monthInput.ts'
import { isLockedOnly, openReport, reportScope } from './engine/openReport.ts'
import { assertKnownInputs, parseInputs, offeredInputs } from './engine/parseInputs.ts'
import type { Report } from './engine/report.ts'
import { sendBankFile } from './files/bankFile.ts'
import { sendSheetFile } from './files/download.ts'
import { shownReport } from './files/shown.ts'

/** The formats this caller may export a report in. The bank file shows whole bank numbers (payouts 4). */
const formatsFor = (report: Report, caller: Caller): ExportFormat[] =>
  report.hasBankFile && takesBankFiles(caller) ? ['xlsx', 'csv', 'nacha'] : ['xlsx', 'csv']

type ReportHandlers = Handlers['reports']

const canRun = (report: Report, caller: Caller) =>
  report.allow(caller) && !(report.fullScopeOnly && reportScope(caller) !== null)

/** The reports this caller may run, sorted by name. */
export const reportsFor = (caller: Caller): Report[] =>
  catalogue.filter((report) => canRun(report, caller)).sort((a, b) => a.name.localeCompare(b.name))

/** Throws an HttpError: 404 when there is no such report, 403 when the caller may not run it. */
const findReport = (caller: Caller, type: string): Report => {
  const report = catalogue.find(({ id }) => id === type)
  if (!report) throw notFound('report')
  if (!canRun(report, caller)) throw new HttpError(403, `You do not have permission to run ${report.name}`)
  return report
}

/** As `findReport`. Throws an HttpError, too: 422 for a format it has not, 403 for the bank file. */
function findExport(caller: Caller, type: string, format: ExportFormat): Report {
  const report = findReport(caller, type)
  if (formatsFor(report, caller).includes(format)) return report
  if (!report.hasBankFile) throw new HttpError(422, `${report.name} has no file of the format ${format}`)
  const reason = reasonOf(takesBankFiles, caller)
  throw new HttpError(403, `You do not have permission to take ${report.name} as ${format}. ${reason}`)
}

export const reportHandlers = (
  db: Db,
  config: Config,
  secret: Buffer,
  downloads: Downloads,
): ReportHandlers => ({
  ...readHandlers(db, config, secret, downloads),
  ...lockHandlers(db),
})

const readHandlers = (
  db: Db,
  config: Config,
  secret: Buffer,
  downloads: Downloads,
): Pick<ReportHandlers, 'types' | 'run' | 'export' | 'progress'> => ({
  /** The reports this caller may run, sorted by name, with the options of their inputs. */
  async types({ caller }) {
    const scope = reportScope(caller)
    const data = await Promise.all(
      reportsFor(caller).map(async (report) => ({
        id: report.id,
        name: report.name,
        group: report.group,
        description: report.description,
        inputs: await offeredInputs(report.inputs, {
          sql: db,
          scope,
          lockedOnly: isLockedOnly(report, scope),
        }),
        formats: formatsFor(report, caller),
      })),
    )
    return { data }
  },

  /** Answers at most `maxShownRows` rows, and the totals of all rows (reports 6). */
  async run(call) {
    const { caller, params, query, body: sent, reply } = call
    const { prepare } = findReport(caller, params.type)
    const signal = abortOnDisconnect(reply, 'The report was cancelled')
    const { username: user, userid } = caller
    const { reportSeconds: seconds } = config
    const turn = { signal, seconds, requester: call, prepare: () => prepare?.(db, sent) }
    const answer = await reportWaiting({ db, job: query.job ?? null, kind, userid }, (onWait, begin) => {
      return inReadTransaction(db, { ...turn, onWait }, async (tx, reader, beginSecond) => {
        await begin()
        const report = findReport(reader, params.type)
        const request = { caller: reader, sent, config, secret, signal, now: new Date(), beginSecond }
        const opened = await openReport(tx, report, { ...request, most: maxShownRows })
        return writeAnswer(downloads, user, shownReport({ tx, caller: reader, report }, opened), signal)
      })
    })
    return sendAnswer(downloads, reply, answer)
  },

  async export({ caller, authorizeAgain, address, params, query, body, reply }) {
    const { format, sort, job = null } = query
    const assertMayExport = (reader: Caller) => findExport(reader, params.type, format)
    const report = assertMayExport(caller)
    const request = { db, config, secret, report, caller, authorizeAgain, address, sent: body, reply }
    if (format === 'nacha') return sendBankFile(request)
    const signal = abortOnDisconnect(reply, 'The report was cancelled')
    return reportWaiting({ db, job, kind, userid: caller.userid }, (onWait, begin) =>
      sendSheetFile({ ...request, format, sort, assertMayExport, downloads, signal, onWait, begin }),
    )
  },

  progress: ({ caller, params: { job } }) => readProgress(db, kind, job, caller.userid),
})

/** The kind of job under which reports and their downloads report their progress (reports 10). */
const kind = 'report'

const lockHandlers = (db: Db): Pick<ReportHandlers, 'publish' | 'unlock'> => ({
  async publish({ caller, address, params, body }) {
    const report = findReport(caller, params.type)
    if (reportScope(caller) !== null)
      throw new HttpError(403, 'Only who sees all master agents may lock a month')
    const { waive, ...sent } = body
    const month = await parseLockMonth(db, report, sent)
    const action = { month, username: caller.username, address, ...(waive != null && { waive }) }
    return lockReply(await lockMonth(db, action))
  },

  async unlock({ caller, address, params, body }) {
    findReport(caller, params.type)
    const lock = await reopenMonth(db, {
      month: `${body.month}-01`,
      reason: body.reason,
      username: caller.username,
      address,
    })
    return reopenedLockReply(db, lock)
  },
})

/**
 * The month that is to be locked, an ISO first day; the values of the report's other inputs do not matter
 * (months 4).
 */
async function parseLockMonth(db: Db, report: Report, sent: ReportValues): Promise<string> {
  const name = payMonthInput(report.inputs)
  const input = name && report.inputs[name]
  if (!input) throw new HttpError(422, `${report.name} has no month that could be locked`)
  assertKnownInputs(report, sent)
  const values = await parseInputs(
    { ...report, inputs: { [name]: input }, validate: undefined },
    { [name]: sent[name] ?? null },
    { sql: db, scope: null, lockedOnly: false },
  )
  return String(values[name])
}
