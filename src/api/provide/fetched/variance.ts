import { fromPromise } from 'xstate'
import { decisionMachine, type DecisionSubject } from '../../../../machines/decision.machine.ts'
import { downloadMachine, type Downloaded } from '../../../../machines/download.machine.ts'
import { loadMachine } from '../../../../machines/load.machine.ts'
import {
  varianceCalls,
  type MissingQuery,
  type RecoveredQuery,
  type VarianceQuery,
} from '../../../../schemas/api/months/variance.ts'
import { saveDownload } from '../../files.ts'
import type { Call } from '../../http.ts'
import { memoize } from '../../memoize.ts'

const loads = (load: (signal: AbortSignal) => Promise<unknown>) =>
  loadMachine.provide({ actors: { load: fromPromise<unknown>(({ signal }) => load(signal)) } })

/** The machines of variance and missing income; months are '2026-10'. */
export const provideVariance = memoize((call: Call) => ({
  compare: (month: string, query: VarianceQuery) =>
    loads((signal) => call(varianceCalls.compare, { params: { month }, query, signal })),
  missing: (month: string, query: MissingQuery) =>
    loads((signal) => call(varianceCalls.missing, { params: { month }, query, signal })),
  recovered: (month: string, query: RecoveredQuery) =>
    loads((signal) => call(varianceCalls.recovered, { params: { month }, query, signal })),
  /** The file of the variance or of the missing income; its id is the query as JSON. */
  file: (month: string, of: 'compareFile' | 'missingFile') =>
    downloadMachine.provide({
      actors: {
        download: fromPromise<Downloaded, { id: string }>(({ input: { id }, signal }) =>
          call(varianceCalls[of], {
            params: { month },
            query: JSON.parse(id) as object,
            signal,
          }),
        ),
      },
      actions: { saveFile: (_, { file }) => saveDownload(file) },
    }),
  dismiss: (month: string) =>
    decisionMachine.provide({
      actors: {
        decide: fromPromise<unknown, { subject: DecisionSubject | null; text: string }>(
          ({ input: { subject, text }, signal }) => {
            const body = { xmid: subject?.name ?? '', reason: text }
            return call(varianceCalls.dismiss, { params: { month }, body, signal })
          },
        ),
      },
    }),
}))
