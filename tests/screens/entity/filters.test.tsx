import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fromPromise } from 'xstate'
import { loadMachine } from '../../../machines/load.machine.ts'
import type { StoredRecord } from '../../../machines/modal.machine.ts'
import { entities } from '../../../schemas/entities/index.ts'
import { columnTitle, propertyOf } from '../../../schemas/entities/lists/columns.ts'
import { merchant } from '../../../schemas/entities/merchant.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { useFilterTexts } from '../../../src/features/entity/list/filterLabels.ts'
import '../../../src/features/entity/list/PrintedList.tsx'
import { RecordLinks, referringLists } from '../../../src/features/entity/record/RecordLinks.tsx'
import { paperTables } from '../../../src/parts/table/paperTables.ts'
import { newUser } from '../newUser.ts'
import { expectClean, manager, opened, openMerchants, rowNames, viewerWith } from './entityScreen.tsx'

const find = (name: string) => screen.findByRole('button', { name }, { timeout: 5_000 })
const press = async (name: string) => newUser().click(await find(name))
const panel = () => screen.findByRole('form', { name: 'Filter Merchants' }, { timeout: 5_000 })
const choose = async (label: string, option: string) =>
  newUser().selectOptions(within(await panel()).getByLabelText(label), option)
const chips = () =>
  [...(screen.queryByRole('list', { name: 'Filters' })?.querySelectorAll('button') ?? [])].map(
    (chip) => chip.textContent,
  )
const rows = () => waitFor(() => expect(rowNames()).not.toEqual([]))

describe('the filters of a list', () => {
  test('stand in its address, are asked for, and are shown by their words', async () => {
    const at =
      '/manage/merchants?filter=accountstatus:2,3;masteragentid:7;date_added:2026-01-01..;notes:empty'
    const { edge, container, search } = openMerchants(manager, { at })
    await rows()
    expect(edge.loads[0]!.filter).toBe(
      'accountstatus:2,3;masteragentid:7;date_added:2026-01-01..;notes:empty',
    )
    await waitFor(() =>
      expect(chips()).toEqual([
        'Account Status: Active or Inactive',
        'Master Agent: MA0012 - North',
        'Date Added: from 1/1/2026',
        'Notes: empty',
        'Clear filters',
      ]),
    )
    expect(search()).toBe(at.slice(at.indexOf('?')))
    await expectClean(container)
  })

  test('are removed one by one or together, from the first page on, and come again by Back', async () => {
    const at = '/manage/merchants?page=3&filter=accountstatus:2;notes:empty'
    const { edge, search, router } = openMerchants(manager, { at })
    await press('Remove the filter Account Status: Active')
    expect(search()).toBe('?filter=notes:empty')
    await press('Clear filters')
    expect(search()).toBe('')
    await waitFor(() => expect(edge.loads.at(-1)).toMatchObject({ page: 1, filter: '' }))
    await act(() => router.navigate(-2))
    expect(search()).toBe(at.slice(at.indexOf('?')))
    await waitFor(() => expect(chips()).toHaveLength(3))
  })

  test('of choices are chosen in the panel, which gives the focus back', async () => {
    const { search } = openMerchants(manager, { at: '/manage/merchants?page=2' })
    await press('Filter')
    await choose('Column', 'Account Status')
    const user = newUser()
    await user.click(within(await panel()).getByRole('checkbox', { name: 'Inactive' }))
    await user.click(within(await panel()).getByRole('checkbox', { name: 'Unknown' }))
    await press('Apply')
    expect(search()).toBe('?filter=accountstatus:1,3')
    expect(screen.queryByRole('form')).toBeNull()
    expect(await find('Filter')).toHaveFocus()
    await press('Filter')
    await choose('Column', 'Account Status')
    expect(within(await panel()).getByRole('checkbox', { name: 'Inactive' })).toBeChecked()
  })

  test('of a record are picked by its name', async () => {
    const { search, container } = openMerchants(manager)
    await press('Filter')
    await choose('Column', 'Master Agent')
    const user = newUser()
    await user.type(within(await panel()).getByRole('combobox', { name: 'Master Agent' }), 'nor')
    await user.click(await screen.findByRole('option', { name: 'MA0012 - North' }))
    expect(await within(await panel()).findByRole('button', { name: 'Remove MA0012 - North' })).toBeVisible()
    await expectClean(container)
    await user.type(within(await panel()).getByRole('combobox', { name: 'Master Agent' }), 'nor')
    await user.click(await screen.findByRole('option', { name: 'MA0012 - North' }))
    await press('Apply')
    expect(search()).toBe('?filter=masteragentid:7')
  })

  test.each([
    [49, false],
    [50, true],
  ])('of records are no longer picked once there are %i, the most: %s', async (count, isClosed) => {
    const ids = Array.from({ length: count }, (_, at) => at + 1)
    openMerchants(manager, { at: `/manage/merchants?filter=masteragentid:${ids.join()}` })
    await press('Filter')
    await choose('Column', 'Master Agent')
    const picker = await within(await panel()).findByRole<HTMLInputElement>('combobox', {
      name: 'Master Agent',
    })
    expect(picker.disabled).toBe(isClosed)
  })

  test('of figures take them as the portal writes them', async () => {
    const { search } = openMerchants(manager, { entity: entities['masteragent']! })
    await press('Filter')
    const form = within(await screen.findByRole('form', { name: 'Filter Master Agents' }, { timeout: 5_000 }))
    await newUser().selectOptions(form.getByLabelText('Column'), 'Percentage Commission Received')
    await newUser().type(form.getByLabelText('From'), '12.5%')
    await newUser().type(form.getByLabelText('To'), '$ 1,234.50')
    await press('Apply')
    expect(search()).toBe('?filter=percentagecommissionreceived:12.5..1234.50')
  })

  test('of days may have one open end', async () => {
    const { search } = openMerchants(manager)
    await press('Filter')
    await choose('Column', 'Date Closed')
    const to = within(await panel()).getByLabelText<HTMLInputElement>('To')
    expect(to.type).toBe('date')
    await newUser().type(to, '2026-03-31')
    await press('Apply')
    expect(search()).toBe('?filter=date_closed:..2026-03-31')
    await waitFor(() => expect(chips()[0]).toBe('Date Closed: to 3/31/2026'))
  })

  test('of a text ask whether it is there', async () => {
    const { search } = openMerchants(manager, { at: '/manage/merchants?filter=accountstatus:2' })
    await press('Filter')
    await choose('Column', 'Notes')
    await choose('Condition', 'is empty')
    await press('Apply')
    expect(search()).toBe('?filter=accountstatus:2;notes:empty')
  })

  test('without a value are not applied, and the panel says so', async () => {
    const { search } = openMerchants(manager)
    await press('Filter')
    await choose('Column', 'Account Status')
    await press('Apply')
    expect(screen.getByRole('alert')).toHaveTextContent('Choose a value, or Close')
    await choose('Column', 'Date Closed')
    expect(screen.queryByRole('alert')).toBeNull()
    await press('Close')
    expect(search()).toBe('')
  })

  test('that were refused at Enter are applied by the button once they are right', async () => {
    const { search } = openMerchants(manager)
    await press('Filter')
    await choose('Column', 'Date Added')
    await newUser().type(within(await panel()).getByLabelText('From'), '{Enter}')
    expect(screen.getByRole('alert')).toHaveTextContent('Choose a value, or Close')
    await newUser().type(within(await panel()).getByLabelText('From'), '2026-03-31')
    fireEvent.click(await find('Apply'))
    expect(search()).toBe('?filter=date_added:2026-03-31..')
  })

  test('that are turned round are refused with a sentence', async () => {
    openMerchants(manager)
    await press('Filter')
    const controls = (name: string) =>
      screen.getByRole('button', { name }).getAttribute('aria-controls') !== null
    expect([controls('Filter'), controls('Columns')]).toEqual([true, false])
    await choose('Column', 'Date Added')
    await newUser().type(within(await panel()).getByLabelText('From'), '2026-03-31')
    await newUser().type(within(await panel()).getByLabelText('To'), '2026-03-30')
    await press('Apply')
    expect(screen.getByRole('alert')).toHaveTextContent(
      'Filter Date Added: 2026-03-31 comes after 2026-03-30',
    )
  })

  test('that cannot be read are named, and can be cleared', async () => {
    const { search, edge } = openMerchants(manager, {
      at: '/manage/merchants?filter=accountstatus:9',
      edge: { refuse: { load: new Error('refused') } },
    })
    expect(await screen.findByRole('alert', {}, { timeout: 5_000 })).toHaveTextContent(
      'Filter Account Status: "9" is none of 1 (Unknown), 2 (Active), 3 (Inactive)',
    )
    edge.refuse = {}
    await press('Clear filters')
    expect(search()).toBe('')
    await rows()
  })

  test('that nothing passes are said in place of rows', async () => {
    const { search } = openMerchants(manager, { at: '/manage/merchants?filter=accountstatus:3', shops: 0 })
    expect(await screen.findByText('No record passes the filters')).toBeVisible()
    await newUser().click(screen.getAllByRole('button', { name: 'Clear filters' }).at(-1)!)
    expect(search()).toBe('')
  })
})

test.each([
  ['parentid:0', 'Parent: 0 - None (top level)'],
  ['parentid:9', 'Parent: #9'],
  ['percentagecommissionreceived:5..12.5', 'Percentage Commission Received: from 5% to 12.5%'],
  ['percentagecommissionreceived:5..5', 'Percentage Commission Received: 5%'],
])('the filter %s of master agents reads: %s', (filter, text) => {
  const Texts = () => useFilterTexts(entities['masteragent']!, filter, undefined).texts.map((it) => it.text)
  const { container } = render(<Texts />)
  expect(container).toHaveTextContent(text)
})

test('the records that filters name are asked for, and none where no record is meant', async () => {
  const asked: (number | null)[] = []
  const search = async (_to: string, _search: string, id: number | null) => {
    asked.push(id)
    return [{ id: 9, displayid: 'MA0009', name: 'North' }]
  }
  const Texts = () =>
    useFilterTexts(entities['masteragent']!, 'parentid:0,9', search).texts.map((it) => it.text)
  const { container } = render(<Texts />)
  await waitFor(() => expect(container).toHaveTextContent('Parent: 0 - None (top level) or MA0009 - North'))
  expect(asked).toEqual([9])
})

describe('the file of a list', () => {
  test.each([
    ['Export Excel', 'xlsx'],
    ['Export CSV', 'csv'],
  ])('is asked for by %s with what the list shows, its page aside', async (name, format) => {
    const save = vi.spyOn(URL, 'createObjectURL')
    const { edge } = openMerchants(manager, {
      at: '/manage/merchants?page=2&search=shop&sort=-dba&filter=accountstatus:2',
    })
    await press(name)
    await waitFor(() =>
      expect(edge.files).toEqual([{ search: 'shop', sort: '-dba', filter: 'accountstatus:2', format }]),
    )
    save.mockRestore()
  })

  test.each([
    ['columns=dba:90,xmid', { columns: 'dba,xmid' }],
    [
      'columns=xmid:90,dba,businesstype,product,status,sales_rep,masteragentid,date_added,date_approved,' +
        'date_submitted,date_closed,date_received,accountstatus,tinstatus,notes',
      {},
    ],
    ['density=compact', {}],
  ])('has the columns of the address, %s', async (address, columns) => {
    const { edge } = openMerchants(manager, { at: `/manage/merchants?${address}` })
    await press('Export CSV')
    await waitFor(() =>
      expect(edge.files).toEqual([{ search: '', sort: '', filter: '', ...columns, format: 'csv' }]),
    )
  })
})

describe('a printed list', () => {
  afterEach(() => vi.restoreAllMocks())
  const all = Array.from({ length: 23 }, (_, at) => ({
    id: at + 1,
    version: 1,
    xmid: `X${at}`,
    dba: `Shop ${at}`,
  }))
  const allRows = () => loadMachine.provide({ actors: { load: fromPromise<unknown>(async () => all) } })
  const printing = () => {
    const print = vi.fn<() => void>()
    Object.assign(window, { print })
    return print
  }

  test('has all rows and no buttons, until the print dialog is closed', async () => {
    const print = printing()
    openMerchants(manager, { edge: { allRows } })
    await press('Print')
    await waitFor(() => expect(print).toHaveBeenCalledTimes(1))
    const paper = document.querySelector<HTMLElement>('.printed-list')!
    expect(paper.querySelectorAll('tbody tr')).toHaveLength(23)
    expect(paper.querySelectorAll('button, a')).toHaveLength(0)
    act(() => void window.dispatchEvent(new Event('afterprint')))
    expect(document.querySelector('.printed-list')).toBeNull()
  })

  test('of one row says so', async () => {
    const one = () =>
      loadMachine.provide({ actors: { load: fromPromise<unknown>(async () => all.slice(0, 1)) } })
    const print = printing()
    openMerchants(manager, { edge: { allRows: one } })
    await press('Print')
    await waitFor(() => expect(print).toHaveBeenCalledTimes(1))
    const texts = [...document.querySelectorAll('.printed-list p')].map(({ textContent }) => textContent)
    expect(texts).toEqual(['1 row'])
    act(() => void window.dispatchEvent(new Event('afterprint')))
  })

  test('has the columns of the list, and says its search and filters above them', async () => {
    const print = printing()
    const { container } = openMerchants(manager, {
      at: '/manage/merchants?search=shop&filter=accountstatus:2;masteragentid:7&columns=dba:90,xmid,dbacity',
      edge: { allRows },
    })
    await find('Remove the filter Master Agent: MA0012 - North')
    await press('Print')
    await waitFor(() => expect(print).toHaveBeenCalledTimes(1))
    const paper = document.querySelector<HTMLElement>('.printed-list')!
    const texts = (selector: string, from: Element = paper) =>
      [...from.querySelectorAll(selector)].map((one) => one.textContent)
    expect(texts('th')).toEqual(['DBA', 'XMID', 'DBA City'])
    expect(texts('caption')).toEqual([])
    expect(texts('tbody tr:first-child td')).toEqual(['Shop 0', 'X0', ''])
    expect(texts('h1, p')).toEqual([
      'Merchants',
      'Search: shop',
      'Account Status: Active',
      'Master Agent: MA0012 - North',
      '23 rows',
    ])
    act(() => void window.dispatchEvent(new Event('afterprint')))
    // What the browser's own menu prints.
    expect(texts('.list-in-force', container)).toEqual([
      'Search: shop. Account Status: Active. Master Agent: MA0012 - North',
    ])
  })

  test('has a smaller type the more columns there are, and wider columns for longer words', () => {
    const [few, ...others] = paperTables([['Name', 'Willow Tailor'], ['Percentage'], ['Number', '7']])
    expect([few!.size, few!.columns, others]).toEqual([8, [0, 1, 2], []])
    expect(few!.widths[1]).toBeGreaterThan(few!.widths[2]!)
    const [many] = paperTables(Array.from({ length: 14 }, () => ['Commission Received', '$1,234,567.00']))
    expect(many!.size).toBeLessThan(few!.size)
    for (const { widths } of [few!, many!])
      expect(widths.reduce((sum, width) => sum + width)).toBeCloseTo(100)
    // The longest word of each column has its room, though nothing else has.
    expect(9.8 * many!.widths[0]!).toBeGreaterThan(many!.size * 0.6 * '$1,234,567.00'.length)
  })

  // Of the longest words, 13 widths of the type, nine fit on 980 px in a type of 7.7 px, ten in one of 6.9.
  test.each<[number, number[][]]>([
    [1, [[0]]],
    [9, [[0, 1, 2, 3, 4, 5, 6, 7, 8]]],
    [
      10,
      [
        [0, 1, 2, 3, 4, 5],
        [0, 6, 7, 8, 9],
      ],
    ],
    [
      17,
      [
        [0, 1, 2, 3, 4, 5, 6, 7, 8],
        [0, 9, 10, 11, 12, 13, 14, 15, 16],
      ],
    ],
    [
      18,
      [
        [0, 1, 2, 3, 4, 5, 6],
        [0, 7, 8, 9, 10, 11],
        [0, 12, 13, 14, 15, 16, 17],
      ],
    ],
  ])(
    'of %i columns with the longest words stands in tables that each begin with the first',
    (count, parts) => {
      const tables = paperTables(Array.from({ length: count }, () => ['W'.repeat(20)]))
      expect(tables.map(({ columns }) => columns)).toEqual(parts)
      for (const { size, widths, columns } of tables) {
        expect(size).toBeGreaterThanOrEqual(7)
        expect(widths).toHaveLength(columns.length)
        expect(widths.reduce((sum, width) => sum + width)).toBeCloseTo(100)
      }
    },
  )

  test('of more columns than a sheet is wide has every row and column, the first one in each part', async () => {
    const print = printing()
    const fields = Object.keys(merchant.schema.properties).filter((it) => it !== 'version')
    const wide = all.map((row) => ({
      ...row,
      ...Object.fromEntries(fields.map((it) => [it, 'W'.repeat(30)])),
    }))
    const machine = () => loadMachine.provide({ actors: { load: fromPromise<unknown>(async () => wide) } })
    openMerchants(manager, {
      at: `/manage/merchants?columns=${merchant.list.columns.map(({ field }) => field).join()}`,
      edge: { allRows: machine },
    })
    await press('Print')
    await waitFor(() => expect(print).toHaveBeenCalledTimes(1))
    const tables = [...document.querySelectorAll('.printed-list table')]
    expect(tables.length).toBeGreaterThan(1)
    expect(tables.map((table) => table.querySelector('caption')?.textContent)).toEqual(
      tables.map((_, at) => `Columns, part ${at + 1} of ${tables.length}`),
    )
    const headsOf = (table: Element) =>
      [...table.querySelectorAll('th')].map(({ textContent }) => textContent)
    expect(new Set(tables.map((table) => headsOf(table)[0]))).toEqual(new Set(['XMID']))
    const others = tables.flatMap((table) => headsOf(table).slice(1))
    expect(['XMID', ...others]).toEqual(
      merchant.list.columns.map((it) => columnTitle(it, propertyOf(merchant, it))),
    )
    expect(tables.map((table) => table.querySelectorAll('tbody tr').length)).toEqual(tables.map(() => 23))
    act(() => void window.dispatchEvent(new Event('afterprint')))
  })

  test('without a search and filters says none', async () => {
    const print = printing()
    const { container } = openMerchants(manager, { edge: { allRows } })
    await press('Print')
    await waitFor(() => expect(print).toHaveBeenCalledTimes(1))
    expect(document.querySelectorAll('.printed-list p')).toHaveLength(1)
    expect(container.querySelector('.list-in-force')).toBeNull()
    act(() => void window.dispatchEvent(new Event('afterprint')))
  })

  test.each<[keys: KeyboardEventInit, isMade: boolean]>([
    [{ ctrlKey: true }, true],
    [{ metaKey: true }, true],
    [{ ctrlKey: true, shiftKey: true }, false],
    [{ ctrlKey: true, altKey: true }, false],
    [{}, false],
  ])('is made by the keys %j and P too, in place of the page alone: %s', async (keys, isMade) => {
    const print = printing()
    openMerchants(manager, { edge: { allRows } })
    await find('Print')
    const event = new KeyboardEvent('keydown', { key: 'p', cancelable: true, ...keys })
    act(() => void window.dispatchEvent(event))
    expect(event.defaultPrevented).toBe(isMade)
    await waitFor(() => expect(print).toHaveBeenCalledTimes(isMade ? 1 : 0))
    expect(await find('Print')).toHaveAttribute('aria-busy', String(isMade))
    act(() => void window.dispatchEvent(new Event('afterprint')))
  })

  test('whose rows could not be read can be asked for again', async () => {
    const print = printing()
    const refused = () =>
      loadMachine.provide({ actors: { load: fromPromise<unknown>(() => Promise.reject(new Error('away'))) } })
    openMerchants(manager, { edge: { allRows: refused } })
    await press('Print')
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Print' })).toHaveAttribute('aria-busy', 'false'),
    )
    expect(print).not.toHaveBeenCalled()
  })

  test('is not made by Ctrl+P while a record is open, which the browser prints then', async () => {
    const print = printing()
    openMerchants(manager, { at: '/manage/merchants?open=3', edge: { allRows } })
    await screen.findByRole('dialog')
    const event = new KeyboardEvent('keydown', { key: 'p', ctrlKey: true, cancelable: true })
    act(() => void window.dispatchEvent(event))
    expect(event.defaultPrevented).toBe(false)
    expect(print).not.toHaveBeenCalled()
  })

  test('that was refused is not said of the list any more once that is filtered', async () => {
    const { router } = openMerchants(manager, { shops: 5001, edge: { allRows } })
    await rows()
    await press('Print')
    expect(await screen.findByRole('alert')).toHaveTextContent('5,001 rows are too many to print')
    await act(() => router.navigate('/manage/merchants?filter=accountstatus:2'))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })

  test('of 5,001 rows is refused with a sentence, of 5,000 it is not', async () => {
    const print = printing()
    const { edge } = openMerchants(manager, { shops: 5001, edge: { allRows } })
    await rows()
    await press('Print')
    expect(await screen.findByRole('alert')).toHaveTextContent(
      '5,001 rows are too many to print, 5,000 are the most',
    )
    expect(print).not.toHaveBeenCalled()
    edge.rows = edge.rows.slice(1)
    await newUser().click(screen.getByRole('link', { name: 'Page 2' }))
    await waitFor(() => expect(screen.getByText(/of 5,000$/)).toBeVisible())
    await press('Print')
    await waitFor(() => expect(print).toHaveBeenCalledTimes(1))
    act(() => void window.dispatchEvent(new Event('afterprint')))
  })
})

/** The names of the groups of links below the form of a record, with the texts and paths of their links. */
const groupsOf = (name: string, row: StoredRecord, viewer: Viewer) => {
  const { unmount } = render(
    <MemoryRouter>
      <RecordLinks entity={entities[name]!} viewer={viewer} row={row} />
    </MemoryRouter>,
  )
  const groups = screen.queryAllByRole('navigation').map((group) => {
    const links = within(group).getAllByRole('link')
    return [
      group.getAttribute('aria-label')!,
      links.map((it) => [it.textContent, it.getAttribute('href')]),
    ] as const
  })
  unmount()
  return groups
}

describe('the tickets of a record', () => {
  const north = { id: 7, version: 1, displayid: 'MA0012', name: 'North' }
  const shop = { id: 3, version: 1, xmid: '40 1&2', dba: 'Meadow & Sons' }
  const terminal = { id: 5, version: 1, serialnumber: 'SN7', model: 'A920', labels: {} }
  test.each([
    ['merchant', shop, '40 1&2', '40+1%262', '40+1%262+-+Meadow+%26+Sons'],
    ['masteragent', north, 'MA0012', 'MA0012', 'MA0012+-+North'],
    ['equipment', terminal, 'SN7', 'SN7', 'SN7+-+A920'],
    [
      'equipment',
      { ...terminal, labels: { merchantid: '4001 - Meadow' } },
      'SN7',
      'SN7',
      'SN7+-+A920+-+4001+-+Meadow',
    ],
  ])('are found from a %s, as is the form of a new one about it', (name, row, key, search, subject) => {
    const { noun } = entities[name]!
    expect(groupsOf(name, row, manager).at(-1)).toEqual([
      `Support of this ${noun}`,
      [
        [`Tickets that Mention ${key}`, `/tickets?search=${search}`],
        [`New Ticket about this ${noun}`, `/tickets?search=${search}&subject=${subject}&open=new`],
      ],
    ])
  })

  test.each(['processor', 'user', 'adjustment'])('are not looked for from a %s', (name) => {
    const groups = groupsOf(name, { id: 7, version: 1, name: 'x', username: 'x' }, manager)
    expect(groups.map(([group]) => group).filter((group) => group.startsWith('Support'))).toEqual([])
  })
})

describe('the lists of a record', () => {
  test('are linked from its dialog, filtered by it', async () => {
    opened('3')
    const lists = await screen.findByRole(
      'navigation',
      { name: 'Lists of this merchant' },
      { timeout: 5_000 },
    )
    expect(within(lists).getByRole('link', { name: 'Equipment' })).toHaveAttribute(
      'href',
      '/manage/equipment?filter=merchantid:3',
    )
  })

  test('stand below the records that it names, and lead to what an agent is paid and a merchant brought in', () => {
    const merchant = {
      id: 3,
      version: 1,
      xmid: '40 1&2',
      masteragentid: 7,
      labels: { masteragentid: 'MA0012 - North' },
    }
    const agent = {
      id: 7,
      version: 1,
      displayid: 'MA0012',
      parentid: 2,
      payeeid: 2,
      labels: { parentid: 'MA0002 - East', payeeid: 'MA0002 - East' },
    }
    const linksOf = (name: string, row: StoredRecord, viewer: Viewer) =>
      groupsOf(name, row, viewer)
        .filter(([group]) => !group.startsWith('Support'))
        .flatMap(([, links]) => links)
    const agentManager = viewerWith('manage_master_agents')
    expect(linksOf('merchant', merchant, manager)[0]).toEqual([
      'MA0012 - North',
      '/manage/agents?search=MA0012',
    ])
    expect(linksOf('merchant', merchant, agentManager)[0]).toEqual([
      'MA0012 - North',
      '/manage/agents?open=7',
    ])
    expect(linksOf('merchant', { ...merchant, labels: {} }, agentManager)[0]?.[0]).toBe('Equipment')
    const ofAgent = linksOf('masteragent', agent, viewerWith('lock_reports', 'manage_master_agents'))
    expect(ofAgent.slice(0, 2)).toEqual([
      ['MA0002 - East', '/manage/agents?open=2'],
      ['Master Agents', '/manage/agents?filter=parentid:7'],
    ])
    expect(ofAgent.slice(-2)).toEqual([
      ['Payments', '/payouts?search=MA0012&payments=all'],
      ['Statements', '/reporting?report=agent-residual-statement&agent=7'],
    ])
    expect(linksOf('masteragent', agent, agentManager).map(([text]) => text)).not.toContain('Payments')
    expect(linksOf('merchant', merchant, manager).at(-1)).toEqual([
      'Income by Month',
      '/reporting?report=merchant-by-month&merchant=40%201%262&run=1',
    ])
  })

  test('are those that refer to it and that the viewer may see', () => {
    const listsOf = (name: string, viewer = manager) =>
      referringLists(entities[name]!, viewer, 7).map(({ path }) => path)
    expect(listsOf('masteragent')).toEqual([
      '/manage/agents?filter=parentid:7',
      '/manage/equipment?filter=masteragentid:7',
      '/manage/merchants?filter=masteragentid:7',
    ])
    expect(listsOf('masteragent', viewerWith('lock_reports', 'manage_users')).slice(3)).toEqual([
      '/manage/adjustments?filter=masteragentid:7',
      '/users?filter=masteragentid:7',
    ])
    expect(listsOf('processor')).toEqual([])
  })
})
