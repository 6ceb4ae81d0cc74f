import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { describe, expect, test, vi } from 'vitest'
import { fromPromise, SimulatedClock } from 'xstate'
import { decisionMachine, type DecisionSubject } from '../../../machines/decision.machine.ts'
import { downloadMachine } from '../../../machines/download.machine.ts'
import { inboxMachine, type InboxTask } from '../../../machines/inbox/inbox.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import { mappingMachine } from '../../../machines/mapping.machine.ts'
import {
  monthMachine,
  type MonthView,
  type StepRequest,
  type ViewRequest,
} from '../../../machines/month.machine.ts'
import type { MonthDetail } from '../../../schemas/api/months/months.ts'
import type { TrendMonth } from '../../../schemas/api/months/trend.ts'
import type { RunningImport } from '../../../schemas/imports/importReplies.ts'
import type { Permission, Viewer } from '../../../schemas/permissions.ts'
import { MonthPage } from '../../../src/features/month/MonthPage.tsx'
import { keepLastView, lastViewOf } from '../../../src/features/payouts/payouts.ts'
import { getShownPath } from '../../../src/parts/anywhere.ts'
import { ActorEnvironmentContext } from '../../../src/parts/hooks/actorEnvironment.ts'
import { draftKey } from '../../../src/parts/unsaved/draftStorage.ts'
import { viewerWith } from '../forms/form.tsx'
import { newUser } from '../newUser.ts'
import { returnReply } from '../payouts/returnReply.ts'
import { fakeSession } from '../sessionContext.tsx'
import {
  detailOf,
  fileOf,
  findingOf,
  kindsOf,
  month,
  monthView,
  payoutOf,
  processorOf,
  release,
  statementOf,
} from './monthData.ts'

const person = (...given: Permission[]): Viewer => ({ ...viewerWith(...given), seesall: true })
const staff = person('import_files', 'lock_reports', 'reports_admin')
const trend: TrendMonth[] = [
  { month: '2026-09', net: 100, volume: 10_000, accounts: 3, lockedafter: 4, releasedafter: 6 },
  { month, net: 120, volume: 0, accounts: 1, lockedafter: null, releasedafter: null },
]

const noFiles = { data: [], total_length: 0, folder: null }
type Given = {
  running?: RunningImport[]
  view: MonthView
  viewer?: Viewer
  at?: string
  trendOf?: () => Promise<TrendMonth[]>
  /** What is answered each time that the month is read; `view` unless set. */
  read?: () => MonthView | Promise<MonthView>
  /** Who is signed in. */
  session?: ReturnType<typeof fakeSession>
  /** Ends when each step does. */
  step?: Promise<void>
  /** By which the portal asks again and again; that of the browser unless set. */
  clock?: SimulatedClock
}

/** The screen, with what was asked of the server; steps are answered, the view stays. */
const draw = async ({
  running = [],
  view,
  viewer = staff,
  at = '/month',
  trendOf = async () => trend,
  read = () => view,
  session = fakeSession(),
  step = Promise.resolve(),
  clock,
}: Given) => {
  const steps: StepRequest[] = []
  const wanted: (string | null)[] = []
  const added: InboxTask[] = []
  const provided = (name: 'settling' | 'reading') =>
    monthMachine.provide({
      actors: {
        view: fromPromise<MonthView, ViewRequest>(async ({ input }) => {
          wanted.push(input.wanted)
          used.add(name)
          return read()
        }),
        step: fromPromise<MonthDetail | null, StepRequest>(async ({ input }) => {
          steps.push(input)
          await step
          return input.question?.step === 'waive' ? (await read()).detail : null
        }),
      },
    })
  const used = new Set<string>()
  const compared: string[] = []
  const loads = (what: string) =>
    loadMachine.provide({
      actors: {
        load: fromPromise<unknown>(() => {
          compared.push(what)
          return new Promise(() => {})
        }),
      },
    })
  const page = (
    <MonthPage
      settling={provided('settling')}
      reading={provided('reading')}
      trend={() => loadMachine.provide({ actors: { load: fromPromise<unknown>(trendOf) } })}
      file={downloadMachine}
      returnFile={() => ({
        check: loadMachine.provide({ actors: { load: fromPromise<unknown>(async () => returnReply) } }),
        book: decisionMachine.provide({
          actors: {
            decide: fromPromise<unknown, { subject: DecisionSubject | null; text: string }>(async () => {}),
          },
        }),
      })}
      inbox={{
        list: () => loadMachine.provide({ actors: { load: fromPromise<unknown>(async () => noFiles) } }),
        work: inboxMachine.provide({
          actors: {
            work: fromPromise<unknown, { task: InboxTask | null }>(async ({ input }) => {
              if (input.task) added.push(input.task)
            }),
          },
        }),
        mapping: mappingMachine,
      }}
      running={loadMachine.provide({ actors: { load: fromPromise<unknown>(async () => running) } })}
      variance={{
        compare: (of) => loads(`variance of ${of}`),
        missing: (of) => loads(`missing of ${of}`),
        recovered: (of) => loads(`recovered of ${of}`),
        file: () => downloadMachine,
        dismiss: () => decisionMachine,
      }}
      viewer={viewer}
    />
  )
  const routes = [{ path: '/month/:month?', element: page }, { path: '/login' }]
  const router = createMemoryRouter(routes, { initialEntries: [at] })
  render(
    <ActorEnvironmentContext value={clock ? { clock } : {}}>
      {session.drawnFor(<RouterProvider router={router} />)}
    </ActorEnvironmentContext>,
  )
  if (view.month) await screen.findByRole('list', { name: 'Steps of the month' })
  return { steps, wanted, added, used, compared, router, user: newUser() }
}
const part = (name: string) => within(screen.getByRole('region', { name }))
const headings = () => screen.getAllByRole('heading', { level: 2 }).map((it) => it.textContent)
const row = (processor: string) =>
  within(screen.getByRole('rowheader', { name: processor }).closest('tr')!)
    .getAllByRole('cell')
    .map((it) => it.textContent)

const full = detailOf({
  processors: [
    processorOf({ net: 5.25, statednet: 5 }),
    processorOf({ processor: 'Borealis', file: null, net: 0 }),
  ],
  files: [fileOf({ batch: 4, rows: 0, filename: 'old.csv' }), fileOf({ batch: 7, rows: 1200 })],
  statements: [statementOf({ id: 3, version: 2, statednet: 5 })],
  findings: [
    findingOf({
      key: 'missing-file:Borealis',
      kind: 'missing-file',
      severity: 'stop',
      where: 'Borealis',
      link: '/import/compensation',
    }),
    findingOf({}),
    findingOf({ key: 'unknown-mid:Aurora 2', where: 'Aurora 2 Other', amount: 3 }),
  ],
})

test('that a processor has no file empties and closes its total, and is offered where there is none or it was said', async () => {
  const processors = [
    processorOf({}),
    processorOf({ processor: 'Borealis', file: null, net: 0 }),
    processorOf({ processor: 'Corona' }),
  ]
  const statements = [statementOf({ processor: 'Corona', statednet: null, nofile: true })]
  const { user } = await draw({ view: monthView('open', { ...full, processors, statements }) })
  const box = (of: string) => screen.queryByRole('checkbox', { name: `No file of ${of} this month` })
  const total = screen.getByRole('textbox', { name: 'Stated Net of Borealis' })
  expect([box('Aurora'), box('Corona')]).toEqual([null, expect.anything()])
  expect(box('Corona')).toBeChecked()
  await user.type(total, '5')
  await user.click(box('Borealis')!)
  expect(total).toHaveValue('')
  expect(total).toBeDisabled()
  await user.click(box('Borealis')!)
  expect(total).toHaveValue('')
  expect(total).toBeEnabled()
})

test.each([
  [[5, 0], ['b1.csv', 'b2.csv'], '5'],
  [[0, 5], ['b2.csv'], '5'],
  [[5, 0, 7], ['b1.csv', 'b3.csv'], '12'],
  [[0, 0], ['b2.csv'], '0'],
])('of the files of a processor with %j rows that count, %j are named', async (counts, names, rows) => {
  const files = counts.map((counted, at) =>
    fileOf({ batch: at + 1, rows: counted, filename: `b${at + 1}.csv` }),
  )
  await draw({ view: monthView('open', { ...full, files }) })
  const cells = within(screen.getByRole('rowheader', { name: 'Aurora' }).closest('tr')!).getAllByRole('cell')
  const links = within(cells[0]!).getAllByRole('link')
  expect(links.map(({ textContent }) => textContent)).toEqual(names)
  expect(cells[1]).toHaveTextContent(rows)
})

describe('an open month', () => {
  test('shows each processor with its file, its totals and how it stands', async () => {
    await draw({ view: monthView('open', full) })
    const [file, rows, imported, ...figures] = row('Aurora')
    expect([file, rows, figures]).toEqual(['a.csv', '1,200', ['$5.25', '', '$0.25', 'Corrected']])
    expect(imported).toMatch(/^ben, Sep \d+, 2026/)
    expect(row('Borealis').map((cell, at) => (at === 0 || at === 6 ? cell : ''))).toEqual([
      'Import Comp Data',
      ...Array.from({ length: 5 }, () => ''),
      'Missing',
    ])
    expect(row('Borealis').slice(1, 4)).toEqual(['', '', ''])
    expect(screen.getByRole('link', { name: 'a.csv' })).toHaveAttribute(
      'href',
      '/import/compensation?batch=7',
    )
    expect(headings()).toEqual(['Files and Totals', 'Findings', 'Lock', 'Compared', 'Months Before'])
    expect(screen.getByRole('listitem', { current: 'step' })).toHaveTextContent(
      'Files, next1 of 2 in, 1 corrected',
    )
    cleanup()
    await draw({ view: monthView('open', { ...full, processors: [processorOf({ statednet: 5 })] }) })
    expect(row('Aurora')[5]).toBe('None')
  })

  test('shows the imports of compensation data that are under way, while the month is open', async () => {
    const running: RunningImport[] = [
      {
        job: 'a',
        filename: 'Aurora.csv',
        username: 'bob',
        startedat: 1_777_896_000,
        phase: 'reading',
        done: 1200,
        total: null,
      },
    ]
    await draw({ running, view: monthView('open', full) })
    const list = await screen.findByRole('list', { name: 'Imports under way' })
    expect(list.textContent).toMatch(/^Aurora\.csv by bob, .*Reading the file, 1,200 rows$/)
    cleanup()
    await draw({ running, view: monthView('locked', full) })
    expect(screen.queryByRole('list', { name: 'Imports under way' })).toBeNull()
  })

  test.each([
    ['Variance', 'variance', 'missing'],
    ['Missing Income', 'missing', 'variance'],
  ])('has its %s once somebody opens it, and not before', async (title, view, other) => {
    const { compared, user } = await draw({ view: monthView('open', full) })
    const isOf = (what: string) => `${what} of ${month}`
    expect(compared).not.toContain(isOf(view))
    await user.click(within(screen.getByRole('region', { name: 'Compared' })).getByText(title))
    await waitFor(() => expect(compared).toContain(isOf(view)))
    expect(screen.getByRole('link', { name: `${title} on a screen of its own` })).toHaveAttribute(
      'href',
      `/month/${month}/${view}`,
    )
    expect(compared).not.toContain(isOf(other))
  })

  test('names every file of a processor, with all its rows and who imported the newest', async () => {
    const files = [fileOf({}), fileOf({ batch: 2, filename: 'b.csv', username: 'cleo', rows: 4 })]
    await draw({ view: monthView('open', detailOf({ processors: [processorOf({})], files })) })
    const [names, rows, imported] = row('Aurora')
    expect([names, rows]).toEqual(['a.csvb.csv', '7'])
    expect(imported).toMatch(/^cleo, /)
  })

  test('takes the stated totals and notes that there is no file together, with the Enter key', async () => {
    const { steps, user } = await draw({ view: monthView('open', full) })
    const net = screen.getByLabelText('Stated Net of Aurora')
    expect(net).toHaveValue('5.00')
    expect(screen.getByRole('button', { name: 'Save Totals' })).toBeDisabled()
    fireEvent.submit(net)
    expect(steps).toEqual([])
    await user.click(screen.getByRole('checkbox', { name: 'No file of Borealis this month' }))
    expect(screen.getByLabelText('Stated Net of Borealis')).toBeDisabled()
    await user.clear(net)
    await user.type(net, '5.25{Enter}')
    await waitFor(() => expect(steps).toHaveLength(1))
    expect(steps[0]!.question).toMatchObject({
      step: 'total',
      totals: [
        { processor: 'Borealis', id: null, statednet: null, nofile: true },
        { processor: 'Aurora', id: 3, version: 2, statednet: 5.25, nofile: false },
      ],
    })
    // The message after the call says that they are saved (everywhere 3).
    await waitFor(() => expect(document.querySelector('.month-body')).toHaveAttribute('aria-busy', 'false'))
    expect(document.querySelector('.month-body > [role=status]')).toBeEmptyDOMElement()
  })

  test.each([
    ['Keep editing', '/month', '5.25'],
    ['Discard', '/month/2026-09', '5.00'],
  ])(
    'asks before totals that are not saved are left for another month; after %s it is %s',
    async (...row) => {
      const [choice, path, shown] = row
      const { router, user } = await draw({ view: monthView('open', full) })
      const net = () => screen.findByLabelText('Stated Net of Aurora')
      await user.clear(await net())
      await user.type(await net(), '5.25')
      await act(() => router.navigate('/month/2026-09'))
      await screen.findByText('Discard your changes?')
      await user.click(screen.getByRole('button', { name: choice }))
      await waitFor(() => expect(router.state.location.pathname).toBe(path))
      await waitFor(async () => expect(await net()).toHaveValue(shown))
      expect(sessionStorage).toHaveLength(0)
    },
  )

  test('offers the totals that were typed when the session ended', async () => {
    const { router, user } = await draw({ view: monthView('open', full) })
    const net = () => screen.findByLabelText('Stated Net of Aurora')
    await user.clear(await net())
    await user.type(await net(), '5.25')
    await act(() => router.navigate('/login'))
    await act(() => router.navigate('/month'))
    expect(await net()).toHaveValue('5.00')
    await user.click(screen.getByRole('button', { name: 'Restore' }))
    expect(await net()).toHaveValue('5.25')
    expect(screen.getByRole('button', { name: 'Save Totals' })).toBeEnabled()
    expect(sessionStorage).toHaveLength(0)
  })

  test('offers typed totals no more once totals were saved instead', async () => {
    const key = draftKey(staff.username, 'totals', month)
    sessionStorage.setItem(key, JSON.stringify({ Aurora: { net: '5.25', nofile: false } }))
    const { user } = await draw({ view: monthView('open', full) })
    expect(screen.getByText('Restore what you typed?')).toBeVisible()
    const net = screen.getByLabelText('Stated Net of Aurora')
    await user.clear(net)
    await user.type(net, '6{Enter}')
    await waitFor(() => expect(screen.queryByText('Restore what you typed?')).toBeNull())
    expect(sessionStorage).toHaveLength(0)
  })

  test('offers typed totals to nobody once it is locked', async () => {
    const key = draftKey(staff.username, 'totals', month)
    sessionStorage.setItem(key, JSON.stringify({ Aurora: { net: '5.25', nofile: false } }))
    await draw({ view: monthView('locked', full, payoutOf({})) })
    expect(screen.queryByText('Restore what you typed?')).toBeNull()
  })

  test('keeps the question while its step is on its way', async () => {
    const { user } = await draw({ view: monthView('open', full), step: new Promise(() => {}) })
    await user.click(screen.getByRole('button', { name: 'Waive Aurora 1 Stranger' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Waive a finding' }))
    await user.type(dialog.getByLabelText(/^Reason/), 'Looked at it')
    await user.click(dialog.getByRole('button', { name: 'Waive' }))
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled())
    expect(screen.getByRole('dialog', { name: 'Waive a finding' })).toBeVisible()
  })

  test('says at its field why a waiver is refused', async () => {
    const refusal = Object.assign(new Error('It is refused'), { fields: { reason: 'This says nothing' } })
    const step = Promise.reject<void>(refusal)
    // Until the step waits for it nothing handles it.
    step.catch(() => {})
    const { user } = await draw({ view: monthView('open', full), step })
    await user.click(screen.getByRole('button', { name: 'Waive Aurora 1 Stranger' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Waive a finding' }))
    await user.type(dialog.getByLabelText(/^Reason/), 'Looked at it')
    await user.click(dialog.getByRole('button', { name: 'Waive' }))
    expect(await dialog.findByText('This says nothing')).toBeVisible()
  })

  test('takes no totals while another step is on its way, and keeps what is typed', async () => {
    const { steps, user } = await draw({ view: monthView('open', full), step: new Promise(() => {}) })
    const net = screen.getByLabelText('Stated Net of Aurora')
    await user.clear(net)
    await user.type(net, '6')
    const save = screen.getByRole('button', { name: 'Save Totals' })
    expect(save).toBeEnabled()
    await user.click(screen.getByRole('button', { name: 'Waive Aurora 1 Stranger' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Waive a finding' }))
    await user.type(dialog.getByLabelText(/^Reason/), 'Looked at it')
    await user.click(dialog.getByRole('button', { name: 'Waive' }))
    await waitFor(() => expect(steps).toHaveLength(1))
    expect(save).toBeDisabled()
    // It works for the totals alone.
    expect(save).not.toHaveClass('bp6-loading')
    expect(net).toHaveValue('6')
  })

  test('shows what others stated after their own totals were saved', async () => {
    let statednet = 5
    const read = () =>
      monthView('open', { ...full, statements: [statementOf({ id: 3, version: 2, statednet })] })
    const { user } = await draw({ view: read(), read })
    const net = () => screen.getByLabelText('Stated Net of Aurora')
    await user.clear(net())
    statednet = 5.25
    await user.type(net(), '5.25{Enter}')
    await waitFor(() => expect(document.querySelector('.month-body')).toHaveAttribute('aria-busy', 'false'))
    statednet = 7
    const inbox = (await screen.findByText('Select Files')).closest('.inbox')!
    await user.upload(inbox.querySelector<HTMLInputElement>('input[type=file]')!, new File(['a'], 'a.csv'))
    await waitFor(() => expect(net()).toHaveValue('7.00'))
    expect(screen.getByRole('button', { name: 'Save Totals' })).toBeDisabled()
  })

  test('saves nothing while a total is no amount, and says whose', async () => {
    const { steps, user } = await draw({ view: monthView('open', full) })
    await user.type(screen.getByLabelText('Stated Net of Borealis'), '1.2.3{Enter}')
    expect(screen.getByRole('alert')).toHaveTextContent('Borealis: Stated Net is an amount like 1,234.56')
    expect(screen.getByLabelText('Stated Net of Borealis')).toBeInvalid()
    expect(screen.getByLabelText('Stated Net of Aurora')).toBeValid()
    expect(steps).toEqual([])
  })

  test.each([
    ['waives one finding', 'Waive Aurora 1 Stranger', 'Waive a finding'],
    ['waives all of a kind', /^Waive all 2/, 'Waive 2 findings'],
    ['locks the month', 'Lock October 2026', 'Lock October 2026'],
  ])('gives the focus back to the button that %s after Cancel', async (_, name, title) => {
    const { steps, user } = await draw({ view: monthView('open', full) })
    await user.click(screen.getByRole('button', { name }))
    const dialog = within(await screen.findByRole('dialog', { name: title }))
    // A button that is disabled loses the focus.
    expect(screen.getByRole('button', { name, hidden: true })).toBeEnabled()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.getByRole('button', { name })).toHaveFocus())
    expect(steps).toEqual([])
  })

  test.each([
    ['one', 'Waive Aurora 1 Stranger', 'Waive a finding', ['unknown-mid:Aurora 1']],
    ['all of a kind', /^Waive all 2/, 'Waive 2 findings', ['unknown-mid:Aurora 1', 'unknown-mid:Aurora 2']],
  ])('has %s waived with a reason', async (_, name, title, keys) => {
    const { steps, wanted, user } = await draw({ view: monthView('open', full) })
    await user.click(screen.getByRole('button', { name }))
    const dialog = within(await screen.findByRole('dialog', { name: title }))
    const what = keys.length === 1 ? ': Aurora 1 Stranger. ' : '. '
    expect(
      dialog.getByText(
        `The MID is not in the portfolio${what}The reason is kept with the lock, under your name.`,
      ),
    ).toBeVisible()
    await user.type(dialog.getByLabelText(/^Reason/), 'Looked at')
    await user.click(dialog.getByRole('button', { name: 'Waive' }))
    expect(steps).toEqual([])
    await user.type(dialog.getByLabelText(/^Reason/), ' it')
    await user.click(dialog.getByRole('button', { name: 'Waive' }))
    await waitFor(() => expect(steps).toHaveLength(1))
    expect(steps[0]!.question!.waived!.map(({ key }) => key)).toEqual(keys)
    expect(steps[0]!.values).toEqual({ reason: 'Looked at it' })
    // Its answer is the month, which is not read again.
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.querySelector('.month-body')).toHaveAttribute('aria-busy', 'false')
    expect(wanted).toHaveLength(1)
  })

  test('counts and waives all of a kind, also those that were not sent', async () => {
    const findings = Array.from({ length: 50 }, (_, n) =>
      findingOf({ key: `unknown-mid:Aurora ${n}`, where: `Aurora ${n}` }),
    )
    const kinds = kindsOf(findings).map((it) => ({
      ...it,
      count: 1234,
      sum: 5678.25,
      waived: 34,
      waivedsum: 5,
    }))
    const { user } = await draw({ view: monthView('open', { ...full, kinds, findings }) })
    expect(part('Findings').getByText('1,234')).toBeInTheDocument()
    expect(part('Findings').getByText('$5,678.25')).toBeInTheDocument()
    expect(part('Findings').getByText('and 1,184 more, which Month Checklist lists')).toBeInTheDocument()
    expect(part('Findings').getByRole('link', { name: 'Month Checklist' })).toHaveAttribute(
      'href',
      '/reporting?report=month-checklist&month=2026-10&run=1',
    )
    await user.click(screen.getByRole('button', { name: 'Lock October 2026' }))
    const lock = within(await screen.findByRole('dialog', { name: 'Lock October 2026' }))
    expect(lock.getByText(/^1,200 warnings are not waived/)).toBeVisible()
    expect(lock.getByText('$5,673.25')).toBeVisible()
    await user.click(lock.getByRole('button', { name: 'Cancel' }))
    await user.click(screen.getByText('The MID is not in the portfolio'))
    await user.click(screen.getByRole('button', { name: /^Waive all 1,200/ }))
    const waiver = within(await screen.findByRole('dialog', { name: 'Waive 1,200 findings' }))
    expect(
      waiver.getByText('The MID is not in the portfolio. The reason is kept with the lock, under your name.'),
    ).toBeVisible()
  })

  test('offers no waiver of stops, of what is waived, and no common one of stated totals or of what is left alone', async () => {
    const total = (key: string) => findingOf({ key: `stated-total:${key}`, kind: 'stated-total', where: key })
    const waiver = { username: 'ann', at: 1, reason: 'Called them' }
    const findings = [
      full.findings[0]!,
      total('Aurora'),
      total('Corona'),
      findingOf({ where: 'Done', waiver }),
      findingOf({ key: 'unknown-mid:Aurora 2', where: 'Left' }),
    ]
    await draw({ view: monthView('open', { ...full, kinds: kindsOf(findings), findings }) })
    const names = screen.getAllByRole('button', { name: /^Waive/ }).map((it) => it.getAttribute('aria-label'))
    expect(names).toEqual(['Waive Aurora', 'Waive Corona', 'Waive Left'])
    expect(part('Findings').getByText('Waived by ann: Called them')).toBeVisible()
    cleanup()
    await draw({ view: monthView('locked', { ...full, kinds: kindsOf(findings), findings }, payoutOf({})) })
    expect(part('Findings').getByText('Waived by ann: Called them')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /^(Waive|Save Totals)/ })).toBeNull()
    expect(screen.queryByRole('textbox', { name: /^Stated Net/ })).toBeNull()
  })

  test('names a finding of no record by what it says', async () => {
    const findings = [findingOf({ kind: 'month-not-over', what: 'The month is not over', where: '' })]
    await draw({ view: monthView('open', { ...full, kinds: kindsOf(findings), findings }) })
    expect(screen.getByRole('button', { name: 'Waive The month is not over' })).toBeEnabled()
  })

  test('asks before it is locked, with what is waived already, and for a reason of each stated total', async () => {
    const waiver = { username: 'ann', at: 1, reason: 'Called them' }
    const findings = [
      findingOf({ key: 'stated-total:Aurora', kind: 'stated-total', where: 'Aurora: stated $5.00' }),
      findingOf({}),
      findingOf({ key: 'hold:2', kind: 'hold', amount: 30, waiver }),
    ]
    const { steps, user } = await draw({
      view: monthView('open', { ...full, kinds: kindsOf(findings), findings }),
    })
    await user.click(screen.getByRole('button', { name: 'Lock October 2026' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Lock October 2026' }))
    expect(dialog.getByText(/^Lock October 2026\? People are paid by it/)).toBeVisible()
    expect(dialog.getByText('1 finding is waived already, $30.00 in all, by ann.')).toBeVisible()
    await user.type(dialog.getByLabelText(/^Reason for all others/), 'Looked at all')
    await user.type(dialog.getByLabelText(/^Reason for Aurora/), 'A cent is missing')
    await user.click(dialog.getByRole('button', { name: 'Lock' }))
    await waitFor(() => expect(steps).toHaveLength(1))
    expect(steps[0]!.question!.step).toBe('lock')
    expect(steps[0]!.values).toEqual({
      reason: 'Looked at all',
      stated: { 'stated-total:Aurora': 'A cent is missing' },
    })
    expect(await screen.findByText('The month is locked.')).toBeVisible()
  })

  test('says before it is locked how many findings are waived, with their sum and by whom', async () => {
    const waived = ['ann', 'bob', 'ann'].map((username, n) =>
      findingOf({
        key: `${n}`,
        kind: n < 2 ? 'hold' : 'unknown-mid',
        amount: n < 2 ? 30 : 1,
        waiver: { username, at: 1, reason: 'Known' },
      }),
    )
    const { user } = await draw({
      view: monthView('open', { ...full, kinds: kindsOf(waived), findings: waived }),
    })
    await user.click(screen.getByRole('button', { name: 'Lock October 2026' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Lock October 2026' }))
    expect(dialog.getByText('3 findings are waived already, $61.00 in all, by ann, bob.')).toBeVisible()
  })

  test('offers a reason that was typed when the session ended for the same finding alone', async () => {
    const user = newUser()
    const ask = async (name: string) => {
      await user.click(await screen.findByRole('button', { name }))
      return within(await screen.findByRole('dialog', { name: 'Waive a finding' }))
    }
    const session = fakeSession()
    await draw({ view: monthView('open', full), session })
    await user.type((await ask('Waive Aurora 1 Stranger')).getByLabelText(/^Reason/), 'Looked at it')
    session.end()
    cleanup()
    await draw({ view: monthView('open', full) })
    const other = await ask('Waive Aurora 2 Other')
    await other.findByLabelText(/^Reason/)
    expect(other.queryByText('Restore what you typed?')).toBeNull()
    await user.click(other.getByRole('button', { name: 'Cancel' }))
    expect(await (await ask('Waive Aurora 1 Stranger')).findByText('Restore what you typed?')).toBeVisible()
  })

  test('is locked with one question where nothing is in the way', async () => {
    const { steps, user } = await draw({ view: monthView('open', { ...full, kinds: [], findings: [] }) })
    await user.click(screen.getByRole('button', { name: 'Lock October 2026' }))
    const dialog = within(await screen.findByRole('dialog'))
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus())
    await user.click(dialog.getByRole('button', { name: 'Lock' }))
    await waitFor(() => expect(steps.map(({ values }) => values)).toEqual([{ reason: '', stated: {} }]))
  })

  test('shows in the question a stop alone, which cannot be waived', async () => {
    const { user } = await draw({ view: monthView('open', full) })
    await user.click(screen.getByRole('button', { name: 'Lock October 2026' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/^October 2026 cannot be locked before this is put right/)).toBeVisible()
    expect(dialog.getByRole('link', { name: 'Borealis' })).toHaveAttribute('href', '/import/compensation')
    expect(dialog.queryByRole('button', { name: 'Lock' })).toBeNull()
    expect(dialog.queryByText(/^Aurora 1/)).toBeNull()
  })

  test.each([
    [null, []],
    [0, ['$0.00']],
  ])('has in the question no sum of findings without amounts; amount: %j', async (amount, sums) => {
    const findings = [findingOf({ amount })]
    const { user } = await draw({
      view: monthView('open', { ...full, kinds: kindsOf(findings), findings }),
    })
    await user.click(screen.getByRole('button', { name: 'Lock October 2026' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.queryAllByText('$0.00').map(({ textContent }) => textContent)).toEqual(sums)
  })

  test('without a file says so, and cannot be locked', async () => {
    await draw({ view: monthView('open', detailOf({})) })
    expect(screen.getByText(/No processor is expected and no file is here yet/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Lock October 2026' })).toBeDisabled()
    expect(part('Lock').getByText('There is no file yet.')).toBeVisible()
    cleanup()
    await draw({ view: monthView('open', detailOf({ processors: [processorOf({ file: null })] })) })
    expect(screen.getByRole('button', { name: 'Lock October 2026' })).toBeDisabled()
  })
})

describe('a month that is visited again', () => {
  const reading = () => screen.queryByText('Reading the month again')
  /** Shows October, leaves it, and comes back while it is read and not answered; then it is answered. */
  const visitAgain = async (at = `/month/${month}`) => {
    let answer: (view: MonthView) => void = () => {}
    let later: Promise<MonthView> | undefined
    const view = monthView('open', full)
    const { router } = await draw({ view, read: () => later ?? view, at: `/month/${month}` })
    await waitFor(() => expect(reading()).toBeNull())
    await act(() => router.navigate('/login'))
    expect(screen.queryByText('Files and Totals')).toBeNull()
    later = new Promise((resolve) => (answer = resolve))
    await act(() => router.navigate(at))
    return { answer: (answered: MonthView) => act(async () => answer(answered)) }
  }

  test('shows what it was at once, lets no step begin, and then what it is', async () => {
    const { answer } = await visitAgain()
    expect(part('Findings').getByText('Aurora 1 Stranger')).toBeVisible()
    expect(reading()).toBeVisible()
    expect(screen.getByRole('button', { name: 'Lock October 2026' })).toBeDisabled()
    await answer(monthView('open', { ...full, findings: [], kinds: [] }))
    expect(screen.queryByText('Aurora 1 Stranger')).toBeNull()
    expect(reading()).toBeNull()
    expect(screen.getByRole('button', { name: 'Lock October 2026' })).toBeEnabled()
  })

  test('is read before anything is shown under another address', async () => {
    await visitAgain('/month')
    expect(screen.getByLabelText('Loading the month')).toBeVisible()
    expect(screen.queryByText('Aurora 1 Stranger')).toBeNull()
  })
})

test.each<[what: string, other: Viewer]>([
  ['another person', { ...staff, username: 'other' }],
  ['the same person with other rights', { ...staff, seesall: false }],
])('what was seen of a month is not shown to %s', (_, other) => {
  const view = monthView('open', full)
  keepLastView(monthMachine, staff, { wanted: month, view })
  expect(lastViewOf(monthMachine, staff, month)).toBe(view)
  expect(lastViewOf(monthMachine, other, month)).toBeUndefined()
  expect(lastViewOf(monthMachine, staff, '2026-09')).toBeUndefined()
  expect(lastViewOf(monthMachine.provide({}), staff, month)).toBeUndefined()
})

describe('the inbox of an open month', () => {
  test('takes files for compensation data, and the month is read again after each', async () => {
    const { wanted, added, user } = await draw({ view: monthView('open', full) })
    const inbox = (await screen.findByText('Select Files')).closest('.inbox')!
    const read = wanted.length
    await user.upload(inbox.querySelector<HTMLInputElement>('input[type=file]')!, new File(['a'], 'a.csv'))
    await waitFor(() => expect(wanted.length).toBe(read + 1))
    expect(added).toMatchObject([{ name: 'add', filename: 'a.csv', kind: 'compdata' }])
    expect(wanted.at(-1)).toBe(month)
  })

  test('has the month read again for a file that was taken while it was read', async () => {
    let hold: Promise<void> | undefined
    let release = () => {}
    const view = monthView('open', full)
    const read = async () => {
      await hold
      return view
    }
    const { wanted, user } = await draw({ view, read })
    const inbox = (await screen.findByText('Select Files')).closest('.inbox')!
    const before = wanted.length
    hold = new Promise((resolve) => (release = resolve))
    const files = ['a.csv', 'b.csv'].map((name) => new File(['a'], name))
    await user.upload(inbox.querySelector<HTMLInputElement>('input[type=file]')!, files)
    expect(await screen.findByText('2 files were added.')).toBeVisible()
    expect(wanted).toHaveLength(before + 1)
    hold = undefined
    release()
    await waitFor(() => expect(wanted).toHaveLength(before + 2))
  })

  test('has the month read again once an import that was under way has ended', async () => {
    const clock = new SimulatedClock()
    const running: RunningImport[] = [
      { job: 'a', filename: 'a.csv', username: 'bob', startedat: 1, phase: 'storing', done: 1, total: 2 },
    ]
    const { wanted } = await draw({ running, view: monthView('open', full), clock })
    await screen.findByRole('list', { name: 'Imports under way' })
    const read = wanted.length
    running.length = 0
    await act(async () => clock.increment(2_000))
    await waitFor(() => expect(wanted).toHaveLength(read + 1))
    expect(wanted.at(-1)).toBe(month)
  })

  test('is not there for a person who may not import compensation data', async () => {
    await draw({ view: monthView('open', full), viewer: person('lock_reports') })
    expect(screen.queryByText('Select Files')).toBeNull()
  })

  test('is not there once the month is locked', async () => {
    await draw({ view: monthView('locked', full, payoutOf({})) })
    expect(screen.queryByText('Select Files')).toBeNull()
  })
})

describe('a locked month', () => {
  const locked = {
    username: 'lena',
    at: 1_790_000_000,
    hash: 'abcdef0123456789'.repeat(4),
    merchants: 2718,
    net: 162_324.34,
    shares: 108_067.87,
    house: 54_256.47,
    due: 156_517.23,
  }

  test('begins with its payouts and shows what was locked; nothing is typed or waived any more', async () => {
    await draw({ view: monthView('locked', { ...full, locked }, payoutOf({})) })
    expect(headings()).toEqual([
      'Payout',
      'Files and Totals',
      'Findings',
      'Lock',
      'Compared',
      'Months Before',
    ])
    expect(part('Payout').getByRole('button', { name: 'Approve' })).toBeEnabled()
    const names = part('Lock').getAllByRole('term')
    expect(names.map((name) => [name.textContent, name.nextElementSibling?.textContent])).toEqual([
      ['Merchants', '2,718'],
      ['Net', '$162,324.34'],
      ['Shares', '$108,067.87'],
      ['House', '$54,256.47'],
      ['Due', '$156,517.23'],
    ])
    expect(part('Lock').getByText(/^Version 1, locked by lena on/)).toHaveTextContent('abcdef012345')
    expect(screen.getByText('abcdef012345')).toHaveAttribute('title', locked.hash)
    const steps = within(screen.getByRole('list', { name: 'Steps of the month' })).getAllByRole('listitem')
    expect(steps[0]!.textContent).toMatch(/^Files, done/)
    expect(steps[4]!.textContent).toMatch(/^5Approval, next/)
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.queryByRole('button', { name: /^(Waive|Lock|Save)/ })).toBeNull()
  })

  test('is shown with the version of its lock, also where its figures are not sent', async () => {
    const view = (given: Partial<typeof full>) => {
      const shown = monthView('locked', { ...full, ...given }, payoutOf({}))
      return { ...shown, month: { ...shown.month!, version: 3 } }
    }
    await draw({ view: view({ locked }) })
    expect(part('Lock').getByText(/^Version 3, locked by lena on/)).toBeVisible()
    cleanup()
    await draw({ view: view({ locked: null }) })
    expect(part('Lock').getByText('October 2026 is locked, version 3.')).toBeVisible()
  })

  test.each([
    ['approved', 'Release'],
    ['released', 'Book Return'],
    ['released', 'Read Return File'],
    ['locked', 'Read Return File'],
    ['settled', 'Open Again'],
  ] as const)('that is %s offers %s', async (state, name) => {
    const admin = { ...staff, admin: true }
    const releases = state === 'approved' ? [] : [release]
    await draw({ view: monthView(state, full, payoutOf({ state, releases })), viewer: admin })
    expect(part('Payout').getByRole('button', { name })).toBeEnabled()
  })
})

test('a month is read again once the returns of a file are booked in it', async () => {
  const view = monthView('settled', full, payoutOf({ state: 'settled', releases: [release] }))
  const { wanted, user } = await draw({ view })
  const read = wanted.length
  const input = document.querySelector<HTMLInputElement>('.payout-return input[type=file]')!
  await user.upload(input, new File(['x'], 'r.txt'))
  await user.click(await screen.findByRole('button', { name: 'Book All' }))
  expect(await screen.findByText('Booked: 1 return of $12.00.')).toBeVisible()
  await waitFor(() => expect(wanted).toHaveLength(read + 1))
  expect(wanted.at(-1)).toBe(month)
})

const paymentsOfMonth = () => screen.queryByRole('link', { name: 'Payments of October 2026' })
test.each([
  ['released', [release], true],
  ['approved', [], false],
] as const)(
  'a month that is %s leads to its payments where there are some',
  async (state, releases, leads) => {
    await draw({ view: monthView(state, full, payoutOf({ state, releases: [...releases] })) })
    expect(paymentsOfMonth()?.getAttribute('href')).toBe(leads ? `/payouts?month=${month}` : undefined)
  },
)

describe('a month that is open again', () => {
  test.each(['Book Return', 'Read Return File'])(
    'offers %s once a former version was released',
    async (name) => {
      const view = monthView('open', full)
      const offers = () => screen.queryAllByRole('button', { name }).length
      await draw({ view: { ...view, released: { month, releases: [], takesfiles: false, canfile: false } } })
      expect(offers()).toBe(0)
      cleanup()
      await draw({
        view: { ...view, released: { month, releases: [release], takesfiles: false, canfile: false } },
      })
      expect(part('Payout').getByRole('button', { name })).toBeEnabled()
      expect(part('Payout').getByRole('list', { name: 'Releases' })).toBeVisible()
      expect(paymentsOfMonth()).toBeVisible()
    },
  )
})

describe('who sees less', () => {
  test('with import_files and reports_admin alone types, waives, locks and reads payouts of nothing', async () => {
    const processors = [
      processorOf({ statednet: 5 }),
      processorOf({ processor: 'Borealis', file: null, statednet: 4 }),
    ]
    const { used } = await draw({
      view: monthView('open', { ...full, processors }),
      viewer: person('import_files', 'reports_admin'),
    })
    expect([...used]).toEqual(['reading'])
    expect(screen.getByRole('link', { name: 'a.csv' })).toBeVisible()
    expect(row('Aurora')[4]).toBe('$5.00')
    expect(row('Borealis')[4]).toBe('$4.00')
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.queryByRole('button', { name: /^(Waive|Lock|Save)/ })).toBeNull()
    expect(screen.getByText('Who may lock reports and sees all master agents locks it.')).toBeVisible()
  })

  test('without import_files reads the names of the files, and is led to no import', async () => {
    const { used } = await draw({ view: monthView('open', full), viewer: person('lock_reports') })
    expect([...used]).toEqual(['settling'])
    expect(screen.queryByRole('link', { name: 'a.csv' })).toBeNull()
    expect(screen.getByText('a.csv')).toBeVisible()
    expect(row('Borealis')[6]).toBe('Missing')
    expect(row('Borealis')[0]).toBe('')
  })

  test('of a branch alone is shown its net of locked months, without findings and the months before', async () => {
    const branch = { ...person('import_files', 'lock_reports'), seesall: false, masteragentid: 2 }
    const told = detailOf({ processors: [processorOf({ file: null })] })
    const { used } = await draw({ view: monthView('locked', told), viewer: branch })
    expect([...used]).toEqual(['reading'])
    expect(headings()).toEqual(['Files and Totals', 'Lock'])
  })

  test.each([
    ['reports_admin', ['Compared', 'Months Before']],
    ['manage_users', ['Months Before']],
  ] as const)('with %s compares what these rights let read: %j', async (permission, shown) => {
    await draw({ view: monthView('open', full), viewer: person(permission) })
    expect(headings().slice(3)).toEqual(shown)
  })

  test('of a branch before the first lock reads that nothing is locked', async () => {
    const branch = { ...person('import_files'), seesall: false, masteragentid: 2 }
    const none = { month: null, payout: null, released: null, differences: null, detail: null }
    await draw({ view: { months: [], ...none }, viewer: branch })
    expect(await screen.findByText('No month is locked yet')).toBeVisible()
  })
})

describe('the months before', () => {
  test('are charts with a text, and a table whose months are links', async () => {
    const { user } = await draw({ view: monthView('open', full) })
    const net = await screen.findByRole('img', { name: /^Net of September 2026 to October 2026/ })
    expect(net).toHaveAccessibleName('Net of September 2026 to October 2026; October 2026: $120.00')
    expect(screen.getByRole('img', { name: /^Days to Lock/ })).toHaveAccessibleName(/October 2026: None yet$/)
    const bars = (of: Element) =>
      [...of.querySelectorAll('rect')].map((bar) => [bar.getAttribute('class'), bar.textContent])
    expect(bars(net)).toEqual([
      ['month-bar', 'September 2026: $100.00'],
      ['month-bar-chosen', 'October 2026: $120.00'],
    ])
    const accounts = screen.getByRole('img', { name: /^Accounts of/ })
    const heights = [...accounts.querySelectorAll('rect')].map((bar) => Number(bar.getAttribute('height')))
    expect(heights[0]! / heights[1]!).toBeCloseTo(3)
    await user.click(screen.getByText('As a table'))
    const table = within(
      screen.getByRole('region', { name: 'Figures of the months before' }).querySelector('table')!,
    )
    const cells = table.getAllByRole('row').map((it) => it.textContent)
    expect(cells.slice(1)).toEqual(['October 2026$120.001', 'September 2026$100.00100.0 bps34 days6 days'])
    expect(table.getByRole('link', { name: 'September 2026' })).toHaveAttribute('href', '/month/2026-09')
  })

  test('end with the newest that has a file, whose figures are shown where the month has none', async () => {
    const months = ['2026-08', '2026-09'].map((it, at) => ({ ...trend[0]!, month: it, net: 100 + at }))
    await draw({ view: monthView('open', full), trendOf: async () => months })
    expect(await screen.findByRole('img', { name: /^Net of August/ })).toHaveAccessibleName(
      'Net of August 2026 to September 2026; September 2026: $101.00',
    )
    expect(document.querySelector('.month-bar-chosen')).toBeNull()
  })

  test('are none where no month up to this one has a file', async () => {
    await draw({ view: monthView('open', full), trendOf: async () => [] })
    expect(await screen.findByText('No month up to this one has a file.')).toBeVisible()
  })

  test('are read again once the month has gone on', async () => {
    let state: 'locked' | 'approved' = 'locked'
    const read = () => monthView(state, full, payoutOf({ state }))
    let count = 0
    const trendOf = async () => {
      count += 1
      return trend
    }
    const { user } = await draw({ view: read(), read, trendOf })
    await waitFor(() => expect(count).toBe(1))
    await user.click(screen.getByRole('button', { name: 'Approve' }))
    state = 'approved'
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Approve' }))
    expect(await screen.findByRole('button', { name: 'Release' })).toBeEnabled()
    await waitFor(() => expect(count).toBe(2))
  })

  test('that cannot be loaded leave the month as it is', async () => {
    let isAway = true
    const trendOf = async () => {
      if (isAway) throw new Error('away')
      return trend
    }
    const { user } = await draw({ view: monthView('open', full), trendOf })
    expect(await screen.findByText('The months before could not be loaded')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Lock October 2026' })).toBeEnabled()
    isAway = false
    await user.click(part('Months Before').getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('img', { name: /^Net of September/ })).toBeVisible()
  })
})

test('a month that could not be read is read again by Try again', async () => {
  let isAway = true
  const view = monthView('open', full)
  const read = async () => {
    if (isAway) throw new Error('away')
    return view
  }
  const { user } = await draw({ view: { ...view, month: null }, read })
  await screen.findByText('The month could not be loaded')
  isAway = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('list', { name: 'Steps of the month' })).toBeVisible()
})

describe('the address', () => {
  test('names the month, and the choice of another one changes it', async () => {
    const { wanted, router, user } = await draw({ view: monthView('open', full), at: '/month/2026-10' })
    expect(wanted).toContain('2026-10')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Month' }), '2026-09')
    await waitFor(() => expect(router.state.location.pathname).toBe('/month/2026-09'))
    await waitFor(() => expect(wanted.at(-1)).toBe('2026-09'))
  })

  test.each([
    ['2031-01', 'January 2031'],
    ['next', 'next'],
  ])('of %s, which holds nothing, says so', async (wanted, name) => {
    await draw({ view: monthView('open', full), at: `/month/${wanted}` })
    expect(screen.getByText(`${name} holds nothing. This is October 2026.`)).toBeVisible()
  })

  test('without a month asks for the one that is worked on, and says nothing', async () => {
    const { wanted } = await draw({ view: monthView('open', full) })
    expect(wanted[0]).toBeNull()
    expect(screen.queryByText(/holds nothing/)).toBeNull()
    // So that a message about this month does not offer to view it.
    expect(getShownPath()).toBe('/month/2026-10')
    cleanup()
    expect(getShownPath()).toBeNull()
  })

  test.each([
    [3, true],
    [4, false],
  ])('without the name of a kind shows %i findings of it open: %s', async (count, isOpen) => {
    const some = Array.from({ length: count }, (_, n) =>
      findingOf({ key: `unknown-mid:${n}`, where: `Row ${n}` }),
    )
    await draw({ view: monthView('open', { ...full, kinds: kindsOf(some), findings: some }) })
    expect(document.getElementById('unknown-mid')!.hasAttribute('open')).toBe(isOpen)
  })

  test('with the name of a kind opens its findings, and brings them into sight', async () => {
    const seen: Element[] = []
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      seen.push(this)
    })
    const many = Array.from({ length: 4 }, (_, n) =>
      findingOf({ key: `unknown-mid:${n}`, where: `Row ${n}` }),
    )
    const view = monthView('open', { ...full, kinds: kindsOf(many), findings: many })
    await draw({ view, at: '/month#unknown-mid' })
    await waitFor(() => expect(document.getElementById('unknown-mid')).toHaveAttribute('open'))
    expect(seen).toEqual([document.getElementById('unknown-mid')])
    cleanup()
    const { router } = await draw({ view })
    expect(document.getElementById('unknown-mid')).not.toHaveAttribute('open')
    await act(() => router.navigate('/month#unknown-mid'))
    expect(document.getElementById('unknown-mid')).toHaveAttribute('open')
    vi.restoreAllMocks()
  })
})
