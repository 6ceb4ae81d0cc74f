import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import { viewCalls } from '../../../schemas/api/lists/views.ts'
import { ticketCalls } from '../../../schemas/api/tickets.ts'
import '../../../src/features/tickets/TicketsPage.tsx'
import { openTab, remember } from '../../journeys/open.ts'
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

const open = async (at: string) => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  remember(ann)
  const server = scripted({
    [endpoints.session.renew.route]: { body: ann },
    [ticketCalls.list.route]: { body: { data: [], total_length: 0 } },
    [ticketCalls.helpdeskForm.route]: { body: { url: null, fields: {} } },
    [ticketCalls.create.route]: { status: 201, body: { id: 7 } },
    [viewCalls.list.route]: { body: { data: [view] } },
    [viewCalls.count.route]: { body: { data: [{ id: 4, total: 12, more: false }] } },
  })
  const tab = openTab({ adapter: server.adapter, at })
  await screen.findByRole('button', { name: 'Submit' })
  // The keys are fetched after the screen.
  await waitFor(() => expect(document.querySelector('.done-message')).not.toBeNull())
  return { server, tab, user: tab.user }
}
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

test('the list of tickets has views with their counts, as other lists have', async () => {
  const { user, tab } = await open('/tickets')
  await user.click(await screen.findByRole('button', { name: 'View: Default' }))
  await user.click(await screen.findByRole('menuitemradio', { name: 'Open bakeries 12 records' }))
  expect(await screen.findByRole('button', { name: 'View: Open bakeries' })).toBeVisible()
  expect(tab.at()).toBe('/tickets?search=open+bakery')
})
