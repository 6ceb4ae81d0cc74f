import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import { openTab, remember } from '../../journeys/open.ts'
import { replyFor, scripted } from '../../journeys/scripted.ts'
import { drawTransitions } from '../transitions.ts'

const open = async (username = 'ann', at = '/') => {
  const reply = replyFor({ admin: true })
  remember({ ...reply, email: null, username })
  const body = { ...reply, email: null }
  const tab = openTab({ adapter: scripted({ [endpoints.session.renew.route]: { body } }).adapter, at })
  await screen.findByRole('button', { name: `Welcome, ${username}` })
  return tab
}
const card = () => screen.queryByRole('complementary', { name: 'Support' })
const unfold = () => screen.queryByRole('button', { name: 'Validate your email' })

describe('the support card', () => {
  it('folds to a button of the footer and comes back by it, each with the focus', async () => {
    const { user } = await open()
    await user.click(within(card()!).getByRole('button', { name: 'Fold' }))
    expect(card()).toBeNull()
    expect(screen.getByRole('contentinfo')).toContainElement(unfold())
    await waitFor(() => expect(unfold()).toHaveFocus())
    await user.click(unfold()!)
    expect(unfold()).toBeNull()
    await waitFor(() => expect(within(card()!).getByRole('button', { name: 'Validate' })).toHaveFocus())
  })

  it('stays folded on the next visit of its user, and not for somebody else', async () => {
    const { user } = await open()
    await user.click(within(card()!).getByRole('button', { name: 'Fold' }))
    const [key] = Object.keys(localStorage).filter((name) => name.includes('support'))
    expect([key, localStorage.getItem(key!)]).toEqual(['technology-portal.support.ann', 'folded'])
    document.body.replaceChildren()
    await open()
    expect([card(), unfold() !== null]).toEqual([null, true])
    document.body.replaceChildren()
    await open('bob')
    expect(card()).not.toBeNull()
  })

  it('is not on the screen of the tickets, which has the button itself', async () => {
    drawTransitions()
    const { user } = await open('ann', '/tickets')
    const button = await screen.findByRole('button', { name: 'Validate' })
    expect([card(), unfold()]).toEqual([null, null])
    await user.click(button)
    const dialog = await screen.findByRole('dialog', { name: 'Email Validation' })
    await within(dialog).findByLabelText('Email')
    await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(screen.getByRole('button', { name: 'Validate' })).toHaveFocus())
  })
})

describe('the dialog Email Validation', () => {
  it('asks for an email where it is left emptied, and not where it was never filled', async () => {
    const { user } = await open()
    await user.click(within(card()!).getByRole('button', { name: 'Validate' }))
    const field = await screen.findByLabelText('Email')
    await user.tab()
    expect(field).not.toHaveFocus()
    expect(field).toHaveAccessibleDescription('')
    await user.type(field, 'a{Backspace}')
    await user.tab()
    expect(field).toHaveAccessibleDescription('Email is required')
  })

  it.each([
    ['', 'Email is required'],
    ['nobody', 'Email must be a valid email address'],
  ])('says at Enter what is wrong with %j', async (typed, fault) => {
    const { user } = await open()
    await user.click(within(card()!).getByRole('button', { name: 'Validate' }))
    const field = await screen.findByLabelText('Email')
    if (typed !== '') await user.type(field, typed)
    expect(field).toHaveAccessibleDescription('')
    await user.type(field, '{Enter}')
    expect(field).toHaveAccessibleDescription(fault)
    expect(field).toHaveFocus()
  })
})
