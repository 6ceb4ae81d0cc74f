import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ReportResult, ReportRow } from '../../../schemas/api/reports.ts'
import { ReportResult as DrawnResult } from '../../../src/features/reports/ReportResult.tsx'
import { shownTotals } from '../../../src/features/reports/shownRows.ts'
import { column, draw, resultOf, typeOf } from './reportScreen.tsx'

const types = [
  { ...typeOf('Statement'), group: 'Pay of Agents' as const, description: 'What is due.' },
  { ...typeOf('Attrition'), group: 'Portfolio' as const },
  { ...typeOf('Carry'), group: 'Pay of Agents' as const },
]
const columns = [
  column('section', 'text'),
  { ...column('dba', 'text'), link: 'dba_link' },
  column('xmid', 'id'),
  column('through', 'text'),
  column('flat', 'money'),
  column('amount', 'money'),
]
const line = (section: string, dba: string, amount: number, more: ReportRow = {}): ReportRow => ({
  section,
  dba,
  xmid: null,
  through: null,
  flat: null,
  amount,
  ...more,
})
const data = [
  line('Merchant', 'Zoo', 3, { xmid: '0042', dba_link: '/manage/merchants?open=7' }),
  line('Merchant', 'Ant', -5, { xmid: '0007' }),
  line('Carry', 'From May', 4),
]
const statement: Partial<ReportResult> = {
  sections: ['section'],
  figure: { words: 'Due', value: 2, datatype: 'money', column: 'amount' },
  totals: { section: 'Due', dba: null, xmid: null, through: null, flat: 0, amount: 2 },
}
const open = async (more: Partial<ReportResult> = statement, rows = data) => {
  const drawn = draw({ types, result: resultOf(columns, rows, more) })
  await drawn.choose('Statement')
  await drawn.user.click(screen.getByRole('button', { name: 'Generate Report' }))
  await screen.findByRole('heading', { level: 2, name: 'Statement' })
  return drawn
}
const lines = () =>
  screen.getAllByRole('row').map((it) => [...it.children].map((cell) => cell.textContent).join('|'))

describe('the list of reports', () => {
  it('stands in groups with what each answers, while none is chosen, and a name leads to the inputs', async () => {
    const { user } = draw({ types })
    const heads = await screen.findAllByRole('heading', { level: 2 })
    expect(heads.map((it) => it.textContent)).toEqual(['Pay of Agents', 'Portfolio'])
    expect(screen.getAllByRole('link').map((it) => it.textContent)).toEqual([
      'Carry',
      'Statement',
      'Attrition',
    ])
    expect(screen.getByText('What is due.')).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Statement' }))
    expect(await screen.findByRole('button', { name: 'Generate Report' })).toBeVisible()
    expect(screen.getByLabelText('Report')).toHaveDisplayValue('Statement')
    expect(screen.queryByRole('link', { name: 'Carry' })).toBeNull()
    expect(screen.getByText('What is due.')).toBeVisible()
  })
})

describe('a result with sections', () => {
  it('has a heading for each section instead of its column, and the word of the totals in the first column', async () => {
    await open()
    expect(lines()).toEqual([
      'DBA|XMID|AMOUNT',
      'Merchant 2',
      'Zoo|0042|$3.00',
      'Ant|0007|-$5.00',
      'Carry 1',
      'From May||$4.00',
      'Due||$2.00',
    ])
    expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '7')
    expect(screen.getAllByRole('row').map((it) => it.getAttribute('aria-rowindex'))).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
    ])
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    })
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('is sorted within the sections, which keep their order', async () => {
    const { user } = await open()
    await user.click(within(screen.getByRole('columnheader', { name: 'AMOUNT' })).getByRole('button'))
    expect(lines().slice(1, -1)).toEqual([
      'Merchant 2',
      'Ant|0007|-$5.00',
      'Zoo|0042|$3.00',
      'Carry 1',
      'From May||$4.00',
    ])
  })

  it('shows the figure the report is for before the rows, in its own words', async () => {
    await open()
    const figure = screen.getByText('Due', { selector: '.report-figure span' }).parentElement!
    expect(figure).toHaveTextContent('Due $2.00')
    expect(screen.getByRole('table').compareDocumentPosition(figure)).toBe(Node.DOCUMENT_POSITION_PRECEDING)
  })

  it('shows no figure above a report without rows', async () => {
    await open({ ...statement, figure: { ...statement.figure!, value: 0 } }, [])
    expect(screen.getByText('The report has no rows')).toBeVisible()
    expect(document.querySelector('.report-figure')).toBeNull()
  })

  it('shows a figure of nothing too', async () => {
    await open({ ...statement, figure: { ...statement.figure!, value: 0 } })
    expect(document.querySelector('.report-figure')).toHaveTextContent('Due $0.00')
  })

  it('has the path of any of its columns as the link of a section, and a word where all are blank', async () => {
    const named = [
      column('agent', 'text'),
      { ...column('merchant', 'text'), link: 'path' },
      column('net', 'money'),
    ]
    const rows = [
      { agent: 'North', merchant: 'Zoo', path: '/manage/merchants?open=7', net: 1 },
      { agent: null, merchant: null, path: null, net: 2 },
    ]
    const drawn = draw({ types, result: resultOf(named, rows, { sections: ['agent', 'merchant'] }) })
    await drawn.choose('Statement')
    await drawn.generate()
    expect(lines()).toEqual(['NET', 'North - Zoo 1', '$1.00', '(blank) 1', '$2.00'])
    expect(screen.getByRole('link')).toHaveAttribute('href', '/manage/merchants?open=7')
  })

  it('shows no figure whose column is blank in every row', async () => {
    await open({ ...statement, figure: { ...statement.figure!, value: null } })
    expect(document.querySelector('.report-figure')).toBeNull()
  })

  it('keeps the column of the figure visible at the end, in heading, rows and totals', async () => {
    await open()
    const pinned = [...document.querySelectorAll('.report-pinned')].map((it) => it.textContent)
    expect(pinned).toEqual(['AMOUNT', '$3.00', '-$5.00', '$4.00', '$2.00'])
  })

  it('links a name to its record, and a row without a path not', async () => {
    await open()
    expect(screen.getAllByRole('link').map((it) => [it.textContent, it.getAttribute('href')])).toEqual([
      ['Zoo', '/manage/merchants?open=7'],
    ])
  })

  it('links no name that is blank', async () => {
    const nameless = line('Merchant', '', 3, { xmid: '0042', dba_link: '/manage/merchants?open=7' })
    await open(statement, [nameless, line('Merchant', 'Ant', -5)])
    expect(lines()[2]).toBe('|0042|$3.00')
    expect(screen.queryByRole('link')).toBeNull()
  })

  it.each([
    ['is blank', null, 'Due'],
    ['has a value of its own', 7, 7],
  ])('has the word of the totals in its first column where that %s', (_, first, shown) => {
    const totals = { section: 'Due', flat: first, amount: 2 }
    expect(shownTotals([column('flat', 'money'), column('amount', 'money')], totals)).toEqual({
      ...totals,
      flat: shown,
    })
  })

  it('is copied with all columns, also the hidden ones, in the order it is shown', async () => {
    const { user } = await open()
    await user.click(within(screen.getByRole('columnheader', { name: 'AMOUNT' })).getByRole('button'))
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    await screen.findByRole('button', { name: 'Copied' })
    expect((await navigator.clipboard.readText()).split('\r\n').map((it) => it.split('\t')[1])).toEqual([
      'DBA',
      'Ant',
      'Zoo',
      'From May',
      '',
    ])
    // What is shown in another order is not what was copied.
    await user.click(within(screen.getByRole('columnheader', { name: 'AMOUNT' })).getByRole('button'))
    expect(screen.getByRole('button', { name: 'Copy' })).toBeVisible()
  })
})

describe('columns that are blank in every row', () => {
  it('are left out, and shown and hidden again by the button that says how many they are', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: '2 empty columns hidden' }))
    expect(lines()[0]).toBe('DBA|XMID|THROUGH|FLAT|AMOUNT')
    expect(lines().at(-1)).toBe('Due|||$0.00|$2.00')
    await user.click(screen.getByRole('button', { name: 'Hide 2 empty columns' }))
    expect(lines()[0]).toBe('DBA|XMID|AMOUNT')
  })

  it.each([
    [
      'a single row that has a value',
      { through: 'North' },
      {},
      'DBA|XMID|THROUGH|AMOUNT',
      '1 empty column hidden',
    ],
    ['a zero', { flat: 0 }, {}, 'DBA|XMID|FLAT|AMOUNT', '1 empty column hidden'],
    ['a total that is not 0', {}, { flat: 0.01 }, 'DBA|XMID|FLAT|AMOUNT', '1 empty column hidden'],
  ])('are not those with %s', async (_, row, total, heads, button) => {
    const rows = [data[0]!, { ...data[1]!, ...row }]
    await open({ ...statement, totals: { ...statement.totals, ...total } }, rows)
    expect(lines()[0]).toBe(heads)
    expect(screen.getByRole('button', { name: button })).toBeVisible()
  })

  it('are not the column of the figure, and none of a result without rows', async () => {
    await open(statement, [line('Merchant', 'Zoo', 1, { amount: null })])
    expect(lines()[0]).toBe('DBA|AMOUNT')
  })
})

it('the figure of the report is not shown where there is no row', async () => {
  const { container } = await open()
  expect(container.querySelector('.report-figure')).toHaveTextContent('Due $2.00')
  cleanup()
  const empty = await open(statement, [])
  expect(empty.container.querySelector('.report-figure')).toBeNull()
})

it('what was copied is said until it is generated again or sorted otherwise', async () => {
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: async () => {} } })
  const { user, generate } = await open()
  const copy = async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible()
  }
  await copy()
  await user.click(screen.getByRole('button', { name: /^AMOUNT/ }))
  await copy()
  await generate()
  expect(await screen.findByRole('button', { name: 'Copy' })).toBeVisible()
  vi.unstubAllGlobals()
})

it.each([
  [300, 300],
  [301, 100],
])('of %i rows of a table at most %i are on the page', async (count, most) => {
  const many = Array.from({ length: count }, (_, at) => line('', `Shop ${at}`, at))
  await open({ ...statement, sections: [] }, many)
  const drawn = document.querySelectorAll('tbody tr:not(.report-space)').length
  expect(drawn === count).toBe(most === count)
  expect(drawn).toBeLessThanOrEqual(most)
})

it('a result of columns and rows alone is shown', async () => {
  const { totals: _t, notes: _n, lock: _l, ...bare } = resultOf(columns, data)
  const drawn = draw({ types, result: bare as ReportResult })
  await drawn.choose('Statement')
  await drawn.generate()
  expect(lines()[1]).toBe('Merchant|Zoo|0042|$3.00')
})

describe('in a narrow window', () => {
  beforeEach(() => {
    const matches = (query: string) => query === 'screen and (max-width: 700px)'
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: matches(query),
      addEventListener: () => {},
      removeEventListener: () => {},
    }))
  })
  afterEach(() => vi.unstubAllGlobals())

  it('rows are cards of label and value, without the blank ones, below the totals', async () => {
    await open()
    expect(screen.queryByRole('table')).toBeNull()
    const cards = [...document.querySelectorAll('.report-card')].map((it) => it.textContent)
    expect(cards).toEqual([
      'DueAMOUNT $2.00',
      'ZooAMOUNT $3.00XMID0042',
      'AntAMOUNT -$5.00XMID0007',
      'From MayAMOUNT $4.00',
    ])
    expect(screen.getAllByRole('heading', { level: 3 }).map((it) => it.textContent)).toEqual([
      'Merchant 2',
      'Carry 1',
    ])
    expect(screen.getByRole('link', { name: 'Zoo' })).toHaveAttribute('href', '/manage/merchants?open=7')
    const items = screen
      .getAllByRole('listitem')
      .filter((it) => it.ariaSetSize !== null || it.hasAttribute('aria-setsize'))
    expect(items.map((it) => it.getAttribute('aria-posinset'))).toEqual(['1', '2', '3', '4', '5'])
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    })
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('cards have another value than the figure at their beginning, also where its column is the first', async () => {
    const first = [columns.at(-1)!, ...columns.slice(0, -1)]
    const drawn = draw({ types, result: resultOf(first, data, { ...statement, sections: [] }) })
    await drawn.choose('Statement')
    await drawn.user.click(screen.getByRole('button', { name: 'Generate Report' }))
    await screen.findByRole('heading', { level: 2, name: 'Statement' })
    const heads = [...document.querySelectorAll('li .report-card-head')].map((it) => it.textContent)
    expect(heads[0]).toBe('MerchantAMOUNT $3.00')
  })

  it('cards show what is below zero as such, in their first line and below it', async () => {
    await open({ ...statement, figure: undefined, sections: [] })
    expect([...document.querySelectorAll('.report-negative')].map((it) => it.textContent)).toEqual(['-$5.00'])
    cleanup()
    await open()
    expect([...document.querySelectorAll('.report-negative')].map((it) => it.textContent)).toEqual(['-$5.00'])
  })

  it.each([
    [100, false],
    [101, true],
  ])(
    '%i cards have a place of a given height, in which those out of sight are left out: %s',
    async (count, isGiven) => {
      const rows = Array.from({ length: count }, () => data[0]!)
      await open({ ...statement, sections: [], totals: null }, rows)
      const list = document.querySelector<HTMLElement>('.report-card')!.closest('ul')!
      expect(parseFloat(list.parentElement!.style.height) > count * 10).toBe(isGiven)
      expect(list.children.length < count).toBe(isGiven)
    },
  )

  it('a result without rows says so, without a choice of the order', async () => {
    await open(statement, [])
    expect(screen.getByText('The report has no rows')).toBeVisible()
    expect(screen.queryByLabelText('Sort by')).toBeNull()
  })

  it('a column by which the rows cannot be sorted is no choice', async () => {
    const unsortable = columns.map((it) => (it.name === 'xmid' ? { ...it, unsortable: true } : it))
    const drawn = draw({ types, result: resultOf(unsortable, data, statement) })
    await drawn.choose('Statement')
    await drawn.user.click(screen.getByRole('button', { name: 'Generate Report' }))
    const { options } = await screen.findByLabelText<HTMLSelectElement>('Sort by')
    expect([...options].map(({ text }) => text)).toEqual([
      'The order of the report',
      'DBA, up',
      'DBA, down',
      'AMOUNT, up',
      'AMOUNT, down',
    ])
  })

  it('are sorted by a choice of the columns that are shown', async () => {
    const { user } = await open()
    await user.selectOptions(screen.getByLabelText('Sort by'), 'AMOUNT, up')
    await waitFor(() =>
      expect([...document.querySelectorAll('li .report-card strong')].map((it) => it.textContent)).toEqual([
        'Ant',
        'Zoo',
        'From May',
      ]),
    )
  })

  it.each([
    [100, 100, 100],
    [101, 1, 60],
    [5_000, 1, 60],
  ])('of %i are from %i to %i on the page at a time', async (count, least, most) => {
    const many = Array.from({ length: count }, (_, at) => line('', `Shop ${at}`, at))
    await open({ ...statement, sections: [] }, many)
    const drawn = () => document.querySelectorAll('li .report-card').length
    await waitFor(() => expect(drawn()).toBeGreaterThanOrEqual(least))
    expect(drawn()).toBeLessThanOrEqual(most)
  })

  it('are a table on paper', async () => {
    await open()
    await act(async () => void window.dispatchEvent(new Event('beforeprint')))
    expect(lines().length).toBe(7)
    await act(async () => void window.dispatchEvent(new Event('afterprint')))
    expect(screen.queryByRole('table')).toBeNull()
  })
})

it('a printed result has every row of 2,500, and only the visible ones afterwards', async () => {
  const many = Array.from({ length: 2_500 }, (_, at) => line('', `Shop ${at}`, at))
  await open({ ...statement, sections: [] }, many)
  const drawn = () => document.querySelectorAll('tbody tr:not(.report-space)').length
  expect(drawn()).toBeLessThan(100)
  await act(async () => void window.dispatchEvent(new Event('beforeprint')))
  expect(drawn()).toBe(2_500)
  expect(screen.getByText('Shop 2499')).toBeInTheDocument()
  await act(async () => void window.dispatchEvent(new Event('afterprint')))
  expect(drawn()).toBeLessThan(100)
})

it.each([
  ['a table', false],
  ['cards', true],
])('%s of a result that is generated again is busy', (_, isNarrow) => {
  vi.stubGlobal('matchMedia', () => ({
    matches: isNarrow,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  const drawn = (busy: boolean) => (
    <MemoryRouter>
      <DrawnResult
        report={types[0]!}
        result={resultOf(columns, data, statement)}
        resultValues={{}}
        stale={false}
        sort=""
        onSort={() => {}}
        busy={busy}
      />
    </MemoryRouter>
  )
  const { rerender } = render(drawn(true))
  const region = screen.getByRole('region', { name: 'Statement' })
  expect(region).toHaveAttribute('aria-busy', 'true')
  rerender(drawn(false))
  expect(region).toHaveAttribute('aria-busy', 'false')
  vi.unstubAllGlobals()
})
