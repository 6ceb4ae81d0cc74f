import {
  type LockRequest,
  type ReportRequest,
  reportMachine,
  type Values,
  type Waivers,
} from '../../machines/report.machine.ts'
import type { Finding } from '../../schemas/api/months/months.ts'
import type { Lock, ReportResult, ReportType } from '../../schemas/api/reports.ts'
import { Failure } from '../../src/api/failure.ts'
import { answers, fails } from '../mbt/explore.ts'
import type { Spec } from '../mbt/runPath.ts'
import { readTable } from '../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

(start) | opens the screen, may lock and unlock | idle | | allowed = lock and unlock; types = nothing yet; report, result, lock, before = none; values, faults, resultValues = nothing; valid, stale = no; format = .xlsx; sort, reason = blank; findings = nothing yet; waivers = none
(start) | opens the screen, may neither | idle | | allowed = neither; types = nothing yet; report, result, lock, before = none; values, faults, resultValues = nothing; valid, stale = no; format = .xlsx; sort, reason = blank; findings = nothing yet; waivers = none

A dropdown of report types. That they cannot be had is said, and they can be asked for again.
idle / failed | loads      | loading | calls types                |
loading | types fail         | failed  |                            |

A report is chosen, then filled in; its form says whether it is complete. Another report forgets the result of the one before,
and keeps what was filled in. Other inputs mark the result as that of others.
ready         | chooses a report        | ready | | report = the report; valid, stale = no; faults = nothing; result, lock = none
ready         | chooses no report       | ready | | report = none; valid, stale = no; faults = nothing; result, lock = none
ready, chosen | fills in an open month  | ready | | values = October; valid = yes; stale = yes if there is a result; lock = none
ready, chosen | fills in a locked month | ready | | values = September; valid = yes; stale = yes if there is a result; lock = none
ready, chosen | empties the month       | ready | | values = nothing; valid = no; stale = yes if there is a result; lock = none

Generate and Download are disabled while the form is invalid. Both can be cancelled, which ends the call. A failure leaves
the screen as it was, with the server's sentences at the inputs.
ready, complete | generates                            | generating | calls generate (the inputs) | faults = nothing; lock = none
generating      | generate answers                     | ready      |                             | result = the answer; resultValues = the values; stale = no; before = none
generating      | generate is refused, naming an input | ready      |                             | faults = the sentences; before = none
generating      | cancels                              | ready      | cancels generate            | before = none
ready, complete | downloads a .csv                     | downloading | calls download (the inputs as .csv) | format = .csv; sort = by net, downwards; faults = nothing; lock = none
downloading     | download answers                     | ready      |                             | before = none
downloading     | download is refused, naming an input | ready      |                             | faults = the sentences; before = none
downloading     | cancels                              | ready      | cancels download            | before = none

While a report or a download waits for its turn, it is told how many come first.
generating / downloading | three are to begin before it | stays | | before = three
generating / downloading | its turn comes               | stays | | before = none

Lock Report is offered with lock_reports, when the state of the selected option is not 'Locked', whatever the other inputs
hold; it is asked about, for it pays people. After locking the types are loaded again and the choice is kept; what was shown was the month before.
ready, lockable | locks    | confirmingLock | | faults = nothing; lock = none; findings = nothing yet; waivers = none
confirmingLock  | cancels  | ready          | |
confirmingLock  | confirms | locking        | calls lock (the inputs, and no waivers) |
locking | lock answers                     | loading | calls types | lock = the answer; stale = yes if there is a result
locking | lock fails with 409              | loading | calls types |
locking | lock is refused, naming an input | ready   |             | faults = the sentences

Findings of the checklist are shown. Warnings are waived with reasons of at least ten characters, a stated total with its own,
and the month is locked with them; a stop is not waived. A failure leaves the dialog open with the reasons.
locking | lock finds warnings       | showingFindings | | findings = the warnings
locking | lock finds a stop         | showingFindings | | findings = the stop
showingFindings, warnings | gives both reasons     | waiving | calls lock (the inputs and both reasons) | waivers = both reasons
showingFindings, stated total alone | gives both reasons | waiving | calls lock (the inputs and both reasons) | waivers = both reasons
showingFindings, stated total alone | gives the reason of the total | waiving | calls lock (the inputs and the reason of the total) | waivers = the reason of the total
showingFindings | cancels                          | ready | |
waiving | waived lock answers               | loading | calls types | lock = the answer; stale = yes if there is a result
waiving | waived lock finds a stated total  | showingFindings | | findings = the stated total
waiving | waived lock fails with 409        | loading | calls types |
waiving | waived lock fails with 500        | showingFindings | |

loading | types answer                     | ready   |             | types = the answer; report = as it is now
loading | types answer, but nothing is left | ready  |             | types = the answer; report, result = none; stale = no

Administrators unlock what is locked, and say why. A failure leaves the dialog open.
ready, unlockable | unlocks   | askingReason | | faults = nothing; lock = none
askingReason | cancels        | ready        | |
askingReason | gives a reason | unlocking    | calls unlock (the inputs and the reason) | reason = the reason
unlocking | unlock answers        | loading      | calls types | lock = the answer; stale = yes if there is a result
unlocking | unlock fails with 409 | loading      | calls types |
unlocking | unlock fails with 500 | askingReason |             |
`

const month = (id: string, state: string) => ({ id, displayname: id, state })
const typeOf = (october: string): ReportType => ({
  id: 'residual-summary',
  name: 'Residual Summary by Agent',
  group: 'Pay of Agents',
  description: 'What every agent is due.',
  inputs: [
    {
      inputname: 'branch',
      displayname: 'Branch',
      datatype: 'Query',
      isrequired: false,
      constraints: [{ id: '2026-10', displayname: 'No month' }],
    },
    {
      inputname: 'month',
      displayname: 'Month',
      datatype: 'Query3',
      isrequired: true,
      constraints: [month('2026-10', october), month('2026-09', 'Locked')],
    },
  ],
  formats: ['xlsx', 'csv'],
})
const chosen = typeOf('Open')
const october: Values = { month: '2026-10' }
const september: Values = { month: '2026-09' }
const result: ReportResult = { columns: [], data: [], totals: null, notes: [], lock: null }
const lock: Lock = { month: '2026-10', version: 1, hash: 'abc', username: 'ann', lockedat: 1 }
const refusal = new Failure(422, 'Please check the inputs', {
  fields: { month: 'Month is not one of those offered' },
})
const conflict = new Failure(409, 'October 2026 was locked by ann', { fields: { month: 'Locked' } })
const reason = 'A processor sent a correction'
const finding = (
  kind: string,
  key: string,
  severity: Finding['severity'],
  amount: number | null,
): Finding => ({
  key,
  kind,
  severity,
  what: kind,
  where: key,
  amount,
  link: null,
  waiver: null,
})
const total = finding('stated-total', 'stated-total:Borealis', 'warning', -0.01)
const found = {
  warnings: [finding('unknown-mid', 'unknown-mid:X 1', 'warning', 5), total],
  total: [total],
  stop: [finding('missing-file', 'missing-file:Corona', 'stop', null), total],
}
const findings = (of: readonly Finding[]) => Object.assign(new Failure(409, 'Not waived'), { findings: of })
/** Ten characters are enough, and blanks at the ends are none. */
const enough = '0123456789'
const tooShort = ' 012345678 '
const waivers = (reason: string, stated: string): Waivers => ({ reason, stated: { [total.key]: stated } })
const request = ({ before }: { before: ReportRequest }): ReportRequest => ({
  report: before.report,
  values: before.values,
})

type Context = ReturnType<(typeof reportMachine)['getInitialSnapshot']>['context']
const stateOf = ({ values }: Context) =>
  values['month'] === '2026-10' ? 'open' : values['month'] === '2026-09' ? 'locked' : 'none'
const isFilledIn = ({ report, valid }: Context) => report !== null && valid

export const report: Spec<typeof reportMachine> = {
  machine: reportMachine,
  rows: readTable(table),
  starts: {
    'opens the screen, may lock and unlock': { allowed: { lock: true, unlock: true } },
    'opens the screen, may neither': { allowed: { lock: false, unlock: false } },
  },
  words: (context) => [
    ...(context.allowed.lock ? ['may lock'] : []),
    ...(context.report ? ['chosen'] : []),
    ...(isFilledIn(context) ? ['complete'] : []),
    ...(context.report && context.allowed.lock && stateOf(context) === 'open' ? ['lockable'] : []),
    ...(context.findings === found.warnings ? ['warnings'] : []),
    ...(context.findings === found.total ? ['stated total alone'] : []),
    ...(context.findings === found.stop ? ['stop'] : []),
    ...(context.report && context.allowed.unlock && stateOf(context) === 'locked' ? ['unlockable'] : []),
  ],
  stimuli: {
    loads: { type: 'load' },
    'types answer': answers('types', [chosen]),
    'types answer, but nothing is left': answers('types', []),
    'types fail': fails('types', new Failure(500, 'An error has occured.')),
    'chooses a report': { type: 'choose', report: chosen },
    'chooses no report': { type: 'choose', report: null },
    'fills in an open month': ({ report: it }) =>
      it ? { type: 'change', values: october, valid: true } : null,
    'fills in a locked month': ({ report: it }) =>
      it ? { type: 'change', values: september, valid: true } : null,
    'empties the month': ({ report: it }) => (it ? { type: 'change', values: {}, valid: false } : null),
    generates: { type: 'generate' },
    'generate answers': answers('generate', result),
    'generate is refused, naming an input': fails('generate', refusal),
    'downloads a .csv': { type: 'download', format: 'csv', sort: '-net' },
    'download answers': answers('download'),
    'download is refused, naming an input': fails('download', refusal),
    cancels: { type: 'cancel' },
    'three are to begin before it': { type: 'queued', before: 3 },
    'its turn comes': { type: 'queued', before: null },
    locks: { type: 'lock' },
    confirms: { type: 'confirm' },
    'lock answers': answers('lock', lock),
    'lock fails with 409': fails('lock', conflict),
    'lock is refused, naming an input': fails('lock', refusal),
    'lock finds warnings': fails('lock', findings(found.warnings)),
    'lock finds a stop': fails('lock', findings(found.stop)),
    'waived lock answers': answers('waivedLock', lock),
    'waived lock finds a stated total': fails('waivedLock', findings(found.total)),
    'waived lock fails with 409': fails('waivedLock', conflict),
    'waived lock fails with 500': fails('waivedLock', new Failure(500, 'An error has occured.')),
    'gives both reasons': { type: 'waive', waivers: waivers(enough, enough) },
    'gives the reason of the total': { type: 'waive', waivers: waivers(tooShort, enough) },
    'gives the reason of the others': { type: 'waive', waivers: waivers(enough, tooShort) },
    'gives a reason, and none of the total': { type: 'waive', waivers: { reason: enough, stated: {} } },
    unlocks: { type: 'unlock' },
    'gives a reason': { type: 'reopen', reason },
    'gives blanks for a reason': { type: 'reopen', reason: ' ' },
    'unlock answers': answers('unlock', lock),
    'unlock fails with 409': fails('unlock', conflict),
    'unlock fails with 500': fails('unlock', new Failure(500, 'An error has occured.')),
  },
  values: {
    'lock and unlock': { lock: true, unlock: true },
    neither: { lock: false, unlock: false },
    nothing: {},
    'nothing yet': [],
    blank: '',
    three: 3,
    '.xlsx': 'xlsx',
    '.csv': 'csv',
    October: october,
    September: september,
    'the report': chosen,
    'the values': ({ before }) => before.values,
    'the inputs': request,
    'the inputs, and no waivers': (now): LockRequest => ({ ...request(now), waivers: null }),
    'the inputs and both reasons': (now) => ({ ...request(now), waivers: waivers(enough, enough) }),
    'the inputs and the reason of the total': (now) => ({
      ...request(now),
      waivers: waivers(tooShort, enough),
    }),
    'both reasons': waivers(enough, enough),
    'the reason of the total': waivers(tooShort, enough),
    'the warnings': found.warnings,
    'the stated total': found.total,
    'the stop': found.stop,
    'the inputs as .csv': (now) => ({ ...request(now), format: 'csv', sort: '-net' }),
    'by net, downwards': '-net',
    'the inputs and the reason': (now) => ({ ...request(now), reason }),
    'the reason': reason,
    'the sentences': refusal.fields ?? {},
    'yes if there is a result': ({ before }) => before.result !== null,
    'as it is now': ({ before, after }) => (before.report ? after.types[0] : null),
  },
}
