import { fromPromise } from 'xstate'
import { reportMachine, type Asked } from '../../machines/report.machine.ts'
import { reports, type ExportFormat, type Lock, type ReportResult, type ReportType } from '../../schemas/reports.ts'
import type { Portal } from '../portal.ts'
import { bodyOf, monthOf } from '../reports/inputs.ts'
import type { Downloaded } from './http.ts'
import { once } from './once.ts'
import { save } from './save.ts'

const of = (input: Asked, signal: AbortSignal) => ({ params: { type: input.report?.id ?? '' }, body: bodyOf(input), signal, patient: true as const })

/** The report runner with its calls. */
export const wireReports = once(({ call }: Pick<Portal, 'call'>) =>
  reportMachine.provide({
    actors: {
      types: fromPromise<readonly ReportType[]>(async ({ signal }) => ((await call(reports.types, { signal })) as { data: ReportType[] }).data),
      generate: fromPromise<ReportResult, Asked>(({ input, signal }) => call(reports.run, of(input, signal)) as Promise<ReportResult>),
      download: fromPromise<unknown, Asked & { format: ExportFormat }>(async ({ input, signal }) =>
        save((await call(reports.export, { ...of(input, signal), query: { format: input.format } })) as Downloaded),
      ),
      lock: fromPromise<Lock, Asked>(({ input, signal }) => call(reports.publish, of(input, signal)) as Promise<Lock>),
      unlock: fromPromise<Lock, Asked & { reason: string }>(({ input, signal }) => {
        const body = { month: monthOf(input)?.id, reason: input.reason }
        return call(reports.unlock, { ...of(input, signal), body }) as Promise<Lock>
      }),
    },
  }),
)
