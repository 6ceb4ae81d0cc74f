import { fromPromise } from 'xstate'
import { downloadMachine } from '../../../machines/download.machine.ts'
import { listMachine, type ListResult } from '../../../machines/list.machine.ts'
import { monthMachine, type MonthView, type StepRequest } from '../../../machines/month.machine.ts'
import { monthCalls, type LedgerRow, type MonthSummary, type Payout } from '../../../schemas/api/months.ts'
import type { ListQuery, Page } from '../../../schemas/api/paging.ts'
import { ledgerListRow } from '../../features/payouts/ledgerRow.ts'
import { saveDownload } from '../files.ts'
import type { Call, Downloaded } from '../http.ts'
import { memoize } from '../memoize.ts'

/** The machines of the screen Payouts. */
export const providePayouts = memoize((call: Call) => ({
  month: monthMachine.provide({
    actors: {
      view: fromPromise<MonthView, { wanted: string | null }>(({ input, signal }) =>
        readView(call, input.wanted, signal),
      ),
      step: fromPromise<unknown, StepRequest>(({ input, signal }) => doStep(call, input, signal)),
    },
  }),
  ledger: listMachine.provide({
    actors: {
      load: fromPromise<ListResult, ListQuery>(async ({ input, signal }) => {
        const page = (await call(monthCalls.ledger, { query: input, signal })) as Page<LedgerRow>
        return { ...page, data: page.data.map(ledgerListRow) }
      }),
    },
  }),
  file: downloadMachine.provide({
    actors: {
      download: fromPromise<unknown, { id: string }>(({ input, signal }) => {
        const [month, id] = input.id.split('/')
        return call(monthCalls.file, { params: { month: month ?? '', id: id ?? '' }, signal })
      }),
    },
    actions: { saveFile: (_, { file }) => saveDownload(file as Downloaded) },
  }),
}))

/** Without a wanted month the newest that is not open, or else the newest that holds something. */
async function readView(call: Call, wanted: string | null, signal: AbortSignal): Promise<MonthView> {
  const { data } = (await call(monthCalls.list, { signal })) as { data: MonthSummary[] }
  const month =
    data.find((it) => it.month === wanted) ?? data.find(({ state }) => state !== 'open') ?? data.at(-1)!
  const payout =
    month === null || month.state === 'open'
      ? null
      : ((await call(monthCalls.payout, { params: { month: month.month }, signal })) as Payout)
  return { months: data, month, payout }
}

async function doStep(call: Call, { month, hash, question, values }: StepRequest, signal: AbortSignal) {
  const options = { params: { month }, signal }
  switch (question?.step) {
    case 'approve':
      return call(monthCalls.approve, { ...options, body: { hash } })
    case 'release': {
      const released = await call(monthCalls.release, { ...options, body: { hash, ...values } })
      if (values.how === 'file') saveDownload(released as Downloaded)
      return released
    }
    case 'hold':
    case 'unhold':
    case 'return':
    case 'reopen':
      return call(monthCalls[question.step], { ...options, body: values })
    default:
      throw new Error('No step was chosen')
  }
}
