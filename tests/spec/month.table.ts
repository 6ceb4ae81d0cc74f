import { monthMachine, type MonthView } from '../../machines/month.machine.ts'
import type { MonthDifferences } from '../../schemas/api/months/differences.ts'
import type {
  Finding,
  MonthDetail,
  MonthState,
  MonthSummary,
  Payout,
  PayoutEntry,
  PayoutRelease,
} from '../../schemas/api/months/months.ts'
import { Failure } from '../../src/api/failure.ts'
import { answers, fails } from '../mbt/explore.ts'
import type { Spec } from '../mbt/runPath.ts'
import { readTable } from '../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

(start) | opens the screen, may type, settle and reopen | idle | | allowed = all; view = nothing yet; wanted, question, done = none; page, shownPage = the first page; values, faults = nothing
(start) | opens the screen, may settle | idle | | allowed = settle; view = nothing yet; wanted, question, done = none; page, shownPage = the first page; values, faults = nothing
(start) | opens the screen with October in its address, may do nothing | idle | | allowed = neither; view = nothing yet; wanted = October; page, shownPage = the first page; question, done = none; values, faults = nothing

The months and the payouts of one are loaded; the server says in which state the month is.
idle / failed | loads | loading | calls view (the wanted month and page) |
loading | view answers an open month                | open     | | view = the answer; wanted = October; shownPage = the wanted page
loading | view answers an open month with its files  | open     | | view = the answer; wanted = October; shownPage = the wanted page
loading | view answers a month that is open again    | open     | | view = the answer; wanted = October; shownPage = the wanted page
loading | view answers a month that was paid and is open again | open | | view = the answer; wanted = October; shownPage = the wanted page
loading | view answers a locked month               | run.locked   | | view = the answer; wanted = October; shownPage = the wanted page
loading | view answers an own lock                  | run.locked   | | view = the answer; wanted = October; shownPage = the wanted page
loading | view answers a locked month that was paid before | run.locked | | view = the answer; wanted = October; shownPage = the wanted page
loading | view answers an approved month            | run.approved | | view = the answer; wanted = October; shownPage = the wanted page
loading | view answers an approved month that was paid before | run.approved | | view = the answer; wanted = October; shownPage = the wanted page
loading | view answers a released month             | run.released | | view = the answer; wanted = October; shownPage = the wanted page
loading | view answers a settled month              | run.settled  | | view = the answer; wanted = October; shownPage = the wanted page
loading | view answers a month closed by a later one | run.settled | | view = the answer; wanted = October; shownPage = the wanted page
loading | view answers a month closed by a later one that is open again | run.settled | | view = the answer; wanted = October; shownPage = the wanted page
loading | view fails                                | failed   | |

Another month is chosen from any that is shown.
open / run.locked / run.approved / run.released / run.settled | chooses September | loading | calls view (the month) | wanted = September; page = the first page; done = none

On the screen Month, which reads files and findings as well, an open month is typed, waived and locked. What was typed is saved
without a question.
open, typing   | saves totals | working | calls step (the totals) | question = total; faults = nothing; done = none
open, lockable | waives       | asking  | | question = waive; faults = nothing; done = none
open, lockable | locks        | asking  | | question = lock; faults = nothing; done = none

Every other step is asked about first. Approving and releasing are offered where the server says they are possible, holds until a later
month was locked, returns once something was released, also of a month that is open again, opening the newest locked month again
to administrators.
run.locked, approvable / run.released, approvable / run.settled, approvable | approves     | asking | | question = approve; faults = nothing; done = none
run.approved, releasable                    | releases     | asking | | question = release; faults = nothing; done = none
run.locked, holdable / run.approved, holdable / run.released, holdable / run.settled, holdable | holds a payee          | asking | | question = hold; faults = nothing; done = none
run.locked, holdable / run.approved, holdable / run.released, holdable / run.settled, holdable | ends a hold            | asking | | question = unhold; faults = nothing; done = none
open, returnable / run.locked, returnable / run.approved, returnable / run.released, returnable / run.settled, returnable | books a return | asking | | question = return; faults = nothing; done = none
run.locked, reopenable / run.approved, reopenable / run.released, reopenable / run.settled, reopenable | opens it again        | asking | | question = reopen; faults = nothing; done = none

What differs from the copies of a month that is open again is shown in pages, and can be taken over.
open, differs | turns the page       | loading | calls view (the page) | page = the second page
open, differs | takes over           | asking  | | question = takeover; faults = nothing; done = none
open, differs | counts the copy again | asking  | | question = countCopy; faults = nothing; done = none
asking, of an open month     | cancels | open     | | question = none; faults = nothing
asking, of a locked month    | cancels | run.locked   | | question = none; faults = nothing
asking, of an approved month | cancels | run.approved | | question = none; faults = nothing
asking, of a released month  | cancels | run.released | | question = none; faults = nothing
asking, of a settled month   | cancels | run.settled  | | question = none; faults = nothing
asking | confirms | working | calls step (the step) | values = the values

What was done is said, and the month and the ledger are read again; a waiver answers the month as it is now. A month that is another than the one that was seen (409) is
shown as it is now, and so is one of which a part was typed; any other refusal leaves the question open, with the server's
sentences at the fields.
working, waiving | step answers | open | | view = with its waiver; done = the step that was asked; question = none
working, otherwise | step answers | loading | reloadLedger (the step that was asked); calls view (the wanted month and page) | done = the step that was asked; question = none
working | step fails with 409  | loading | calls view (the wanted month and page) | question = none; faults = nothing
working, asked | step is refused, naming a field | asking | | faults = the sentences
working, typed | step is refused, naming a field | loading | calls view (the wanted month and page) | question = none; faults = nothing
`

const entry: PayoutEntry = {
  masteragentid: 2,
  displayid: 'MA0002',
  name: 'North',
  account: '*****2345',
  accounttype: 'Checking',
  entryclass: 'CCD',
  statements: [2],
  due: 50,
  released: 0,
  payable: 50,
  hold: null,
  isheld: false,
  cannotunhold: null,
  ischanged: false,
  duebefore: null,
}
const october = (state: MonthState): MonthSummary => ({ month: '2026-10', state, version: 1 })
const payout = (state: MonthState, change: Partial<Payout> = {}): Payout => ({
  month: '2026-10',
  state,
  version: 1,
  hash: 'abc',
  lockedby: 'ann',
  total: 50,
  entries: [entry],
  approval: null,
  releases: [],
  notes: [],
  cannotapprove: null,
  cannotrelease: null,
  nextbankday: '2026-11-02',
  takesfiles: true,
  canfile: true,
  isclosed: false,
  isnewestlock: true,
  ...change,
})
const paid: PayoutRelease = {
  id: 1,
  version: 1,
  how: 'other',
  effective: '2026-11-10',
  username: 'bob',
  at: 1_790_000_000,
  payments: 1,
  total: 50,
  returned: 0,
  returnedtotal: 0,
  cannotreturn: null,
  filename: null,
  approval: null,
}
const differences: MonthDifferences = {
  version: 1,
  reopenedat: 1_790_000_000,
  reopenedby: 'admin',
  reason: 'A late file',
  notes: [],
  kinds: [],
  data: [],
  total_length: 0,
}
const chosen = { keys: ['agent-parent:3'], count: 1, what: 'Parent of South' }
const view = (state: MonthState, change?: Partial<Payout>): MonthView => {
  const run = state === 'open' ? null : payout(state, change)
  return {
    differences: null,
    detail: null,
    months: [october(state), { month: '2026-09', state: 'settled', version: 1 }],
    month: october(state),
    payout: run,
    released: run,
  }
}
/** `isnewestlock`: the later month is open again. */
const closedBy = (isnewestlock: boolean) =>
  view('settled', { releases: [paid], isclosed: true, isnewestlock, cannotapprove: 'This run pays nobody' })
const openAgain: MonthView = {
  ...view('open'),
  differences,
  released: { month: '2026-10', releases: [], takesfiles: true, canfile: true },
}
const nothingYet: MonthView = {
  months: [],
  month: null,
  payout: null,
  released: null,
  differences: null,
  detail: null,
}
const finding: Finding = {
  key: 'unknown-mid:Aurora 1',
  kind: 'unknown-mid',
  severity: 'warning',
  what: 'The MID is not in the portfolio',
  where: 'Aurora 1',
  amount: 7,
  link: null,
  waiver: null,
}
const detail: MonthDetail = {
  ...october('open'),
  processors: [],
  kinds: [],
  findings: [finding],
  files: [],
  statements: [],
  locked: null,
}
const waiver = { username: 'ann', at: 1_790_000_000, reason: 'Looked at' }
const waivedDetail: MonthDetail = { ...detail, findings: [{ ...finding, waiver }] }
const totals = [{ processor: 'Aurora', id: null, version: 0, statednet: 12.5, nofile: false }]
const firstPage = { kind: '', page: 1 } as const
const secondPage = { kind: 'agent-rate', page: 2 } as const
const values = { reason: 'Left' }
const refusal = new Failure(422, 'Please check', { fields: { reason: 'Reason is too long' } })

type Context = ReturnType<(typeof monthMachine)['getInitialSnapshot']>['context']
const has = (context: Context, work: (it: Payout) => boolean) =>
  context.view.payout !== null && work(context.view.payout)
const articleOf = (state: MonthState) => (state === 'open' || state === 'approved' ? 'an' : 'a')

const all = { typeTotals: true, settle: true, reopen: true }
const neither = { typeTotals: false, settle: false, reopen: false }

export const month: Spec<typeof monthMachine> = {
  machine: monthMachine,
  rows: readTable(table),
  starts: {
    'opens the screen, may type, settle and reopen': { allowed: all, wanted: null },
    'opens the screen, may settle': { allowed: { ...neither, settle: true }, wanted: null },
    'opens the screen with October in its address, may do nothing': {
      allowed: neither,
      wanted: '2026-10',
    },
  },
  words: (context) => {
    const { typeTotals, settle, reopen } = context.allowed
    const { question } = context
    const state = context.view.month?.state
    return [
      ...(settle ? ['settles'] : []),
      ...(typeTotals && context.view.detail !== null ? ['typing'] : []),
      ...(settle && context.view.detail !== null ? ['lockable'] : []),
      ...(question ? [question.step === 'total' ? 'typed' : 'asked'] : []),
      ...(question ? [question.step === 'waive' ? 'waiving' : 'otherwise'] : []),
      ...(reopen ? ['reopens'] : []),
      ...(settle && context.view.differences !== null ? ['differs'] : []),
      ...(settle && has(context, (it) => it.cannotapprove === null) ? ['approvable'] : []),
      ...(settle && has(context, (it) => it.cannotrelease === null) ? ['releasable'] : []),
      ...(settle && has(context, (it) => !it.isclosed) ? ['holdable'] : []),
      ...(settle && (context.view.released?.releases ?? []).length > 0 ? ['returnable'] : []),
      ...(reopen && has(context, (it) => it.isnewestlock) ? ['reopenable'] : []),
      ...(state ? [`of ${articleOf(state)} ${state} month`] : []),
    ]
  },
  payloads: { reloadLedger: (context) => context.done },
  harmless: {
    'month.working step onDone[0] goes to month.open':
      'findings are waived in an open month alone, to which shown passes on',
  },
  stimuli: {
    loads: { type: 'load' },
    'view answers an open month': answers('view', view('open')),
    'view answers an open month with its files': answers('view', { ...view('open'), detail }),
    'view answers a month that is open again': answers('view', openAgain),
    'view answers a month that was paid and is open again': answers('view', {
      ...openAgain,
      released: { month: '2026-10', releases: [paid], takesfiles: false, canfile: false },
    }),
    'view answers a locked month': answers('view', view('locked')),
    'view answers an own lock': answers('view', view('locked', { cannotapprove: 'You locked this month' })),
    'view answers a locked month that was paid before': answers('view', view('locked', { releases: [paid] })),
    'view answers an approved month': answers('view', view('approved')),
    'view answers an approved month that was paid before': answers(
      'view',
      view('approved', { releases: [paid] }),
    ),
    'view answers a released month': answers('view', view('released', { releases: [paid] })),
    'view answers a settled month': answers('view', view('settled', { releases: [paid] })),
    'view answers a month closed by a later one': answers('view', closedBy(false)),
    'view answers a month closed by a later one that is open again': answers('view', closedBy(true)),
    'view fails': fails('view', new Failure(500, 'An error has occured.')),
    'chooses September': { type: 'choose', month: '2026-09' },
    'saves totals': { type: 'saveTotals', totals },
    waives: { type: 'waive', waived: [finding] },
    locks: { type: 'lock' },
    approves: { type: 'approve' },
    releases: { type: 'release' },
    'holds a payee': { type: 'hold', entry },
    'ends a hold': { type: 'unhold', entry },
    'books a return': { type: 'bookReturn' },
    'opens it again': { type: 'reopen' },
    'turns the page': { type: 'browse', page: secondPage },
    'takes over': { type: 'takeOver', chosen },
    'counts the copy again': { type: 'countCopy', chosen },
    cancels: { type: 'cancel' },
    confirms: { type: 'confirm', values },
    'step answers': answers('step', waivedDetail),
    'step fails with 409': fails('step', new Failure(409, 'The payout run has changed')),
    'step is refused, naming a field': fails('step', refusal),
  },
  values: {
    all,
    settle: { ...neither, settle: true },
    neither,
    'nothing yet': nothingYet,
    nothing: {},
    October: '2026-10',
    September: '2026-09',
    'the first page': firstPage,
    'the second page': secondPage,
    'the wanted page': ({ before }) => before.page,
    'the month': { wanted: '2026-09', page: firstPage },
    'the page': ({ before }) => ({ wanted: before.wanted, page: secondPage }),
    'the wanted month and page': ({ before }) => ({ wanted: before.wanted, page: before.page }),
    total: { step: 'total', entry: null, totals },
    'the totals': ({ before }) => ({
      month: before.view.month?.month ?? '',
      hash: '',
      question: { step: 'total', entry: null, totals },
      values: before.values,
    }),
    waive: { step: 'waive', entry: null, waived: [finding] },
    lock: { step: 'lock', entry: null },
    takeover: { step: 'takeover', entry: null, chosen },
    countCopy: { step: 'countCopy', entry: null, chosen },
    approve: { step: 'approve', entry: null },
    release: { step: 'release', entry: null },
    return: { step: 'return', entry: null, payment: undefined, release: undefined },
    reopen: { step: 'reopen', entry: null },
    hold: { step: 'hold', entry },
    unhold: { step: 'unhold', entry },
    'the values': values,
    'the step': ({ before }) => ({
      month: before.view.month?.month ?? '',
      hash: before.view.payout?.hash ?? '',
      question: before.question,
      values,
    }),
    'the step that was asked': ({ before }) => before.question?.step ?? null,
    'with its waiver': ({ before }) => ({ ...before.view, detail: waivedDetail }),
    'the sentences': refusal.fields ?? {},
  },
}
