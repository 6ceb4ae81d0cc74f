import { assign, createMachine } from 'xstate'
import type { DownloadRequest, LockRequest, reportMachine, Values } from '../../../machines/report.machine.ts'
import type { ReportResult } from '../../../schemas/api/reports.ts'
import {
  acting,
  answered,
  buttons,
  changed,
  drawn,
  given,
  reports,
  refocused,
  type Fault,
} from '../lib/tamper.ts'
import { statement } from './data.ts'
import { report } from './steps.ts'

type Report = typeof reportMachine
const rights = ({ config, implementations }: Report): Report => {
  const start = config.context as unknown as (input: unknown) => object
  const context = (input: unknown) => ({ ...start(input), allowed: { lock: true, unlock: true } })
  return createMachine({ ...config, context } as never, implementations as never) as unknown as Report
}
const renamed = (text: string, instead: string) =>
  drawn(() =>
    buttons(text).forEach((it) => void (it.querySelector('.bp6-button-text')!.textContent = instead)),
  )
const download = `POST /api/v1/report/${statement.id}/export`

/** The query that is written into the address, without or with these parameters. */
const written = (change: (search: URLSearchParams) => void): Fault['tamper'] => ({
  address: ({ search, replace }) => {
    const parameters = new URLSearchParams(search)
    change(parameters)
    return { search: `?${parameters}`, replace }
  },
})

export const reportFaults: readonly Fault[] = [
  {
    name: 'the inputs do not come into the address',
    model: report,
    state: 'open month',
    stimulus: 'generates',
    says: /the month in the address/,
    tamper: written((search) => search.delete('month')),
  },
  {
    name: 'the order does not come into the address',
    model: report,
    state: 'figures',
    stimulus: 'sorts the figures',
    says: /the order in the address/,
    tamper: written((search) => search.delete('sort')),
  },
  {
    name: 'downwards is upwards in the address',
    model: report,
    state: 'sorted figures',
    stimulus: 'sorts them again',
    says: /the order in the address/,
    tamper: written((search) => {
      const sort = search.get('sort')
      if (sort) search.set('sort', sort.replace('-', ''))
    }),
  },
  {
    name: 'the address says that other inputs were run',
    model: report,
    state: 'figures',
    stimulus: 'chooses the locked month',
    says: /run in the address/,
    tamper: written((search) => search.set('run', '1')),
  },
  {
    name: 'Back does not lead to the figures before',
    model: report,
    state: 'old figures',
    stimulus: 'goes back',
    says: /is not answered|was to lead to: figures/,
    tamper: { address: ({ search }) => ({ search, replace: true }) },
  },
  {
    name: 'Cancel does not end a slow report',
    model: report,
    state: 'generating',
    stimulus: 'presses Cancel',
    says: /the answer of a cancelled call: 200/,
    tamper: reports(changed(({ generating }) => (generating!.on = {}))),
  },
  {
    name: 'a locked month can be locked',
    model: report,
    state: 'open month alone',
    stimulus: 'chooses the locked month',
    says: /Lock Report: 1, not 0/,
    tamper: renamed('Unlock Report', 'Lock Report'),
  },
  {
    name: 'who may not lock is offered it',
    model: report,
    state: 'statement of a clerk',
    stimulus: 'chooses the open month',
    says: /Lock Report: 1, not 0/,
    tamper: reports(rights),
  },
  {
    name: 'figures of other inputs stand there unmarked',
    model: report,
    state: 'figures',
    stimulus: 'chooses the locked month',
    says: /the figures are marked: false/,
    tamper: reports(
      acting(
        'keepChange',
        assign((_, { values, valid }: { values: Values; valid: boolean }) => ({ values, valid })),
      ),
    ),
  },
  {
    name: 'the figures of one report stand under another',
    model: report,
    state: 'figures',
    stimulus: 'chooses the other report',
    says: /a table: 1, not 0/,
    tamper: reports(
      acting(
        'keepReport',
        assign((_, params: { report: never }) => ({ report: params.report, valid: false })),
      ),
    ),
  },
  {
    name: 'the figures of before stay when the report is generated again',
    model: report,
    state: 'old figures',
    stimulus: 'generates',
    says: /rows, with heading, sections and totals: \d+, not/,
    tamper: reports(
      acting(
        'keepResult',
        assign(({ context }, { result }: { result: ReportResult }) => ({
          result: context.result ?? result,
          stale: false,
        })),
      ),
    ),
  },
  {
    name: 'a failed download is taken for a file',
    model: report,
    state: 'open month as a csv',
    stimulus: 'downloads, and the server fails',
    says: /That's an error\.: 0, not 1/,
    tamper: answered(download, 500, 200),
  },
  {
    name: 'a 401 of a download is swallowed',
    model: report,
    state: 'open month as a csv',
    stimulus: 'downloads, and the session has ended',
    says: /this is not the login/,
    tamper: answered(download, 401, 500),
  },
  {
    name: 'the format that was chosen is not the one that comes',
    model: report,
    state: 'open month',
    stimulus: 'downloads a .csv',
    says: /it is saved as '.*\.xlsx'/,
    tamper: reports(given<DownloadRequest>('download', (asked) => ({ ...asked, format: 'xlsx' }))),
  },
  {
    name: 'a month is locked without a question',
    model: report,
    state: 'open month',
    stimulus: 'presses Lock Report',
    says: /it is locked before anybody said yes/,
    tamper: reports(changed(({ ready }) => (ready!.on['lock'] = 'locking'))),
  },
  {
    name: 'the answer that locks has the focus',
    model: report,
    state: 'open month',
    stimulus: 'presses Lock Report',
    says: /Cancel has the focus: false/,
    tamper: refocused('[role=alertdialog]', 'Lock'),
  },
  {
    name: 'the months are not asked for again after a lock',
    model: report,
    state: 'lock?',
    stimulus: 'confirms',
    says: /there is no option '.* \(Locked\)'/,
    tamper: reports(changed(({ locking }) => (locking!.invoke.onDone = 'ready'))),
  },
  {
    name: 'nobody is told which warnings keep the month from being locked',
    model: report,
    state: 'lock?',
    stimulus: 'confirms, and there are findings',
    says: /a dialog that asks for the reasons: 0, not 1/,
    tamper: reports(changed(({ locking }) => (locking!.invoke.onError = 'ready'))),
  },
  {
    name: 'a stated total is not waived by itself',
    model: report,
    state: 'findings',
    stimulus: 'gives the reasons',
    says: /Generate Report is disabled: true, not false/,
    tamper: reports(
      given<LockRequest>('lock', ({ waivers, ...asked }) => ({
        ...asked,
        waivers: waivers && { ...waivers, stated: {} },
      })),
    ),
  },
  {
    name: 'the reasons are lost when locking fails',
    model: report,
    state: 'message that it was not locked with reasons',
    stimulus: 'dismisses the message',
    says: /a dialog that asks for the reasons: 0, not 1/,
    tamper: reports(changed(({ waiving }) => (waiving!.invoke.onError = 'ready'))),
  },
  {
    name: 'a month is unlocked without asking for a reason',
    model: report,
    state: 'locked now',
    stimulus: 'presses Unlock Report',
    says: /dialogs: 2, not 1/,
    tamper: reports(changed(({ ready }) => (ready!.on['unlock'] = 'unlocking'))),
  },
  {
    name: 'the reason is lost when unlocking fails',
    model: report,
    state: 'message that it was not unlocked',
    stimulus: 'dismisses the message',
    says: /a dialog that asks for the reason: 0, not 1/,
    tamper: reports(changed(({ unlocking }) => (unlocking!.invoke.onError = 'ready'))),
  },
]
