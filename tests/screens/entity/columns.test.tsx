import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, test } from 'vitest'
import { defaultView, type View } from '../../../schemas/api/lists/views.ts'
import { entities } from '../../../schemas/entities/index.ts'
import { offeredColumns, readColumns } from '../../../schemas/entities/lists/layout.ts'
import { permissions, type Viewer } from '../../../schemas/permissions.ts'
import { newUser } from '../newUser.ts'
import { expectClean, manager, openMerchants, viewerWith } from './entityScreen.tsx'

const ann: Viewer = { ...viewerWith(...permissions), admin: true }
// What a list fetches later is compiled when it is first asked for, which may take long.
beforeAll(async () => {
  await import('../../../src/features/entity/list/ListTools.tsx')
  await import('../../../src/features/entity/list/ColumnsPanel.tsx')
}, 60_000)
const heads = () => screen.getAllByRole('columnheader').map((head) => head.textContent)
const find = (name: string | RegExp) => screen.findByRole('button', { name }, { timeout: 5_000 })
const press = async (name: string | RegExp) => newUser().click(await find(name))
const panel = (title = 'Merchants') =>
  screen.findByRole('region', { name: `Columns of ${title}` }, { timeout: 5_000 })
const tick = async (name: string) => newUser().click(within(await panel()).getByRole('checkbox', { name }))
const width = async (name: string) =>
  within(await panel()).getByRole<HTMLInputElement>('textbox', { name: `Width of ${name} in pixels` })
const at = (query: string) => ({ at: `/manage/merchants?${query}` })

describe.each(Object.values(entities))('the list of $name', (entity) => {
  const offered = offeredColumns(entity, ann)
  const own = readColumns(entity, ann, '')

  test('shows its own columns unless the address names others, in their order', () => {
    const opened = openMerchants(ann, { entity })
    expect(heads().slice(0, own.length)).toEqual(own.map(({ head }) => head))
    act(
      () =>
        void opened.router.navigate(
          `?columns=${offered
            .map(({ field }) => field)
            .toReversed()
            .join()}`,
        ),
    )
    expect(heads()).toEqual(offered.map(({ head }) => head).toReversed())
  })

  test('offers each column in the panel, hides and shows it, and returns to its own', async () => {
    const { container, search } = openMerchants(ann, { entity })
    await press('Columns')
    const boxes = within(await panel(entity.title)).getAllByRole<HTMLInputElement>('checkbox')
    expect(boxes.map((box) => box.labels![0]!.textContent)).toEqual(offered.map(({ head }) => head))
    expect(boxes.map(({ checked }) => checked)).toEqual(offered.map((_, at) => at < own.length))
    await expectClean(container)
    const last = offered.at(-1)!
    const isOwn = offered.length === own.length
    await newUser().click(boxes.at(-1)!)
    expect(heads().includes(last.head)).toBe(!isOwn)
    const shown = offered.filter((column, at) =>
      isOwn ? column !== last : at < own.length || column === last,
    )
    expect(search()).toBe(`?columns=${shown.map(({ field }) => field).join()}`)
    await press('Default columns')
    expect(heads()).toEqual(own.map(({ head }) => head))
    expect(search()).toBe('')
  })
})

describe('columns', () => {
  test('stand in the address in place of its present entry, and ask the server for nothing', async () => {
    const { edge, search, router } = openMerchants(manager, {
      ...at('page=2'),
      history: ['/reporting'],
    })
    await screen.findByText('Shop 11')
    await press('Columns')
    await tick('Product')
    await tick('DBA City')
    expect(search()).toMatch(/^\?page=2&columns=xmid,dba,businesstype,status,.*,notes,dbacity$/)
    expect(edge.loads).toHaveLength(1)
    await act(() => router.navigate(-1))
    expect(router.state.location.pathname).toBe('/reporting')
  })

  test('that are unknown, closed to the viewer or given twice are dropped, and the address is corrected', async () => {
    const { search } = openMerchants(
      manager,
      at('columns=gone,dba,latemonths,dba,xmid:9999&density=huge&x=1'),
    )
    expect(heads()).toEqual(['DBA', 'XMID'])
    await waitFor(() => expect(search()).toBe('?columns=dba,xmid&x=1'))
  })

  test('keep the one that is left, which opens the record', async () => {
    openMerchants(manager, at('columns=status,dba'))
    await press('Columns')
    await tick('DBA')
    expect(heads()).toEqual(['Status'])
    expect(within(await panel()).getByRole('checkbox', { name: 'Status' })).toBeDisabled()
    expect(await screen.findByRole('link', { name: '#3' })).toHaveAttribute(
      'href',
      '/manage/merchants?columns=status&open=3',
    )
  })

  test('of which one is left keep that, and say why', async () => {
    openMerchants(manager, at('columns=dba,xmid'))
    await press('Columns')
    const box = async (name: string) => within(await panel()).getByRole('checkbox', { name })
    const reason = async () => (await box('DBA')).closest('[title]')?.getAttribute('title') ?? null
    expect(await reason()).toBeNull()
    await tick('XMID')
    expect(await box('DBA')).toBeDisabled()
    expect(await box('XMID')).toBeEnabled()
    expect(await reason()).toBe('A list has at least one column')
  })

  test('are moved by their buttons, which keep the focus and say where the column is', async () => {
    const { search } = openMerchants(manager, at('columns=xmid,dba,status'))
    await press('Columns')
    const up = await find('Move Status up')
    await newUser().click(up)
    expect(heads()).toEqual(['XMID', 'Status', 'DBA'])
    expect(screen.getByRole('button', { name: 'Move Status up' })).toHaveFocus()
    expect(within(await panel()).getByRole('status')).toHaveTextContent('Status is column 2 of 3')
    await newUser().keyboard('{Enter}')
    expect(search()).toBe('?columns=status,xmid,dba')
    expect(screen.getByRole('button', { name: 'Move Status up' })).toHaveAttribute('aria-disabled', 'true')
    await newUser().keyboard('{Enter}')
    expect(search()).toBe('?columns=status,xmid,dba')
    await press('Move Status down')
    expect(search()).toBe('?columns=xmid,status,dba')
  })

  test('keep their widths when one is moved or hidden', async () => {
    const { search } = openMerchants(manager, at('columns=xmid:120,dba,status:90'))
    await press('Columns')
    await newUser().click(await find('Move Status up'))
    expect(search()).toBe('?columns=xmid:120,status:90,dba')
    await tick('DBA')
    expect(search()).toBe('?columns=xmid:120,status:90')
  })

  test('that were hidden come back in their place while the panel is open', async () => {
    const { search } = openMerchants(manager, at('columns=xmid,dba,status'))
    await press('Columns')
    await tick('DBA')
    expect(search()).toBe('?columns=xmid,status')
    await tick('DBA')
    expect(search()).toBe('?columns=xmid,dba,status')
  })

  test('take another order from a view or Back while the panel is open', async () => {
    const { router } = openMerchants(manager, at('columns=xmid,dba'))
    await press('Columns')
    await act(() => router.navigate('?columns=notes,dba,xmid'))
    const boxes = within(await panel()).getAllByRole<HTMLInputElement>('checkbox', { checked: true })
    expect(boxes.map((box) => box.labels![0]!.textContent)).toEqual(['Notes', 'DBA', 'XMID'])
  })

  test('without a place in the order of the list cannot be sorted by', () => {
    openMerchants(manager, at('columns=dba,dbacity'))
    expect(screen.getByRole('button', { name: 'DBA' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'DBA City' })).toBeNull()
  })
})

describe('the width of a column', () => {
  const styled = (name: string) => screen.getByRole('columnheader', { name }).style.width

  test('is typed in pixels, is empty for as wide as its texts, and is refused out of its range', async () => {
    const { search } = openMerchants(manager, at('columns=xmid,dba'))
    await press('Columns')
    const field = await width('DBA')
    const user = newUser()
    await user.type(field, '59')
    expect(field).toHaveAttribute('aria-invalid', 'true')
    expect(search()).toBe('?columns=xmid,dba')
    // What is out of the range does not stay as if it held.
    await user.tab()
    expect(field).toHaveValue('')
    expect(field).toHaveAttribute('aria-invalid', 'false')
    await user.clear(field)
    await user.type(field, '240')
    expect(field).toHaveAttribute('aria-invalid', 'false')
    expect([search(), styled('DBA'), styled('XMID')]).toEqual(['?columns=xmid,dba:240', '240px', ''])
    await user.clear(field)
    expect(search()).toBe('?columns=xmid,dba')
  })

  test('is changed by the arrow keys in steps of 20, within its range', async () => {
    const { search } = openMerchants(manager, at('columns=xmid,dba:570'))
    await press('Columns')
    const user = newUser()
    await user.click(await width('DBA'))
    await user.keyboard('{ArrowUp}')
    expect(search()).toBe('?columns=xmid,dba:590')
    await user.keyboard('{ArrowUp}{ArrowUp}')
    expect(search()).toBe('?columns=xmid,dba:600')
    await user.keyboard('{ArrowDown}')
    expect(search()).toBe('?columns=xmid,dba:580')
  })

  test.each([
    ['is moved with another button', 2, 460],
    ['is clicked and not moved', 0, 500],
  ])('is that of its texts while the edge of its heading %s', (_, button, clientX) => {
    const { search } = openMerchants(manager, at('columns=xmid,dba'))
    const head = screen.getByRole('columnheader', { name: 'DBA' })
    Object.defineProperty(head, 'offsetWidth', { value: 200 })
    const edge = head.querySelector('.column-edge')!
    Object.assign(edge, { setPointerCapture: () => {} })
    fireEvent.pointerDown(edge, { button, clientX: 500 })
    fireEvent.pointerMove(edge, { clientX })
    fireEvent.lostPointerCapture(edge)
    expect([search(), styled('DBA')]).toEqual(['?columns=xmid,dba', ''])
  })

  test('is dragged at the edge of its heading, within its range, and given up by a double click', () => {
    const { search } = openMerchants(manager, at('columns=xmid,dba:200'))
    const head = screen.getByRole('columnheader', { name: 'DBA' })
    Object.defineProperty(head, 'offsetWidth', { value: 200 })
    const edge = () =>
      screen.getByRole('columnheader', { name: 'DBA' }).querySelector<HTMLElement>('.column-edge')!
    Object.assign(edge(), { setPointerCapture: () => {} })
    fireEvent.pointerDown(edge(), { button: 0, clientX: 500 })
    fireEvent.pointerMove(edge(), { clientX: 460 })
    expect(head.style.width).toBe('160px')
    expect(search()).toBe('?columns=xmid,dba:200')
    fireEvent.pointerMove(edge(), { clientX: 0 })
    fireEvent.lostPointerCapture(edge())
    expect(search()).toBe('?columns=xmid,dba:60')
    expect(styled('DBA')).toBe('60px')
    fireEvent.pointerMove(edge(), { clientX: 900 })
    expect(search()).toBe('?columns=xmid,dba:60')
    fireEvent.doubleClick(edge())
    expect([search(), styled('DBA')]).toEqual(['?columns=xmid,dba', ''])
  })
})

test('the density stands in the address and is chosen in the panel', async () => {
  const { search, container } = openMerchants(manager, at('density=compact'))
  expect(screen.getByRole('table')).toHaveClass('table-compact')
  await press('Columns')
  expect(within(await panel()).getByRole('radio', { name: 'Compact' })).toBeChecked()
  await newUser().click(within(await panel()).getByRole('radio', { name: 'Comfortable' }))
  expect(search()).toBe('')
  expect(screen.getByRole('table')).not.toHaveClass('table-compact')
  await newUser().click(within(await panel()).getByRole('radio', { name: 'Compact' }))
  expect(search()).toBe('?density=compact')
  await expectClean(container)
  await press('Close')
  expect(await find('Columns')).toHaveFocus()
})

describe('the views of a list', () => {
  const view = (id: number, name: string, search: string, own = true): View => ({
    id,
    name,
    search,
    own,
    shared: !own,
    removable: own,
    owner: own ? 'ann' : 'bob',
  })
  const views = [
    view(1, 'Narrow', 'columns=dba%3A90%2Cxmid&density=compact&filter=accountstatus%3A2'),
    view(2, 'Bakeries', 'search=bakery'),
    view(3, 'Old', 'filter=gone%3A1', false),
    view(4, 'One', 'search=one'),
  ]
  const counts = () => [
    { id: defaultView, total: 345, more: false },
    { id: 1, total: 1_000, more: true },
    { id: 2, total: 12, more: false },
    { id: 3, total: null, more: false },
    { id: 4, total: 1, more: false },
  ]
  const items = () => screen.getAllByRole('menuitemradio').map((item) => item.textContent)

  test('bring columns, widths, density and filters together, and are known by them', async () => {
    const { search } = openMerchants(manager, { edge: { views } })
    await press('View: Default')
    await newUser().click(await screen.findByRole('menuitemradio', { name: /^Narrow/ }))
    await find('View: Narrow')
    await waitFor(() => expect(screen.getByRole('button', { name: 'View: Narrow' })).toHaveFocus())
    expect(heads()).toEqual(['DBA', 'XMID'])
    expect(decodeURIComponent(search())).toBe('?columns=dba:90,xmid&density=compact&filter=accountstatus:2')
    await press('Columns')
    await tick('DBA City')
    expect(await find('View: Not saved')).toBeVisible()
    await press('Save view')
    const dialog = within(await screen.findByRole('dialog', { name: 'Save view' }))
    await newUser().click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save view' })).toHaveFocus())
  })

  test('say how many records they have, asked for whenever the menu opens and not before', async () => {
    const { edge } = openMerchants(manager, { edge: { views, counts } })
    await find('View: Default')
    expect(edge.counted).toBe(0)
    await press('View: Default')
    await screen.findByRole('menuitemradio', { name: 'Bakeries 12 records' })
    expect(items()).toEqual([
      'Default345 records',
      'Narrow1,000+ records',
      'Bakeries12 records',
      'One1 record',
      'Old (bob)',
    ])
    await newUser().keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    await waitFor(() => expect(screen.getByRole('button', { name: 'View: Default' })).toHaveFocus())
    await press('View: Default')
    await waitFor(() => expect(edge.counted).toBe(2))
  })

  test('can be chosen while the counts are awaited, or were refused', async () => {
    let refuse = () => {}
    const late = () => new Promise<never>((_, reject) => (refuse = () => reject(new Error('refused'))))
    const { search } = openMerchants(manager, { edge: { views, counts: late } })
    await press('View: Default')
    await screen.findByRole('menuitemradio', { name: 'Bakeries' })
    await act(async () => refuse())
    await newUser().click(screen.getByRole('menuitemradio', { name: 'Bakeries' }))
    expect(search()).toBe('?search=bakery')
  })

  test('are gone through by keys, from the one that is shown', async () => {
    const { search } = openMerchants(manager, { ...at('search=bakery'), edge: { views, counts } })
    ;(await find('View: Bakeries')).focus()
    await newUser().keyboard('{ArrowDown}')
    await waitFor(() => expect(screen.getByRole('menuitemradio', { name: /^Bakeries/ })).toHaveFocus())
    expect(screen.getByRole('menuitemradio', { name: /^Bakeries/ })).toBeChecked()
    await expectClean(document.body)
    await newUser().keyboard('{ArrowDown}')
    expect(screen.getByRole('menuitemradio', { name: /^One/ })).toHaveFocus()
    await newUser().keyboard('{Home}{Enter}')
    expect(search()).toBe('')
  })
})
