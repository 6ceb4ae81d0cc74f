import { render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { expect, test } from 'vitest'
import { fromPromise } from 'xstate'
import { decisionMachine, type DecisionSubject } from '../../../machines/decision.machine.ts'
import { downloadMachine } from '../../../machines/download.machine.ts'
import { listMachine, type ListResult } from '../../../machines/list.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import { monthMachine, type MonthView, type ViewRequest } from '../../../machines/month.machine.ts'
import type { LedgerRow, PayoutEntry } from '../../../schemas/api/months/months.ts'
import type { ListQuery } from '../../../schemas/api/paging.ts'
import { effectivePermissions, noPermissions, type Viewer } from '../../../schemas/permissions.ts'
import { ledgerListRow } from '../../../src/features/payouts/ledgerRow.ts'
import { PayoutsPage } from '../../../src/features/payouts/PayoutsPage.tsx'
import { payoutOf } from '../month/monthData.ts'
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
  const payout = payoutOf({ month, state: 'locked' })
  return { ...payout, entries: payout.entries.map((it) => ({ ...it, ...entry })) }
}

/** The screen at these addresses, of which the last is shown; the newest locked month where none is named. */
const open = (initialEntries: string[], entry: Partial<PayoutEntry> = {}, viewer = admin) => {
  const asked: (string | null)[] = []
  const lists: ListQuery[] = []
  const month = monthMachine.provide({
    actors: {
      view: fromPromise<MonthView, ViewRequest>(async ({ input: { wanted } }) => {
        asked.push(wanted)
        const shown = months.find((it) => it.month === wanted) ?? locked[0]!
        const payout = shown.state === 'open' ? null : runOf(shown.month, entry)
        return { months, month: shown, payout, released: payout, differences: null, detail: null }
      }),
    },
  })
  const ledger = listMachine.provide({
    actors: {
      load: fromPromise<ListResult, ListQuery>(async ({ input }) => {
        lists.push(input)
        return { data: [], total_length: 0 }
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

test('a question about a month is left with its month', async () => {
  const { router, user } = open(['/payouts?month=2026-01', '/payouts?month=2026-03'])
  await shows('2026-03')
  await user.click(await screen.findByRole('button', { name: 'Open Again' }))
  await screen.findByRole('dialog', { name: 'Open March 2026 again' })
  await router.navigate(-1)
  await shows('2026-01')
  expect(screen.queryByRole('dialog')).toBeNull()
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

test.each([
  [null, 'Not known'],
  ['2026-10-03', '10/03/2026'],
])('a payment of the day %s is effective: %s', (effective, text) => {
  const row: Partial<LedgerRow> = { how: 'file', effective, returned: null, allocations: [] }
  expect(ledgerListRow(row as LedgerRow).effective).toBe(text)
})
