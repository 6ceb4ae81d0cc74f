import type { FastifyReply } from 'fastify'
import {
  type ExportFormat,
  type Lock,
  type ReportResult,
  type ReportRow,
  type ReportType,
  type ReportValues,
  shownRows,
} from '../../schemas/api/reports.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import type { Call, Caller } from '../http/call.ts'
import { notFound, HttpError } from '../http/errors.ts'
import { lockMonth, reopenMonth } from '../money/lock.ts'
import { catalogue } from './catalogue.ts'
import { inSnapshot } from './engine/cursor.ts'
import { lockOnWire, reopenedOnWire } from './engine/monthInput.ts'
import { lockedOnly, open, scopeOf } from './engine/openReport.ts'
import { given, offered } from './engine/parseInputs.ts'
import type { Report } from './engine/report.ts'
import { sendBankFile } from './files/bankFile.ts'
import { sendFile } from './files/download.ts'

/** The files this caller may have of a report. One for the bank holds whole bank numbers, and needs a bank. */
export const formatsFor = (
  it: Report,
  { permissions, scope }: Caller,
  { ach }: Pick<Config, 'ach'>,
): ExportFormat[] =>
  it.nacha && ach && scope === null && permissions.lock_reports && permissions.manage_master_agents
    ? ['xlsx', 'csv', 'nacha']
    : ['xlsx', 'csv']

type Asking<Q = object> = Call<{ type: string }, Q, ReportValues>

/** Stops what is under way when the browser goes away before its answer. */
const whileConnected = (reply: FastifyReply): AbortSignal => {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) gone.abort(new HttpError(400, 'The report was cancelled'))
  })
  return gone.signal
}

const mayRun = (it: Report, caller: Caller) => it.allow(caller) && !(it.whole && scopeOf(caller) !== null)

const find = (caller: Caller, type: string): Report => {
  const it = catalogue.find(({ id }) => id === type)
  if (!it) throw notFound('report')
  if (!mayRun(it, caller)) throw new HttpError(403, `You do not have permission to run ${it.name}`)
  return it
}

export const reportHandlers = (db: Db, config: Config, secret: Buffer) => ({
  /** The types this caller may run, sorted by name, with what is offered to them. */
  async types({ caller }: Call): Promise<{ data: ReportType[] }> {
    const scope = scopeOf(caller)
    const own = catalogue.filter((it) => mayRun(it, caller)).sort((a, b) => a.name.localeCompare(b.name))
    const data = await Promise.all(
      own.map(async (it) => ({
        id: it.id,
        name: it.name,
        inputs: await offered(it.inputs, { sql: db, scope, lockedOnly: lockedOnly(it, scope) }),
        formats: formatsFor(it, caller, config),
      })),
    )
    return { data }
  },

  /** At most `shownRows` rows, and the totals of all. */
  async run({ caller, params, body, reply }: Asking): Promise<ReportResult> {
    const it = find(caller, params.type)
    const signal = whileConnected(reply)
    return inSnapshot(db, { signal, seconds: config.reportSeconds }, async (tx) => {
      const table = await open(tx, it, { caller, sent: body, config, secret, signal, now: new Date() })
      const data: ReportRow[] = []
      let count = 0
      for await (const batch of table.rows) {
        count += batch.length
        data.push(...batch.slice(0, shownRows - data.length))
      }
      const cut = `${shownRows.toLocaleString('en-US')} of ${count.toLocaleString('en-US')} rows are shown, the totals are of all: download the report for the rest`
      return {
        columns: it.columns.map(({ name, displayname, datatype }) => ({ name, displayname, datatype })),
        data,
        totals: table.totals(),
        notes: [...(count > data.length ? [cut] : []), ...table.notes],
        lock: table.lock && lockOnWire(table.lock),
      }
    })
  },

  async export({
    caller,
    address,
    params,
    query: { format },
    body,
    reply,
  }: Asking<{ format: ExportFormat }>) {
    const it = find(caller, params.type)
    if (!formatsFor(it, caller, config).includes(format))
      throw new HttpError(403, `You do not have permission to take ${it.name} as ${format}`)
    const asked = { db, config, secret, it, caller, address, sent: body, reply }
    return format === 'nacha'
      ? sendBankFile(asked)
      : sendFile({ ...asked, format, signal: whileConnected(reply) })
  },

  async publish({ caller, address, params, body }: Asking): Promise<Lock> {
    const it = find(caller, params.type)
    if (scopeOf(caller) !== null) throw new HttpError(403, 'Only who sees all master agents may lock a month')
    const month = await monthIn(db, it, body)
    return lockOnWire(await lockMonth(db, { month, username: caller.username, address }))
  },

  async unlock({
    caller,
    address,
    params,
    body,
  }: Call<{ type: string }, object, { month: string; reason: string }>): Promise<Lock> {
    find(caller, params.type)
    const lock = await reopenMonth(db, {
      month: `${body.month}-01`,
      reason: body.reason,
      username: caller.username,
      address,
    })
    return reopenedOnWire(db, lock)
  },
})

/** The month that is to be locked; the other inputs of the report do not matter to it. */
async function monthIn(db: Db, it: Report, sent: ReportValues): Promise<string> {
  const [name, input] = Object.entries(it.inputs).find(([, { datatype }]) => datatype === 'Query3') ?? []
  if (!name || !input) throw new HttpError(422, `${it.name} has no month that could be locked`)
  const taken = await given(
    { ...it, inputs: { [name]: input }, check: undefined },
    { [name]: sent[name] ?? null },
    { sql: db, scope: null, lockedOnly: false },
  )
  return String(taken[name])
}
