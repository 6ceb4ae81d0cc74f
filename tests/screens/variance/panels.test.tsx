import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter, MemoryRouter, Route, RouterProvider, Routes } from 'react-router-dom'
import { describe, expect, test } from 'vitest'
import { fromPromise } from 'xstate'
import { decisionMachine, type DecisionSubject } from '../../../machines/decision.machine.ts'
import { downloadMachine, type Downloaded } from '../../../machines/download.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import {
  varianceCalls,
  type MissingMerchant,
  type MissingQuery,
  type MissingReply,
  type RecoveredQuery,
  type RecoveredReply,
  type VarianceQuery,
  type VarianceReply,
  type VarianceRow,
} from '../../../schemas/api/months/variance.ts'
import type { VarianceMachines } from '../../../src/features/variance/answer.ts'
import { MissingIncomePanel } from '../../../src/features/variance/MissingIncomePanel.tsx'
import { VariancePage } from '../../../src/features/variance/VariancePage.tsx'
import { VariancePanel } from '../../../src/features/variance/VariancePanel.tsx'
import { newUser } from '../newUser.ts'
import { fakeSession } from '../sessionContext.tsx'

const month = '2026-01'
const rowOf = (id: string, kind: VarianceRow['kind'], before: number, now: number): VarianceRow => ({
  id,
  name: `Shop ${id}`,
  kind,
  before,
  now,
  change: now - before,
  detail: kind === 'moved' ? 'MA0003 East to MA0002 North' : null,
  link: `/manage/merchants?open=${id}`,
})
const variance = (given: Partial<VarianceReply> = {}): VarianceReply => ({
  month,
  against: '2025-12',
  state: 'open',
  againststate: 'locked',
  totals: { count: 27, before: 100, now: 95, change: -5 },
  kinds: [
    { kind: 'new', count: 1, before: 0, now: 20, change: 20 },
    { kind: 'moved', count: 26, before: 100, now: 75, change: -25 },
  ],
  data: [rowOf('11', 'moved', 100, 75), rowOf('12', 'new', 0, 20)],
  total_length: 27,
  ...given,
})
const finding = (xmid: string, given: Partial<MissingMerchant> = {}): MissingMerchant => ({
  xmid,
  name: 'Alder',
  agent: 'MA0002 North',
  processor: 'Aurora',
  months: [
    { month, volume: 500, estimate: 7, basis: 'history' },
    { month: '2025-12', volume: 0, estimate: null, basis: null },
  ],
  estimate: 7,
  link: '/manage/merchants?open=1',
  dismissedby: null,
  dismissedat: null,
  reason: null,
  ...given,
})
const missing = (given: Partial<MissingReply> = {}): MissingReply => ({
  month,
  missing: { merchants: 1, months: 2, estimate: 7 },
  dismissed: { merchants: 0, months: 0, estimate: 0 },
  months: [
    { month, merchants: 1, estimate: 7 },
    { month: '2025-12', merchants: 1, estimate: null },
  ],
  candismiss: true,
  data: [finding('0012')],
  total_length: 1,
  ...given,
})
const nothing: RecoveredReply = { years: [], data: [], total_length: 0 }

type Calls = {
  compare?: (query: VarianceQuery) => VarianceReply | Promise<never>
  missing?: (query: MissingQuery) => MissingReply | Promise<never>
  recovered?: (query: RecoveredQuery) => RecoveredReply | Promise<never>
  dismiss?: (xmid: string, reason: string) => unknown
  file?: Promise<never>
}
/** Machines whose calls are answered by these functions; what was asked is kept. */
const machinesOf = (calls: Calls) => {
  const asked: unknown[] = []
  const loads = <Q,>(query: Q, reply: ((query: Q) => unknown) | undefined) =>
    loadMachine.provide({
      actors: {
        load: fromPromise<unknown>(async () => {
          asked.push(query)
          return reply?.(query)
        }),
      },
    })
  const machines: VarianceMachines = {
    compare: (_, query) => loads(query, calls.compare),
    missing: (_, query) => loads(query, calls.missing),
    recovered: (_, query) => loads(query, calls.recovered ?? (() => nothing)),
    file: (of, which) =>
      downloadMachine.provide({
        actors: {
          download: fromPromise<Downloaded, { id: string }>(async ({ input }) => {
            asked.push([of, which, JSON.parse(input.id)])
            await calls.file
            return { content: new Blob(), disposition: '' }
          }),
        },
        actions: { saveFile: () => void asked.push('saved') },
      }),
    dismiss: () =>
      decisionMachine.provide({
        actors: {
          decide: fromPromise<unknown, { subject: DecisionSubject | null; text: string }>(
            async ({ input: { subject, text } }) => calls.dismiss?.(subject!.name, text),
          ),
        },
      }),
  }
  return { machines, asked }
}
/** An answer that does not come. */
const held = new Promise<never>(() => {})
const press = (name: string | RegExp) => newUser().click(screen.getByRole('button', { name }))
const cells = (label: string) =>
  within(screen.getByRole('region', { name: label }))
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent))

describe('the panel of variance', () => {
  const draw = (compare: NonNullable<Calls['compare']>) => {
    const { machines, asked } = machinesOf({ compare })
    render(<VariancePanel month={month} machines={machines} />, { wrapper: MemoryRouter })
    return asked as VarianceQuery[]
  }

  test('shows the rows of both months with their sums, and asks for another level, span, kind and page', async () => {
    const asked = draw((query) =>
      query.kind === 'new' ? variance({ data: [rowOf('12', 'new', 0, 20)], total_length: 1 }) : variance(),
    )
    expect(await screen.findByRole('link', { name: '11' })).toHaveAttribute(
      'href',
      '/manage/merchants?open=11',
    )
    expect(cells('Variance by Merchant')).toEqual([
      ['Merchant', 'Kind', 'December 2025', 'January 2026', 'Change'],
      ['11Shop 11', 'MovedMA0003 East to MA0002 North', '$100.00', '$75.00', '-$25.00'],
      ['12Shop 12', 'New', '$0.00', '$20.00', '+$20.00'],
      ['All (27)', '', '$100.00', '$95.00', '-$5.00'],
    ])
    expect(
      screen.getByText(/^December 2025 \(locked\) \$100.00, January 2026 \(open\) \$95.00/),
    ).toBeVisible()
    expect(screen.getByText('1 to 25 of 27')).toBeVisible()
    await press('Next')
    expect(await screen.findByText('26 to 27 of 27')).toBeVisible()
    await press('New 1, +$20.00')
    await waitFor(() =>
      expect(cells('Variance by Merchant').at(-1)).toEqual(['New (1)', '', '$0.00', '$20.00', '+$20.00']),
    )
    expect(screen.getByText('1 to 1 of 1')).toBeVisible()
    await press('Master Agent')
    await screen.findByRole('region', { name: 'Variance by Master Agent' })
    await press('Year Before')
    expect(screen.getByRole('button', { name: 'Year Before' })).toHaveAttribute('aria-pressed', 'true')
    await waitFor(() => expect(asked).toHaveLength(5))
    const plain = { by: 'merchant', against: 'last', kind: '', page: 1, size: 25 }
    expect(asked).toEqual([
      plain,
      { ...plain, page: 2 },
      { ...plain, kind: 'new' },
      { ...plain, by: 'agent' },
      { ...plain, by: 'agent', against: 'year' },
    ])
  })

  test('names the rows as they were asked for until others have come', async () => {
    const asked = draw(({ by, kind, page }) =>
      by === 'merchant' && kind === '' && (page ?? 1) < 3 ? variance({ total_length: 77 }) : held,
    )
    await screen.findByRole('link', { name: '11' })
    await press('Next')
    await screen.findByText('26 to 50 of 77')
    const before = cells('Variance by Merchant')
    await press('Next')
    await waitFor(() => expect(asked).toHaveLength(3))
    expect(screen.getByText('26 to 50 of 77')).toBeVisible()
    await press('New 1, +$20.00')
    expect(screen.getByText('26 to 50 of 77')).toBeVisible()
    expect(cells('Variance by Merchant')).toEqual(before)
    await press('Master Agent')
    await waitFor(() => expect(asked).toHaveLength(5))
    expect(cells('Variance by Merchant')).toEqual(before)
  })

  test('shows all kinds again with another span', async () => {
    const asked = draw(() => variance())
    await screen.findByRole('link', { name: '11' })
    await press('New 1, +$20.00')
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ kind: 'new' }))
    await press('Year Before')
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ against: 'year', kind: '' }))
  })

  test('downloads every row of what is chosen', async () => {
    const asked = draw(() => variance()) as unknown[]
    await screen.findByRole('link', { name: '11' })
    await press('Processor')
    await press('Year Before')
    await screen.findByRole('button', { name: 'New 1, +$20.00' })
    await press('New 1, +$20.00')
    await press('Export CSV')
    await waitFor(() => expect(asked.at(-1)).toBe('saved'))
    expect(asked.at(-2)).toEqual([month, 'compareFile', { by: 'processor', against: 'year', kind: 'new' }])
  })

  test('keeps the focus on the button while the file is made', async () => {
    const { machines } = machinesOf({ compare: () => variance(), file: held })
    render(<VariancePanel month={month} machines={machines} />, { wrapper: MemoryRouter })
    await screen.findByRole('link', { name: '11' })
    await press('Export CSV')
    const button = screen.getByRole('button', { name: 'Export CSV' })
    expect(button).toHaveAttribute('aria-disabled', 'true')
    expect(button).toBeEnabled()
    expect(button).toHaveFocus()
  })

  test('says when there is nothing to compare, and when it could not be loaded', async () => {
    let hasFailed = false
    draw(() => {
      if (!hasFailed) {
        hasFailed = true
        throw new Error('away')
      }
      return variance({
        totals: { count: 0, before: 0, now: 0, change: 0 },
        kinds: [],
        data: [],
        total_length: 0,
      })
    })
    expect(await screen.findByText('The variance could not be loaded')).toBeVisible()
    await press('Try again')
    expect(await screen.findByText('Neither January 2026 nor December 2025 holds income.')).toBeVisible()
  })
})

describe('the panel of missing income', () => {
  const draw = (calls: Calls, at = '/') => {
    const { machines, asked } = machinesOf({ missing: () => missing(), ...calls })
    render(
      <MemoryRouter initialEntries={[at]}>
        <MissingIncomePanel month={month} machines={machines} />
      </MemoryRouter>,
    )
    return asked
  }
  const queries = (asked: unknown[]) => asked.filter((it) => (it as MissingQuery).search !== undefined)

  test('names the months of each merchant with their estimates', async () => {
    draw({})
    expect(await screen.findByRole('link', { name: '0012' })).toBeVisible()
    expect(cells('Merchants in no file')[1]).toEqual([
      '0012AlderMA0002 North',
      'Aurora',
      'January 2026: $7.00 Own History, volume $500.00December 2025',
      '$7.00',
      'Dismiss',
    ])
    expect(
      within(screen.getByRole('list', { name: 'By month' }))
        .getAllByRole('listitem')
        .map((it) => it.textContent),
    ).toEqual(['January 2026: 1, $7.00', 'December 2025: 1'])
  })

  test('dismisses a finding with a reason that the server takes, and reads the list again', async () => {
    let taken = ''
    const asked = draw({
      missing: ({ dismissed }) =>
        taken === ''
          ? missing()
          : dismissed === 1
            ? missing({
                data: [finding('0012', { reason: taken, dismissedby: 'ann', dismissedat: 1_790_000_000 })],
              })
            : missing({ data: [], total_length: 0 }),
      dismiss: (xmid, reason) => {
        if (reason.startsWith('Refused')) throw { fields: { reason: 'Say more' } }
        taken = `${xmid}: ${reason}`
      },
    })
    await screen.findByRole('link', { name: '0012' })
    await press('Dismiss 0012 Alder')
    const dialog = await screen.findByRole('dialog', { name: 'Dismiss 0012 Alder' })
    const user = newUser()
    const field = within(dialog).getByRole('textbox', { name: /Reason/ })
    await user.type(field, 'Too short')
    await user.click(within(dialog).getByRole('button', { name: 'Dismiss' }))
    expect(taken).toBe('')
    await user.clear(field)
    await user.type(field, 'Refused by the server')
    await user.click(within(dialog).getByRole('button', { name: 'Dismiss' }))
    expect(await within(dialog).findByText('Say more')).toBeVisible()
    await user.clear(field)
    await user.type(field, 'It was billed by hand')
    await user.click(within(dialog).getByRole('button', { name: 'Dismiss' }))
    expect(await screen.findByText('No income is missing')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(screen.getByRole('region', { name: 'Missing Income' })).toHaveFocus())
    await press(/^Dismissed/)
    expect(await screen.findByText('0012: It was billed by hand')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Dismiss 0012 Alder' })).toBeNull()
    expect(queries(asked)).toEqual(
      [0, 0, 1].map((dismissed) => ({ dismissed, search: '', page: 1, size: 25 })),
    )
  })

  test('downloads every month of what is searched for', async () => {
    const { machines, asked } = machinesOf({ missing: () => missing() })
    render(<MissingIncomePanel month={month} machines={machines} />, {
      wrapper: ({ children }) => <MemoryRouter initialEntries={['/?search=alder']}>{children}</MemoryRouter>,
    })
    await screen.findByRole('button', { name: 'Export CSV' })
    await press('Export CSV')
    await waitFor(() => expect(asked.at(-1)).toBe('saved'))
    expect(asked.at(-2)).toEqual([month, 'missingFile', { dismissed: 0, search: 'alder' }])
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'briar' } })
    // Nothing is searched for before typing has ended.
    fireEvent.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(asked.filter((it) => it === 'saved')).toHaveLength(2))
    expect(asked.filter(Array.isArray).at(-1)).toEqual([
      month,
      'missingFile',
      { dismissed: 0, search: 'alder' },
    ])
  })

  test('searches for what another link to the same screen names', async () => {
    const { machines, asked } = machinesOf({ missing: () => missing() })
    const element = <MissingIncomePanel month={month} machines={machines} />
    const router = createMemoryRouter([{ path: '/', element }], { initialEntries: ['/?search=alder'] })
    render(<RouterProvider router={router} />)
    expect(await screen.findByRole('searchbox')).toHaveValue('alder')
    await act(() => router.navigate('/?search=briar'))
    expect(screen.getByRole('searchbox')).toHaveValue('briar')
    await waitFor(() => expect(queries(asked).at(-1)).toMatchObject({ search: 'briar' }))
  })

  test('searches for no more of a long text in the address than the server takes', async () => {
    const { maxLength } = varianceCalls.missing.query.properties.search
    const asked = draw({}, `/?search=${'x'.repeat(maxLength + 1)}`)
    await screen.findByRole('link', { name: '0012' })
    expect(queries(asked)).toMatchObject([{ search: 'x'.repeat(maxLength) }])
  })

  test('offers a reason that was typed when the session ended until other months are missing', async () => {
    const ask = async (months: MissingMerchant['months'], person = fakeSession()) => {
      const { machines } = machinesOf({ missing: () => missing({ data: [finding('0012', { months })] }) })
      const panel = <MissingIncomePanel month={month} machines={machines} />
      render(person.drawnFor(<MemoryRouter>{panel}</MemoryRouter>))
      await newUser().click(await screen.findByRole('button', { name: 'Dismiss 0012 Alder' }))
      return within(await screen.findByRole('dialog')).findByRole('textbox', { name: /Reason/ })
    }
    const isOffered = () => screen.queryByText('Restore what you typed?') !== null
    const { months } = finding('0012')
    const person = fakeSession()
    await newUser().type(await ask(months, person), 'It was billed by hand')
    person.end()
    cleanup()
    await ask(months.slice(0, 1))
    expect(isOffered()).toBe(false)
    cleanup()
    await ask(months)
    expect(isOffered()).toBe(true)
  })

  test('gives the focus back to the button when nothing is dismissed after all', async () => {
    draw({ missing: () => missing() })
    await newUser().click(await screen.findByRole('button', { name: 'Dismiss 0012 Alder' }))
    await newUser().click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Dismiss 0012 Alder' })).toHaveFocus())
  })

  test('shows what is missing as it was until what is dismissed has come', async () => {
    const asked = draw({
      missing: ({ dismissed }) => (dismissed === 1 ? held : missing({ total_length: 27 })),
    })
    await screen.findByRole('link', { name: '0012' })
    await press('Next')
    await screen.findByText('26 to 27 of 27')
    const before = cells('Merchants in no file')
    await press(/^Dismissed/)
    await waitFor(() => expect(queries(asked)).toHaveLength(3))
    expect(queries(asked).at(-1)).toEqual({ dismissed: 1, search: '', page: 1, size: 25 })
    expect(cells('Merchants in no file')).toEqual(before)
    expect(screen.getByText('26 to 27 of 27')).toBeVisible()
  })

  test('says what nothing was found for, and nothing else before the next answer', async () => {
    const asked = draw(
      { missing: ({ search }) => (search === 'zz' ? missing({ data: [], total_length: 0 }) : held) },
      '/?search=zz',
    )
    expect(await screen.findByText('Nothing matches “zz”')).toBeVisible()
    await newUser().clear(screen.getByRole('searchbox'))
    await waitFor(() => expect(queries(asked)).toHaveLength(2))
    expect(screen.getByText('Nothing matches “zz”')).toBeVisible()
    expect(screen.queryByText('No income is missing')).toBeNull()
  })

  test('keeps what is typed and its focus when the search fails', async () => {
    draw({
      missing: ({ search }) => {
        if (search === 'zz') throw new Error('away')
        return missing()
      },
    })
    const field = await screen.findByRole('searchbox')
    await newUser().type(field, 'zz')
    expect(await screen.findByText('The missing income could not be loaded')).toBeVisible()
    expect(field).toHaveFocus()
    expect(field).toHaveValue('zz')
    await newUser().clear(field)
    expect(await screen.findByRole('link', { name: '0012' })).toBeVisible()
  })

  test.each([true, false])(
    'offers a dismissal, in a column of its own, to who may: %s',
    async (candismiss) => {
      draw({ missing: () => missing({ candismiss }) })
      const row = (await screen.findByRole('link', { name: '0012' })).closest('tr')!
      expect(within(row).queryAllByRole('button', { name: /^Dismiss / })).toHaveLength(candismiss ? 1 : 0)
      const heads = within(row.closest('table')!).getAllByRole('columnheader')
      const names = ['Merchant', 'Processor', 'Months', 'Estimate'].concat(candismiss ? 'Dismiss' : [])
      expect(heads.map((head) => head.textContent)).toEqual(names)
    },
  )

  test('searches for what the address names, and for what is typed, once typing has ended', async () => {
    const asked = draw(
      { missing: ({ search }) => missing(search === 'zz' ? { data: [], total_length: 0 } : {}) },
      '/?search=0012',
    )
    const field = await screen.findByRole('searchbox')
    expect(field).toHaveValue('0012')
    const user = newUser()
    await user.clear(field)
    await user.type(field, 'zz')
    expect(await screen.findByText('Nothing matches “zz”')).toBeVisible()
    expect(queries(asked).map((it) => (it as MissingQuery).search)).toEqual(['0012', 'zz'])
  })

  test('goes to the last page when the one it shows has no finding any more', async () => {
    let total = 26
    draw({
      missing: ({ page }) =>
        missing({ total_length: total, data: page === 2 && total === 25 ? [] : [finding(`00${page}`)] }),
      dismiss: () => void (total = 25),
    })
    await screen.findByText('1 to 25 of 26')
    await press('Next')
    await press(/^Dismiss 002/)
    const dialog = await screen.findByRole('dialog')
    await newUser().type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'It was billed by hand')
    await newUser().click(within(dialog).getByRole('button', { name: 'Dismiss' }))
    expect(await screen.findByText('1 to 25 of 25')).toBeVisible()
    expect(await screen.findByRole('link', { name: '001' })).toBeVisible()
  })

  test('shows what was recovered, with the sums of the years', async () => {
    const row = {
      xmid: '0034',
      name: 'Briar',
      month: '2025-12',
      estimate: 7,
      net: 6.5,
      batch: 9,
      filename: 'Late.csv',
      at: 1_790_000_000,
      link: '/manage/merchants?open=2',
    }
    draw({ recovered: () => ({ years: [{ year: 2026, count: 1, net: 6.5 }], data: [row], total_length: 1 }) })
    expect(await screen.findByText('2026: $6.50 of 1')).toBeVisible()
    expect(await screen.findByText('1 to 1 of 1', { selector: '[aria-label=Recovered] *' })).toBeVisible()
    expect(cells('Recovered income')[1]!.slice(0, 4)).toEqual([
      '0034Briar',
      'December 2025',
      '$7.00',
      '$6.50',
    ])
    expect(screen.getByText(/^Import 9, /)).toBeVisible()
  })

  test('numbers what was recovered as it was asked for until the next page has come', async () => {
    const asked = draw({
      recovered: ({ page }) => (page === 1 ? { years: [], data: [], total_length: 27 } : held),
    })
    await screen.findByText('1 to 25 of 27')
    expect(screen.queryByRole('list', { name: 'Recovered by year' })).toBeNull()
    await press('Next')
    await waitFor(() => expect(asked).toContainEqual({ page: 2, size: 25 }))
    expect(screen.getByText('1 to 25 of 27')).toBeVisible()
  })
})

test.each([
  ['Variance', VariancePanel, { by: 'merchant', against: 'last', kind: '', page: 1 }],
  ['Missing Income', MissingIncomePanel, { dismissed: 0, search: '', page: 1 }],
])('the panel %s of another month begins with its first page of all', async (_, Panel, first) => {
  const { machines, asked } = machinesOf({
    compare: () => variance(),
    missing: () => missing({ total_length: 27 }),
  })
  const { rerender } = render(<Panel month={month} machines={machines} />, { wrapper: MemoryRouter })
  await screen.findByText('1 to 25 of 27')
  await press('Next')
  await screen.findByText('26 to 27 of 27')
  rerender(<Panel month="2026-02" machines={machines} />)
  await screen.findByText('1 to 25 of 27')
  expect(asked.filter((it) => Object.keys(first).every((key) => key in (it as object))).at(-1)).toEqual({
    ...first,
    size: 25,
  })
})

describe('the screen of a panel', () => {
  const open = async (at: string) => {
    const { machines } = machinesOf({ compare: () => variance(), missing: () => missing() })
    render(
      <MemoryRouter initialEntries={[at]}>
        <Routes>
          <Route
            path="/month/:month/variance"
            element={<VariancePage machines={machines} view="variance" />}
          />
          <Route path="/month/:month/missing" element={<VariancePage machines={machines} view="missing" />} />
        </Routes>
      </MemoryRouter>,
    )
    await screen.findByRole('heading', { level: 1 })
  }
  const links = () =>
    within(screen.getByRole('navigation', { name: 'Months' }))
      .getAllByRole('link')
      .map((it) => [it.textContent, it.getAttribute('href')])

  test('leads to the months beside it, over the ends of years, to its month and to the other panel', async () => {
    await open('/month/2026-01/variance')
    expect(links()).toEqual([
      ['December 2025', '/month/2025-12/variance'],
      ['February 2026', '/month/2026-02/variance'],
      ['Month', '/month/2026-01'],
      ['Missing Income', '/month/2026-01/missing'],
    ])
    await newUser().click(screen.getByRole('link', { name: 'Missing Income' }))
    expect(await screen.findByRole('heading', { name: 'Missing Income' })).toBeVisible()
    expect(links().at(-1)).toEqual(['Variance', '/month/2026-01/variance'])
  })

  test.each([
    ['2000-01', ['February 2000', 'Month', 'Missing Income']],
    ['2099-12', ['November 2099', 'Month', 'Missing Income']],
  ])('leads to no month that there is none: %s', async (at, names) => {
    await open(`/month/${at}/variance`)
    expect(links().map(([name]) => name)).toEqual(names)
  })

  test('says that there is no such month', async () => {
    await open('/month/2026-13/missing')
    expect(screen.getByText('There is no month 2026-13')).toBeVisible()
    expect(screen.queryByRole('navigation')).toBeNull()
  })
})
