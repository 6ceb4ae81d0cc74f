import { fromPromise } from 'xstate'
import { decisionMachine, type DecisionSubject } from '../../../machines/decision.machine.ts'
import { downloadMachine, type Downloaded } from '../../../machines/download.machine.ts'
import { listMachine, type ListResult } from '../../../machines/list.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import {
  monthMachine,
  type MonthView,
  type StepRequest,
  type ViewRequest,
} from '../../../machines/month.machine.ts'
import { differenceCalls } from '../../../schemas/api/months/differences.ts'
import { monthCalls } from '../../../schemas/api/months/months.ts'
import type { ListQuery } from '../../../schemas/api/paging.ts'
import { ledgerListRow } from '../../features/payouts/ledgerRow.ts'
import { saveDownload } from '../files.ts'
import type { Call } from '../http.ts'
import { memoize } from '../memoize.ts'

/** The machines of the screen Payouts. */
export const providePayouts = memoize((call: Call) => ({
  month: monthMachine.provide({
    actors: {
      view: fromPromise<MonthView, ViewRequest>(({ input, signal }) => readView(call, input, signal)),
      step: fromPromise<unknown, StepRequest>(({ input, signal }) => doStep(call, input, signal)),
    },
  }),
  ledger: listMachine.provide({
    actors: {
      load: fromPromise<ListResult, ListQuery>(async ({ input, signal }) => {
        const page = await call(monthCalls.ledger, { query: input, signal })
        return { ...page, data: page.data.map(ledgerListRow) }
      }),
    },
  }),
  /** The machines of one chosen file. */
  returnFile: (content: unknown) => {
    const send = async (commit: boolean, signal: AbortSignal) =>
      call(monthCalls.returnfile, { body: { text: await (content as File).text(), commit }, signal })
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
  const view = { months, month, payout: null, differences: null }
  const options = { params: { month: month.month }, signal }
  if (month.state !== 'open') return { ...view, payout: await call(monthCalls.payout, options) }
  if (month.version === 0) return view
  return { ...view, differences: await call(differenceCalls.differences, { ...options, query: page }) }
}

type StepValues = StepRequest['values']
const reasonOf = ({ reason }: StepValues) => String(reason ?? '')

/** What the form of a hold or of its end holds, as the calls take it. */
const holdOf = (values: StepValues) => ({
  masteragentid: Number(values.masteragentid),
  reason: reasonOf(values),
  ...(typeof values.statement === 'boolean' && { statement: values.statement }),
})
const returnOf = ({ trace, code, date, amount }: StepValues) => ({
  trace: String(trace ?? ''),
  code: String(code ?? ''),
  date: String(date ?? ''),
  ...(typeof amount === 'number' && { amount }),
})
const releaseOf = ({ how, date }: StepValues) => {
  if (how !== 'file' && how !== 'other') throw new Error('No way of the release was chosen')
  return { how, ...(typeof date === 'string' && { date }) } as const
}

async function doStep(call: Call, { month, hash, question, values }: StepRequest, signal: AbortSignal) {
  const options = { params: { month }, signal }
  switch (question?.step) {
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
      return call(monthCalls.return, { ...options, body: returnOf(values) })
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
