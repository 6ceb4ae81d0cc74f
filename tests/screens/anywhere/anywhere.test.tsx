import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import type { FoundKind } from '../../../schemas/api/find/find.ts'
import { wordHelp } from '../../../schemas/help/help.ts'
import { reportHelp } from '../../../schemas/help/reportHelp.ts'
import { permissions, permissionWords, type Permission } from '../../../schemas/permissions.ts'
import { createDoneMessages } from '../../../src/api/doneMessages.ts'
import { DoneMessage } from '../../../src/app/anywhere/DoneMessage.tsx'
import { focusFirstField } from '../../../src/app/anywhere/firstField.ts'
import { letterOf } from '../../../src/app/anywhere/keys.ts'
import { screens } from '../../../src/app/screenTable.tsx'
import { useShownPath } from '../../../src/parts/anywhere.ts'
import { openTab, remember, signIn } from '../../journeys/open.ts'
import { replyFor, scripted } from '../../journeys/scripted.ts'
import { manager } from '../entity/entityScreen.tsx'

const merchants = endpoints.entities['merchant']!
const row = (id: number) => ({
  id,
  version: 1,
  xmid: `40${id}`,
  dba: `Shop ${id}`,
  status: '',
  masteragentid: 7,
  accountstatus: 2,
  date_added: 1_767_225_600,
  notes: '',
  labels: { masteragentid: 'MA0012 - North' },
})

beforeAll(async () => {
  await Promise.all([
    import('../../../src/app/anywhere/Anywhere.tsx'),
    import('../../../src/app/anywhere/FindDialog.tsx'),
    import('../../../src/app/anywhere/KeysDialog.tsx'),
    import('../../../src/app/anywhere/HelpDialog.tsx'),
    import('../../../src/api/provide/find.ts'),
  ])
})

const open = async (
  {
    at = '/manage/merchants',
    permissions: given = ['manage_merchants', 'edit_maid_salesrep'] as readonly Permission[],
    admin = false,
  } = {},
  answers: Parameters<typeof scripted>[0] = {},
) => {
  // happy-dom leaves the focus on what the test before removed.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  remember(replyFor({ permissions: given, admin }))
  const server = scripted({
    [endpoints.session.renew.route]: { body: replyFor({ permissions: given, admin }) },
    [merchants.list.route]: { body: { data: [row(1), row(2), row(3)], total_length: 3 } },
    'GET /api/v1/merchant/2': { body: row(2) },
    ...answers,
  })
  const tab = openTab({ adapter: server.adapter, at })
  if (at === '/manage/merchants') await screen.findByRole('link', { name: '401' })
  // The keys are fetched after the screen.
  await waitFor(() => expect(document.querySelector('.done-message')).not.toBeNull())
  return { server, tab, user: tab.user }
}
/** A key goes to where the focus is, which moves into the layer of the dialog a moment after it is there. */
const dialog = async (name: string) => {
  const it = await screen.findByRole('dialog', { name })
  await waitFor(() =>
    expect(it.closest('.bp6-portal')).toContainElement(document.activeElement as HTMLElement),
  )
  return it
}
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const openFind = async (user: { keyboard: (text: string) => Promise<void> }) => {
  await user.keyboard('{Control>}k{/Control}')
  return within(await dialog('Find')).findByRole('combobox', { name: 'Find records and commands' })
}
/** Whether the key of Find does anything. */
const pressFind = () => !fireEvent.keyDown(document.activeElement!, { key: 'k', ctrlKey: true })
const list = () => within(screen.getByRole('listbox', { name: 'Found' }))
const findBox = () => screen.findByRole('combobox', { name: 'Find records and commands' })
const options = () =>
  list()
    .queryAllByRole('option')
    .map((it) => it.textContent)
const selected = () => list().getByRole('option', { selected: true }).textContent

describe('the keys', () => {
  test('that ? shows are those that work: each g and letter leads to its screen', async () => {
    const { tab, user } = await open({ permissions })
    await user.keyboard('?')
    const shown = within(within(await dialog('Keys')).getByRole('region', { name: 'Go to' }))
    const rows = shown.getAllByRole('term').map((it) => it.textContent)
    const places = screens.filter(({ path, allow }) => letterOf[path] && allow(viewerOf(permissions)))
    expect(rows.toSorted()).toEqual(places.map(({ path }) => `g then ${letterOf[path]}`).toSorted())
    await user.keyboard('{Escape}')
    await noDialog()
    for (const path of ['/manage/agents', '/manage/equipment', '/manage/merchants']) {
      await user.keyboard(`g${letterOf[path]}`)
      await waitFor(() => expect(tab.at()).toBe(path))
    }
  })

  test('have a letter for each screen that has one, no letter for two, and none for a screen that is not there', () => {
    const paths = screens.map(({ path }) => path)
    expect(Object.keys(letterOf).filter((path) => !paths.includes(path))).toEqual([])
    expect(new Set(Object.values(letterOf)).size).toBe(Object.values(letterOf).length)
  })

  test.each(['the page', 'a field'])(
    'typed after Ctrl+K before Find is there, with the focus on %s, are what Find looks for',
    async (place) => {
      const { server, tab, user } = await open(
        { permissions },
        { 'GET /api/v1/find': { body: { data: [] } } },
      )
      const search = screen.getByRole('searchbox')
      const target = place === 'a field' ? search : document.body
      target.focus()
      fireEvent.keyDown(target, { key: 'k', ctrlKey: true })
      // Alone they would open another screen.
      const taken = ['g', 'a', 'm'].map((key) => !fireEvent.keyDown(target, { key }))
      expect([taken, screen.queryByRole('dialog')]).toEqual([[true, true, true], null])
      expect(fireEvent.keyDown(target, { key: 'v', ctrlKey: true })).toBe(true)
      const box = await findBox()
      expect(box).toHaveValue('gam')
      tab.clock.increment(300)
      await waitFor(() => expect(server.calls.at(-1)?.query).toEqual({ q: 'gam' }))
      expect([tab.at(), search]).toEqual(['/manage/merchants', expect.objectContaining({ value: '' })])
      await user.keyboard('{Escape}')
      await noDialog()
      fireEvent.keyDown(target, { key: 'k', ctrlKey: true })
      expect(await findBox()).toHaveValue('')
    },
  )

  test('lead only to screens that the person may open', async () => {
    const { tab, user } = await open()
    await user.keyboard('gu')
    await user.keyboard('?')
    await dialog('Keys')
    expect(tab.at()).toBe('/manage/merchants')
    expect(screen.queryByText('Manage Users', { selector: 'dd' })).toBeNull()
  })

  test('j and k go along the rows and stay at their ends, Enter opens, and / is in the search', async () => {
    const { tab, user } = await open()
    const names: (string | null | undefined)[] = []
    for (const key of ['j', 'j', 'j', 'j', 'k', 'k', 'k', 'j']) {
      await user.keyboard(key)
      names.push(document.activeElement?.textContent)
    }
    expect(names).toEqual(['401', '402', '403', '403', '402', '401', '401', '402'])
    await user.keyboard('{Enter}')
    await waitFor(() => expect(tab.at()).toBe('/manage/merchants?open=2'))
    const record = within(await dialog('Create or Edit Merchant'))
    await user.click(record.getByRole('button', { name: 'Cancel' }))
    await noDialog()
    await user.keyboard('/')
    expect(screen.getByRole('searchbox', { name: 'Search Merchants' })).toHaveFocus()
  })

  test('n opens a new record, and nothing where none can be created', async () => {
    const { tab, user } = await open()
    await user.keyboard('n')
    await waitFor(() => expect(tab.at()).toBe('/manage/merchants?open=new'))
    const other = await open({ permissions: [] })
    await other.user.keyboard('n')
    expect(other.tab.at()).toBe('/manage/merchants')
  })

  test('do nothing in a field, with a dialog open, with a modifier, or after more than 1.5 seconds', async () => {
    const { tab, user } = await open()
    await user.keyboard('/')
    await user.keyboard('ge?')
    expect(screen.getByRole('searchbox', { name: 'Search Merchants' })).toHaveValue('ge?')
    screen.getByRole('searchbox', { name: 'Search Merchants' }).blur()
    await user.keyboard('{Control>}ge{/Control}{Alt>}ge{/Alt}{Meta>}ge{/Meta}')
    const press = (key: string, at: number) => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true })
      Object.defineProperty(event, 'timeStamp', { value: at })
      document.body.dispatchEvent(event)
    }
    press('g', 1_000)
    press('e', 2_501)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(tab.at()).toMatch(/^\/manage\/merchants/)
    press('g', 3_000)
    press('e', 4_500)
    await waitFor(() => expect(tab.at()).toBe('/manage/equipment'))
    await user.keyboard('?')
    await dialog('Keys')
    await user.keyboard('gm')
    expect(tab.at()).toBe('/manage/equipment')
  })

  test.each<[string, KeyboardEventInit]>([
    ['held down', { key: '?', repeat: true }],
    ['within a composition', { key: '?', isComposing: true }],
    ['with Ctrl and Shift', { key: 'K', ctrlKey: true, shiftKey: true }],
    ['with Ctrl and Alt', { key: 'k', ctrlKey: true, altKey: true }],
  ])('do nothing when pressed %s', async (_, init) => {
    await open()
    const press = (more: KeyboardEventInit) =>
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init, ...more }),
      )
    // What was not prevented is left to the browser.
    expect(press({})).toBe(true)
    expect(press({ repeat: false, isComposing: false, shiftKey: false, altKey: false })).toBe(false)
  })

  test('can be switched off, which this browser stores; Ctrl+K stays', async () => {
    const { tab, user } = await open()
    await user.keyboard('?')
    await user.click(await screen.findByRole('checkbox', { name: 'Keys without Ctrl or ⌘ are on' }))
    expect(localStorage.getItem('technology-portal.keys')).toBe('off')
    await user.keyboard('{Escape}')
    await noDialog()
    await user.keyboard('ge?')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(tab.at()).toBe('/manage/merchants')
    await openFind(user)
    await user.keyboard('{Escape}')
    await noDialog()
    await user.click(screen.getByRole('button', { name: 'Welcome, ann' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Keys' }))
    const checkbox = await screen.findByRole('checkbox', { name: 'Keys without Ctrl or ⌘ are on' })
    await user.click(checkbox)
    expect(localStorage.getItem('technology-portal.keys')).toBe('on')
    // Another tab switches them off: the browser says so here.
    localStorage.setItem('technology-portal.keys', 'off')
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'technology-portal.keys' })))
    expect(checkbox).not.toBeChecked()
    localStorage.setItem('technology-portal.keys', 'on')
  })
})

const viewerOf = (given: readonly Permission[]) => ({
  username: 'ann',
  masteragentid: null,
  seesall: true,
  admin: false,
  permissions: replyFor({ permissions: given }).permissions,
})

describe('Find', () => {
  const found: FoundKind[] = [
    {
      title: 'Merchants',
      rows: [{ text: '402 - Shop 2', to: '/manage/merchants?open=2' }],
      all: '/manage/merchants?search=shop',
      slow: false,
    },
    { title: 'Equipment', rows: [], all: '', slow: true },
  ]
  const answering = (data: FoundKind[]) => ({ [endpoints.find.find.route]: { body: { data } } })

  test('offers screens and commands by their words in any order, and Enter goes there', async () => {
    const { tab, user } = await open()
    await openFind(user)
    expect(options()).toEqual(
      expect.arrayContaining(['Home', 'Merchants', 'New merchant', 'Show the keys', 'Help']),
    )
    expect(options()).not.toContain('Manage Users')
    expect(options()).not.toContain('New user')
    await user.keyboard('mer ne')
    expect(options()).toEqual(['New merchant'])
    await user.keyboard('{Enter}')
    await waitFor(() => expect(tab.at()).toBe('/manage/merchants?open=new'))
    await dialog('Create or Edit Merchant')
  })

  test('moves by the arrows around the ends, and Escape gives the focus back', async () => {
    const { user } = await open()
    await user.keyboard('jj')
    const box = await openFind(user)
    expect(box).toHaveFocus()
    const all = options()
    expect(selected()).toBe(all[0])
    await user.keyboard('{ArrowUp}')
    expect(selected()).toBe(all.at(-1))
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(selected()).toBe(all[1])
    expect(box).toHaveAttribute('aria-activedescendant', list().getByRole('option', { selected: true }).id)
    fireEvent.keyDown(box, { key: 'ArrowDown', isComposing: true })
    expect(selected()).toBe(all[1])
    // Of a key that was pressed elsewhere, and Find a second time.
    fireEvent.keyUp(box, { key: 'Enter' })
    await user.keyboard('{Control>}k{/Control}')
    expect(box).toHaveFocus()
    await user.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(screen.getByRole('link', { name: '402' })).toHaveFocus())
  })

  test('has the first option chosen for another text, also where the one chosen before is offered still', async () => {
    const { user } = await open()
    await openFind(user)
    await user.keyboard('m')
    const all = options()
    const at = all.indexOf('Merchants')
    expect(at).toBeGreaterThan(0)
    await user.keyboard('{ArrowDown}'.repeat(at))
    expect(selected()).toBe('Merchants')
    await user.keyboard('e')
    expect(options().indexOf('Merchants')).toBeGreaterThan(0)
    expect(selected()).toBe(options()[0])
  })

  test('shows what was found below its kind, says what was not searched to the end, and opens a record', async () => {
    const { tab, user, server } = await open({}, answering(found))
    await openFind(user)
    await user.keyboard('sh')
    expect(screen.getByText('Type a word of at least 3 characters to find records.')).toBeVisible()
    await user.keyboard('o')
    expect(server.count(endpoints.find.find.route)).toBe(0)
    tab.clock.increment(300)
    const group = within(await screen.findByRole('group', { name: 'Merchants' }))
    expect(group.getAllByRole('option').map((it) => it.textContent)).toEqual([
      '402 - Shop 2',
      'All matches in Merchants',
    ])
    expect(screen.getByText('Not searched to the end: Equipment. Type more of the name.')).toBeVisible()
    expect(server.calls.at(-1)?.query).toEqual({ q: 'sho' })
    await user.keyboard('{ArrowDown}'.repeat(options().indexOf('402 - Shop 2')) + '{Enter}')
    await waitFor(() => expect(tab.at()).toBe('/manage/merchants?open=2'))
  })

  test('does not open what was found for an older text', async () => {
    const { tab, user } = await open({}, answering(found))
    await openFind(user)
    await user.keyboard('zzz')
    tab.clock.increment(300)
    await screen.findByRole('option', { name: '402 - Shop 2' })
    await user.keyboard('z')
    expect(screen.getByRole('option', { name: '402 - Shop 2' })).toHaveAttribute('aria-disabled', 'true')
    await user.keyboard('{Enter}')
    await user.click(screen.getByRole('option', { name: '402 - Shop 2' }))
    expect(tab.at()).toBe('/manage/merchants')
    expect(screen.getByRole('dialog', { name: 'Find' })).toBeVisible()
  })

  test('says when nothing matches, when the search failed, and tries again', async () => {
    const { tab, user, server } = await open({}, { [endpoints.find.find.route]: { status: 500, body: {} } })
    await openFind(user)
    await user.keyboard('zzz')
    tab.clock.increment(300)
    expect(await screen.findByText('Records could not be searched.')).toBeVisible()
    server.answer(endpoints.find.find.route, { body: { data: [] } })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(screen.getByRole('combobox', { name: 'Find records and commands' })).toHaveFocus()
    expect(await screen.findByText('Nothing matches “zzz”.')).toBeVisible()
    expect(screen.queryByRole('dialog', { name: "That's an error." })).toBeNull()
  })

  test.each([
    ['another screen', 'equip', 'Equipment', '/manage/equipment'],
    ['another record of the list', 'shop', '403 - Shop 3', '/manage/merchants?open=3'],
    ['the list', 'shop', 'All matches in Merchants', '/manage/merchants?search=shop'],
  ])(
    'opens over the dialog of a record and asks about its changes before it leaves for %s',
    async (...way) => {
      const [, typed, name, address] = way
      const other = { text: '403 - Shop 3', to: '/manage/merchants?open=3' }
      const merchantsAlone = [
        { title: 'Merchants', rows: [other], all: '/manage/merchants?search=shop', slow: false },
      ]
      const answers = { ...answering(merchantsAlone), 'GET /api/v1/merchant/3': { body: row(3) } }
      const { tab, user } = await open({ at: '/manage/merchants?open=2' }, answers)
      const rep = await screen.findByLabelText('Sales Rep')
      await user.type(rep, 'x')
      await openFind(user)
      await user.keyboard(typed)
      tab.clock.increment(300)
      await user.click(await screen.findByRole('option', { name }))
      expect(await screen.findByRole('alertdialog', { name: 'Discard your changes?' })).toBeVisible()
      expect(pressFind()).toBe(false)
      expect(tab.at()).toBe('/manage/merchants?open=2')
      await user.click(screen.getByRole('button', { name: 'Discard' }))
      await waitFor(() => expect(tab.at()).toBe(address))
    },
  )
})

test.each([
  [500, "That's an error."],
  [428, "We've Updated our Terms and Conditions"],
])('Find does not open over what a call says that is answered %i', async (status, name) => {
  const { user } = await open(
    { at: '/manage/merchants?open=2' },
    {
      'PUT /api/v1/merchant/2': { status, body: { error: 'No', requestId: 'r1' } },
      'GET /api/v1/tc/latest': { body: { id: 2, tctext: 'New terms' } },
    },
  )
  await user.type(await screen.findByLabelText('Sales Rep'), 'x')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const dialog = await screen.findByRole('dialog', { name })
  expect(pressFind()).toBe(false)
  if (status === 428) return
  await user.click(within(dialog).getByRole('button', { name: 'Dismiss' }))
  await waitFor(() => expect(dialog).not.toBeVisible())
  expect(pressFind()).toBe(true)
  expect(await screen.findByRole('dialog', { name: 'Find' })).toBeVisible()
})

describe('the message after a save', () => {
  test('says Saved., and View opens the record', async () => {
    const { tab, user } = await open(
      { at: '/manage/merchants?open=2' },
      { 'PUT /api/v1/merchant/2': { body: row(2) } },
    )
    await user.type(await screen.findByLabelText('Sales Rep'), 'x')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const message = await screen.findByText('Saved.')
    expect(message.closest('[aria-live]')).toHaveAttribute('aria-live', 'polite')
    await waitFor(() => expect(tab.at()).toBe('/manage/merchants'))
    await user.click(screen.getByRole('link', { name: 'View' }))
    await waitFor(() => expect(tab.at()).toBe('/manage/merchants?open=2'))
    expect(screen.queryByText('Saved.')).toBeNull()
  })

  test.each([
    ['/month/2026-10', null, 0],
    ['/month/2026-09', null, 1],
    ['/month', '/month/2026-10', 0],
    ['/month', '/month/2026-09', 1],
    ['/month', null, 1],
  ])(
    'has View unless what it opens is on the screen: at %s, which shows %s, %i times',
    (at, shown, times) => {
      const ShownMonth = () => {
        useShownPath(shown!)
        return null
      }
      const screenOf = (hasMessage: boolean) => (
        <MemoryRouter initialEntries={[at]}>
          {shown !== null && <ShownMonth />}
          {hasMessage && <DoneMessage messages={messages} viewer={manager} />}
        </MemoryRouter>
      )
      const messages = createDoneMessages()
      messages.show({ text: 'Locked.', view: '/month/2026-10' })
      const { rerender } = render(screenOf(false))
      rerender(screenOf(true))
      expect(screen.getByText('Locked.')).toBeVisible()
      expect(screen.queryAllByRole('link', { name: 'View' })).toHaveLength(times)
    },
  )

  test('has no View for a person who creates users and may not open them', async () => {
    const { user } = await open(
      { at: '/users?open=new', permissions: ['create_users'] },
      {
        'POST /api/v1/user': { status: 201, body: { id: 9, version: 1, username: 'ann' } },
        'GET /api/v1/masteragent/ids': { body: { data: [{ id: 2, displayid: 'MA0002', name: 'North' }] } },
      },
    )
    await user.type(await screen.findByLabelText(/^Username/), 'ann')
    await user.type(screen.getByLabelText(/^Password/), 'four warm copper kettles')
    await user.type(screen.getByLabelText(/^Confirm Password/), 'four warm copper kettles')
    await user.click(screen.getByLabelText(/^Master Agent/))
    await user.click(await screen.findByRole('option', { name: '2 - North' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Created.')
    expect(screen.queryByRole('link', { name: 'View' })).toBeNull()
  })

  test('is not shown after a call that failed, and goes by its button', async () => {
    const { user, server } = await open(
      { at: '/manage/merchants?open=2' },
      { 'PUT /api/v1/merchant/2': { status: 422, body: { error: 'No' } } },
    )
    await user.type(await screen.findByLabelText('Sales Rep'), 'x')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await user.click(await screen.findByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByText('Saved.')).toBeNull()
    server.answer('PUT /api/v1/merchant/2', { body: row(2) })
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Saved.')
    await user.click(screen.getByRole('button', { name: 'Close message' }))
    expect(screen.queryByText('Saved.')).toBeNull()
  })
})

describe('a message', () => {
  const open = () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const messages = createDoneMessages()
    render(
      <MemoryRouter>
        <DoneMessage messages={messages} viewer={manager} />
      </MemoryRouter>,
    )
    const show = (text: string) => act(() => messages.show({ text }))
    show('Saved.')
    const isShown = (text: string, after: number) => {
      act(() => void vi.advanceTimersByTime(after))
      return screen.queryByText(text) !== null
    }
    return { box: document.querySelector('.done-message')!, show, isShown }
  }

  test.each([
    ['pointer', fireEvent.pointerEnter, fireEvent.pointerLeave],
    ['focus', fireEvent.focus, fireEvent.blur],
  ])('stays while the %s is in it, and goes 10 seconds after that has left', (_, enter, leave) => {
    const { box, isShown } = open()
    enter(box)
    expect(isShown('Saved.', 60_000)).toBe(true)
    leave(box)
    expect(isShown('Saved.', 9_999)).toBe(true)
    expect(isShown('Saved.', 1)).toBe(false)
  })

  test('goes by itself although the one before was closed with the pointer in it', () => {
    const { box, show, isShown } = open()
    fireEvent.pointerEnter(box)
    fireEvent.click(screen.getByRole('button', { name: 'Close message' }))
    show('Deleted.')
    expect(isShown('Deleted.', 9_999)).toBe(true)
    expect(isShown('Deleted.', 1)).toBe(false)
  })
})

describe('the button Find of the bar', () => {
  test.each([
    ['wide', 2000],
    ['narrow', 390],
  ])('opens the dialog in a %s window and has the focus after it', async (_, width) => {
    vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
      const most = Number(/max-width: ([\d.]+)px/.exec(query)?.[1] ?? 0)
      const matches = query.includes('max-width') && width <= most
      return {
        matches,
        media: query,
        addEventListener() {},
        removeEventListener() {},
      } as unknown as MediaQueryList
    })
    onTestFinished(() => void vi.restoreAllMocks())
    const { user } = await open({ at: '/shared-drive' })
    const button = screen.getByRole('button', { name: 'Find' })
    expect(button.querySelectorAll('kbd')).toHaveLength(width === 390 ? 0 : 1)
    expect(button).toHaveAttribute('aria-keyshortcuts', 'Control+K')
    await user.click(button)
    await dialog('Find')
    await user.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(button).toHaveFocus())
  })
})

describe('Help', () => {
  test.each([false, true])(
    'holds every word and every permission, with its name in the calls for administrators alone: %s',
    async (admin) => {
      const { user } = await open({ admin })
      await user.click(screen.getByRole('button', { name: 'Welcome, ann' }))
      await user.click(await screen.findByRole('menuitem', { name: 'Help' }))
      const terms = within(await dialog('Help')).queryAllByRole('term')
      const named = permissions.map((name) => permissionWords[name] + (admin ? ` (${name})` : ''))
      expect(terms.map((it) => it.textContent)).toEqual([
        ...Object.keys(wordHelp),
        ...Object.keys(reportHelp),
        ...named,
      ])
    },
  )

  test('is found by what is typed', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Welcome, ann' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Help' }))
    const help = within(await dialog('Help'))
    const terms = () => help.queryAllByRole('term').map((it) => it.textContent)
    await user.type(help.getByRole('searchbox', { name: 'Search the help' }), ' OVERRIDE ')
    // The word itself comes before what only mentions it.
    expect(terms()[0]).toBe('Override')
    expect(terms()).not.toContain('Own')
    await user.type(help.getByRole('searchbox', { name: 'Search the help' }), 'zz')
    expect(help.getByText('The help says nothing of “OVERRIDE zz”.')).toBeVisible()
    await user.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Welcome, ann' })).toHaveFocus())
  })

  test('opens at the word of a heading, by keyboard, and leaves the order of the list as it is', async () => {
    const { server, user } = await open(
      { at: '/manage/merchants' },
      { [merchants.list.route]: { body: { data: [row(1)], total_length: 1 } } },
    )
    const head = await screen.findByRole('columnheader', { name: 'DBA' })
    const sort = within(head).getByRole('button', { name: 'DBA' })
    sort.focus()
    const before = server.calls.length
    await user.keyboard('{Tab}{Enter}')
    const help = within(await dialog('Help'))
    expect(help.getByRole('searchbox', { name: 'Search the help' })).toHaveValue('DBA')
    expect(help.getAllByRole('term')[0]).toHaveTextContent('DBA')
    expect(head).toHaveAttribute('aria-sort', 'none')
    expect(server.calls.slice(before)).toEqual([])
    await user.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(within(head).getByRole('button', { name: 'Help: DBA' })).toHaveFocus())
  })

  test('opens at the report that is chosen', async () => {
    const types = [
      { id: 'x', name: 'Withheld Pay', group: 'Pay of Agents', description: 'x', inputs: [], formats: [] },
    ]
    const { user } = await open(
      { at: '/reporting?report=x' },
      { [endpoints.reports.types.route]: { body: { data: types } } },
    )
    await user.click(await screen.findByRole('button', { name: 'Help: Withheld Pay' }))
    const help = within(await dialog('Help'))
    expect(help.getAllByRole('term')[0]).toHaveTextContent('Withheld Pay')
    expect(help.getAllByRole('region')[0]).toHaveAccessibleName('Reports')
  })

  test('opens from the heading of Reporting', async () => {
    const { user } = await open(
      { at: '/reporting' },
      { [endpoints.reports.types.route]: { body: { data: [] } } },
    )
    await user.click(await screen.findByRole('button', { name: 'Help' }))
    await dialog('Help')
  })
})

describe('the focus', () => {
  test('is on the screen after the dialog of a record that is on another page of the list', async () => {
    const { user } = await open(
      { at: '/manage/merchants?open=9' },
      { 'GET /api/v1/merchant/9': { body: row(9) } },
    )
    await dialog('Create or Edit Merchant')
    await user.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus())
  })

  test('is on the screen after Find that was opened before anything had the focus', async () => {
    const { user } = await open()
    expect(document.body).toHaveFocus()
    await openFind(user)
    await user.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus())
  })

  test('is on the first field of the screen after signing in, and is left alone on a page that is loaded', async () => {
    const server = scripted({
      [merchants.list.route]: { body: { data: [row(1)], total_length: 1 } },
    })
    const tab = openTab({ adapter: server.adapter, at: '/login?returnUrl=%2Fmanage%2Fmerchants' })
    await signIn(tab, 'ann', 'secret-of-ann')
    await waitFor(() => expect(screen.getByRole('searchbox', { name: 'Search Merchants' })).toHaveFocus())
  })

  test.each([
    ['nothing was done', () => {}, true],
    ['a key was pressed', () => fireEvent.keyDown(document.body, { key: 'Tab' }), false],
    ['the pointer was pressed', () => fireEvent.pointerDown(document.body), false],
    ['the screen was left', (stop: () => void) => stop(), false],
  ])(
    'is on a first field that is drawn a minute after signing in, if %s',
    async (_, meanwhile, isFocused) => {
      const main = document.body.appendChild(document.createElement('main'))
      main.id = 'main'
      onTestFinished(() => main.remove())
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      try {
        meanwhile(focusFirstField())
        vi.advanceTimersByTime(60_000)
      } finally {
        vi.useRealTimers()
      }
      main.append(document.createElement('input'))
      // An observer is called after the changes that it observes, in a microtask.
      await Promise.resolve()
      expect(document.activeElement === main.firstChild).toBe(isFocused)
    },
  )

  test('is back on Delete when the question about it was answered with Cancel', async () => {
    const { user } = await open({
      at: '/manage/merchants?open=2',
      permissions: ['manage_merchants', 'delete_merchants'],
    })
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    const question = await screen.findByRole('alertdialog')
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Delete' })).toHaveFocus())
  })
})
