import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { equipment } from '../../../schemas/entities/equipment.ts'
import { merchant } from '../../../schemas/entities/merchant.ts'
import { ruleWithReason } from '../../../schemas/permissions.ts'
import { newUser } from '../newUser.ts'
import { expectClean, manager, openMerchants, rowNames, viewerWith } from './entityScreen.tsx'

const shops = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `Shop ${from + index}`)
const shown = (from: number, to: number) => waitFor(() => expect(rowNames()).toEqual(shops(from, to)))
const summary = () =>
  screen
    .getAllByRole('status')
    .map((one) => one.textContent)
    .join('')

describe('the list of merchants', () => {
  test('has its heading, its columns in order, and ten rows of the first page', async () => {
    const { edge, container } = openMerchants(manager)
    await shown(1, 10)
    expect(screen.getByRole('heading', { level: 1, name: 'Merchants' })).toBeVisible()
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(
      merchant.list.columns.map(({ head }) => head),
    )
    const cells = within(screen.getAllByRole('row')[1]!)
      .getAllByRole('cell')
      .filter((one) => !one.matches('.table-check'))
      .map((one) => one.textContent)
    expect(cells).toEqual([
      'Shop 1',
      '',
      '',
      '',
      '',
      'MA0012 - North',
      '1/1/2026',
      '',
      '',
      '',
      '',
      'Active',
      '',
      '',
    ])
    expect(edge.loads).toEqual([{ page: 1, size: 10, search: '', sort: '', filter: '' }])
    expect(summary()).toBe('Showing 1 to 10 of 95')
    await expectClean(container)
  })

  test('shows what its URL says', async () => {
    const { edge, search } = openMerchants(manager, {
      at: '/manage/merchants?page=2&size=25&sort=-dba&tab=x',
    })
    await shown(26, 50)
    expect(edge.loads).toEqual([{ page: 2, size: 25, search: '', sort: '-dba', filter: '' }])
    expect(screen.getByRole('columnheader', { name: 'DBA' })).toHaveAttribute('aria-sort', 'descending')
    expect(search()).toBe('?page=2&size=25&sort=-dba&tab=x')
  })

  test.each(['page=-1', 'page=abc', 'size=7', 'sort=secret'])(
    'with %s it shows the default, and the URL is corrected',
    async (wrong) => {
      const { edge, search } = openMerchants(manager, { at: `/manage/merchants?${wrong}&tab=x` })
      await shown(1, 10)
      expect(edge.loads).toEqual([{ page: 1, size: 10, search: '', sort: '', filter: '' }])
      await waitFor(() => expect(search()).toBe('?tab=x'))
    },
  )

  test('past its end it goes to the last page', async () => {
    const { search } = openMerchants(manager, { at: '/manage/merchants?page=99' })
    await shown(91, 95)
    expect(search()).toBe('?page=10')
  })

  test.each([
    [40, 4],
    [50, 5],
    [60, 5],
  ])('of %i rows links %i pages by number', async (count, links) => {
    openMerchants(manager, { shops: count })
    await shown(1, 10)
    expect(screen.getAllByRole('link', { name: /^Page \d+$/ })).toHaveLength(links)
  })

  test('paging can be undone by Back', async () => {
    const { router, search } = openMerchants(manager)
    await shown(1, 10)
    await newUser().click(screen.getByRole('link', { name: 'Page 3' }))
    await shown(21, 30)
    expect(search()).toBe('?page=3')
    await newUser().click(screen.getByRole('link', { name: 'Last page' }))
    await shown(91, 95)
    await act(() => router.navigate(-1))
    await shown(21, 30)
    await act(() => router.navigate(-1))
    await shown(1, 10)
    await act(() => router.navigate(1))
    await shown(21, 30)
  })

  // Row 31 is the first of page 4; each other size shows the page that holds it.
  test.each([
    ['25', 26, 50, '?page=2&size=25'],
    ['50', 1, 50, '?size=50'],
    ['100', 1, 95, '?size=100'],
  ])('of %s rows shows rows %i to %i, row 31 among them', async (size, from, to, address) => {
    const { search, edge } = openMerchants(manager, { at: '/manage/merchants?page=4' })
    await shown(31, 40)
    const sizes = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Rows per page' })
    expect([...sizes.options].map(({ value }) => value)).toEqual(['10', '25', '50', '100'])
    await newUser().selectOptions(sizes, size)
    await shown(from, to)
    expect(search()).toBe(address)
    expect(edge.loads.at(-1)?.size).toBe(Number(size))
  })

  test('a heading sorts, from the first page on', async () => {
    const { edge, search } = openMerchants(manager, { at: '/manage/merchants?page=4' })
    await shown(31, 40)
    await newUser().click(screen.getByRole('button', { name: 'Date Added' }))
    await waitFor(() =>
      expect(edge.loads.at(-1)).toEqual({ page: 1, size: 10, search: '', sort: 'date_added', filter: '' }),
    )
    expect(search()).toBe('?sort=date_added')
    await newUser().click(screen.getByRole('button', { name: 'Date Added' }))
    await waitFor(() => expect(edge.loads.at(-1)?.sort).toBe('-date_added'))
  })

  test('typing changes the URL at once, and searches 300 ms after the last letter', async () => {
    const { edge, search, router, clock } = openMerchants(manager, {
      at: '/manage/merchants?page=4&tab=x',
      history: ['/reporting'],
    })
    await shown(31, 40)
    await newUser().type(screen.getByRole('searchbox', { name: 'Search Merchants' }), 'shop 9')
    expect(search()).toBe('?tab=x&search=shop+9')
    act(() => clock.increment(299))
    expect(edge.loads).toHaveLength(1)
    act(() => clock.increment(1))
    expect(edge.loads).toHaveLength(2)
    await waitFor(() => expect(rowNames()).toEqual(['Shop 9', ...shops(90, 95)]))
    expect(edge.loads.slice(1)).toEqual([{ page: 1, size: 10, search: 'shop 9', sort: '', filter: '' }])
    await newUser().clear(screen.getByRole('searchbox', { name: 'Search Merchants' }))
    expect(search()).toBe('?tab=x')
    await act(() => router.navigate(-1))
    expect(screen.getByRole('heading', { name: 'Reports' })).toBeVisible()
  })

  test('a search without rows says so, and offers to clear it and to create the record', async () => {
    const { search, container, clock } = openMerchants(manager, { at: '/manage/merchants?search=nowhere' })
    expect(await screen.findByText('Nothing matches “nowhere”')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Create merchant' })).toBeVisible()
    await expectClean(container)
    await newUser().click(screen.getAllByRole('button', { name: 'Clear search' }).at(-1)!)
    act(() => clock.increment(300))
    await shown(1, 10)
    expect(search()).toBe('')
    expect(screen.getByRole('searchbox')).toHaveValue('')
  })

  test('a search without rows is cleared first, and the filters stay', async () => {
    const at = '/manage/merchants?page=2&search=zzz&filter=accountstatus:2'
    const { search } = openMerchants(manager, { at })
    await screen.findByText('Nothing matches “zzz”')
    await newUser().click(screen.getAllByRole('button', { name: 'Clear search' }).at(-1)!)
    expect(search()).toBe('?filter=accountstatus:2')
  })

  test('that may not be shown says so by its name, and why', async () => {
    const list = ruleWithReason(() => false, 'You need one of the permissions to manage users')
    const entity = { ...merchant, title: 'Manage Users', access: { ...merchant.access, list } }
    const { edge } = openMerchants(manager, { entity })
    expect(await screen.findByText('The list of users is not shown to you')).toBeVisible()
    expect(screen.getByText('You need one of the permissions to manage users')).toBeVisible()
    expect(edge.loads).toEqual([])
  })

  test('an empty list offers Create to those who may', async () => {
    const { search } = openMerchants(manager, { shops: 0 })
    await newUser().click(await screen.findByRole('button', { name: 'Create merchant' }))
    expect(search()).toBe('?open=new')
  })

  test.each([
    ['No merchants yet', merchant],
    ['No equipment yet', equipment],
  ])('an empty list says “%s”, and offers nothing to those who may not create', async (title, entity) => {
    openMerchants(viewerWith(), { shops: 0, entity })
    expect(await screen.findByText(title)).toBeVisible()
    expect(screen.getByText('They appear here once somebody has added them.')).toBeVisible()
    expect(screen.queryByRole('button', { name: /Create/ })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Import Merchants' })).toBeNull()
  })

  test('an empty list leads to the import of merchants those who may import files', async () => {
    const { container } = openMerchants(viewerWith('import_files'), { shops: 0 })
    const link = await screen.findByRole('link', { name: 'Import Merchants' })
    expect(link).toHaveAttribute('href', '/import/merchants')
    expect(screen.queryByRole('button', { name: /Create/ })).toBeNull()
    await expectClean(container)
  })

  test('a list that could not be loaded can be tried again', async () => {
    const { edge, container } = openMerchants(manager, { edge: { refuse: { load: { status: 500 } } } })
    expect(await screen.findByText('The list could not be loaded')).toBeVisible()
    const region = screen.getByRole('region', { name: 'Merchants' })
    expect(region).toHaveAttribute('aria-busy', 'false')
    expect(region.querySelectorAll('tbody tr')).toHaveLength(0)
    await expectClean(container)
    edge.refuse = {}
    await newUser().click(screen.getByRole('button', { name: 'Try again' }))
    await shown(1, 10)
    expect(screen.queryByText('The list could not be loaded')).toBeNull()
    edge.refuse = { load: { status: 500 } }
    await newUser().click(screen.getByRole('link', { name: 'Page 2' }))
    expect(await screen.findByText('The list could not be loaded')).toBeVisible()
    expect(screen.getByRole('region', { name: 'Merchants' })).toHaveAttribute('aria-busy', 'false')
  })

  test('shows grey lines for the first rows alone, then keeps the old ones until the next are there', async () => {
    let release = () => {}
    const held = () => new Promise<void>((resolve) => (release = resolve))
    const { edge } = openMerchants(manager, { edge: { hold: { load: held() } } })
    const region = screen.getByRole('region', { name: 'Merchants' })
    expect(region.querySelectorAll('tbody tr')).toHaveLength(10)
    expect(region).toHaveAttribute('aria-busy', 'true')
    release()
    await shown(1, 10)
    expect(region).toHaveAttribute('aria-busy', 'false')
    edge.hold.load = held()
    await newUser().click(screen.getByRole('link', { name: 'Page 2' }))
    expect(rowNames()).toEqual(shops(1, 10))
    expect(region.querySelectorAll('tbody tr')).toHaveLength(10)
    expect(region).toHaveAttribute('aria-busy', 'true')
    expect(summary()).toBe('Showing 1 to 10 of 95')
    release()
    await shown(11, 20)
    expect(summary()).toBe('Showing 11 to 20 of 95')
  })

  test('a long note is cut off and shown in full by its title', async () => {
    openMerchants(manager)
    await shown(1, 10)
    const note = screen.getByText(/^A long note/)
    expect(note).toHaveAttribute('title', note.textContent)
  })
})
