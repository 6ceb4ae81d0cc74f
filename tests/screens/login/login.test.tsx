import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, test } from 'vitest'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import { genericText } from '../../../src/api/failure.ts'
import { storageKey } from '../../../src/api/storedSession.ts'
import { openTab, sentLines, signIn } from '../../journeys/open.ts'
import { replyFor, scripted } from '../../journeys/scripted.ts'

const { login, logout, renew } = endpoints.session
const { accept, latest } = endpoints.terms
const open = (server: ReturnType<typeof scripted>, at = '/login') => openTab({ adapter: server.adapter, at })
const button = () => screen.findByRole('button', { name: 'Login' })

describe('the login form', () => {
  it('says what is required only after a submit, and does not send', async () => {
    const server = scripted()
    const { user } = open(server)
    const submit = await button()
    expect(screen.queryByText(/is required/)).toBeNull()
    await user.click(submit)
    expect(screen.getByText('Username is required')).toBeVisible()
    expect(screen.getByText('Password is required')).toBeVisible()
    expect(screen.getByLabelText('Username')).toHaveFocus()
    expect(screen.getByLabelText('Username')).toHaveAccessibleDescription('Username is required')
    expect(screen.getByLabelText('Username')).toBeInvalid()
    await user.type(screen.getByLabelText('Username'), 'a')
    expect(screen.getByLabelText('Username')).toBeValid()
    expect(screen.getByLabelText('Password')).toBeInvalid()
    expect(server.count(login.route)).toBe(0)
  })

  test.each(['Username', 'Password'])('says that the %s is required once it was edited', async (label) => {
    const { user } = open(scripted())
    const field = await screen.findByLabelText(label)
    await user.type(field, 'a')
    expect(screen.queryByText(`${label} is required`)).toBeNull()
    await user.clear(field)
    expect(screen.getByText(`${label} is required`)).toBeVisible()
    expect(screen.getAllByText(/is required/)).toHaveLength(1)
    await user.type(field, 'a')
    expect(screen.queryByText(/is required/)).toBeNull()
  })

  it('says Invalid Username or Password, and no longer once it is tried again', async () => {
    const server = scripted({ [login.route]: { status: 401, body: { error: 'No' } } })
    const tab = open(server)
    await signIn(tab, 'ann', 'wrong')
    expect(await screen.findByText('Invalid Username or Password')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(localStorage.getItem(storageKey)).toBeNull()
    server.answer(login.route, new Promise(() => {}))
    await tab.user.click(await button())
    await waitFor(() => expect(screen.queryByText('Invalid Username or Password')).toBeNull())
  })

  test.each([
    [
      { status: 429, body: { error: 'Too many failed sign-ins. Please try again in 15 minutes.' } },
      'Too many failed sign-ins. Please try again in 15 minutes.',
    ],
    [{ status: 503, body: { error: 'The database is away' } }, 'The database is away'],
    ['unreachable' as const, genericText],
  ])('says what else went wrong: %j', async (answer, text) => {
    const tab = open(scripted({ [login.route]: answer }))
    await signIn(tab, 'ann', 'secret')
    expect(await screen.findByText(text)).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('sends once while it is busy', async () => {
    const server = scripted({ [login.route]: new Promise(() => {}) })
    const tab = open(server)
    await signIn(tab, 'ann', 'secret')
    await waitFor(async () => expect(await button()).toHaveAttribute('aria-disabled', 'true'))
    await tab.user.click(await button())
    await tab.user.keyboard('{Enter}')
    expect(server.count(login.route)).toBe(1)
  })

  it('while it is busy leaves the focus where it is, whatever was emptied meanwhile', async () => {
    const server = scripted({ [login.route]: new Promise(() => {}) })
    const tab = open(server)
    await signIn(tab, 'ann', 'secret')
    const submit = await button()
    await waitFor(() => expect(submit).toHaveAttribute('aria-disabled', 'true'))
    await tab.user.clear(screen.getByLabelText('Username'))
    await tab.user.click(submit)
    expect(submit).toHaveFocus()
  })

  it.each([
    ['Username', '200', 'username'],
    ['Password', '1000', 'current-password'],
  ])('takes in %s at most %s characters, which the browser may fill in', async (name, length, kind) => {
    open(scripted(), '/login')
    const field = await screen.findByLabelText(name)
    expect(field).toHaveAttribute('maxlength', length)
    expect(field).toHaveAttribute('autocomplete', kind)
  })

  it('goes to the returnUrl and stores the user without the password', async () => {
    const tab = open(scripted(), '/login?returnUrl=%2Fmanage%2Fmerchants%3Fpage%3D2')
    await signIn(tab, 'ann', 'my secret')
    await screen.findByRole('heading', { name: 'Merchants' })
    expect(tab.at()).toBe('/manage/merchants?page=2')
    const stored = localStorage.getItem(storageKey)
    expect(JSON.parse(stored!)).toMatchObject({ user: { ...replyFor(), username: 'ann' } })
    expect(stored).not.toContain('my secret')
  })

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)'])(
    'goes home when the returnUrl is %s',
    async (url) => {
      const tab = open(scripted(), `/login?returnUrl=${encodeURIComponent(url)}`)
      await signIn(tab, 'ann', 'secret')
      await screen.findByText('Welcome to the Technology Portal.')
      expect(tab.at()).toBe('/')
    },
  )
})

describe('open terms', () => {
  const pending = (answers: Parameters<typeof scripted>[0] = {}) =>
    scripted({
      [login.route]: { body: replyFor({ token: 'pending', tc_accepted: false }) },
      [renew.route]: { body: replyFor({ token: 'pending' }) },
      ...answers,
    })

  it('are shown read-only and store nothing before they are accepted', async () => {
    const server = pending()
    const tab = open(server)
    await signIn(tab, 'ann', 'secret')
    const text = await screen.findByLabelText('Terms and Conditions')
    await waitFor(() => expect(text).toHaveValue('These are the terms.'))
    // The button that was pressed is gone.
    expect(text).toHaveFocus()
    expect(text).toHaveAttribute('readonly')
    expect(text.tagName).toBe('TEXTAREA')
    expect(localStorage.getItem(storageKey)).toBeNull()
    await tab.user.click(screen.getByRole('button', { name: 'Accept' }))
    await screen.findByText('Welcome to the Technology Portal.')
    expect(sentLines(server.calls, '/profit', '/portal')).toEqual([
      `${login.route} without a token`,
      `${latest.route} pending`,
      `${accept.route} pending`,
      `${renew.route} pending`,
    ])
    expect(localStorage.getItem(storageKey)).toContain('pending')
  })

  it('can be left again, which ends the session that was begun', async () => {
    const server = pending()
    const tab = open(server)
    await signIn(tab, 'ann', 'secret')
    await tab.user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(await screen.findByLabelText('Username')).toHaveValue('')
    await waitFor(() =>
      expect(server.calls.at(-1)).toMatchObject({ path: '/api/v1/logout', token: 'pending' }),
    )
    expect(server.count(logout.route)).toBe(1)
  })

  it('stay open when accepting fails, with the error dialog', async () => {
    const server = pending({ [accept.route]: { status: 500, body: { error: 'It broke', requestId: 'r1' } } })
    const tab = open(server)
    await signIn(tab, 'ann', 'secret')
    const button = await screen.findByRole('button', { name: 'Accept' })
    await waitFor(() => expect(button).toBeEnabled())
    await tab.user.click(button)
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveAccessibleName("That's an error.")
    expect(dialog).toHaveTextContent('It broke')
    expect(dialog).toHaveTextContent('r1')
    await tab.user.click(within(dialog).getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await waitFor(() => expect(button).toHaveFocus())
    server.answer(accept.route, { status: 204 })
    await tab.user.click(button)
    await screen.findByText('Welcome to the Technology Portal.')
  })

  it('that cannot be loaded can be asked for again', async () => {
    const server = pending({ [latest.route]: 'unreachable' })
    const tab = open(server)
    await signIn(tab, 'ann', 'secret')
    // No answer came that names a request.
    expect(await screen.findByRole('dialog')).not.toHaveTextContent('Request')
    await tab.user.click(screen.getByRole('button', { name: 'Dismiss' }))
    await waitFor(() => expect(screen.getByLabelText('Terms and Conditions')).toHaveFocus())
    expect(screen.getByRole('button', { name: 'Accept' })).toBeDisabled()
    expect(screen.getByPlaceholderText('The terms could not be loaded.')).toBeVisible()
    server.answer(latest.route, { body: { id: 2, tctext: 'Back again' } })
    await tab.user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.getByLabelText('Terms and Conditions')).toHaveValue('Back again'))
  })
})
