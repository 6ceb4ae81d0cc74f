import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import { viewCalls } from '../../../schemas/api/lists/views.ts'
import { ticketCalls } from '../../../schemas/api/tickets.ts'
import { newTicketPath } from '../../../schemas/entities/ticket.ts'
import '../../../src/features/tickets/TicketsPage.tsx'
import { draftKey } from '../../../src/parts/unsaved/draftStorage.ts'
import { openTab, remember, signIn } from '../../journeys/open.ts'
import { replyFor, scripted } from '../../journeys/scripted.ts'

const ann = replyFor({ email: 'ann@example.com' })
const view = {
  id: 4,
  name: 'Open bakeries',
  shared: false,
  own: true,
  removable: true,
  owner: 'ann',
  search: 'search=open+bakery',
}

const ticket = {
  id: 7,
  version: 1,
  agentoffice: 'North',
  agentname: 'Ann',
  email: 'ann@example.com',
  tickettypeid: 9,
  subject: 'Silent',
  statusid: 1,
  reporter: 'ann',
  created: 1_790_000_000,
  own: true,
  attachments: 0,
  description: 'It does not ring.',
  files: [],
}

const open = async (at: string, { person = ann, hasForm = true, url = null as string | null } = {}) => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  remember(person)
  const server = scripted({
    [endpoints.session.login.route]: { body: person },
    [endpoints.session.renew.route]: { body: person },
    [ticketCalls.list.route]: { body: { data: [], total_length: 0 } },
    [ticketCalls.read.route.replace(':id', '7')]: { body: ticket },
    [ticketCalls.helpdeskForm.route]: hasForm ? { body: { url, fields: {} } } : 'unreachable',
    [ticketCalls.create.route]: { status: 201, body: { id: 7 } },
    [endpoints.reports.types.route]: { body: { data: [] } },
    [viewCalls.list.route]: { body: { data: [view] } },
    [viewCalls.count.route]: { body: { data: [{ id: 4, total: 12, more: false }] } },
  })
  const tab = openTab({ adapter: server.adapter, at })
  await screen.findByRole('button', { name: hasForm ? 'Submit' : 'Try again' })
  // The keys are fetched after the screen.
  await waitFor(() => expect(document.querySelector('.done-message')).not.toBeNull())
  return { server, tab, user: tab.user }
}
const helpdesk = ticketCalls.helpdeskForm.route.split(' ').at(-1)!
const first = () => screen.getByRole('textbox', { name: 'Agent Office' })

describe('a new ticket', () => {
  test('is begun by n: the first field of the form has the focus, and what was typed stays', async () => {
    const { user, tab } = await open('/tickets')
    await user.type(screen.getByLabelText(/^Description/), 'It does not ring.')
    screen.getByRole('main').focus()
    await user.keyboard('n')
    expect(first()).toHaveFocus()
    expect(screen.getByLabelText(/^Description/)).toHaveValue('It does not ring.')
    expect(tab.at()).toBe('/tickets')
  })

  test('is offered by Find, whose address gives the focus to the form and says no more of it then', async () => {
    const { user, tab } = await open('/tickets')
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox', { name: 'Find records and commands' }), 'new ticket')
    await user.click(await screen.findByRole('option', { name: 'New ticket' }))
    await waitFor(() => expect(first()).toHaveFocus())
    await waitFor(() => expect(tab.at()).toBe('/tickets'))
  })
})

describe('a new ticket about a record', () => {
  const subject = () => screen.getByLabelText(/^Agent Office-Merchant-Issue/)
  const path = newTicketPath('40012', "40012 - Meadow & Sons O'Quay")

  test('begins with its names, above the tickets that mention it, and is no change', async () => {
    sessionStorage.clear()
    const { user, tab } = await open(path)
    expect(subject()).toHaveValue("40012 - Meadow & Sons O'Quay")
    await waitFor(() => expect(first()).toHaveFocus())
    expect(screen.getByRole('searchbox', { name: 'Search Tickets' })).toHaveValue('40012')
    await waitFor(() => expect(tab.at()).not.toContain('open='))
    await user.click(screen.getByRole('link', { name: 'Reporting' }))
    await waitFor(() => expect(tab.at()).toBe('/reporting'))
    expect(sessionStorage).toHaveLength(0)
  })

  test('is sent with the names, which the address forgets, and the next one begins without', async () => {
    sessionStorage.clear()
    const { user, server, tab } = await open(path)
    await user.type(subject(), ': silent')
    await user.selectOptions(screen.getByLabelText(/^Ticket Type/), 'Other')
    await user.type(screen.getByLabelText(/^Description/), 'It does not ring.')
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    const again = await screen.findByRole('button', { name: 'New ticket' })
    await waitFor(() => expect(tab.at()).toBe('/tickets?search=40012'))
    await user.click(again)
    expect(subject()).toHaveValue('')
    const { body } = server.calls.findLast(
      ({ method, path: called }) => `${method} ${called}` === ticketCalls.create.route,
    )!
    expect((body as FormData).get('subject')).toBe("40012 - Meadow & Sons O'Quay: silent")
  })

  test.each([254, 255, 256])('has at most 255 of %i characters of the names', (count) => {
    const given = new URLSearchParams(newTicketPath('1', '😀'.repeat(count)).split('?')[1])
    expect([...given.get('subject')!]).toHaveLength(Math.min(count, 255))
  })
})

describe('a ticket that is not sent', () => {
  const written = async () => {
    sessionStorage.clear()
    const page = await open('/tickets')
    await page.user.type(screen.getByLabelText(/^Description/), 'It does not ring.')
    return page
  }
  const leave = (user: Awaited<ReturnType<typeof open>>['user']) =>
    user.click(screen.getByRole('link', { name: 'Reporting' }))
  const answer = async (user: Awaited<ReturnType<typeof open>>['user'], name: string) => {
    await screen.findByText('Discard your changes?')
    await user.click(screen.getByRole('button', { name }))
    await waitFor(() => expect(screen.queryByText('Discard your changes?')).toBeNull())
  }
  const closesTab = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

  test('is asked for by a link and by closing the tab, and Keep editing keeps it', async () => {
    const { user, tab } = await written()
    expect(closesTab()).toBe(false)
    await leave(user)
    await answer(user, 'Keep editing')
    expect(tab.at()).toBe('/tickets')
    expect(screen.getByLabelText(/^Description/)).toHaveValue('It does not ring.')
  })

  test('is asked for where nothing but a file was attached', async () => {
    sessionStorage.clear()
    const { user, tab } = await open('/tickets')
    await user.upload(screen.getByLabelText('Files to attach'), new File(['x'], 'a.txt'))
    await screen.findByText('a.txt')
    await leave(user)
    await answer(user, 'Keep editing')
    expect(tab.at()).toBe('/tickets')
  })

  test('is left by Discard, and not kept', async () => {
    const { user, tab } = await written()
    await leave(user)
    await answer(user, 'Discard')
    await waitFor(() => expect(tab.at()).toBe('/reporting'))
    expect(sessionStorage).toHaveLength(0)
  })

  test('is not asked for once it is typed back, or sent', async () => {
    const { user, tab } = await written()
    await user.clear(screen.getByLabelText(/^Description/))
    expect(closesTab()).toBe(true)
    await user.type(screen.getByLabelText(/^Description/), 'It does not ring.')
    await user.selectOptions(screen.getByLabelText(/^Ticket Type/), 'Other')
    await user.type(screen.getByLabelText(/^Agent Office-Merchant-Issue/), 'Silent')
    await user.type(first(), 'North')
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    await user.click(await screen.findByRole('button', { name: 'New ticket' }))
    expect(first()).toHaveValue('North')
    expect(closesTab()).toBe(true)
    await leave(user)
    await waitFor(() => expect(tab.at()).toBe('/reporting'))
    expect(sessionStorage).toHaveLength(0)
  })

  test('is offered to the same user after the session ended, without a question at its end', async () => {
    const { user, tab } = await written()
    tab.portal.session.send({ type: 'http.unauthorized' })
    await signIn(tab, 'ann', 'a long password')
    await user.click(await screen.findByRole('button', { name: 'Restore' }))
    expect(screen.getByLabelText(/^Description/)).toHaveValue('It does not ring.')
    expect(closesTab()).toBe(false)
    expect(sessionStorage).toHaveLength(0)
  })

  test('is not offered any more once another ticket was sent instead', async () => {
    sessionStorage.clear()
    sessionStorage.setItem(draftKey('ann', 'ticket'), JSON.stringify({ subject: 'It hums' }))
    const { user } = await open('/tickets')
    await user.selectOptions(screen.getByLabelText(/^Ticket Type/), 'Other')
    await user.type(screen.getByLabelText(/^Agent Office-Merchant-Issue/), 'Silent')
    await user.type(screen.getByLabelText(/^Description/), 'No.')
    expect(screen.getByText('Restore what you typed?')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    await user.click(await screen.findByRole('button', { name: 'New ticket' }))
    await waitFor(() => expect(first()).toHaveFocus())
    expect(screen.queryByText('Restore what you typed?')).toBeNull()
    expect(sessionStorage).toHaveLength(0)
  })
})

describe('a status of a ticket that is not saved', () => {
  const question = () => screen.findByText('Discard your changes?')
  const press = (user: Awaited<ReturnType<typeof open>>['user'], name: string) =>
    user.click(screen.getByRole('button', { name }))
  const change = async ({ tab, user }: Awaited<ReturnType<typeof open>>) => {
    await tab.portal.router.navigate('/tickets?open=7')
    await user.selectOptions(await screen.findByLabelText('Status'), 'Closed')
  }
  const closesTab = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const desk = { person: replyFor({ email: 'ann@example.com', admin: true }) }

  test.each([
    ['Back', -1, '/tickets', desk],
    ['a link', '/reporting', '/reporting', desk],
    ['a link, where the form could not be loaded,', '/reporting', '/reporting', { ...desk, hasForm: false }],
  ] as const)('is asked for by %s; Keep editing keeps it, and Discard leaves', async (...row) => {
    const [, way, left, given] = row
    const page = await open('/tickets', given)
    await change(page)
    expect(closesTab()).toBe(false)
    const leave = () => page.tab.portal.router.navigate(way as string)
    await leave()
    await question()
    await press(page.user, 'Keep editing')
    await waitFor(() => expect(screen.queryByText('Discard your changes?')).toBeNull())
    expect(page.tab.at()).toBe('/tickets?open=7')
    expect(screen.getByLabelText('Status')).toHaveDisplayValue('Closed')
    await leave()
    await question()
    await press(page.user, 'Discard')
    await waitFor(() => expect(page.tab.at()).toBe(left))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('is discarded by Back without what is typed in the form, which is kept at the end of the session', async () => {
    const page = await open('/tickets', desk)
    await page.user.type(screen.getByLabelText(/^Description/), 'It does not ring.')
    await change(page)
    await page.tab.portal.router.navigate(-1)
    await question()
    await press(page.user, 'Discard')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByLabelText(/^Description/)).toHaveValue('It does not ring.')
    page.tab.portal.session.send({ type: 'http.unauthorized' })
    await signIn(page.tab, 'ann', 'a long password')
    expect(await screen.findByRole('button', { name: 'Restore' })).toBeVisible()
    sessionStorage.clear()
  })

  test('is asked for by Cancel with one question', async () => {
    const page = await open('/tickets', desk)
    await change(page)
    await press(page.user, 'Cancel')
    await question()
    await press(page.user, 'Keep editing')
    await waitFor(() => expect(screen.queryByText('Discard your changes?')).toBeNull())
    expect(screen.getByLabelText('Status')).toHaveDisplayValue('Closed')
  })
})

const own = 'Tickets that you send with the form above appear here'
test.each([
  ['who sees all', {}, null, `${own}, and those of others.`],
  ['a branch', { masteragentid: 2, seesall: false }, null, `${own}, and those of your branch.`],
  ['a user of no branch', { masteragentid: null, seesall: false }, null, `${own}.`],
  [
    'everybody whose form goes to a desk elsewhere',
    {},
    'https://desk.example/form',
    'Tickets that are sent with the form above go to the help desk.',
  ],
])('an empty list tells %s what appears in it', async (_, person, url, text) => {
  await open('/tickets', { person: { ...ann, ...person }, url })
  expect(await screen.findByText(text)).toBeVisible()
})

test('the list of tickets has views with their counts, as other lists have', async () => {
  const { user, tab } = await open('/tickets')
  await user.click(await screen.findByRole('button', { name: 'View: Default' }))
  await user.click(await screen.findByRole('menuitemradio', { name: 'Open bakeries 12 records' }))
  expect(await screen.findByRole('button', { name: 'View: Open bakeries' })).toBeVisible()
  expect(tab.at()).toBe('/tickets?search=open+bakery')
})

test('a form that could not be loaded is asked for again', async () => {
  const { server, user } = await open('/tickets', { hasForm: false })
  const asked = () => server.calls.filter(({ path }) => path.endsWith(helpdesk)).length
  const before = asked()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(asked()).toBe(before + 1))
})
