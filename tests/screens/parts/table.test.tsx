import { fireEvent, render, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { MemoryRouter } from 'react-router-dom'
import { describe, expect, test, vi } from 'vitest'
import { Table } from '../../../src/parts/table/Table.tsx'
import { newUser } from '../newUser.ts'

const columns = [
  { field: 'name', head: 'Name' },
  { field: 'notes', head: 'Notes' },
  { field: 'amount', head: 'Amount', numeric: true },
]
const rows = [
  { id: 1, name: 'North', notes: 'short', amount: '$1.00' },
  { id: 2, name: 'South', notes: 'a note that is far too long for its column', amount: '' },
]
type Row = (typeof rows)[number]
type Given = Partial<Parameters<typeof Table<Row>>[0]>

const draw = (given: Given = {}) => {
  const onSort = vi.fn()
  const onOpen = vi.fn()
  const { container } = render(
    <MemoryRouter initialEntries={['/list?page=3']}>
      <Table<Row>
        label="Agents"
        columns={columns}
        rows={rows}
        cell={({ field }, row) => String(row[field as keyof Row])}
        sort=""
        onSort={onSort}
        link={(row) => ({ to: { search: `?page=3&open=${row.id}` } })}
        onOpen={onOpen}
        {...given}
      />
    </MemoryRouter>,
  )
  return { onSort, onOpen, container }
}

describe('the table', () => {
  test('is a real table with row and column headings, in a region that can be scrolled by keyboard', () => {
    draw()
    expect(screen.getByRole('region', { name: 'Agents' })).toHaveAttribute('tabindex', '0')
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
      'Name',
      'Notes',
      'Amount',
    ])
    expect(screen.getAllByRole('rowheader').map((head) => head.textContent)).toEqual(['North', 'South'])
    expect(screen.getAllByRole('row')).toHaveLength(3)
  })

  test('links the first cell of a row, so that it opens in a new tab too', () => {
    draw()
    expect(screen.getByRole('link', { name: 'South' })).toHaveAttribute('href', '/list?page=3&open=2')
  })

  test('has no link and no pointer for a viewer who may not open rows', () => {
    const { container } = draw({ link: undefined, onOpen: undefined })
    expect(screen.queryByRole('link')).toBeNull()
    expect(container.querySelector('.table-opens')).toBeNull()
  })

  test.each([
    ['long', undefined, rows[1]!.notes, rows[1]!.notes],
    ['short', undefined, 'short', null],
    ['short', 90, 'short', 'short'],
    ['long first', undefined, 'A name that is far too long', 'A name that is far too long'],
    ['short first', undefined, 'South', null],
    ['short first', 60, 'South', 'South'],
  ])('a %s text in a column of the width %s is told in full by its title if it may be cut', (...row) => {
    const [which, width, text, title] = row
    const field = which.endsWith('first') ? 'name' : 'notes'
    draw({
      columns: columns.map((column) => (column.field === field ? { ...column, width } : column)),
      rows: [{ ...rows[0]!, name: 'A name that is far too long' }, rows[1]!],
    })
    const shown = screen.getByText(text)
    expect((shown.closest('th') ?? shown).getAttribute('title')).toBe(title)
    if (field === 'notes') expect(shown).toHaveClass('table-text')
  })

  test.each([
    [undefined, 'table-grows'],
    [90, 'table-sized table-grows'],
  ])('a column that grows is as wide as the rest leaves, unless its width is %s', (width, name) => {
    draw({
      columns: columns.map((column) =>
        column.field === 'notes' ? { ...column, grows: true as const, width } : column,
      ),
    })
    expect(screen.getByText('short').closest('td')).toHaveClass(name, { exact: true })
  })

  test.each([
    [24, false],
    [25, true],
  ])('a text of %i letters is told by its title: %s', (length, isTold) => {
    const text = 'x'.repeat(length)
    draw({ rows: [{ ...rows[0]!, notes: text }] })
    expect(screen.getByText(text).getAttribute('title')).toBe(isTold ? text : null)
  })

  test.each([false, true])(
    'the checkboxes of rows can be ticked only while the rows are those of the list: %s',
    (isReady) => {
      const toggled: unknown[] = []
      draw({
        rows: [{ ...rows[0]!, name: '' }, rows[1]!],
        selection: {
          isReady,
          isSelected: (id) => id === 2,
          page: 'some',
          toggle: (id) => toggled.push(id),
          togglePage: () => toggled.push('page'),
        },
      })
      // A row without a text in its first cell is called by its number.
      const names = ['Select the page', 'Select #1', 'Select South']
      const boxes = names.map((name) => screen.getByRole<HTMLInputElement>('checkbox', { name }))
      expect(boxes.map(({ disabled }) => !disabled)).toEqual([isReady, isReady, isReady])
      expect(boxes.map(({ checked }) => checked)).toEqual([false, false, true])
      for (const box of boxes) box.click()
      expect(toggled).toEqual(isReady ? ['page', 1, 2] : [])
    },
  )

  test('a click into the column that is added opens no row', async () => {
    const { onOpen } = draw({ extraColumn: { head: 'Actions', render: () => <span>Act</span> } })
    await newUser().click(screen.getAllByText('Act')[0]!)
    expect(onOpen).not.toHaveBeenCalled()
  })

  test('a click anywhere on the row opens it', async () => {
    const { onOpen } = draw()
    await newUser().click(screen.getByText('short'))
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(rows[0])
  })

  test.each([
    ['Ctrl', { ctrlKey: true }],
    ['Cmd', { metaKey: true }],
    ['Shift', { shiftKey: true }],
    ['Alt', { altKey: true }],
  ])('a click with %s does not', (_, keys) => {
    const { onOpen } = draw()
    fireEvent.click(screen.getByText('short'), keys)
    expect(onOpen).not.toHaveBeenCalled()
  })

  test('a click on the link is left to the link', async () => {
    const { onOpen } = draw()
    await newUser().click(screen.getByRole('link', { name: 'North' }))
    expect(onOpen).not.toHaveBeenCalled()
  })

  test('selecting a text does not open the row', () => {
    const { onOpen } = draw()
    const text = screen.getByText('short')
    window.getSelection()?.selectAllChildren(text)
    fireEvent.click(text)
    expect(onOpen).not.toHaveBeenCalled()
    window.getSelection()?.removeAllRanges()
    fireEvent.click(text)
    expect(onOpen).toHaveBeenCalledOnce()
  })

  test.each([
    ['', 'none', 'name'],
    ['name', 'ascending', '-name'],
    ['-name', 'descending', ''],
    ['amount', 'none', 'name'],
  ])(
    'sorted by “%s” its first heading says %s, and its button asks for “%s”',
    async (sort, order, wanted) => {
      const { onSort } = draw({ sort })
      const head = screen.getByRole('columnheader', { name: 'Name' })
      expect(head).toHaveAttribute('aria-sort', order)
      await newUser().click(within(head).getByRole('button', { name: 'Name' }))
      expect(onSort).toHaveBeenCalledExactlyOnceWith(wanted)
    },
  )

  test('shows grey lines and says it is busy before the first rows are there', () => {
    draw({ rows: [], skeletonRows: 4 })
    expect(screen.getByRole('region')).toHaveAttribute('aria-busy', 'true')
    expect(screen.getAllByRole('row', { hidden: true })).toHaveLength(5)
    expect(screen.getAllByRole('row')).toHaveLength(1)
  })

  test('keeps the rows, dimmed, while the next ones are on their way', () => {
    const { container } = draw({ stale: true })
    expect(screen.getByRole('region')).toHaveAttribute('aria-busy', 'true')
    expect(screen.getAllByRole('rowheader')).toHaveLength(2)
    expect(container.querySelector('.table-stale')).not.toBeNull()
  })

  test.each<[string, Given]>([
    ['with rows', {}],
    ['sorted', { sort: '-amount' }],
    ['read only', { link: undefined, onOpen: undefined }],
    ['loading', { rows: [], skeletonRows: 3 }],
    ['empty', { rows: [], emptyState: <p>Nothing here</p> }],
  ])('axe finds no violation %s', async (_, given) => {
    const { container } = draw(given)
    const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  })
})
