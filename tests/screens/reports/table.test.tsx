import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import type { ReportColumn, ReportRow } from '../../../schemas/api/reports.ts'
import { sortRows } from '../../../schemas/reportOrder.ts'
import {
  formatValue,
  isNegative,
  toTabSeparated,
  columnLengths,
  columnWidths,
} from '../../../src/features/reports/cells.ts'
import { column, draw, input, resultOf, typeOf } from './reportScreen.tsx'

const types = [typeOf('Statement', input('Text', 'City', { isrequired: false }))]
const columns: ReportColumn[] = [
  column('xmid', 'id'),
  column('dba', 'text'),
  column('net', 'money'),
  column('share', 'percent'),
  column('txns', 'count'),
  column('day', 'date'),
  column('isopen', 'flag'),
]
const row = (xmid: string, dba: string | null, net: number | null, more: ReportRow = {}): ReportRow => ({
  xmid,
  dba,
  net,
  share: 12.5,
  txns: 1234,
  day: 1_767_571_200,
  isopen: true,
  ...more,
})
const data = [
  row('0042', 'élan', -20.5),
  row('0007', null, 1234.5, { day: null, isopen: false }),
  row('12', 'Zoo', null, { share: null }),
  row('3', 'Ant', 3),
]
const totals: ReportRow = {
  xmid: 'Total',
  dba: null,
  net: 1217,
  share: null,
  txns: 4936,
  day: null,
  isopen: null,
}

const texts = () =>
  screen.getAllByRole('row').map((line) => [...line.children].map((cell) => cell.textContent).join('|'))
const open = async (more: Parameters<typeof resultOf>[2] = { totals }, rows = data) => {
  const drawn = draw({ types, result: resultOf(columns, rows, more) })
  await drawn.choose('Statement')
  return { ...drawn, table: await drawn.generate() }
}

describe('a result', () => {
  it('is a table of the columns that came, with the totals below', async () => {
    const { table } = await open({
      totals,
      notes: ['One merchant is not in the portfolio.'],
      links: [{ text: 'Compared with Month 11', path: '/reporting?report=other' }],
      lock: { month: '2026-10', version: 2, hash: 'a1b2c3d4e5f6a7b8', username: 'ann', lockedat: 1 },
    })
    expect(texts()).toEqual([
      'XMID|DBA|NET|SHARE|TXNS|DAY|ISOPEN',
      '0042|élan|-$20.50|12.5%|1,234|1/5/2026|Yes',
      '0007||$1,234.50|12.5%|1,234||No',
      '12|Zoo|||1,234|1/5/2026|Yes',
      '3|Ant|$3.00|12.5%|1,234|1/5/2026|Yes',
      'Total||$1,217.00||4,936||',
    ])
    expect(table).toHaveAttribute('aria-rowcount', '6')
    expect(screen.getAllByRole('row').map((line) => line.getAttribute('aria-rowindex'))).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ])
    expect(screen.getByText('-$20.50')).toHaveClass('table-figures', 'report-negative')
    expect(screen.getByText('4 rows')).toBeVisible()
    expect(screen.getByText('One merchant is not in the portfolio.')).toBeVisible()
    const tag = screen.getByText('Locked, version 2, hash a1b2c3d4e5f6')
    expect(tag.closest('[title]')).toHaveAttribute('title', 'Locked by ann. Hash a1b2c3d4e5f6a7b8')
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    })
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('leads as a whole where it says', async () => {
    await open({ links: [{ text: 'Compared with Month 11', path: '/reporting?report=other' }] })
    expect(screen.getByRole('link', { name: 'Compared with Month 11' })).toHaveAttribute(
      'href',
      '/reporting?report=other',
    )
  })

  it('of columns and data alone is shown without totals, notes and lock', async () => {
    await open({ totals: undefined, notes: undefined, lock: undefined } as never)
    expect(texts()).toEqual([
      'XMID|DBA|NET|SHARE|TXNS|DAY|ISOPEN',
      '0042|élan|-$20.50|12.5%|1,234|1/5/2026|Yes',
      '0007||$1,234.50|12.5%|1,234||No',
      '12|Zoo|||1,234|1/5/2026|Yes',
      '3|Ant|$3.00|12.5%|1,234|1/5/2026|Yes',
    ])
    expect(screen.getByText('4 rows')).toBeVisible()
  })

  it('of one row says so, and has a long text, which is cut off, as its title', async () => {
    const long = 'x'.repeat(40)
    await open({ totals }, [row('0042', long, 3)])
    expect(screen.getByText('1 row')).toBeVisible()
    expect(screen.getByText(long)).toHaveAttribute('title', long)
  })

  it('without rows says so', async () => {
    await open({ totals }, [])
    expect(screen.getByText('The report has no rows')).toBeVisible()
    expect(screen.getByText('0 rows')).toBeVisible()
    expect(texts()).toEqual(['XMID|DBA|NET|SHARE|TXNS|DAY|ISOPEN'])
  })

  it('is marked when the inputs are others, and fresh when it is generated again', async () => {
    const { user, generate } = await open()
    expect(screen.queryByText(/Generate the report again/)).toBeNull()
    await user.type(screen.getByLabelText('City'), 'x')
    expect(await screen.findByText(/Generate the report again/)).toBeVisible()
    await generate()
    await waitFor(() => expect(screen.queryByText(/Generate the report again/)).toBeNull())
    expect(screen.getByText('x').closest('.report-input')).toHaveTextContent('City: x')
  })

  it('is sorted in place by its headings, by the keyboard too: upwards, downwards, and as it came', async () => {
    const { user } = await open()
    const first = () =>
      texts()
        .slice(1, -1)
        .map((text) => text.split('|')[0])
    const head = (name: string) => screen.getByRole('columnheader', { name })
    for (const [order, ids] of [
      ['ascending', ['0042', '3', '0007', '12']],
      ['descending', ['0007', '3', '0042', '12']],
      ['none', ['0042', '0007', '12', '3']],
    ] as const) {
      await user.click(within(head('NET')).getByRole('button', { name: 'NET' }))
      expect(head('NET')).toHaveAttribute('aria-sort', order)
      expect(first()).toEqual(ids)
    }
    within(head('DBA')).getByRole('button', { name: 'DBA' }).focus()
    await user.keyboard('{Enter}')
    expect(first()).toEqual(['3', '0042', '12', '0007'])
    expect(texts().at(-1)).toMatch(/^Total/)
  })

  it('is copied whole, in the order it is shown', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText')
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe(toTabSeparated(columns, data, totals))
    writeText.mockRestore()
  })
})

describe('100,000 rows', () => {
  const many = Array.from({ length: 100_000 }, (_, at) =>
    row(String(at).padStart(6, '0'), `Shop ${at % 977}`, at % 3 ? at / 100 : null),
  )
  const size = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'clientHeight')!
  beforeEach(() => {
    Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => 640 })
  })
  afterEach(() => {
    Object.defineProperty(HTMLElement.prototype, 'clientHeight', size)
  })

  it('are as few rows on the page as are visible, numbered by their places in the whole', async () => {
    const { table, container } = await open({ totals }, many)
    expect(screen.getByText('100,000 rows')).toBeVisible()
    expect(table).toHaveAttribute('aria-rowcount', '100002')
    await waitFor(() => expect(screen.getAllByRole('row').length).toBeGreaterThan(20))
    expect(container.querySelectorAll('tr').length).toBeLessThan(80)
    const box = screen.getAllByRole('region', { name: 'Statement' }).at(-1)!
    box.scrollTop = 32 * 50_000
    box.dispatchEvent(new Event('scroll'))
    await waitFor(() => expect(screen.getByText('050000')).toBeVisible())
    expect(screen.getByText('050000').closest('tr')).toHaveAttribute('aria-rowindex', '50002')
    expect(container.querySelectorAll('tr').length).toBeLessThan(80)
    expect(screen.getByText('Total')).toBeVisible()
  })
})

describe('sorting', () => {
  const by = (
    name: string,
    kind: ReportColumn['datatype'],
    values: (string | number | boolean | null)[],
    sort: string,
  ) =>
    sortRows(
      [column(name, kind)],
      values.map((value, at) => ({ [name]: value, at })),
      sort,
    ).map((it) => it[name])
  test.each([
    ['money', 'money', [3, -20.5, null, 1000, 0], [-20.5, 0, 3, 1000, null], [1000, 3, 0, -20.5, null]],
    [
      'text',
      'text',
      ['b', 'Á', null, 'a', 'B', ''],
      ['Á', 'a', 'b', 'B', null, ''],
      ['b', 'B', 'Á', 'a', null, ''],
    ],
    ['ids', 'id', ['10', '9', '0010', null], ['0010', '10', '9', null], ['9', '10', '0010', null]],
    ['flags', 'flag', [true, null, false], [false, true, null], [true, false, null]],
  ] as const)('puts %s in order, blanks last both ways, equals as they came', (_, kind, given, up, down) => {
    expect(by('it', kind, [...given], 'it')).toEqual(up)
    expect(by('it', kind, [...given], '-it')).toEqual(down)
    expect(by('it', kind, [...given], 'other')).toEqual(given)
  })
})

describe('cells', () => {
  test.each([
    ['money', -1234.5, '-$1,234.50'],
    ['money', 0, '$0.00'],
    ['percent', 12.5, '12.5%'],
    ['count', 3000, '3,000'],
    ['number', 1234.56789, '1,234.5679'],
    ['date', 1_767_571_200, '1/5/2026'],
    ['month', '2026-10', 'October 2026'],
    ['month', 'Total', 'Total'],
    ['flag', false, 'No'],
    ['id', '00123', '00123'],
    ['text', 5, '5'],
    ['money', null, ''],
  ] as const)('of %s show %s as “%s”', (kind, value, text) => expect(formatValue(kind, value)).toBe(text))

  test.each([
    ['money', -1, true],
    ['percent', -0.5, true],
    ['count', 0, false],
    ['date', -1, false],
    ['text', '-1', false],
  ] as const)('of %s with %j are shown as figures below zero: %s', (kind, value, isBelow) =>
    expect(isNegative(column('it', kind), value)).toBe(isBelow),
  )

  it('are copied as a spreadsheet takes them: bare figures, negative ones too, ids as they are, and no formula', () => {
    const given = [
      column('id', 'id'),
      column('text', 'text'),
      column('net', 'money'),
      column('pct', 'percent'),
    ]
    const rows = [
      { id: '00123', text: '=1+1', net: -1234.5, pct: 12.5 },
      { id: '9', text: 'a\tb\nc', net: null, pct: 0 },
    ]
    expect(toTabSeparated(given, rows, { id: 'Total', text: null, net: -1234.5, pct: null })).toBe(
      ['ID\tTEXT\tNET\tPCT', "00123\t'=1+1\t-1234.50\t12.5", '9\ta b c\t\t0', 'Total\t\t-1234.50\t'].join(
        '\r\n',
      ),
    )
  })

  it.each([
    ['=1', "'=1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    [' =1', "' =1"],
    ['\t=1', "' =1"],
    ['\uff1d1', "'\uff1d1"],
    ['a=1', 'a=1'],
    ['', ''],
  ])('copy the text %j as %j, so that it is not taken for a formula', (text, copied) => {
    expect(toTabSeparated([column('text', 'text')], [{ text }], null)).toBe(`TEXT\r\n${copied}`)
  })

  it('get room for the widest figure, and texts no more than they need or 36 letters', () => {
    const given = [column('net', 'money'), column('text', 'text'), column('day', 'date')]
    expect(
      columnWidths(
        given,
        columnLengths(
          given,
          [
            { net: 5, text: 'x'.repeat(90), day: 1 },
            { net: -1_234_567.5, text: 'ab', day: null },
          ],
          { net: 0, text: null, day: null },
        ),
      ),
    ).toEqual([14, 36, 10])
  })

  it.each([
    // '$99,999.99' in the row; a total of as many digits is bold, and wider.
    [9_999.99, 10],
    [12_345.67, 11],
    [123_456.78, 12],
  ])('get room for the bold digits of a total: beside %d they are %i wide', (net, width) => {
    const given = [column('net', 'money')]
    expect(columnWidths(given, columnLengths(given, [{ net: 99_999.99 }], { net }))).toEqual([width])
  })
})
