import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, test } from 'vitest'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import { imports } from '../../../schemas/imports/imports.ts'
import { screens } from '../../../src/app/screenTable.tsx'
// Loaded before a screen is waited for.
import '../../../src/features/home/HomePage.tsx'
import '../../../src/features/month/MonthPage.tsx'
import { openTab, remember, signIn } from '../../journeys/open.ts'
import { replyFor, scripted } from '../../journeys/scripted.ts'

const login = (returnUrl: string) => `/login?returnUrl=${encodeURIComponent(returnUrl)}`

describe('somebody who is not signed in', () => {
  test.each([
    ...screens.map(({ path }) => path),
    '/manage/merchants?page=3&search=a%20b&open=7',
    '/import/volume#help',
  ])('at %s is sent to the login with the attempted URL', async (at) => {
    const server = scripted()
    const tab = openTab({ adapter: server.adapter, at })
    await screen.findByRole('button', { name: 'Login' })
    expect(tab.at()).toBe(login(at))
    expect(server.calls).toEqual([])
  })

  test.each(['/dashboard', '/manage', '/manage/merchants/7', '/import', '/nowhere/at/all', '/index.html'])(
    'at the unknown path %s ends up at home, which asks for the login',
    async (at) => {
      const tab = openTab({ adapter: scripted().adapter, at })
      await signIn(tab, 'ann', 'secret')
      await screen.findByText('Welcome to the Technology Portal.')
      expect(tab.at()).toBe('/')
    },
  )

  it('may see the login', async () => {
    const tab = openTab({ adapter: scripted().adapter, at: '/login' })
    await screen.findByRole('button', { name: 'Login' })
    expect(tab.at()).toBe('/login')
    await waitFor(() => expect(document.title).toBe('Login - Technology Portal'))
  })
})

describe('a signed-in user', () => {
  const open = (at: string, permissions: Parameters<typeof replyFor>[0] = {}) => {
    remember(replyFor(permissions))
    return openTab({
      adapter: scripted({ [endpoints.session.renew.route]: { body: replyFor(permissions) } }).adapter,
      at,
    })
  }

  test.each([
    '/login',
    '/dashboard',
    '/nowhere',
    '/login?returnUrl=%2F%2Fevil.example',
    '/login?returnUrl=https%3A%2F%2Fevil.example',
  ])('at %s is sent to the empty path', async (at) => {
    const tab = open(at)
    await screen.findByText('Welcome to the Technology Portal.')
    expect(tab.at()).toBe('/')
    await waitFor(() => expect(document.title).toBe('Home - Technology Portal'))
  })

  test.each([
    ['import_files', '/login', '/month'],
    ['lock_reports', '/login?returnUrl=%2F', '/month'],
    ['reports_admin', '/login?returnUrl=%2F%2Fevil.example', '/month'],
    ['lock_reports', '/', '/'],
    ['lock_reports', '/dashboard', '/'],
    ['lock_reports', '/login?returnUrl=%2Fshared-drive', '/shared-drive'],
    ['manage_merchants', '/login?returnUrl=%2F', '/'],
  ] as const)('with %s at %s comes to %s', async (held, at, path) => {
    const tab = open(at, { permissions: [held] })
    await screen.findByRole('heading', { level: 1 })
    await waitFor(() => expect(tab.at()).toBe(path))
  })

  it('at the login with a returnUrl goes there', async () => {
    const tab = open(login('/manage/merchants?page=2'))
    await screen.findByRole('heading', { name: 'Merchants' })
    expect(tab.at()).toBe('/manage/merchants?page=2')
  })

  test.each(screens.map(({ path, title }) => [path, title]))(
    'at %s sees its screen, with a search that is called after what it lists',
    async (at, title) => {
      const tab = open(at, { admin: true })
      await screen.findByRole('heading', { level: 1 })
      expect(tab.at()).toBe(at)
      await waitFor(() => expect(document.title).toBe(`${title} - Technology Portal`))
      expect(screen.queryByText(/You do not have permission/)).toBeNull()
      expect(screen.queryByPlaceholderText(/^Search Manage/)).toBeNull()
    },
  )

  test.each(Object.values(imports).map(({ path }) => path))(
    'without import_files at %s reads which permission is missing',
    async (at) => {
      const tab = open(at)
      expect(
        await screen.findByText(/You do not have permission to see this screen\. .*“Import files”/),
      ).toBeVisible()
      expect(screen.getByText('An administrator can grant it to you.')).toBeVisible()
      expect(tab.at()).toBe(at)
    },
  )

  it('who is no administrator reads at Terms and Conditions that only these may see it', async () => {
    open('/terms')
    expect(
      await screen.findByText(
        'You do not have permission to see this screen. Only an administrator may see this.',
      ),
    ).toBeVisible()
    expect(screen.queryByText('An administrator can grant it to you.')).toBeNull()
  })
})
