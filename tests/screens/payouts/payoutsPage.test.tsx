import { act, render, screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { expect, test } from 'vitest'
import { fromPromise } from 'xstate'
import { decisionMachine, type DecisionSubject } from '../../../machines/decision.machine.ts'
import { downloadMachine } from '../../../machines/download.machine.ts'
import { listMachine, type ListResult } from '../../../machines/list.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import {
  monthMachine,
  type MonthView,
  type StepRequest,
  type ViewRequest,
} from '../../../machines/month.machine.ts'
import type { MonthDetail, LedgerRow, PayoutEntry } from '../../../schemas/api/months/months.ts'
import type { ListQuery } from '../../../schemas/api/paging.ts'
import { effectivePermissions, noPermissions, type Viewer } from '../../../schemas/permissions.ts'
import { ledgerListRow } from '../../../src/features/payouts/ledgerRow.ts'
import { PayoutsPage } from '../../../src/features/payouts/PayoutsPage.tsx'
import { payoutOf, release } from '../month/monthData.ts'
import { newUser } from '../newUser.ts'
import { returnReply } from './returnReply.ts'

const locked = ['2026-03', '2026-02', '2026-01'].map((month) => ({
  month,
  state: 'locked' as const,
  version: 1,
}))
const months = [{ month: '2026-04', state: 'open' as const, version: 0 }, ...locked]
const admin: Viewer = {
  username: 'ann',
  admin: true,
  masteragentid: null,
  seesall: true,
  permissions: effectivePermissions(true, noPermissions),
}

const runOf = (month: string, entry: Partial<PayoutEntry>) => {
  const payout = payoutOf({ month, state: 'locked', releases: [release] })
  return { ...payout, entries: payout.entries.map((it) => ({ ...it, ...entry })) }
}

/** The screen at these addresses, of which the last is shown; the newest locked month where none is named. */
const open = (
  initialEntries: string[],
  entry: Partial<PayoutEntry> = {},
  viewer = admin,
  payments: LedgerRow[] = [],
  read = Promise.resolve(),
  machine?: typeof monthMachine,
) => {
  const asked: (string | null)[] = []
  const lists: ListQuery[] = []
  const month =
    machine ??
    monthMachine.provide({
      actors: {
        view: fromPromise<MonthView, ViewRequest>(async ({ input: { wanted } }) => {
          asked.push(wanted)
          await read
          const shown = months.find((it) => it.month === wanted) ?? locked[0]!
          const payout = shown.state === 'open' ? null : runOf(shown.month, entry)
          return { months, month: shown, payout, released: payout, differences: null, detail: null }
        }),
        step: fromPromise<MonthDetail | null, StepRequest>(() => new Promise(() => {})),
      },
    })
  const ledger = listMachine.provide({
    actors: {
      load: fromPromise<ListResult, ListQuery>(async ({ input }) => {
        lists.push(input)
        return { data: payments.map(ledgerListRow), total_length: payments.length }
      }),
    },
  })
  const page = (
    <PayoutsPage
      {...{ month, ledger, viewer }}
      file={downloadMachine}
      returnFile={() => ({
        check: loadMachine.provide({ actors: { load: fromPromise<unknown>(async () => returnReply) } }),
        book: decisionMachine.provide({
          actors: {
            decide: fromPromise<unknown, { subject: DecisionSubject | null; text: string }>(async () => {}),
          },
        }),
      })}
    />
  )
  const router = createMemoryRouter([{ path: '/payouts', element: page }], { initialEntries })
  render(<RouterProvider router={router} />)
  return { router, asked, lists, user: newUser() }
}
const choice = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Month' })
const shows = (month: string) => waitFor(() => expect(choice()).toHaveValue(month))

test('the month of the address is shown, also after Back, Forward and a link without a month', async () => {
  const { router } = open(['/payouts?month=2026-01', '/payouts?month=2026-02'])
  await shows('2026-02')
  await router.navigate(-1)
  await shows('2026-01')
  await router.navigate(1)
  await shows('2026-02')
  await router.navigate('/payouts')
  await shows('2026-03')
})

test('a month that is chosen on the screen is read once and stands in the address', async () => {
  const { router, asked, user } = open(['/payouts'])
  await shows('2026-03')
  const before = asked.length
  await user.selectOptions(choice(), '2026-01')
  await shows('2026-01')
  expect(router.state.location.search).toBe('?month=2026-01')
  expect(asked.slice(before)).toEqual(['2026-01'])
})

test('a month that is chosen leaves what the ledger shows in the address, and Back leads away from the screen', async () => {
  const { router, user } = open(['/payouts?month=2026-02', '/payouts?search=North'])
  await shows('2026-03')
  await user.selectOptions(choice(), '2026-01')
  await shows('2026-01')
  expect(router.state.location.search).toBe('?search=North&month=2026-01')
  await router.navigate(-1)
  await shows('2026-02')
})

test('the payments are those of the month that is shown at first, and those of all months by a button', async () => {
  const { router, lists, user } = open(['/payouts?month=2026-01&page=2'])
  const latest = () => {
    const { page, filter } = lists.at(-1)!
    return [page, filter]
  }
  expect(await screen.findByRole('heading', { name: 'Payments of January 2026' })).toBeVisible()
  await waitFor(() => expect(lists).toHaveLength(1))
  expect(latest()).toEqual([2, '2026-01'])
  await user.selectOptions(choice(), '2026-02')
  expect(await screen.findByRole('heading', { name: 'Payments of February 2026' })).toBeVisible()
  await waitFor(() => expect(latest()).toEqual([1, '2026-02']))
  const buttons = within(screen.getByRole('group', { name: 'Payments of' }))
  await user.click(buttons.getByRole('button', { name: 'All Months', pressed: false }))
  expect(screen.getByRole('heading', { name: 'Payments of All Months' })).toBeVisible()
  await waitFor(() => expect(latest()).toEqual([1, '']))
  expect(router.state.location.search).toBe('?month=2026-02&payments=all')
  await user.click(buttons.getByRole('button', { name: 'February 2026', pressed: false }))
  await waitFor(() => expect(latest()).toEqual([1, '2026-02']))
  expect(router.state.location.search).toBe('?month=2026-02')
})

test('another month leaves the page of the payments of all months', async () => {
  const { lists, user } = open(['/payouts?month=2026-01&payments=all&page=2'])
  await shows('2026-01')
  await user.selectOptions(choice(), '2026-02')
  await shows('2026-02')
  expect(lists.map(({ page, filter }) => [page, filter])).toEqual([[2, '']])
})

test('people of a master agent see the ledger alone, and no month is asked for', async () => {
  const agent = { ...admin, admin: false, masteragentid: 2, seesall: false }
  const permissions = effectivePermissions(false, noPermissions)
  const { asked, lists } = open(['/payouts'], {}, { ...agent, permissions })
  await waitFor(() => expect(lists).toHaveLength(1))
  expect(screen.getByRole('heading', { name: 'Payments' })).toBeVisible()
  expect(screen.queryByRole('combobox', { name: 'Month' })).toBeNull()
  expect(document.querySelector('input[type=file]')).toBeNull()
  expect(asked).toEqual([])
})

test('the payments of all months are shown where the months could not be read', async () => {
  const failing = monthMachine.provide({
    actors: { view: fromPromise<MonthView, ViewRequest>(() => Promise.reject(new Error('No connection'))) },
  })
  const { lists } = open(['/payouts'], {}, admin, [], undefined, failing)
  await waitFor(() => expect(lists.map(({ filter }) => filter)).toEqual(['']))
})

test('a question about a month is left with its month', async () => {
  const { router, user } = open(['/payouts?month=2026-01', '/payouts?month=2026-03'])
  await shows('2026-03')
  await user.click(await screen.findByRole('button', { name: 'Open Again' }))
  await screen.findByRole('dialog', { name: 'Open March 2026 again' })
  await router.navigate(-1)
  await shows('2026-01')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a month that the address names while another one is read is shown after that', async () => {
  let end = () => {}
  const read = new Promise<void>((resolve) => (end = resolve))
  const { router, asked } = open(['/payouts?month=2026-01', '/payouts?month=2026-02'], {}, admin, [], read)
  await waitFor(() => expect(asked).toEqual(['2026-02']))
  await act(() => router.navigate(-1))
  end()
  await shows('2026-01')
})

test('a question stays while its step is on its way', async () => {
  const { user } = open(['/payouts'])
  await user.click(await screen.findByRole('button', { name: 'Approve' }))
  const question = within(await screen.findByRole('alertdialog'))
  await user.click(question.getByRole('button', { name: 'Approve' }))
  await waitFor(() => expect(choice()).toBeDisabled())
  expect(screen.getByRole('alertdialog')).toBeVisible()
})

test('what was released is said once the month was read again', async () => {
  let read = () => {}
  let released = 0
  const month = monthMachine.provide({
    actors: {
      view: fromPromise<MonthView, ViewRequest>(async () => {
        if (released > 0) await new Promise<void>((resolve) => (read = resolve))
        const releases = released === 0 ? [] : [{ ...release, total: 12 }]
        const shown = { month: '2026-03', state: 'approved' as const, version: 1 }
        const payout = payoutOf({ ...shown, releases })
        return { months: [shown], month: shown, payout, released: payout, differences: null, detail: null }
      }),
      step: fromPromise<MonthDetail | null, StepRequest>(async () => {
        released = 1
        return null
      }),
    },
  })
  const { user } = open(['/payouts'], {}, admin, [], undefined, month)
  await user.click(await screen.findByRole('button', { name: 'Release' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Release' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.queryByText(/were released\.$/)).toBeNull()
  await act(async () => read())
  expect(await screen.findByText('$12.00 were released.')).toBeVisible()
})

test('an open month leads to the two screens on which it is locked', async () => {
  open(['/payouts?month=2026-04'])
  expect(await screen.findByText(/^April 2026 is open\./)).toHaveTextContent(
    'April 2026 is open. Its payouts are settled once it is locked on Month or on Reporting.',
  )
  expect(screen.getByRole('link', { name: 'Month' })).toHaveAttribute('href', '/month/2026-04')
  expect(screen.getByRole('link', { name: 'Reporting' })).toHaveAttribute('href', '/reporting')
})

test.each([
  ['Held by bob: Disputed', true, 'End the hold of MA0002 - North'],
  ['Bank account changed by bob and not confirmed', true, 'End the hold of MA0002 - North'],
  ['Office account', true, 'End the hold of MA0002 - North'],
  ['Held by bob: Disputed', false, 'Hold MA0002 - North'],
  [null, false, 'Hold MA0002 - North'],
  ['Office account', false, null],
])('a payee with the reason %j, held: %s, has the button %j', async (hold, isheld, name) => {
  open(['/payouts?month=2026-01'], { hold, isheld })
  await shows('2026-01')
  const buttons = screen.queryAllByRole('button', { name: /MA0002/ })
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual(name === null ? [] : [name])
})

test.each([
  [true, 'Somebody else must end it', true],
  [true, null, false],
  // Who is paid may hold their own pay, and not end that.
  [false, 'Somebody else must end it', false],
  [false, null, false],
])(
  'of a payee that is held (%s), with %j against the end of a hold, the button is closed: %s',
  async (isheld, cannotunhold, isClosed) => {
    open(['/payouts?month=2026-01'], { hold: isheld ? 'Held by bob: Disputed' : null, isheld, cannotunhold })
    await shows('2026-01')
    const button = screen.getByRole('button', {
      name: `${isheld ? 'End the hold of' : 'Hold'} MA0002 - North`,
    })
    expect([button.hasAttribute('disabled'), button.getAttribute('title')]).toEqual([
      isClosed,
      isClosed ? cannotunhold : null,
    ])
  },
)

test('once returns of a file are booked, the month that is shown and the ledger are read again', async () => {
  const { asked, lists, user } = open(['/payouts?month=2026-01'])
  await shows('2026-01')
  const before = [asked.length, lists.length]
  await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, new File(['x'], 'r.txt'))
  await user.click(await screen.findByRole('button', { name: 'Book All' }))
  expect(await screen.findByText('Booked: 1 return of $12.00.')).toBeVisible()
  await waitFor(() => expect([asked.length, lists.length]).toEqual(before.map((count) => count + 1)))
  expect(asked.at(-1)).toBe('2026-01')
})

const payment: LedgerRow = {
  id: 7,
  month: '2026-02',
  version: 1,
  masteragentid: 2,
  displayid: 'MA0002',
  name: 'North',
  account: '*****1234',
  amount: 12.5,
  how: 'file',
  effective: '2026-03-10',
  trace: '091000010000007',
  paidby: 'ann',
  paidat: 1_790_000_000,
  returncode: null,
  returned: null,
  cannotreturn: null,
  allocations: [
    { masteragentid: 2, name: 'MA0002 - North', amount: 10 },
    { masteragentid: 3, name: 'MA0003 - East', amount: 2.5 },
    { masteragentid: null, name: 'MA0009 - Gone', amount: 0 },
  ],
}
test('a payment stands in its row as it was paid', () => {
  expect(ledgerListRow(payment)).toEqual({
    id: 7,
    version: 1,
    masteragentid: 2,
    displayid: 'MA0002',
    payee: 'MA0002 - North',
    month: '2026-02',
    amount: 12.5,
    effective: '03/10/2026',
    account: '*****1234',
    how: 'Bank file, ann',
    trace: '091000010000007',
    cannotreturn: null,
    returned: '',
    statements: payment.allocations,
  })
})

test.each<[given: Partial<LedgerRow>, shown: Partial<ReturnType<typeof ledgerListRow>>]>([
  [{ effective: null }, { effective: 'Not known' }],
  [
    { how: 'other', trace: null },
    { how: 'Another way, ann', trace: '' },
  ],
  [{ returncode: 'R02', returned: '2026-10-09' }, { returned: 'R02 on 10/09/2026' }],
])('a payment with %j shows %j', (given, shown) => {
  expect(ledgerListRow({ ...payment, ...given })).toMatchObject(shown)
})

const agentsUser: Viewer = {
  ...admin,
  admin: false,
  masteragentid: 2,
  seesall: false,
  permissions: effectivePermissions(false, { ...noPermissions, edit_commission: true }),
}

test.each<[string, Viewer, string]>([
  ['whoever sees all', admin, '/manage/agents?open=2'],
  // The payee may be of another branch, whose form would be refused.
  ['a branch', agentsUser, '/manage/agents?search=MA0002'],
])('a payment leads %s to its payee and to its statements', async (_, viewer, path) => {
  open(['/payouts'], {}, viewer, [payment])
  const ledger = within(await screen.findByRole('region', { name: 'Payments' }))
  const links = await ledger.findAllByRole('link')
  const statement = (agent: number) =>
    `/reporting?report=agent-residual-statement&month=2026-02&agent=${agent}&run=1`
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['MA0002 - North', path],
    ['MA0002 - North', statement(2)],
    ['MA0003 - East', statement(3)],
  ])
  expect(ledger.getByText('MA0009 - Gone')).toBeVisible()
  expect(ledger.getByText('$2.50')).toBeVisible()
})

test.each<[string, string, number, Partial<LedgerRow>, string, string]>([
  [
    'of the month that is shown',
    '/payouts?month=2026-02',
    1,
    {},
    '091000010000007, MA0002 - North',
    ', trace number 091000010000007',
  ],
  [
    'of another month, which is shown then,',
    '/payouts?month=2026-01&search=North',
    2,
    {},
    '091000010000007, MA0002 - North',
    ', trace number 091000010000007',
  ],
  [
    'of before the ledger, without a trace number,',
    '/payouts?month=2026-02',
    1,
    { how: 'migrated', trace: null, effective: null, account: '' },
    'MA0002 - North',
    '',
  ],
])('the return of a payment %s is asked about from its row', async (_, at, reads, given, name, known) => {
  const { router, asked, user } = open([at], {}, admin, [{ ...payment, ...given }])
  await user.click(await screen.findByRole('button', { name: `Book Return of ${name}` }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Book a return of February 2026' }))
  expect(dialog.getByText(`MA0002 - North was paid $12.50${known}.`)).toBeVisible()
  expect(asked).toHaveLength(reads)
  expect(router.state.location.search).toContain('month=2026-02')
  // Closing the dialog does not open it again.
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await shows('2026-02')
})

test('the return of a payment that takes effect later is not offered, and says why', async () => {
  const why = 'The payment takes effect on 12/01/2026: it cannot come back before'
  open(['/payouts'], {}, admin, [{ ...payment, cannotreturn: why }])
  const button = await screen.findByRole('button', { name: 'Book Return of 091000010000007, MA0002 - North' })
  expect(button).toBeDisabled()
  expect(button).toHaveAttribute('title', why)
})

test.each<[string, Partial<LedgerRow>, Viewer, string]>([
  ['came back already', { returned: '2026-03-12', returncode: 'R02' }, admin, 'R02 on 03/12/2026'],
  ['is seen by a branch', {}, agentsUser, 'Bank file, ann'],
])('no return is booked of a payment that %s', async (_, given, viewer, text) => {
  open(['/payouts'], {}, viewer, [{ ...payment, ...given }])
  const ledger = within(await screen.findByRole('region', { name: 'Payments' }))
  expect(await ledger.findByText(text)).toBeVisible()
  expect(ledger.queryByRole('button', { name: /^Book Return of/ })).toBeNull()
})
