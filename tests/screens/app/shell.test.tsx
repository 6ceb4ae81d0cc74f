import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import { imports } from '../../../schemas/imports/imports.ts'
import {
  everyone,
  holds,
  noPermissions,
  permissions,
  type Permission,
  type Viewer,
} from '../../../schemas/permissions.ts'
import { screens, type Screen } from '../../../src/app/screenTable.tsx'
import { navigationOf } from '../../../src/app/shell/bar/navigation.ts'
import { openTab, remember } from '../../journeys/open.ts'
import { replyFor, scripted } from '../../journeys/scripted.ts'
import { drawTransitions } from '../transitions.ts'

const { logout, renew, changePassword } = endpoints.session
const links = [
  { title: 'Zebra Bank', link: 'https://zebra.example/' },
  { title: 'acquirer', link: 'https://acquirer.example/' },
  { title: 'Mail', link: 'http://mail.example/' },
  { title: 'Trap', link: 'javascript:alert(1)' },
  { title: 'Hidden trap', link: 'javascript:open("https://trap.example/")' },
]
const settings = {
  links,
  store: 'https://store.example/',
  training: 'https://training.example/',
  widget: null,
  backup: null,
}

const open = async (
  given: Parameters<typeof replyFor>[0] = {},
  answers: Parameters<typeof scripted>[0] = {},
) => {
  remember(replyFor(given))
  const server = scripted({
    [renew.route]: { body: replyFor(given) },
    [endpoints.home.portal.route]: { body: settings },
    ...answers,
  })
  const tab = openTab({ adapter: server.adapter })
  await screen.findByRole('link', { name: 'Training' })
  return { server, tab }
}
const items = async () =>
  (await screen.findAllByRole('menuitem')).map((item) => item.textContent?.replace('opens in a new tab', ''))
const closed = () => waitFor(() => expect(screen.queryByRole('menu')).toBeNull())

describe('the menus', () => {
  const viewer = (...given: Permission[]): Viewer => ({
    username: 'ann',
    admin: false,
    masteragentid: null,
    seesall: true,
    permissions: { ...noPermissions, ...Object.fromEntries(given.map((name) => [name, true])) },
  })
  const titles = (who: Viewer) =>
    navigationOf(screens, who, settings).left.map((item) => ('title' in item ? item.title : item.text))

  test.each([[[] as Permission[]], ...permissions.map((name) => [[name]])])(
    'for a holder of %j: Imports only with import_files',
    (given) => {
      const held = given.includes('import_files')
      const fixed = ['Manage', 'Imports', 'Links', 'Store', 'Training']
      expect(titles(viewer(...given)).filter((title) => fixed.includes(title))).toEqual(
        fixed.filter((title) => held || title !== 'Imports'),
      )
    },
  )

  test.each([[[] as Permission[]], ...permissions.map((name) => [[name]])])(
    'for a holder of %j: Month first, and where the name of the portal leads, for who works on months alone',
    (given) => {
      const works = given.some((name) => ['import_files', 'lock_reports', 'reports_admin'].includes(name))
      expect(titles(viewer(...given))[0]).toBe(works ? 'Month' : 'Manage')
      expect(navigationOf(screens, viewer(...given), settings).home).toBe(works ? '/month' : '/')
    },
  )

  test.each([
    [0, 'Inbox', 'Imports'],
    [1, 'Inbox1 waiting', 'Imports1'],
    [2, 'Inbox2 waiting', 'Imports2'],
  ])('with %s waiting files say so at the Inbox, and the number at Imports', async (waiting, item, group) => {
    const { tab } = await open(
      { permissions: ['import_files'] },
      { [endpoints.inbox.count.route]: { body: { waiting } } },
    )
    const menu = await screen.findByRole('button', { name: 'Imports' })
    await waitFor(() => expect(menu.textContent).toBe(group))
    await tab.user.click(menu)
    await waitFor(async () => expect(await items()).toContain(item))
  })

  it('offer the screens of the table alone, each where its row says and to whom it may be shown', () => {
    const row = (menu: Screen['menu'], title: string, may = everyone): Screen => ({
      path: `/${title}`,
      title,
      menu,
      allow: may,
      render: () => null,
    })
    const table = [
      row('bar', 'Reporting'),
      row('side', 'Users', holds('manage_users', 'create_users')),
      row(undefined, 'Hidden'),
      row('manage', 'Agents'),
    ]
    const { left, right } = navigationOf(table, viewer('create_users'), null)
    expect(left).toEqual([
      { title: 'Manage', entries: [{ text: 'Agents', to: '/Agents' }] },
      { text: 'Reporting', to: '/Reporting' },
    ])
    expect(right).toEqual([{ text: 'Users', to: '/Users' }])
    expect(navigationOf(table, viewer(), null).right).toEqual([])
  })

  test.each([
    ['https://a.example/', true],
    ['http://a.example/', true],
    ['HTTPS://a.example/', true],
    ['//a.example/', false],
    ['ftp://a.example/', false],
    ['javascript:alert(1)', false],
    ['javascript:alert("https://a.example/")', false],
    [' https://a.example/', false],
    ['https:a.example', false],
  ])(
    'with the address %j of a site, of the store and of the training: they are offered: %s',
    (to, isOffered) => {
      const { left } = navigationOf([], viewer(), {
        links: [{ title: 'Site', link: to }],
        store: to,
        training: to,
        widget: null,
        backup: null,
      })
      const link = (text: string) => ({ text, to, isExternal: true })
      expect(left).toEqual(
        isOffered ? [{ title: 'Links', entries: [link('Site')] }, link('Store'), link('Training')] : [],
      )
    },
  )

  it('hold the screens of the table and the configured sites, Links sorted by title', async () => {
    const { tab } = await open({ admin: true })
    for (const [name, expected] of [
      ['Manage', screens.filter(({ menu }) => menu === 'manage').map(({ title }) => title)],
      ['Imports', [...Object.values(imports).map(({ title }) => title), 'Inbox']],
      ['Links', ['acquirer', 'Mail', 'Zebra Bank']],
      ['Welcome, ann', ['Home', 'Find', 'Keys', 'Help', 'Change Password', 'Sessions', 'Logout']],
    ] as const) {
      await tab.user.click(screen.getByRole('button', { name }))
      expect(await items()).toEqual(expected)
      await tab.user.keyboard('{Escape}')
      await closed()
    }
  })

  it('open other sites in a new tab that cannot reach back', async () => {
    const { tab } = await open()
    await tab.user.click(screen.getByRole('button', { name: 'Links' }))
    const outside = [
      ...(await screen.findAllByRole('menuitem')),
      screen.getByRole('link', { name: 'Store' }),
      screen.getByRole('link', { name: 'Training' }),
    ]
    for (const link of outside) {
      expect(link).toHaveAttribute('target', '_blank')
      expect(link).toHaveAttribute('rel', 'noopener')
      expect(link.getAttribute('href')).toMatch(/^https?:/)
    }
  })

  it('are used by keyboard: arrows, Home, End, first letters, Enter, Escape', async () => {
    const { tab } = await open({ admin: true })
    const button = screen.getByRole('button', { name: 'Imports' })
    button.focus()
    await tab.user.keyboard('{ArrowDown}')
    const [first, second] = await screen.findAllByRole('menuitem')
    await waitFor(() => expect(first).toHaveFocus())
    await tab.user.keyboard('{ArrowDown}')
    expect(second).toHaveFocus()
    await tab.user.keyboard('{Home}')
    expect(first).toHaveFocus()
    await tab.user.keyboard('{ArrowUp}')
    expect(screen.getAllByRole('menuitem').at(-1)).toHaveFocus()
    await tab.user.keyboard('{End}{ArrowDown}')
    expect(first).toHaveFocus()
    await tab.user.keyboard('i')
    expect(second).toHaveFocus()
    await tab.user.keyboard('{Escape}')
    await closed()
    await waitFor(() => expect(button).toHaveFocus())
    await tab.user.keyboard('{ArrowDown}')
    await waitFor(() => expect(screen.getAllByRole('menuitem')[0]).toHaveFocus())
    await tab.user.keyboard('{Enter}')
    await screen.findByRole('heading', { name: 'Import Merchants' })
    expect(tab.at()).toBe('/import/merchants')
  })

  it('go without the configured sites when the configuration cannot be read', async () => {
    remember(replyFor())
    openTab({ adapter: scripted({ [endpoints.home.portal.route]: { status: 500, body: {} } }).adapter })
    await screen.findByRole('button', { name: 'Welcome, ann' })
    expect(screen.queryByRole('button', { name: 'Links' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Store' })).toBeNull()
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('on a narrow screen', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('the menus are in a drawer, with everything the bar holds', async () => {
    const narrow = (query: string) => ({
      matches: query.includes('max-width'),
      addEventListener() {},
      removeEventListener() {},
    })
    vi.stubGlobal('matchMedia', narrow)
    remember(replyFor({ admin: true }))
    const tab = openTab({
      adapter: scripted({
        [renew.route]: { body: replyFor({ admin: true }) },
        [endpoints.home.portal.route]: { body: settings },
      }).adapter,
    })
    await tab.user.click(await screen.findByRole('button', { name: 'Menu' }))
    const names = await waitFor(async () => {
      const now = await items()
      expect(now).toContain('Training')
      return now
    })
    expect(names).toEqual(
      expect.arrayContaining([
        'Home',
        ...Object.values(imports).map(({ title }) => title),
        'Store',
        'Change Password',
        'Logout',
      ]),
    )
    await tab.user.click(screen.getByRole('menuitem', { name: 'Merchants' }))
    await waitFor(() => expect(tab.at()).toBe('/manage/merchants'))
    await waitFor(() => expect(screen.queryByRole('menuitem', { name: 'Home' })).toBeNull())
  })
})

describe('the shell', () => {
  it('has a way past the menus, a main part and a footer with the portal’s name', async () => {
    await open()
    expect(screen.getByRole('link', { name: 'Skip to the content' })).toHaveAttribute('href', '#main')
    expect(screen.getByRole('main')).toHaveAttribute('id', 'main')
    expect(screen.getByRole('contentinfo')).toHaveTextContent('Technology Portal')
  })

  it('gives a new screen the focus, and the first one leaves it where it is', async () => {
    const { tab } = await open()
    expect(document.body).toHaveFocus()
    await tab.user.click(screen.getByRole('button', { name: 'Manage' }))
    await tab.user.click(await screen.findByRole('menuitem', { name: 'Merchants' }))
    await waitFor(() => expect(tab.at()).toBe('/manage/merchants'))
    await closed()
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus())
  })

  it('marks the menu of the screen that is shown, and no other', async () => {
    const { tab } = await open({ admin: true })
    const menus = screen.getByRole('navigation', { name: 'Main' })
    const marked = () => [...menus.querySelectorAll('.bp6-active')].map((it) => it.textContent)
    expect(marked()).toEqual([])
    for (const [path, name] of [
      ['/manage/merchants', 'Manage'],
      ['/import/volume', 'Imports'],
      ['/reporting', 'Reporting'],
    ] as const) {
      await tab.portal.router.navigate(path)
      await waitFor(() => expect(marked()).toEqual([name]))
    }
  })

  it('stores the theme', async () => {
    const { tab } = await open()
    for (const [name, theme] of [
      ['Dark theme', 'dark'],
      ['Light theme', 'light'],
    ] as const) {
      await tab.user.click(screen.getByRole('button', { name: 'Welcome, ann' }))
      await tab.user.click(await screen.findByRole('menuitemradio', { name }))
      expect(screen.getByRole('menuitemradio', { name })).toBeChecked()
      expect(document.documentElement.dataset.theme).toBe(theme)
      expect(document.body.classList.contains('bp6-dark')).toBe(theme === 'dark')
      expect(localStorage.getItem('technology-portal.theme')).toBe(theme)
      await tab.user.keyboard('{Escape}')
      await closed()
    }
    // Another tab chooses: the browser says so here.
    localStorage.setItem('technology-portal.theme', 'dark')
    window.dispatchEvent(new StorageEvent('storage', { key: 'technology-portal.theme', newValue: 'dark' }))
    expect(document.documentElement.dataset.theme).toBe('dark')
  })

  it('logs out: revokes the token, removes the user, shows the login', async () => {
    const { server, tab } = await open()
    await tab.user.click(screen.getByRole('button', { name: 'Welcome, ann' }))
    await tab.user.click(await screen.findByRole('menuitem', { name: 'Logout' }))
    await screen.findByRole('button', { name: 'Login' })
    expect(tab.at()).toBe('/login')
    await waitFor(() =>
      expect(server.calls.at(-1)).toMatchObject({
        method: 'PUT',
        path: logout.route.slice(4),
        token: 'token-1',
      }),
    )
  })
})

describe('Change Password', () => {
  const openDialog = async (answers: Parameters<typeof scripted>[0] = {}) => {
    const opened = await open({}, answers)
    const show = async () => {
      await opened.tab.user.click(screen.getByRole('button', { name: 'Welcome, ann' }))
      await opened.tab.user.click(await screen.findByRole('menuitem', { name: 'Change Password' }))
      const dialog = await screen.findByRole('dialog', { name: 'Change Password' })
      await within(dialog).findByLabelText(/^Password/)
      return dialog
    }
    return { ...opened, show, dialog: await show() }
  }
  const fill = async (
    dialog: HTMLElement,
    user: { type: (at: Element, text: string) => Promise<void> },
    one: string,
    two: string,
  ) => {
    await user.type(within(dialog).getByLabelText(/^Password/), one)
    await user.type(within(dialog).getByLabelText(/^Confirm Password/), two)
  }

  it('sends the password alone and closes', async () => {
    drawTransitions()
    const { server, tab, dialog } = await openDialog({ [changePassword.route]: { status: 204 } })
    await fill(dialog, tab.user, 'a good long secret', 'a good long secret')
    await tab.user.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.calls.at(-1)).toMatchObject({
      method: 'PUT',
      path: '/api/v1/user/me',
      body: { password: 'a good long secret' },
    })
    await waitFor(() => expect(screen.getByRole('button', { name: 'Welcome, ann' })).toHaveFocus())
  })

  it('sends nothing while the two differ', async () => {
    const { server, tab, dialog } = await openDialog()
    await fill(dialog, tab.user, 'a good long secret', 'another')
    await tab.user.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(await within(dialog).findByText('Passwords do not match')).toBeVisible()
    expect(server.count(changePassword.route)).toBe(0)
  })

  it('refused stays open with what was typed, and is empty when it opens again', async () => {
    const refused = {
      status: 422,
      body: { error: 'This password is too common', fields: { password: 'too common' } },
    }
    const { tab, dialog, show } = await openDialog({ [changePassword.route]: refused })
    await fill(dialog, tab.user, 'password1234', 'password1234')
    await tab.user.click(within(dialog).getByRole('button', { name: 'Save' }))
    const error = await screen.findByRole('dialog', { name: "That's an error." })
    expect(error).toHaveTextContent('This password is too common')
    await tab.user.click(within(error).getByRole('button', { name: 'Dismiss' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: "That's an error." })).toBeNull())
    expect(within(dialog).getByLabelText(/^Password/)).toHaveValue('password1234')
    await tab.user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const again = await show()
    expect(within(again).getByLabelText(/^Password/)).toHaveValue('')
  })

  it('has a static backdrop: a click beside it leaves it open', async () => {
    const { tab, dialog } = await openDialog()
    await tab.user.click(document.querySelector('.bp6-overlay-backdrop')!)
    expect(dialog).toBeVisible()
  })
})

describe('what administrators are shown of the backups', () => {
  const backup = 'Last backup: Nov 22, 2026, 2:15 AM UTC, 108,287 rows.'
  it('stands below the home page, and on no other screen', async () => {
    const { tab } = await open({}, { [endpoints.home.portal.route]: { body: { ...settings, backup } } })
    expect(await screen.findByText(backup)).toBeVisible()
    await tab.user.click(screen.getByRole('link', { name: 'Support Tickets' }))
    await waitFor(() => expect(screen.queryByText(backup)).toBeNull())
  })
})

test('the screen has the focus when the control that had it is removed', async () => {
  await open()
  const main = screen.getByRole('main')
  const control = main.appendChild(document.createElement('button'))
  control.focus()
  // The shell has asked for it with the focus, before this.
  await import('../../../src/parts/hooks/focusAndPlaces.ts')
  control.remove()
  await waitFor(() => expect(main).toHaveFocus())
})

test('the account button has the focus after the dialog of the sessions', async () => {
  const sessions = { body: { data: [] } }
  const { tab } = await open({}, { [endpoints.sessions.own.route]: sessions })
  for (const way of ['{Escape}', 'Close']) {
    await tab.user.click(screen.getByRole('button', { name: 'Welcome, ann' }))
    await tab.user.click(await screen.findByRole('menuitem', { name: 'Sessions' }))
    const dialog = await screen.findByRole('dialog', { name: 'Sessions' })
    await within(dialog).findByText('This user has no open session.')
    await (way === 'Close'
      ? tab.user.click(within(dialog).getAllByRole('button', { name: 'Close' }).at(-1)!)
      : tab.user.keyboard(way))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(screen.getByRole('button', { name: 'Welcome, ann' })).toHaveFocus())
  }
})
