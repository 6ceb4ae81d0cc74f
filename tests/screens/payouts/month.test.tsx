import { act, render, screen, within } from '@testing-library/react'
import { useSelector } from '@xstate/react'
import { MemoryRouter } from 'react-router-dom'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createActor, fromPromise, waitFor, type ActorRefFrom } from 'xstate'
import { downloadMachine, type Downloaded } from '../../../machines/download.machine.ts'
import {
  monthMachine,
  type AllowedSteps,
  type MonthStep,
  type MonthView,
  type StepRequest,
  type ViewRequest,
} from '../../../machines/month.machine.ts'
import type { MonthDifference, MonthDifferences } from '../../../schemas/api/months/differences.ts'
import type {
  MonthDetail,
  MonthState,
  Payout,
  PayoutEntry,
  PayoutRelease,
} from '../../../schemas/api/months/months.ts'
import { pageSizes } from '../../../schemas/constants.ts'
import { MonthPayout } from '../../../src/features/payouts/MonthPayout.tsx'
import { Releases } from '../../../src/features/payouts/Releases.tsx'
import { StepOutcome } from '../../../src/features/payouts/StepOutcome.tsx'
import { payoutOf as payoutOfMonth, release } from '../month/monthData.ts'
import { newUser } from '../newUser.ts'

const month = '2026-02'
const payoutOf = (given: Partial<Payout>): Payout => payoutOfMonth({ month, ...given })
const differences: MonthDifferences = {
  version: 1,
  reopenedat: 1_790_000_000,
  reopenedby: 'ann',
  reason: 'A wrong file',
  notes: [],
  kinds: [{ kind: 'agent-rate', what: 'Rate of a master agent', count: 1, taken: 0 }],
  data: [
    {
      key: 'agent-rate:2',
      kind: 'agent-rate',
      what: 'MA0002 North',
      was: '50 %',
      now: '60 %',
      counts: null,
      amount: null,
      link: null,
      changedby: null,
      changedat: null,
      isafter: false,
      takenby: null,
      takenat: null,
    },
  ],
  total_length: 1,
}
const viewOf = (state: MonthState, given: Partial<Payout> = {}): MonthView => {
  const shown = { month, state, version: 1 }
  const run = payoutOf({ state, ...given })
  return {
    months: [shown],
    month: shown,
    payout: state === 'open' ? null : run,
    released: run,
    differences: state === 'open' ? differences : null,
    detail: null,
  }
}

const Month = ({ actor }: { actor: ActorRefFrom<typeof monthMachine> }) => (
  <MonthPayout
    snapshot={useSelector(actor, (state) => state)}
    send={actor.send}
    file={downloadMachine}
    onMonth={() => {}}
  />
)

/** Answers as many calls for the month as `answers` says, by default one; later ones are never answered. */
const draw = async (
  view: MonthView,
  allowed: AllowedSteps = { typeTotals: true, settle: true, reopen: true },
  answers = 1,
) => {
  let answered = 0
  const never = new Promise<never>(() => {})
  const machine = monthMachine.provide({
    actors: {
      view: fromPromise<MonthView, ViewRequest>(async () => {
        if (answered === answers) return never
        answered += 1
        return view
      }),
      step: fromPromise<MonthDetail | null, StepRequest>(() => never),
    },
  })
  const actor = createActor(machine, { input: { allowed, wanted: null } }).start()
  actor.send({ type: 'load' })
  await waitFor(actor, (state) => state.context.view.month !== null)
  const { container, unmount } = render(<Month actor={actor} />, { wrapper: MemoryRouter })
  return { actor, container, unmount }
}
/** The buttons by whether they can be pressed. */
const buttons = () => {
  const all = screen.getAllByRole<HTMLButtonElement>('button')
  const named = (isDisabled: boolean) =>
    all
      .filter(({ disabled }) => disabled === isDisabled)
      .map((it) => it.getAttribute('aria-label') ?? it.textContent)
  return { open: named(false), closed: named(true) }
}
const isBusy = (container: HTMLElement) =>
  container.querySelector('[aria-busy]')!.getAttribute('aria-busy') === 'true'

const hold = 'Hold MA0002 - North'
type Step = Parameters<ActorRefFrom<typeof monthMachine>['send']>[0]
const takeOver: Step = { type: 'takeOver', chosen: { keys: ['agent-rate:2'], count: 1, what: 'it' } }
const bookReturn: Step = { type: 'bookReturn' }
const describedRelease = '$0.00 to 1 payee, version 1, Bank file, day not known, by ann'
const all = `Book Return of All: ${describedRelease}`
const table: [state: MonthState, releases: number, step: Step, names: string[]][] = [
  ['open', 0, takeOver, ['Take over Rate of a master agent, MA0002 North']],
  ['open', 1, bookReturn, ['Book Return', all, 'Take over Rate of a master agent, MA0002 North']],
  ['locked', 0, { type: 'approve' }, ['Approve', 'Open Again', hold]],
  ['locked', 1, bookReturn, ['Approve', 'Book Return', 'Open Again', hold, all]],
  ['approved', 0, { type: 'release' }, ['Release', 'Open Again', hold]],
  ['approved', 1, bookReturn, ['Release', 'Book Return', 'Open Again', hold, all]],
  ['released', 1, bookReturn, ['Approve', 'Book Return', 'Open Again', hold, all]],
  ['settled', 1, bookReturn, ['Approve', 'Book Return', 'Open Again', hold, all]],
]

test.each(table)(
  'a month that is %s, of which %i releases paid, offers its steps, but not while it is read again and not while a step is on its way',
  async (state, paid, step, names) => {
    const releases = Array.from({ length: paid }, () => release)
    const { actor, container, unmount } = await draw(viewOf(state, { releases }))
    expect(buttons()).toEqual({ open: names, closed: [] })
    expect(isBusy(container)).toBe(false)

    act(() => actor.send({ type: 'choose', month }))
    expect(actor.getSnapshot().value).toBe('loading')
    expect(buttons()).toEqual({ open: [], closed: names })
    expect(isBusy(container)).toBe(true)
    expect(screen.queryAllByLabelText('Differs').filter((it) => !it.matches(':disabled'))).toEqual([])
    // A list that is closed loses the focus.
    expect(screen.getByLabelText('Month')).toBeEnabled()

    unmount()
    const other = await draw(viewOf(state, { releases }))
    act(() => other.actor.send(step))
    act(() => other.actor.send({ type: 'confirm', values: {} }))
    expect(other.actor.getSnapshot().value).toBe('working')
    expect(buttons()).toEqual({ open: [], closed: names })
    expect(isBusy(other.container)).toBe(true)
    expect(screen.getByLabelText('Month')).toBeDisabled()
  },
)

test.each([
  [true, false, true, true, false],
  [true, true, true, true, false],
  [true, true, false, false, true],
  [false, false, true, false, false],
  [false, true, false, false, false],
])(
  'who may open months again (%s) is offered it for the newest lock (run closed: %s, newest: %s): %s; else an adjustment: %s',
  async (reopen, isclosed, isnewestlock, isOffered, isReferred) => {
    await draw(viewOf('locked', { isclosed, isnewestlock }), { typeTotals: true, settle: true, reopen })
    expect(screen.queryAllByRole('button', { name: 'Open Again' })).toHaveLength(isOffered ? 1 : 0)
    expect(screen.queryAllByText(/^A later month is locked/)).toHaveLength(isReferred ? 1 : 0)
    expect(screen.queryAllByRole('link', { name: 'an adjustment' })).toHaveLength(isReferred ? 1 : 0)
  },
)

test.each<[paid: string, foot: string, given: Partial<PayoutEntry>[]]>([
  ['is to be paid', '1 of 2 paid', [{}, { payable: 0 }]],
  ['was paid', '1 of 2 paid', [{ payable: 0, released: 12 }, { payable: 0 }]],
  [
    'was paid in part, and is to be paid the rest',
    '2 of 2 paid',
    [{ released: 2 }, { released: 2, payable: 0 }],
  ],
])('a payee that %s counts as paid: %s', async (_, foot, given) => {
  const [entry] = payoutOf({}).entries
  const entries = given.map((it, at) => ({ ...entry!, masteragentid: at + 2, ...it }))
  await draw(viewOf('locked', { entries }))
  expect(screen.getByRole('rowheader', { name: foot })).toBeVisible()
})

test.each([
  [1, null, ['$22.00', '$3.50', '$12.00', '']],
  [2, '$5.50', ['$5.50', '$22.00', '$3.50', '$12.00', '']],
])(
  'the run of version %i has the sums of all payees, of what was due before where there was a version before: %s',
  async (version, _, sums) => {
    const [entry] = payoutOf({}).entries
    const given = [
      { released: 3.5, duebefore: 5.5 },
      { masteragentid: 3, due: 10, duebefore: null },
    ]
    const entries = given.map((it) => ({ ...entry!, ...it }))
    await draw(viewOf('locked', { version, entries }))
    const foot = screen.getByRole('rowheader', { name: '2 of 2 paid' }).closest('tr')!
    const shown = [...foot.cells].slice(2, -1).map((cell) => cell.textContent)
    expect(shown).toEqual(sums)
    const heads = screen.getAllByRole('columnheader').map((head) => head.textContent)
    expect(heads.slice(2, -3)).toEqual([...(version > 1 ? ['Due in Version 1'] : []), 'Due', 'Paid Already'])
    const rows = [...foot.closest('table')!.querySelectorAll('tbody tr')]
    const moved = rows.map((row) => row.children[2]!.querySelector('.payout-moved')?.textContent)
    if (version > 1) expect(moved).toEqual(['$5.50', '$0.00'])
  },
)

test.each([
  [
    'at most 700 pixels',
    true,
    ['Payee', 'To Pay', 'Due', 'Paid Already', 'Due in Version 1', 'Account', 'Held'],
  ],
  ['more', false, ['Payee', 'Account', 'Due in Version 1', 'Due', 'Paid Already', 'To Pay', 'Held']],
])('in a window of %s the columns of the run stand in their order', async (_, matches, heads) => {
  const query = { addEventListener: () => {}, removeEventListener: () => {} }
  vi.stubGlobal('matchMedia', (media: string) => ({
    ...query,
    matches: media === 'screen and (max-width: 700px)' && matches,
  }))
  onTestFinished(() => void vi.unstubAllGlobals())
  const [entry] = payoutOf({}).entries
  const amounts = { payable: 1, due: 2, released: 3, duebefore: 4, hold: 'Held by bob' }
  await draw(viewOf('locked', { version: 2, total: 1, entries: [{ ...entry!, ...amounts }] }))
  const run = within(screen.getByRole('region', { name: 'Payout run' }))
  const rows = run
    .getAllByRole('row')
    .map((row) => [...row.children].slice(0, -1).map((it) => it.textContent))
  const columns = [
    ['Payee', 'MA0002 - North', '1 of 1 paid'],
    ['Account', '****1234, Checking, CCD', ''],
    ['Due in Version 1', '$4.00', '$4.00'],
    ['Due', '$2.00', '$2.00'],
    ['Paid Already', '$3.00', '$3.00'],
    ['To Pay', '$1.00', '$1.00'],
    ['Held', 'Held by bob', ''],
  ]
  expect(rows[0]!.map((_, index) => rows.map((row) => row[index]))).toEqual(
    heads.map((head) => columns.find(([name]) => name === head)),
  )
})

test.each([
  [[2], '/reporting?report=agent-residual-statement&month=2026-02&agent=2&run=1'],
  [[3], '/reporting?report=agent-residual-statement&month=2026-02&agent=3&run=1'],
  [[2, 3], null],
  [[], null],
])('what is due to a payee by the statements %j leads to: %s', async (statements, path) => {
  const [entry] = payoutOf({}).entries
  await draw(viewOf('locked', { entries: [{ ...entry!, statements, due: 12.25 }] }))
  const due = within(screen.getByRole('row', { name: /^MA0002 - North/ })).getByText('$12.25')
  expect(due.closest('a')?.getAttribute('href') ?? null).toBe(path)
})

test.each([
  [1, []],
  [3, ['/reporting?report=lock-versions-compared&month=2026-02&older=2&newer=3&run=1']],
])('the run of version %i leads to what differs from the version before: %j', async (version, paths) => {
  await draw(viewOf('locked', { version }))
  const links = screen.queryAllByRole('link', { name: 'Lock Versions Compared' })
  expect(links.map((link) => link.getAttribute('href'))).toEqual(paths)
})

test.each<[hold: string | null, isheld: boolean, names: string[]]>([
  [null, false, ['Hold MA0002 - North']],
  ['Held by ann: x', true, ['End the hold of MA0002 - North']],
  ['Office account', false, []],
  ['Office account', true, ['End the hold of MA0002 - North']],
])(
  'a payee with the reason %s, and a hold of its own (%s), has the buttons %j',
  async (hold, isheld, names) => {
    const [entry] = payoutOf({}).entries
    await draw(viewOf('locked', { entries: [{ ...entry!, hold, isheld }] }))
    const run = within(screen.getByRole('region', { name: 'Payout run' }))
    expect(run.queryAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(names)
    expect(run.getByRole('link', { name: 'MA0002 - North' })).toHaveAttribute('href', '/manage/agents?open=2')
    expect(run.getAllByRole('cell')[4]!.textContent).toBe(hold ?? '')
  },
)

test.each<[account: string, isclosed: boolean, given: Partial<PayoutEntry>]>([
  ['****1234, Checking, CCD', true, { released: 12 }],
  ['None', true, { account: '', accounttype: '', entryclass: '' }],
  ['Not known', true, { account: '', accounttype: '', entryclass: '', released: 12 }],
  ['None', false, { account: '', released: 12 }],
  ['****1234', false, { accounttype: '', entryclass: '' }],
  ['****1234, Checking, CCD (confirmed since the lock)', false, { ischanged: true }],
])(
  'an account is shown as %s where it is known, in a run that is closed (%s)',
  async (text, isclosed, given) => {
    const [entry] = payoutOf({}).entries
    await draw(viewOf('locked', { isclosed, entries: [{ ...entry!, ...given }] }))
    expect(screen.getAllByRole('cell')[0]!.textContent).toBe(text)
  },
)

test.each([
  [{ counts: null, takenby: null }, 'Copied'],
  [{ counts: '55 %', takenby: null }, '55 %, taken over before'],
  [{ counts: null, takenby: 'bob' }, 'Today, taken over by bob'],
])('of a difference with %j stands what counts: %s', async (given, text) => {
  const data = [{ ...differences.data[0]!, ...given }]
  await draw({ ...viewOf('open'), differences: { ...differences, data } })
  expect(screen.getByRole('cell', { name: text })).toBeVisible()
})

test.each([
  ['copied', null, 'Take over', 'takeover'],
  ['taken over', 'bob', 'Count the copy again of', 'countCopy'],
])('of a difference that is %s the button asks for the other', async (_, takenby, action, step) => {
  const [first] = differences.data
  const data = [{ ...first!, takenby, takenat: takenby === null ? null : 1_790_000_000 }]
  const { actor } = await draw({ ...viewOf('open'), differences: { ...differences, data } })
  await newUser().click(
    screen.getByRole('button', { name: `${action} Rate of a master agent, MA0002 North` }),
  )
  const chosen = { keys: ['agent-rate:2'], count: 1, what: 'Rate of a master agent, MA0002 North' }
  expect(actor.getSnapshot().context.question).toMatchObject({ step, chosen })
})

test.each([
  ['Take Over All 3', 'takeover', 3],
  ['Count the Copies Again of 2', 'countCopy', 2],
])('of a kind of differences %s asks for that, with as many', async (name, step, count) => {
  const kinds = [{ ...differences.kinds[0]!, count: 3, taken: 2 }]
  const view = { ...viewOf('open'), differences: { ...differences, kinds } }
  const { actor } = await draw(view, undefined, 3)
  act(() => actor.send({ type: 'browse', page: { kind: '', page: 2 } }))
  await waitFor(actor, (state) => state.matches('open'))
  await newUser().selectOptions(screen.getByLabelText('Differs'), 'agent-rate')
  await waitFor(actor, (state) => state.matches('open'))
  expect(actor.getSnapshot().context.page).toEqual({ kind: 'agent-rate', page: 1 })
  await newUser().click(await screen.findByRole('button', { name }))
  const chosen = { keys: ['agent-rate'], count, what: 'Rate of a master agent' }
  expect(actor.getSnapshot().context.question).toMatchObject({ step, chosen })
})

test.each([
  [3, 0, ['Take Over All 3']],
  [0, 2, ['Count the Copies Again of 2']],
  [1200, 1, ['Take Over All 1,200', 'Count the Copies Again of 1']],
])(
  'a kind of which %i are copied and %i are taken over has the buttons %j, which are closed while a step is on its way',
  async (count, taken, names) => {
    const kinds = [{ ...differences.kinds[0]!, count, taken }]
    const view = { ...viewOf('open'), differences: { ...differences, kinds } }
    const { actor } = await draw(view, undefined, 2)
    act(() => actor.send({ type: 'browse', page: { kind: 'agent-rate', page: 1 } }))
    await waitFor(actor, (state) => state.matches('open'))
    const ofKind = () => buttons().open.filter((name) => / (All|Again of) /.test(name ?? ''))
    expect(ofKind()).toEqual(names)
    act(() => actor.send(takeOver))
    act(() => actor.send({ type: 'confirm', values: {} }))
    expect(ofKind()).toEqual([])
  },
)

test.each<[given: Partial<MonthDifference>, cells: string[], links: string[]]>([
  [{}, ['50 %', '60 %', '', '', 'Copied', 'Take Over'], []],
  [
    {
      amount: -1234.5,
      link: '/manage/agents?open=2',
      changedby: 'bob',
      takenby: 'cleo',
      takenat: 1_790_000_000,
    },
    ['50 %', '60 %', '-$1,234.50', '', 'Today, taken over by cleo', 'Count the Copy'],
    ['/manage/agents?open=2'],
  ],
])('the difference %j is shown as %j, with the links %j', async (given, cells, links) => {
  const data = [{ ...differences.data[0]!, ...given }]
  await draw({ ...viewOf('open'), differences: { ...differences, data } })
  const table = within(screen.getByRole('region', { name: 'Differences to the copies' }))
  expect(table.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(cells)
  expect(table.queryAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(links)
})

test('what differs stands below its notes, by kinds that say how many of each are taken over', async () => {
  const [rates] = differences.kinds
  const kinds = [rates!, { kind: 'terminal' as const, what: 'Paid terminal', count: 1_200, taken: 1 }]
  const notes = ['One merchant is new.', 'Two are gone.']
  await draw({ ...viewOf('open'), differences: { ...differences, kinds, notes } })
  for (const note of notes) expect(screen.getByText(note)).toBeVisible()
  const options = within(screen.getByLabelText('Differs')).getAllByRole('option')
  expect(options.map(({ textContent }) => textContent)).toEqual([
    'Everything',
    'Rate of a master agent (1)',
    'Paid terminal (1,200, 1 taken over)',
  ])
})

test('while a difference is asked about its buttons stay open, so that they can have the focus again', async () => {
  const { actor } = await draw(viewOf('open'))
  act(() => actor.send(takeOver))
  expect(actor.getSnapshot().value).toBe('asking')
  expect(buttons().closed).toEqual([])
  expect(screen.getByLabelText('Differs')).toBeEnabled()
})

test('the next page of differences has the chosen kind', async () => {
  const { actor } = await draw(
    { ...viewOf('open'), differences: { ...differences, total_length: 101 } },
    undefined,
    2,
  )
  act(() => actor.send({ type: 'browse', page: { kind: 'agent-rate', page: 1 } }))
  await waitFor(actor, (state) => state.matches('open'))
  await newUser().click(screen.getByRole('button', { name: 'Next' }))
  expect(actor.getSnapshot().context.page).toEqual({ kind: 'agent-rate', page: 2 })
})

test.each([
  [true, /^bob, .*, since the reopening$/],
  [false, /^bob, .*\d [AP]M$/],
])('a change that was made since the month was opened again (%s) says so', async (isafter, text) => {
  const data = [{ ...differences.data[0]!, changedby: 'bob', changedat: 1_790_000_000, isafter }]
  await draw({ ...viewOf('open'), differences: { ...differences, data } })
  const table = within(screen.getByRole('region', { name: 'Differences to the copies' }))
  expect(table.getAllByRole('cell')[3]!.textContent).toMatch(text)
})

test('whoever may not approve a month may release it, and reads no reason', async () => {
  await draw(viewOf('approved', { cannotapprove: 'Somebody else approves it', cannotrelease: null }))
  expect(buttons().open).toContain('Release')
  expect(screen.queryByText(/^Somebody else/)).toBeNull()
})

test.each<[state: MonthState, total: number, reopen: boolean, button: string | null, reason: string | null]>([
  ['locked', 12, true, 'Approve', 'Somebody else approves it'],
  ['locked', 12, false, 'Approve', 'Somebody else approves it'],
  ['locked', 0, true, null, null],
  ['approved', 12, true, 'Release', 'Somebody else releases it'],
  ['approved', 12, false, 'Release', 'Somebody else releases it'],
  // Of what is approved all is held for a person who looks at it.
  ['approved', 0, true, 'Release', 'Somebody else releases it'],
])(
  'a month that is %s and pays %i dollars says why it cannot be paid, also to who may open it again (%s): %s, %s',
  async (state, total, reopen, button, reason) => {
    const run = {
      total,
      cannotapprove: 'Somebody else approves it',
      cannotrelease: state === 'approved' ? 'Somebody else releases it' : null,
    }
    await draw(viewOf(state, run), { typeTotals: true, settle: true, reopen })
    const { open, closed } = buttons()
    expect(closed).toEqual(button === null ? [] : [button])
    expect(open).not.toContain(button)
    const said = screen.queryAllByText(/^Somebody else/).map(({ textContent }) => textContent)
    expect(said).toEqual(reason === null ? [] : [reason])
  },
)

test.each<[Exclude<MonthStep, 'total'>, string]>([
  ['waive', 'The findings are waived.'],
  ['lock', 'The month is locked.'],
  ['approve', 'The payouts are approved: $12.00.'],
  ['hold', 'The hold is set.'],
  ['unhold', 'The hold is ended.'],
  ['return', 'The return is booked: what was paid is due again.'],
  ['reopen', 'The month is open again.'],
  ['takeover', "Today's records count in the next version."],
  ['countCopy', 'The copies count again.'],
])('after the step %s it is said: %s', (step, text) => {
  render(<StepOutcome step={step} payout={payoutOf({ releases: [{ ...release, total: 5 }] })} />)
  expect(screen.getByText(text)).toBeVisible()
})

test('what was released last is said once a month is released', async () => {
  const releases = [12, 5].map((total, id) => ({ ...release, id, total }))
  render(<StepOutcome step="release" payout={payoutOf({ releases })} />)
  expect(screen.getByText('$5.00 were released.')).toBeVisible()
})

test('the pages of the differences are numbered by the rows that are shown, while others are loaded too', async () => {
  const { actor } = await draw({
    ...viewOf('open'),
    differences: { ...differences, total_length: pageSizes.at(-1)! + 1 },
  })
  const shown = '1 to 100 of 101'
  expect(screen.getByText(shown)).toBeVisible()
  act(() => actor.send({ type: 'browse', page: { kind: '', page: 2 } }))
  expect(actor.getSnapshot().value).toBe('loading')
  expect(screen.getByText(shown)).toBeVisible()
})

test.each<[MonthState, takesfiles: boolean, names: string[]]>([
  ['locked', true, ['Take File Again: the.ach']],
  ['locked', false, []],
  ['open', true, ['Take File Again: the.ach']],
  ['open', false, []],
])(
  'a month that is %s lists its releases, whose bank file who may (%s) can take again',
  async (state, takesfiles, names) => {
    const paid = { ...release, payments: 2, total: 12, filename: 'the.ach' }
    await draw(viewOf(state, { releases: [paid], takesfiles }))
    const list = within(screen.getByRole('list', { name: 'Releases' }))
    expect(list.getAllByRole('listitem').map(({ firstChild }) => firstChild?.textContent)).toEqual([
      '$12.00 to 2 payees, version 1, Bank file, day not known, by ann',
    ])
    const files = list.queryAllByRole('button').map((button) => button.getAttribute('aria-label'))
    expect(files.filter((name) => name?.startsWith('Take File'))).toEqual(names)
  },
)

test.each<[given: Partial<PayoutRelease>, text: string]>([
  [
    { payments: 1, total: 1234.5, effective: '2026-03-09' },
    '$1,234.50 to 1 payee, version 1, Bank file, effective 03/09/2026, by ann',
  ],
  [
    { payments: 2, version: 3, how: 'other', username: 'ben' },
    '$0.00 to 2 payees, version 3, Another way, day not known, by ben',
  ],
  [
    { approval: { username: 'cleo', at: 1_790_000_000 } },
    '$0.00 to 1 payee, version 1, Bank file, day not known, by ann, approved by cleo',
  ],
  [
    { payments: 2, total: 12, returned: 1, returnedtotal: 4 },
    '$12.00 to 2 payees, version 1, Bank file, day not known, by ann, 1 came back, $4.00',
  ],
  [
    { payments: 3, total: 12, returned: 2, returnedtotal: 8 },
    '$12.00 to 3 payees, version 1, Bank file, day not known, by ann, 2 came back, $8.00',
  ],
])('the release %j is described as: %s', async (given, text) => {
  await draw(viewOf('released', { releases: [{ ...release, ...given }] }))
  const list = within(screen.getByRole('list', { name: 'Releases' }))
  expect(list.getAllByRole('listitem').map(({ firstChild }) => firstChild?.textContent)).toEqual([text])
})

test.each<[what: string, given: Partial<PayoutRelease>, isOffered: boolean, isPossible: boolean]>([
  ['none of whose payments came back', {}, true, true],
  ['of which one payment came back', { returned: 1 }, true, true],
  ['all of whose payments came back', { returned: 2, cannotreturn: 'All came back' }, false, false],
  ['that takes effect later', { cannotreturn: 'It takes effect later' }, true, false],
])('a release %s is booked back at once (offered: %s, possible: %s)', async (_, given, offered, possible) => {
  const chosen = { ...release, payments: 2, ...given }
  const { actor } = await draw(viewOf('settled', { releases: [chosen] }))
  const [button] = screen.queryAllByRole<HTMLButtonElement>('button', { name: /^Book Return of All/ })
  expect([button !== undefined, button?.disabled === false]).toEqual([offered, possible])
  const typed = screen.getByRole<HTMLButtonElement>('button', { name: 'Book Return' })
  expect(typed.disabled).toBe(chosen.cannotreturn !== null)
  const reason = document.querySelector('.payout-releases .payout-reason')?.textContent ?? null
  expect(reason).toBe(offered && chosen.cannotreturn ? `${chosen.cannotreturn}.` : null)
  if (!possible) return
  await newUser().click(button!)
  expect(actor.getSnapshot().context.question).toMatchObject({ step: 'return', release: chosen })
})

test.each([
  [[null, null], true],
  [[null, 'It takes effect later'], true],
  [['It takes effect later', 'It takes effect later'], false],
])('of releases that cannot come back for the reasons %j a return can be booked: %s', async (why, isOpen) => {
  const releases = why.map((cannotreturn, id) => ({ ...release, id, cannotreturn }))
  await draw(viewOf('settled', { releases }))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Book Return' }).disabled).toBe(!isOpen)
})

test.each([
  ['locked', 'Version 1, locked by lena', null],
  ['approved', /^Version 1, locked by lena; approved by otto on Nov \d+, 2026/, 'otto'],
] as const)('a month that is %s says whose it is: %s', async (state, text, username) => {
  const approval = username === null ? null : { username, at: 1_794_000_000 }
  await draw(viewOf(state, { approval }))
  expect(screen.getByText(text)).toBeVisible()
  const name = `February 2026 (${state === 'locked' ? 'Locked' : 'Approved'})`
  expect(screen.getByRole('option', { name })).toBeInTheDocument()
})

test('a run leads to the reports of its month that its amounts come from', async () => {
  await draw(viewOf('locked'))
  const links = within(screen.getByRole('navigation', { name: 'Reports of the month' })).getAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Residual Summary by Agent', `/reporting?report=residual-summary&month=${month}&run=1`],
    ['ACH Payout', `/reporting?report=ach-payout&month=${month}&run=1`],
    ['Payout Evidence', `/reporting?report=payout-evidence&month=${month}&run=1`],
    ['Month Checklist', `/reporting?report=month-checklist&month=${month}&run=1`],
  ])
})

test.each<[what: string, state: MonthState, given: Partial<Payout>, says: boolean]>([
  ['locked, with nothing to pay', 'locked', { total: 0 }, true],
  ['locked, with a cent to pay', 'locked', { total: 0.01 }, false],
  ['locked and closed', 'locked', { total: 0, isclosed: true }, false],
  ['released', 'released', { total: 0, releases: [release] }, false],
])('a run that is %s says that there is nothing to approve: %s', async (...row) => {
  const [, state, given, says] = row
  await draw(viewOf(state, given))
  expect(screen.queryAllByText(/there is nothing to approve\.$/)).toHaveLength(says ? 1 : 0)
})

test('a run leads to the steps of its month before it, and an open month does so in words', async () => {
  const { unmount } = await draw(viewOf('locked'))
  expect(screen.getByRole('link', { name: 'Files, Findings and Lock of February 2026' })).toHaveAttribute(
    'href',
    `/month/${month}`,
  )
  unmount()
  await draw(viewOf('open'))
  const links = screen.getAllByRole('link').filter((link) => link.getAttribute('href') === `/month/${month}`)
  expect(links.map(({ textContent }) => textContent)).toEqual(['Month'])
})

test('the bank file that is taken again is that of its release', async () => {
  const taken: string[] = []
  const file = downloadMachine.provide({
    actors: {
      download: fromPromise<Downloaded, { id: string }>(async ({ input }) => {
        taken.push(input.id)
        return new Promise(() => {})
      }),
    },
  })
  const releases = [7, 8].map((id) => ({ ...release, id, version: 1, filename: `${id}.ach` }))
  const { actor, unmount } = await draw(viewOf('settled'))
  unmount()
  const released = payoutOf({ releases, takesfiles: true })
  render(<Releases snapshot={actor.getSnapshot()} send={actor.send} released={released} file={file} />)
  await newUser().click(screen.getByRole('button', { name: 'Take File Again: 8.ach' }))
  expect(taken).toEqual(['2026-02/8'])
  const busy = [7, 8].map((id) => screen.getByRole('button', { name: `Take File Again: ${id}.ach` }))
  expect(busy.map((button) => button.getAttribute('aria-busy'))).toEqual(['false', 'true'])
})

test('of another month the first page of all differences is asked for', async () => {
  const { actor } = await draw(viewOf('open'), undefined, 2)
  act(() => actor.send({ type: 'browse', page: { kind: 'agent-rate', page: 2 } }))
  await waitFor(actor, (state) => state.matches('open'))
  expect(actor.getSnapshot().context.page).toEqual({ kind: 'agent-rate', page: 2 })
  act(() => actor.send({ type: 'choose', month: '2026-01' }))
  expect(actor.getSnapshot().context).toMatchObject({ wanted: '2026-01', page: { kind: '', page: 1 } })
})
