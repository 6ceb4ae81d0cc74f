import { fromPromise } from 'xstate'
import { decisionMachine, type DecisionSubject } from '../../../../machines/decision.machine.ts'
import { downloadMachine, type Downloaded } from '../../../../machines/download.machine.ts'
import { listMachine, type ListResult } from '../../../../machines/list.machine.ts'
import { loadMachine } from '../../../../machines/load.machine.ts'
import {
  monthMachine,
  type DifferencePage,
  type MonthView,
  type ReturnedPayment,
  type StepRequest,
  type TypedTotal,
  type ViewRequest,
} from '../../../../machines/month.machine.ts'
import { differenceCalls } from '../../../../schemas/api/months/differences.ts'
import { monthCalls, type MonthDetail, type MonthSummary } from '../../../../schemas/api/months/months.ts'
import { trendCalls } from '../../../../schemas/api/months/trend.ts'
import type { ListQuery } from '../../../../schemas/api/paging.ts'
import { processorStatement } from '../../../../schemas/entities/processorStatement.ts'
import { ledgerListRow } from '../../../features/payouts/ledgerRow.ts'
import { callsOf } from '../../client.ts'
import { saveDownload } from '../../files.ts'
import type { Call } from '../../http.ts'
import { memoize } from '../../memoize.ts'
import { waiveTotals } from './waiveTotals.ts'

/** The text of a chosen file. The call takes none with U+0000, which files of other kinds hold. */
const storableText = async (file: File) => (await file.text()).replaceAll('\0', '\ufffd')

/** The machines of the screen Payouts. */
export const providePayouts = memoize((call: Call) => ({
  month: monthMachine.provide({
    actors: {
      view: fromPromise<MonthView, ViewRequest>(({ input, signal }) => readView(call, input, signal)),
      step: provideStep(call),
    },
  }),
  ledger: listMachine.provide({
    actors: {
      load: fromPromise<ListResult, ListQuery>(async ({ input: { filter: month, ...query }, signal }) => {
        const page = await call(monthCalls.ledger, { query: month ? { ...query, month } : query, signal })
        return { ...page, data: page.data.map(ledgerListRow) }
      }),
    },
  }),
  /** The machines of one chosen file. */
  returnFile: (content: unknown) => {
    const send = async (commit: boolean, signal: AbortSignal) =>
      call(monthCalls.returnfile, { body: { text: await storableText(content as File), commit }, signal })
    return {
      check: loadMachine.provide({
        actors: { load: fromPromise<unknown>(({ signal }) => send(false, signal)) },
      }),
      book: decisionMachine.provide({
        actors: {
          decide: fromPromise<unknown, { subject: DecisionSubject | null; text: string }>(({ signal }) =>
            send(true, signal),
          ),
        },
      }),
    }
  },
  file: downloadMachine.provide({
    actors: {
      download: fromPromise<Downloaded, { id: string }>(({ input, signal }) => {
        const [month, id] = input.id.split('/')
        return call(monthCalls.file, { params: { month: month ?? '', id: id ?? '' }, signal })
      }),
    },
    actions: { saveFile: (_, { file }) => saveDownload(file) },
  }),
}))

/** Without a wanted month the newest that is not open, or else the newest that holds something. */
async function readView(call: Call, { wanted, page }: ViewRequest, signal: AbortSignal): Promise<MonthView> {
  const { data: months } = await call(monthCalls.list, { signal })
  const month =
    months.find((it) => it.month === wanted) ?? months.find(({ state }) => state !== 'open') ?? months.at(-1)!
  return { months, month, detail: null, ...(await readRun(call, month, page, signal)) }
}

const noRun = { payout: null, released: null, differences: null }

/** The payouts of a month that is not open, or what differs and was released in one that was opened again. */
async function readRun(call: Call, month: MonthSummary, page: DifferencePage, signal: AbortSignal) {
  const options = { params: { month: month.month }, signal }
  if (month.state !== 'open') {
    const payout = await call(monthCalls.payout, options)
    return { ...noRun, payout, released: payout }
  }
  if (month.version === 0) return noRun
  const [differences, released] = await Promise.all([
    call(differenceCalls.differences, { ...options, query: page }),
    call(monthCalls.releases, options),
  ])
  return { ...noRun, differences, released }
}

/** Without a wanted month the one that is worked on; none for a branch before the first lock (cockpit 1). */
async function readWork(
  call: Call,
  settles: boolean,
  { wanted, page }: ViewRequest,
  signal: AbortSignal,
): Promise<MonthView> {
  const { data: months, work } = await call(monthCalls.list, { signal })
  const month = months.find((it) => it.month === wanted) ?? months.find((it) => it.month === work)
  if (!month) return { months, month: null, detail: null, ...noRun }
  const [detail, run] = await Promise.all([
    call(monthCalls.detail, { params: { month: month.month }, signal }),
    settles ? readRun(call, month, page, signal) : noRun,
  ])
  return { months, month: { ...month, state: detail.state, version: detail.version }, detail, ...run }
}

/** The machines of the screen Month; those of the payouts and of the ledger are shared. */
export const provideMonth = memoize((call: Call) => ({
  /** For those who settle months; `reading` for those who may not read payouts. */
  settling: provideWork(call, { settles: true }),
  reading: provideWork(call, { settles: false }),
  /** The months up to this one. */
  trend: (month: string) =>
    loadMachine.provide({
      actors: {
        load: fromPromise<unknown>(
          async ({ signal }) => (await call(trendCalls.trend, { params: { month }, signal })).data,
        ),
      },
    }),
}))

/** With `settles` the run of the payouts is read as well. */
const provideWork = (call: Call, { settles }: { settles: boolean }) =>
  monthMachine.provide({
    actors: {
      view: fromPromise<MonthView, ViewRequest>(({ input, signal }) =>
        readWork(call, settles, input, signal),
      ),
      step: provideStep(call),
    },
  })

type StepValues = StepRequest['values']
const reasonOf = ({ reason }: StepValues) => String(reason ?? '')

/** The body of a call that begins or ends a hold, from the values of its form. */
const holdOf = (values: StepValues) => ({
  masteragentid: Number(values.masteragentid),
  reason: reasonOf(values),
  ...(typeof values.statement === 'boolean' && { statement: values.statement }),
})
/**
 * The body of a return: of the chosen payment, which may have no trace number, or of the typed trace number.
 */
const returnOf = (payment: ReturnedPayment | undefined, { trace, amount, ...values }: StepValues) => ({
  ...(payment ? { payment: payment.id } : { trace: String(trace ?? '') }),
  ...returnReasonOf(values),
  ...(typeof amount === 'number' && { amount }),
})
const returnReasonOf = ({ code, date }: StepValues) => ({
  code: String(code ?? ''),
  date: String(date ?? ''),
})

function bookReturn(call: Call, { month, question, values }: StepRequest, signal: AbortSignal) {
  const { payment, release } = question!
  if (release)
    return call(monthCalls.returnrelease, {
      params: { month, id: release.id },
      body: returnReasonOf(values),
      signal,
    })
  return call(monthCalls.return, { params: { month }, body: returnOf(payment, values), signal })
}
const releaseOf = ({ how, date }: StepValues) => {
  if (how !== 'file' && how !== 'other') throw new Error('No way of the release was chosen')
  return { how, ...(typeof date === 'string' && { date }) } as const
}

/**
 * Stores what was typed of each processor, one after the other; removes what was emptied. One message says so
 * after the last.
 */
async function saveTotals(
  call: Call,
  month: string,
  totals: readonly TypedTotal[],
  signal: AbortSignal,
): Promise<void> {
  const { create, update, remove } = callsOf(processorStatement)
  for (const { processor, id, version, statednet, nofile } of totals) {
    const done = processor === totals.at(-1)!.processor ? { text: 'The totals are saved.' } : undefined
    const options = { params: { id: id ?? 0 }, signal }
    const body = { statednet, nofile }
    if (id === null) await call({ ...create, done }, { body: { processor, month, ...body }, signal })
    else if (statednet === null && !nofile) await call({ ...remove, done }, { ...options, version })
    else await call({ ...update, done }, { ...options, body: { ...body, id, version } })
  }
}

/** Waives a finding, or all of a kind that are not waived. */
const waive = (call: Call, { month, question, values }: StepRequest, signal: AbortSignal) => {
  const [first, ...others] = question?.waived ?? []
  if (!first) throw new Error('No finding was chosen')
  return call(monthCalls.waive, {
    params: { month },
    body: { kind: first.kind, ...(others.length === 0 && { key: first.key }), reason: reasonOf(values) },
    signal,
  })
}

/**
 * Waives each stated total with its reason, then locks with the reason for all other warnings (months 10).
 */
async function lock(call: Call, { month, values }: StepRequest, signal: AbortSignal) {
  const { stated = {} } = values as { stated?: Readonly<Record<string, string>> }
  await waiveTotals(call, month, stated, signal)
  const reason = reasonOf(values)
  return call(monthCalls.lock, { params: { month }, body: reason === '' ? {} : { waive: reason }, signal })
}

/** A waiver answers the month as it is now; after the other steps it is read again. */
const provideStep = (call: Call) =>
  fromPromise<MonthDetail | null, StepRequest>(async ({ input, signal }) => {
    if (input.question?.step === 'waive') return waive(call, input, signal)
    await doStep(call, input, signal)
    return null
  })

async function doStep(call: Call, request: StepRequest, signal: AbortSignal) {
  const { month, hash, question, values } = request
  const options = { params: { month }, signal }
  switch (question?.step) {
    case 'total':
      return saveTotals(call, month, question.totals ?? [], signal)
    case 'lock':
      return lock(call, request, signal)
    case 'approve':
      return call(monthCalls.approve, { ...options, body: { hash } })
    case 'release': {
      const released = await call(monthCalls.release, { ...options, body: { hash, ...releaseOf(values) } })
      if (values.how === 'file') saveDownload(released)
      return released
    }
    case 'hold':
    case 'unhold':
      return call(monthCalls[question.step], { ...options, body: holdOf(values) })
    case 'return':
      return bookReturn(call, request, signal)
    case 'reopen':
      return call(monthCalls.reopen, { ...options, body: { reason: reasonOf(values) } })
    case 'takeover':
    case 'countCopy': {
      const keys = [...(question.chosen?.keys ?? [])]
      return call(differenceCalls.takeover, {
        ...options,
        body: { keys, back: question.step === 'countCopy' },
      })
    }
    default:
      throw new Error('No step was chosen')
  }
}
