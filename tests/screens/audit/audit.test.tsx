import { render, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { describe, expect, test } from 'vitest'
import { fromPromise, SimulatedClock } from 'xstate'
import { decisionMachine, type DecisionSubject } from '../../../machines/decision.machine.ts'
import { downloadMachine, type Downloaded } from '../../../machines/download.machine.ts'
import { listMachine, type ListResult } from '../../../machines/list.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import { maxPagedEntries, type AuditFilters } from '../../../schemas/api/audit/audit.ts'
import type { View, ViewCount } from '../../../schemas/api/lists/views.ts'
import type { ListQuery } from '../../../schemas/api/paging.ts'
import { AuditPage } from '../../../src/features/audit/AuditPage.tsx'
import { readFilters, writeFilters } from '../../../src/features/audit/filters.ts'
import type { AuditMachines } from '../../../src/features/audit/machines.ts'
import { searchOf } from '../../../src/features/views/views.ts'
import { ActorEnvironmentContext } from '../../../src/parts/hooks/actorEnvironment.ts'
import { newUser } from '../newUser.ts'

const entries = [
  { id: 8, username: 'ann', what: 'Changed merchant 000123: Master Agent MA0002 → MA0003' },
  { id: 7, username: '', what: 'Sign-in failed with a name that no user has, 4 times more' },
].map((entry) => ({
  ...entry,
  at: 1_767_225_600,
  address: '::1',
  action: 'update',
  entity: 'merchant',
  entityid: '5',
}))
const detail = {
  ...entries[0]!,
  record: 'merchant 000123',
  path: '/manage/merchants?open=5',
  changes: [{ title: 'Master Agent', before: 'MA0002', after: 'MA0003' }],
}
type Asked = { filters: AuditFilters; query: ListQuery }

/** The screen over two entries in memory. `refuse.list` makes the list fail, `hold` makes it wait. */
const openAudit = (at: string) => {
  const edge = {
    asked: [] as Asked[],
    files: [] as string[],
    kept: [
      {
        id: 3,
        name: 'Refusals',
        shared: false,
        own: true,
        removable: true,
        owner: 'ann',
        search: 'kind=denied',
      },
      { id: 5, name: 'Locks', shared: true, own: false, removable: false, owner: 'bob', search: 'kind=lock' },
      { id: 6, name: 'Mine', shared: false, own: true, removable: true, owner: 'ann', search: 'kind=undo' },
    ] as View[],
    counts: async () => [] as ViewCount[],
    entry: (_id: number): unknown => detail,
    found: entries as unknown[],
    /** How many entries there are in all; null for those that were found. */
    total: null as number | null,
    refuse: { list: false, save: undefined as unknown },
    hold: undefined as Promise<void> | undefined,
    /** Makes a decision about a view wait. */
    removing: undefined as Promise<void> | undefined,
  }
  const decide = (make: (asked: { subject: DecisionSubject | null; text: string }) => void) =>
    decisionMachine.provide({
      actors: {
        decide: fromPromise<unknown, { subject: DecisionSubject | null; text: string }>(async ({ input }) => {
          await edge.removing
          if (edge.refuse.save) throw edge.refuse.save
          make(input)
        }),
      },
    })
  const machines: AuditMachines = {
    list: (filters) =>
      listMachine.provide({
        actors: {
          load: fromPromise<ListResult, ListQuery>(async ({ input }) => {
            edge.asked.push({ filters, query: input })
            await edge.hold
            if (edge.refuse.list) throw new Error('refused')
            return { data: edge.found, total_length: edge.total ?? edge.found.length }
          }),
        },
      }),
    entry: (id) =>
      loadMachine.provide({ actors: { load: fromPromise<unknown>(async () => edge.entry(id)) } }),
    download: downloadMachine.provide({
      actors: {
        download: fromPromise<Downloaded, { id: string }>(async ({ input }) => {
          edge.files.push(input.id)
          return { content: new Blob(), disposition: '' }
        }),
      },
    }),
    views: {
      list: loadMachine.provide({ actors: { load: fromPromise<unknown>(async () => edge.kept) } }),
      counts: loadMachine.provide({ actors: { load: fromPromise<unknown>(async () => edge.counts()) } }),
      save: (search, isShared) =>
        decide(({ text }) => {
          const view = {
            id: 4,
            name: text,
            shared: isShared(),
            own: true,
            removable: true,
            owner: 'ann',
            search,
          }
          edge.kept = [...edge.kept, view]
        }),
      remove: decide(({ subject }) => (edge.kept = edge.kept.filter(({ id }) => id !== subject?.id))),
    },
  }
  const router = createMemoryRouter(
    [
      { path: '/audit', element: <AuditPage machines={machines} /> },
      { path: '/manage/merchants', element: <h1>Merchants</h1> },
    ],
    { initialEntries: [at] },
  )
  const show = () => {
    const { container } = render(
      <ActorEnvironmentContext value={{ clock: new SimulatedClock() }}>
        <RouterProvider router={router} />
      </ActorEnvironmentContext>,
    )
    return container
  }
  return { edge, show, router, user: newUser(), address: () => router.state.location.search }
}
const open = (at = '/audit') => {
  const audit = openAudit(at)
  return { ...audit, container: audit.show() }
}
const lastAsked = ({ edge }: Pick<ReturnType<typeof open>, 'edge'>) => edge.asked.at(-1)

describe('the screen Audit', () => {
  test('says in words who did what, and that nobody is known of a failed sign-in', async () => {
    const { container } = open()
    expect(await screen.findByText('Changed merchant 000123: Master Agent MA0002 → MA0003')).toBeVisible()
    const [, first, second] = screen.getAllByRole('row')
    expect(within(first!).getByText('ann')).toBeVisible()
    expect(within(second!).getByText('Unknown')).toBeVisible()
    expect(screen.getByRole('status')).toHaveTextContent('Showing 1 to 2 of 2')
    const { violations } = await axe.run(container, { rules: { region: { enabled: false } } })
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  test('asks for the filters of its address, and leaves out what is malformed', async () => {
    const audit = open(
      '/audit?person=ann&kind=update&record=none&from=2026-02-30&to=2026-02-28&size=25&search=MA',
    )
    await screen.findByText(/Changed merchant/)
    expect(lastAsked(audit)).toEqual({
      filters: { person: 'ann', kind: 'update', to: '2026-02-28' },
      query: { page: 1, size: 25, search: 'MA', sort: '', filter: '' },
    })
    for (const text of ['Person: ann', 'Kind: Changed', 'To: 02/28/2026'])
      expect(screen.getByRole('button', { name: `Remove the filter ${text}` })).toBeVisible()
  })

  test('the choices of a filter and the button of a chosen one have distinct texts', async () => {
    const { user } = open('/audit?kind=undobulk')
    for (const name of ['Kind', 'Record']) {
      const words = within(await screen.findByLabelText(name)).getAllByRole('option')
      expect(new Set(words.map((it) => it.textContent)).size).toBe(words.length)
    }
    await user.selectOptions(screen.getByLabelText('Kind'), 'Undone (import)')
    expect(screen.getByLabelText('Kind')).toHaveValue('undo')
    const remove = 'Remove the filter Kind: Undone (import)'
    expect(await screen.findByRole('button', { name: remove })).toHaveTextContent('Kind: Undone (import)')
  })

  test('each filter becomes a button that removes it again, alone, and starts at the first page', async () => {
    const audit = open('/audit?page=1&kind=lock')
    const { user } = audit
    await user.type(await screen.findByLabelText('Person'), 'ann{Enter}')
    await waitFor(() => expect(audit.address()).toBe('?person=ann&kind=lock'))
    await user.selectOptions(screen.getByLabelText('Record'), 'Merchant')
    await waitFor(() =>
      expect(lastAsked(audit)?.filters).toEqual({ person: 'ann', kind: 'lock', record: 'merchant' }),
    )
    await user.click(screen.getByRole('button', { name: 'Remove the filter Kind: Locked' }))
    await waitFor(() => expect(lastAsked(audit)?.filters).toEqual({ person: 'ann', record: 'merchant' }))
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(audit.address()).toBe(''))
    expect(screen.queryByRole('list', { name: 'Chosen filters' })).toBeNull()
  })

  test('a filter that is left as it was changes nothing, nor the page that is shown', async () => {
    const audit = openAudit('/audit?page=2&person=ann')
    audit.edge.total = 30
    audit.show()
    await audit.user.click(await screen.findByLabelText('Person'))
    await audit.user.tab()
    await audit.user.click(screen.getByLabelText('From'))
    await audit.user.keyboard('{Enter}')
    expect(audit.address()).toBe('?page=2&person=ann')
  })

  test.each([
    ['person', 'Person', 'ann', 'ann'],
    ['recordid', 'Number', '7', '7'],
    ['from', 'From', '2026-01-02', '01/02/2026'],
    ['to', 'To', '2026-01-02', '01/02/2026'],
  ])('the field of the filter %s is empty once the filter is removed', async (name, label, value, shown) => {
    const { user } = open(`/audit?${name}=${value}`)
    expect(await screen.findByLabelText(label)).toHaveValue(value)
    await user.click(screen.getByRole('button', { name: `Remove the filter ${label}: ${shown}` }))
    await waitFor(() => expect(screen.getByLabelText(label)).toHaveValue(''))
  })

  test.each([
    [maxPagedEntries - 1, 0],
    [maxPagedEntries, 1],
  ])('of %i entries it is said how many are shown at most: %i times', async (total, times) => {
    const audit = openAudit('/audit')
    audit.edge.total = total
    audit.show()
    await screen.findByText(/Changed merchant/)
    expect(screen.queryAllByText(/^The newest 10,000 entries are shown/)).toHaveLength(times)
  })

  test('keeps the first row visible in pages of another size', async () => {
    const audit = openAudit('/audit?page=3')
    audit.edge.total = 60
    audit.show()
    await audit.user.selectOptions(await screen.findByLabelText(/^Rows per page/), '25')
    await waitFor(() => expect(lastAsked(audit)?.query).toMatchObject({ page: 1, size: 25 }))
  })

  test('searches from the first page on', async () => {
    const audit = openAudit('/audit?page=3&person=ann')
    audit.edge.total = 60
    audit.show()
    await audit.user.type(await screen.findByRole('searchbox', { name: 'Search the audit' }), 'M')
    expect(audit.address()).toBe('?person=ann&search=M')
  })

  test('keeps the entries, and says that it is busy, until those of the next page are there', async () => {
    const audit = openAudit('/audit')
    audit.edge.total = 60
    audit.show()
    await screen.findByText(/Changed merchant/)
    const region = screen.getByRole('region', { name: 'Audit' })
    expect(region).toHaveAttribute('aria-busy', 'false')
    let release = () => {}
    audit.edge.hold = new Promise((resolve) => (release = resolve))
    await audit.user.click(screen.getByRole('link', { name: 'Next page' }))
    expect(screen.getByText(/Changed merchant/)).toBeVisible()
    expect(region).toHaveAttribute('aria-busy', 'true')
    release()
    await waitFor(() => expect(region).toHaveAttribute('aria-busy', 'false'))
  })

  test('shows grey lines until the entries are there', async () => {
    const audit = openAudit('/audit')
    let release = () => {}
    audit.edge.hold = new Promise((resolve) => (release = resolve))
    audit.show()
    expect(await screen.findByRole('region', { name: 'Audit' })).toHaveAttribute('aria-busy', 'true')
    release()
    expect(await screen.findByText(/Changed merchant/)).toBeVisible()
  })

  test('says that no entry passes the filters, and clears them', async () => {
    const audit = openAudit('/audit?person=nobody&search=MA')
    audit.edge.found = []
    audit.show()
    expect(await screen.findByText('No entry passes these filters')).toBeVisible()
    await audit.user.click(screen.getAllByRole('button', { name: 'Clear filters' }).at(-1)!)
    await waitFor(() => expect(audit.address()).toBe(''))
  })

  test('says that the audit could not be loaded, and tries again', async () => {
    const audit = openAudit('/audit')
    audit.edge.refuse.list = true
    audit.show()
    expect(await screen.findByText('The audit could not be loaded')).toBeVisible()
    audit.edge.refuse.list = false
    await audit.user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText(/Changed merchant/)).toBeVisible()
  })

  test('exports all entries of the filters in both formats', async () => {
    const { edge, user } = open('/audit?kind=update&search=MA')
    await user.click(await screen.findByRole('button', { name: 'Export Excel' }))
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    const filters = { kind: 'update', search: 'MA' }
    await waitFor(() =>
      expect(edge.files.map((id) => JSON.parse(id) as object)).toEqual([
        { ...filters, format: 'xlsx' },
        { ...filters, format: 'csv' },
      ]),
    )
  })

  test.each(['{Escape}', 'Close'])(
    'has the focus on the link of an entry that was closed by %s',
    async (way) => {
      const { user } = open('/audit?person=ann')
      const link = (await screen.findAllByRole('link', { name: /2026|2025/ }))[0]!
      await user.click(link)
      const dialog = within(await screen.findByRole('dialog'))
      await dialog.findByText('History of merchant 000123')
      const button = dialog.getByText('Close', { selector: '.bp6-dialog-footer *' })
      await (way === 'Close' ? user.click(button) : user.keyboard(way))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      await waitFor(() => expect(link).toHaveFocus())
    },
  )

  test('opens an entry with its values, its record and the history of the record', async () => {
    const { user, address, router } = open('/audit?person=ann')
    await user.click((await screen.findAllByRole('link', { name: /2026|2025/ }))[0]!)
    expect(address()).toBe('?person=ann&open=8')
    const dialog = await screen.findByRole('dialog')
    const cells = await within(dialog).findAllByRole('cell')
    expect(cells.map(({ textContent }) => textContent)).toEqual(['MA0002', 'MA0003'])
    await user.click(within(dialog).getByRole('link', { name: 'History of merchant 000123' }))
    expect(address()).toBe('?record=merchant&recordid=5')
    await router.navigate('/audit?open=8')
    await user.click(await screen.findByRole('link', { name: 'merchant 000123' }))
    expect(await screen.findByRole('heading', { name: 'Merchants' })).toBeVisible()
    expect(router.state.location.search).toBe('?open=5')
  })

  test.each([
    [{ action: 'lock' }, 'History of merchant 000123', ['ann', 'Locked']],
    [{ username: '', action: 'of another version', entityid: '' }, null, ['Unknown', 'of another version']],
    [{ entityid: '', action: 'lock' }, null, ['ann', 'Locked']],
  ])('an entry %j is shown with the link %s', async (given, link, [person, kind]) => {
    const audit = openAudit('/audit?open=8')
    audit.edge.entry = () => ({ ...detail, ...given })
    audit.show()
    const dialog = within(await screen.findByRole('dialog'))
    const value = async (name: string) => (await dialog.findByText(name)).nextElementSibling?.textContent
    expect([await value('Person'), await value('Kind')]).toEqual([person, kind])
    const links = dialog.queryAllByRole('link', { name: /^History/ })
    expect(links.map(({ textContent }) => textContent)).toEqual(link === null ? [] : [link])
  })

  test('an entry whose record has no screen names it without a link', async () => {
    const audit = openAudit('/audit?open=8')
    audit.edge.entry = () => ({ ...detail, path: null })
    audit.show()
    const dialog = within(await screen.findByRole('dialog'))
    const record = (await dialog.findByText('Record')).nextElementSibling!
    expect([record.textContent, record.querySelector('a')]).toEqual(['merchant 000123', null])
  })

  test('another entry that is opened by the address is read in place of the former one', async () => {
    const audit = openAudit('/audit?open=8')
    audit.edge.entry = (id) => ({ ...detail, what: `What was done as ${id}` })
    audit.show()
    expect(await screen.findByText('What was done as 8')).toBeVisible()
    await audit.router.navigate('/audit?open=7')
    expect(await screen.findByText('What was done as 7')).toBeVisible()
    expect(screen.queryByText('What was done as 8')).toBeNull()
  })

  test('an entry that could not be loaded is asked for again', async () => {
    const audit = openAudit('/audit?open=8')
    audit.edge.entry = () => {
      throw new Error('away')
    }
    audit.show()
    await screen.findByText('The entry could not be loaded.')
    audit.edge.entry = () => detail
    await audit.user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('History of merchant 000123')).toBeVisible()
  })
})

describe('a filter of the audit', () => {
  test.each([
    ['Person', '  ann {Enter}', '?person=ann'],
    ['Number', 'MA0002{Enter}', '?recordid=MA0002'],
    ['From', '2026-01-31{Enter}', '?from=2026-01-31'],
    ['To', '2026-02-01{Enter}', '?to=2026-02-01'],
  ])('of the name %s takes %j at Enter', async (name, text, search) => {
    const { user, address } = open('/audit')
    await user.type(await screen.findByLabelText(name), text)
    await waitFor(() => expect(address()).toBe(search))
  })

  test('that is left as it was leaves the page as it is', async () => {
    const { user, address } = open('/audit?page=2')
    await user.click(await screen.findByLabelText('Person'))
    await user.tab()
    expect(address()).toBe('?page=2')
  })

  test('of records offers them by their names', async () => {
    open('/audit')
    const names = [...(await screen.findByLabelText<HTMLSelectElement>('Record')).options].map(
      ({ text }) => text,
    )
    expect(names.slice(0, 2)).toEqual(['All', names.slice(1).sort((a, b) => a.localeCompare(b))[0]])
    expect(names.slice(1)).toEqual(names.slice(1).sort((a, b) => a.localeCompare(b)))
  })
})

describe('a saved view', () => {
  const menu = (shown: string) => screen.findByRole('button', { name: `View: ${shown}` })
  const choose = async (audit: ReturnType<typeof open>, shown: string, name: RegExp) => {
    await audit.user.click(await menu(shown))
    await audit.user.click(await screen.findByRole('menuitemradio', { name }))
  }

  test('is applied when it is chosen, keeps the size of the pages, and can then be removed', async () => {
    const audit = open('/audit?person=ann&search=MA&page=1&size=25')
    await choose(audit, 'Not saved', /^Refusals/)
    await waitFor(() => expect(audit.address()).toBe('?kind=denied&size=25'))
    expect(await menu('Refusals')).toBeVisible()
    await audit.user.click(await screen.findByRole('button', { name: 'Remove “Refusals”' }))
    await waitFor(() => expect(audit.edge.kept.map(({ name }) => name)).toEqual(['Locks', 'Mine']))
    await audit.user.click(await menu('Not saved'))
    await screen.findByRole('menuitemradio', { name: 'Locks (bob)' })
    expect(screen.queryByRole('menuitemradio', { name: /Refusals/ })).not.toBeInTheDocument()
  })

  test('is gone from the list too when another one is chosen while it is removed', async () => {
    const audit = open('/audit?kind=denied&page=1&recordid=')
    let release = () => {}
    audit.edge.removing = new Promise((resolve) => (release = resolve))
    await audit.user.click(await screen.findByRole('button', { name: 'Remove “Refusals”' }))
    expect(screen.getByRole('button', { name: 'Remove “Refusals”' })).toHaveClass('bp6-loading')
    await choose(audit, 'Refusals', /^Mine/)
    expect(await screen.findByRole('button', { name: 'Remove “Mine”' })).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Remove “Mine”' })).not.toHaveClass('bp6-loading')
    release()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Remove “Mine”' })).toBeEnabled())
    await audit.user.click(await menu('Mine'))
    await screen.findByRole('menuitemradio', { name: 'Mine' })
    await waitFor(() => expect(screen.queryByRole('menuitemradio', { name: /Refusals/ })).toBeNull())
  })

  test('is the one that is removed after another could not be', async () => {
    const audit = open('/audit?kind=denied')
    audit.edge.refuse.save = { status: 500 }
    await audit.user.click(await screen.findByRole('button', { name: 'Remove “Refusals”' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Remove “Refusals”' })).toBeEnabled())
    audit.edge.refuse.save = undefined
    await choose(audit, 'Refusals', /^Mine/)
    await audit.user.click(await screen.findByRole('button', { name: 'Remove “Mine”' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove “Mine”' })).toBeNull())
    expect(audit.edge.kept.map(({ name }) => name)).toEqual(['Refusals', 'Locks'])
  })

  test('of somebody else says whose it is; the default shows all again', async () => {
    const audit = open('/audit')
    await menu('Default')
    expect(screen.queryByRole('button', { name: 'Save view' })).toBeNull()
    await choose(audit, 'Default', /^Locks \(bob\)/)
    await waitFor(() => expect(audit.address()).toBe('?kind=lock'))
    expect(screen.queryByRole('button', { name: /^Remove “/ })).not.toBeInTheDocument()
    await choose(audit, 'Locks (bob)', /^Default$/)
    await waitFor(() => expect(audit.address()).toBe(''))
  })

  test.each([true, false])('is kept under the name that is asked for, shared: %s', async (isShared) => {
    const audit = open('/audit?search=MA&person=ann&page=1')
    await audit.user.click(await screen.findByRole('button', { name: 'Save view' }))
    await audit.user.type(
      await screen.findByRole('textbox', { name: /^Name/ }, { timeout: 15_000 }),
      'Of Ann',
    )
    if (isShared) await audit.user.click(screen.getByRole('checkbox', { name: /^Shared/ }))
    await audit.user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('button', { name: 'Remove “Of Ann”' })).toBeVisible()
    await waitFor(async () => expect(await menu('Of Ann')).toHaveFocus())
    expect(audit.edge.kept.at(-1)).toMatchObject({
      name: 'Of Ann',
      search: 'person=ann&search=MA',
      shared: isShared,
    })
  })

  test('is of the filters that are shown when it is saved, whatever was shown before', async () => {
    const audit = open('/audit?person=ann')
    await screen.findByRole('button', { name: 'Save view' })
    await audit.user.selectOptions(screen.getByLabelText('Kind'), 'Locked')
    await waitFor(() => expect(audit.address()).toBe('?person=ann&kind=lock'))
    await audit.user.click(screen.getByRole('button', { name: 'Save view' }))
    await audit.user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Locks of Ann')
    await audit.user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('button', { name: 'Remove “Locks of Ann”' })).toBeVisible()
    expect(audit.edge.kept.at(-1)!.search).toBe('kind=lock&person=ann')
  })

  test('that is refused leaves the question open with what was typed', async () => {
    const audit = open('/audit?person=ann')
    audit.edge.refuse.save = { status: 409 }
    await audit.user.click(await screen.findByRole('button', { name: 'Save view' }))
    const name = await screen.findByRole('textbox', { name: /^Name/ })
    await audit.user.type(name, 'Of Ann')
    await audit.user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled())
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveValue('Of Ann')
  })
})

test.each([
  ['kind=lock&person=ann', 'person=ann&kind=lock'],
  ['kind=lock', 'kind=lock&page=3&size=25&open=7'],
  ['kind=lock', 'kind=lock&person='],
  ['', 'open=new'],
])('what is listed is %s at %s', (listed, address) => {
  expect(searchOf(new URLSearchParams(address))).toBe(listed)
})

test('filters are written in the place of the former ones and other parameters are kept', () => {
  const written = writeFilters(new URLSearchParams('page=3&size=25&kind=lock&open=4'), { to: '2026-01-31' })
  expect(written.toString()).toBe('size=25&to=2026-01-31')
  expect(readFilters(written)).toEqual({ to: '2026-01-31' })
  expect(
    readFilters(new URLSearchParams(`person=${'x'.repeat(201)}&recordid=&kind=x&from=2026-13-01`)),
  ).toEqual({})
  expect(readFilters(new URLSearchParams('record=toString&kind=toString'))).toEqual({})
  const longest = 'x'.repeat(200)
  expect(readFilters(new URLSearchParams({ person: longest }))).toEqual({ person: longest })
})
