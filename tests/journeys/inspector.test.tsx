import { screen, waitFor, within } from '@testing-library/dom'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createStream } from '../../inspector/stream.ts'
import { openTestPortal, type TestPortal } from '../testPortal.ts'
import { browserOf } from './adapter.ts'
import { openTab, replaceText, signIn } from './open.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal()
}, 60_000)
afterAll(() => portal.close())

it('no password, token, bank number or tax id is in anything the inspector receives while somebody works', async () => {
  const events: string[] = []
  const stream = createStream((event) => events.push(JSON.stringify(event)))
  const { username, password } = portal.people['staff']!
  const tab = openTab({
    adapter: browserOf(portal.app),
    at: '/manage/agents?open=2',
    inspect: stream.inspect,
  })
  await signIn(tab, username, password)
  const dialog = await screen.findByRole('dialog', { name: 'Create or Edit Master Agent' })
  const field = (label: string) => within(dialog).findByLabelText<HTMLInputElement>(label)
  await waitFor(async () => expect((await field('Bank Account #')).value).toMatch(/^\d{10}$/))
  const bank = (await field('Bank Account #')).value
  const tax = (await field('Tax Id')).value
  await replaceText(tab.user, await field('Bank Account #'), '998877665544')
  await tab.user.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  await tab.user.click(screen.getByRole('button', { name: `Welcome, ${username}` }))
  await tab.user.click(await screen.findByRole('menuitem', { name: 'Change Password' }))
  const fresh = 'seven slow silver wheels'
  await replaceText(tab.user, await screen.findByLabelText('Password'), fresh)
  await replaceText(tab.user, screen.getByLabelText('Confirm Password'), fresh)
  await tab.user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  const { access_token } = tab.portal.session.getSnapshot().context.user!
  await waitFor(() =>
    expect(
      events.filter((event) => event.includes('xstate.done.actor.changePassword')).length,
    ).toBeGreaterThan(0),
  )
  expect(events.some((event) => event.includes('"session.login"') && event.includes(username))).toBe(true)
  const secrets = { password, fresh, access_token, bank, changed: '998877665544', tax }
  const leaks = Object.entries(secrets).flatMap(([name, secret]) =>
    events.filter((event) => event.includes(secret)).map((event) => `${name}: ${event.slice(0, 200)}`),
  )
  expect(leaks).toEqual([])
})
