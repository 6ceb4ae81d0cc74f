import { fromPromise, type AnyActorRef } from 'xstate'
import {
  reportMachine,
  type DownloadRequest,
  type LockRequest,
  type ReportRequest,
} from '../../../../machines/report.machine.ts'
import {
  reportCalls,
  type Lock,
  type ReportResult,
  type ReportType,
} from '../../../../schemas/api/reports.ts'
import { chosenMonth, requestBody } from '../../../forms/reportInputs.ts'
import { saveDownload } from '../../files.ts'
import type { Call } from '../../http.ts'
import { whileQueued } from '../queue.ts'
import { readResult } from './reportAnswer.ts'
import { waiveTotals } from './waiveTotals.ts'

const reportOptions = (input: ReportRequest, signal: AbortSignal) => ({
  params: { type: input.report?.id ?? '' },
  body: requestBody(input),
  signal,
})

const tellPlace = (machine: AnyActorRef | undefined) => (before: number | null) =>
  machine?.send({ type: 'queued', before })

/** The machine of the report runner. */
export const provideReports = (call: Call) =>
  reportMachine.provide({
    actors: {
      types: fromPromise<readonly ReportType[]>(
        async ({ signal }) => (await call(reportCalls.types, { signal })).data,
      ),
      generate: fromPromise<ReportResult, ReportRequest>(async ({ input, signal, self }) =>
        readResult(
          await whileQueued({ call, signal, tell: tellPlace(self._parent) }, (job) =>
            call(reportCalls.run, { ...reportOptions(input, signal), query: { job } }),
          ),
        ),
      ),
      download: fromPromise<unknown, DownloadRequest>(async ({ input, signal, self }) =>
        saveDownload(
          await whileQueued({ call, signal, tell: tellPlace(self._parent) }, (job) =>
            call(reportCalls.export, {
              ...reportOptions(input, signal),
              query: { format: input.format, ...(input.sort && { sort: input.sort }), job },
            }),
          ),
        ),
      ),
      lock: fromPromise<Lock, LockRequest>(async ({ input, signal }) => {
        const { reason, stated = {} } = input.waivers ?? {}
        const month = chosenMonth(input)?.id ?? ''
        await waiveTotals(call, month, stated, signal)
        const options = reportOptions(input, signal)
        const body = { ...options.body, ...(reason && { waive: reason }) }
        return call(reportCalls.publish, { ...options, body })
      }),
      unlock: fromPromise<Lock, ReportRequest & { reason: string }>(({ input, signal }) => {
        const body = { month: chosenMonth(input)?.id ?? '', reason: input.reason }
        return call(reportCalls.unlock, { ...reportOptions(input, signal), body })
      }),
    },
  })
