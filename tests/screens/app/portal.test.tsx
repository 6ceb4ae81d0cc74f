import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, test } from 'vitest'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import { genericText } from '../../../src/api/failure.ts'
import { storageKey } from '../../../src/api/storedSession.ts'
import { openTab, remember, signIn } from '../../journeys/open.ts'
import { replyFor, scripted } from '../../journeys/scripted.ts'

const { login, logout, renew } = endpoints.session
const { accept } = endpoints.terms
const list = 'GET /api/v1/merchant'
const rows = {
  data: [{ id: 1, version: 1, xmid: '4000000001', dba: 'Corner Shop', masteragentid: 1, accountstatus: 1 }],
  total_length: 1,
}

const open = (answers: Parameters<typeof scripted>[0] = {}, at = '/manage/merchants') => {
  remember(replyFor({ permissions: ['manage_merchants'] }))
  const server = scripted({
    [renew.route]: { body: replyFor({ permissions: ['manage_merchants'] }) },
    [list]: { body: rows },
    ...answers,
  })
  return { server, tab: openTab({ adapter: server.adapter, at }) }
}
const ready = () => screen.findByText('Corner Shop')

describe('the session', () => {
  it('is renewed on load and every 300000 ms, with its token', async () => {
    const { server, tab } = open()
    await ready()
    expect(server.count(renew.route)).toBe(1)
    for (const times of [2, 3]) {
      tab.clock.increment(299_999)
      expect(server.count(renew.route)).toBe(times - 1)
      tab.clock.increment(1)
      await waitFor(() => expect(server.count(renew.route)).toBe(times))
      await waitFor(() => expect(tab.portal.session.getSnapshot().matches({ active: 'waiting' })).toBe(true))
    }
    expect(server.calls.filter(({ path }) => path === '/api/v1/renew').map(({ token }) => token)).toEqual([
      'token-1',
      'token-1',
      'token-1',
    ])
  })

  it('is not renewed for somebody who is not signed in', async () => {
    const server = scripted()
    const tab = openTab({ adapter: server.adapter })
    await screen.findByRole('button', { name: 'Login' })
    tab.clock.increment(900_000)
    expect(server.calls).toEqual([])
  })

  it('ends at a 401, with no dialog, and comes back to the same screen', async () => {
    const { server, tab } = open(
      { [list]: { status: 401, body: { error: 'Please sign in' } } },
      '/manage/merchants?page=2',
    )
    await screen.findByRole('button', { name: 'Login' })
    expect(tab.at()).toBe('/login?returnUrl=%2Fmanage%2Fmerchants%3Fpage%3D2')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(localStorage.getItem(storageKey)).toBeNull()
    expect(server.count(logout.route)).toBe(0)
  })

  it('that has ended asks its user for the password alone, also after a wrong one', async () => {
    const wrong = { status: 401, body: { error: 'No' } }
    const { server, tab } = open({ [list]: wrong, [login.route]: wrong })
    const name = await screen.findByLabelText('Username')
    expect(name).toHaveValue('ann')
    expect(screen.getByLabelText('Password')).toHaveFocus()
    await tab.user.keyboard('wrong{Enter}')
    await screen.findByText('Invalid Username or Password')
    expect(name).toHaveValue('ann')
    await signIn(tab, 'bob', 'secret')
    const sent = server.calls.filter(({ path }) => path === '/api/v1/login').map(({ body }) => body)
    expect(sent).toEqual([
      { username: 'ann', password: 'wrong' },
      { username: 'bob', password: 'secret' },
    ])
  })

  it('ends when its renewal is refused', async () => {
    open({ [renew.route]: { status: 401, body: { error: 'Please sign in' } }, [list]: new Promise(() => {}) })
    await screen.findByRole('button', { name: 'Login' })
    expect(localStorage.getItem(storageKey)).toBeNull()
  })

  it('takes with it the message after a call and the error of another', async () => {
    const { tab } = open()
    await ready()
    const { session, failure, doneMessages } = tab.portal
    doneMessages.show({ text: 'Saved.' })
    failure.send({ type: 'fail', failure: { message: 'It broke', requestId: null } })
    await screen.findByText('It broke')
    session.send({ type: 'session.logout' })
    await screen.findByRole('button', { name: 'Login' })
    expect(doneMessages.current()).toBeNull()
    expect(failure.getSnapshot().context.failure).toBeNull()
  })

  test.each([{ status: 500, body: { error: 'It broke' } }, 'unreachable' as const])(
    'outlives a renewal that fails: %j',
    async (answer) => {
      const { server, tab } = open({ [renew.route]: answer })
      await ready()
      await waitFor(() => expect(tab.portal.session.getSnapshot().matches({ active: 'waiting' })).toBe(true))
      expect(screen.queryByRole('dialog')).toBeNull()
      expect(server.count(renew.route)).toBe(1)
      tab.clock.increment(300_000)
      await waitFor(() => expect(server.count(renew.route)).toBe(2))
    },
  )
})

describe('new terms', () => {
  const required = { status: 428, body: { error: 'Please accept the Terms and Conditions to continue' } }
  const dialog = () => screen.findByRole('dialog', { name: "We've Updated our Terms and Conditions" })

  it('are agreed to over the screen, which then goes on loading', async () => {
    const { server, tab } = open({ [list]: required })
    const asked = await dialog()
    const text = await within(asked).findByText('These are the terms.')
    expect(text).toBeVisible()
    // Neither answer is given by an Enter that was meant for the screen.
    await waitFor(() => expect(text).toHaveFocus())
    expect(
      within(asked)
        .getAllByRole('button')
        .map((button) => button.textContent),
    ).toEqual(['Cancel', 'Agree'])
    await tab.user.keyboard('{Escape}')
    expect(asked).toBeInTheDocument()
    server.answer(list, { body: rows })
    await tab.user.click(within(asked).getByRole('button', { name: 'Agree' }))
    await ready()
    expect(
      server.calls.filter(({ path }) => accept.route.endsWith(` ${path}`)).map(({ body }) => body),
    ).toEqual([{ id: 2 }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(tab.at()).toBe('/manage/merchants')
  })

  it('that are declined end the session', async () => {
    const { server, tab } = open({ [list]: required })
    await tab.user.click(within(await dialog()).getByRole('button', { name: 'Cancel' }))
    await screen.findByRole('button', { name: 'Login' })
    expect(tab.at()).toBe('/login')
    await waitFor(() => expect(server.count(logout.route)).toBe(1))
    expect(localStorage.getItem(storageKey)).toBeNull()
  })

  it('that are declined abort the calls that waited for them, so that they are not sent for the next person', async () => {
    const { server, tab } = open({ [list]: required })
    const asked = await dialog()
    server.answer(endpoints.home.portal.route, required)
    const held = tab.portal.call(endpoints.home.portal).catch((failure: unknown) => failure)
    // What was asked before two calls one after the other is answered, and waits for the terms.
    for (const latest of [endpoints.terms.latest, endpoints.terms.latest]) await tab.portal.call(latest)
    await tab.user.click(within(asked).getByRole('button', { name: 'Cancel' }))
    expect(await held).toMatchObject({ status: 428 })
  })

  it('lose nothing that was typed: the open dialog is saved once they are agreed to', async () => {
    const create = endpoints.entities.merchant!.create.route
    const masterAgents = endpoints.ids.masteragent.route
    const { server, tab } = open({
      [create]: required,
      [masterAgents]: { body: { data: [{ id: 3, displayid: 'MA0003', name: 'North' }] } },
    })
    await ready()
    await tab.user.click(screen.getByRole('button', { name: 'Create' }))
    const form = await screen.findByRole('dialog', { name: 'Create or Edit Merchant' })
    await tab.user.type(await within(form).findByLabelText(/XMID/), '4000000002')
    await tab.user.type(within(form).getByLabelText(/^DBA\b(?! )/), 'New Shop')
    const agent = within(form).getByRole('combobox', { name: /Master Agent/ })
    await tab.user.type(agent, 'North')
    await tab.user.click(await screen.findByRole('option', { name: 'MA0003 - North' }))
    await tab.user.click(within(form).getByRole('button', { name: 'Save' }))
    const asked = await dialog()
    server.answer(create, { status: 201, body: { ...rows.data[0], id: 2 } })
    await within(asked).findByText('These are the terms.')
    await tab.user.click(within(asked).getByRole('button', { name: 'Agree' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(
      server.calls.filter(({ method, path }) => `${method} ${path}` === create).map(({ body }) => body),
    ).toEqual([
      expect.objectContaining({ xmid: '4000000002', dba: 'New Shop', masteragentid: 3 }),
      expect.objectContaining({ xmid: '4000000002', dba: 'New Shop', masteragentid: 3 }),
    ])
  })

  it('whose acceptance fails stay asked, under the error dialog', async () => {
    const { tab } = open({
      [list]: required,
      [accept.route]: { status: 500, body: { error: 'Not recorded' } },
    })
    const asked = await dialog()
    await within(asked).findByText('These are the terms.')
    await tab.user.click(within(asked).getByRole('button', { name: 'Agree' }))
    const error = await screen.findByRole('dialog', { name: "That's an error." })
    expect(error).toHaveTextContent('Not recorded')
    await tab.user.click(within(error).getByRole('button', { name: 'Dismiss' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: "That's an error." })).toBeNull())
    expect(asked).toBeInTheDocument()
  })
})

describe('the error dialog', () => {
  test.each([
    [
      { status: 500, body: { error: 'The list could not be read.', requestId: 'r-77' } },
      'The list could not be read.',
      'r-77',
    ],
    [{ status: 502, body: '<html>' }, 'Unable to get merchants. Please try again.', null],
    ['unreachable' as const, genericText, null],
  ])('shows the server’s text, else the generic one: %j', async (answer, text, requestId) => {
    const { tab } = open({ [list]: answer })
    const dialog = await screen.findByRole('dialog', { name: "That's an error." })
    expect(within(dialog).getByText(text)).toBeVisible()
    if (requestId) expect(within(dialog).getByText(requestId)).toBeVisible()
    else expect(dialog).not.toHaveTextContent('Request')
    await tab.user.click(within(dialog).getByRole('button', { name: 'Dismiss' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(tab.at()).toBe('/manage/merchants')
  })

  it('copies the id of the request', async () => {
    const { tab } = open({ [list]: { status: 500, body: { error: 'It broke', requestId: 'r-77' } } })
    await tab.user.click(await screen.findByRole('button', { name: 'Copy' }))
    await screen.findByRole('button', { name: 'Copied' })
    expect(await navigator.clipboard.readText()).toBe('r-77')
  })

  it('keeps the page behind it out of reach', async () => {
    const { tab } = open({ [list]: { status: 500, body: { error: 'It broke' } } })
    await screen.findByRole('dialog')
    const shell = tab.root.querySelector('.shell') as HTMLElement
    await waitFor(() => expect(shell.inert).toBe(true))
    await tab.user.click(screen.getByRole('button', { name: 'Dismiss' }))
    await waitFor(() => expect(shell.inert).toBe(false))
  })
})
