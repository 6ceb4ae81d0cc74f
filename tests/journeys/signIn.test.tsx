import { screen, waitFor, within } from '@testing-library/dom'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storageKey } from '../../src/api/storedSession.ts'
import { openTestPortal, type TestPortal } from '../testPortal.ts'
import { browserOf, openCalls } from './adapter.ts'
import { openTab, replaceText, signIn } from './open.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal()
}, 60_000)
afterAll(() => portal.close())

const passwordOf = (name: string) => portal.people[name]!.password
const open = (at = '/', browser = browserOf(portal.app)) => openTab({ adapter: browser, at })
const greeted = () => screen.findByText('Welcome to the Technology Portal.')

describe('a person before the real server', () => {
  it('signs in, sees the days that were imported, and signs out for good', async () => {
    const tab = open('/manage/merchants?size=25')
    await signIn(tab, 'staff', passwordOf('staff'))
    await screen.findByRole('heading', { name: 'Merchants' })
    await waitFor(() => expect(screen.getAllByRole('row').length).toBeGreaterThan(20))
    expect(tab.at()).toBe('/manage/merchants?size=25')
    const { access_token } = JSON.parse(localStorage.getItem(storageKey)!).user
    await tab.user.click(screen.getByRole('link', { name: 'Technology Portal' }))
    await screen.findByRole('heading', { name: 'Month' })
    expect(tab.at()).toBe('/month')
    await tab.user.click(screen.getByRole('button', { name: 'Welcome, staff' }))
    await tab.user.click(await screen.findByRole('menuitem', { name: 'Home' }))
    await greeted()
    expect(
      (await within(await screen.findByRole('table', { name: 'Daily volume' })).findAllByRole('row')).length,
    ).toBeGreaterThan(5)
    await tab.user.click(screen.getByRole('button', { name: 'Welcome, staff' }))
    await tab.user.click(await screen.findByRole('menuitem', { name: 'Logout' }))
    await screen.findByRole('button', { name: 'Login' })
    await waitFor(async () => {
      const reply = await portal.app.inject({
        url: '/api/v1/portal',
        headers: { authorization: `Bearer ${access_token}` },
      })
      expect(reply.statusCode).toBe(401)
    })
  })

  it('with a wrong password stays outside', async () => {
    const tab = open()
    await signIn(tab, 'staff', 'not the password')
    expect(await screen.findByText('Invalid Username or Password')).toBeVisible()
    await tab.user.clear(screen.getByLabelText('Password'))
    await tab.user.type(screen.getByLabelText('Password'), passwordOf('staff'))
    await tab.user.click(screen.getByRole('button', { name: 'Login' }))
    await screen.findByRole('heading', { name: 'Month' })
    expect(tab.at()).toBe('/month')
  })

  it('accepts the terms on the way in, once', async () => {
    const browser = browserOf(portal.app)
    const tab = open('/', browser)
    await signIn(tab, 'newcomer', passwordOf('newcomer'))
    const accept = await screen.findByRole('button', { name: 'Accept' })
    await waitFor(() => expect(accept).toBeEnabled())
    await tab.user.click(accept)
    await greeted()
    const [accepted] = await portal.db.query<{ ipaddress: string }>(
      "select a.* from terms_acceptance a join portal_user u on u.id = a.userid where u.username = 'newcomer'",
    )
    expect(accepted).toBeDefined()
    await tab.user.click(screen.getByRole('button', { name: 'Welcome, newcomer' }))
    await tab.user.click(await screen.findByRole('menuitem', { name: 'Logout' }))
    await signIn(tab, 'newcomer', passwordOf('newcomer'))
    await greeted()
  })

  it('does not accept a text that was published while another one was read', async () => {
    await portal.db.query(
      "delete from terms_acceptance where userid = (select id from portal_user where username = 'newcomer')",
    )
    const tab = open()
    await signIn(tab, 'newcomer', passwordOf('newcomer'))
    const accept = await screen.findByRole('button', { name: 'Accept' })
    await waitFor(() => expect(accept).toBeEnabled())
    const [newer] = await portal.db.query<{ id: number }>(
      "insert into terms (tctext) values ('Published while somebody reads') returning id",
    )
    const accepted = () =>
      portal.db.query(
        `select a.termsid as id from terms_acceptance a join portal_user u on u.id = a.userid
          where u.username = 'newcomer' order by a.termsid`,
      )
    await tab.user.click(accept)
    const error = await screen.findByRole('dialog', { name: "That's an error." })
    expect(error).toHaveTextContent('The Terms and Conditions were changed while you read them.')
    await tab.user.click(within(error).getByRole('button', { name: 'Dismiss' }))
    await waitFor(() =>
      expect(screen.getByLabelText('Terms and Conditions')).toHaveValue('Published while somebody reads'),
    )
    expect(await accepted()).toEqual([])
    await waitFor(() => expect(accept).toBeEnabled())
    await tab.user.click(accept)
    await greeted()
    expect(await accepted()).toEqual([newer])
    await portal.db.query('delete from terms_acceptance where termsid = $1', [newer!.id])
    await portal.db.query('delete from terms where id = $1', [newer!.id])
  })

  it('is asked for newer terms in mid-work and goes on where it was', async () => {
    const tab = open('/manage/merchants')
    await signIn(tab, 'clerk', passwordOf('clerk'))
    await waitFor(() => expect(screen.getAllByRole('row').length).toBeGreaterThan(5))
    await portal.db.query("insert into terms (tctext) values ('Newer terms')")
    await tab.user.click(screen.getByRole('link', { name: 'Page 2' }))
    const dialog = await screen.findByRole('dialog', { name: "We've Updated our Terms and Conditions" })
    await within(dialog).findByText('Newer terms')
    await tab.user.click(within(dialog).getByRole('button', { name: 'Agree' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await screen.findByText(/^Showing 11 to 20 of/)
    expect(tab.at()).toBe('/manage/merchants?page=2')
  })

  it('does not agree in mid-work to a text that was published while another one was read', async () => {
    const tab = open('/manage/merchants')
    await signIn(tab, 'clerk', passwordOf('clerk'))
    await waitFor(() => expect(screen.getAllByRole('row').length).toBeGreaterThan(5))
    await portal.db.query("insert into terms (tctext) values ('Terms that are read')")
    await tab.user.click(screen.getByRole('link', { name: 'Page 2' }))
    const title = "We've Updated our Terms and Conditions"
    const dialog = await screen.findByRole('dialog', { name: title })
    await within(dialog).findByText('Terms that are read')
    await portal.db.query("insert into terms (tctext) values ('Terms in force')")
    const agree = within(dialog).getByRole('button', { name: 'Agree' })
    await tab.user.click(agree)
    const error = await screen.findByRole('dialog', { name: "That's an error." })
    await tab.user.click(within(error).getByRole('button', { name: 'Dismiss' }))
    await within(dialog).findByText('Terms in force')
    await waitFor(() => expect(agree).toBeEnabled())
    await tab.user.click(agree)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await screen.findByText(/^Showing 11 to 20 of/)
    const accepted = await portal.db.query(
      `select t.tctext as text from terms_acceptance a
        join terms t on t.id = a.termsid join portal_user u on u.id = a.userid
        where u.username = 'clerk' order by t.id desc limit 2`,
    )
    expect(accepted).toEqual([{ text: 'Terms in force' }, { text: 'Newer terms' }])
  })

  it('whose session was ended elsewhere comes back to the same page after signing in', async () => {
    const tab = open('/manage/merchants')
    await signIn(tab, 'importer', passwordOf('importer'))
    const agree = await screen.findByRole('button', { name: /Accept/ })
    await waitFor(() => expect(agree).toBeEnabled())
    await tab.user.click(agree)
    await waitFor(() => expect(screen.getAllByRole('row').length).toBeGreaterThan(5))
    // The answer to another call of the page would end the session before the click.
    await waitFor(() => expect(openCalls()).toBe(0))
    await portal.db.query(
      "delete from session where userid = (select id from portal_user where username = 'importer')",
    )
    await tab.user.click(screen.getByRole('link', { name: 'Page 3' }))
    await signIn(tab, 'importer', passwordOf('importer'))
    await waitFor(() => expect(tab.at()).toBe('/manage/merchants?page=3'))
    await screen.findByText(/^Showing 21 to 30 of/)
  })

  it('changes the password: the other sessions end, this one stays', async () => {
    const other = await portal.login('reassigner')
    const tab = open()
    await signIn(tab, 'reassigner', passwordOf('reassigner'))
    const agree = await screen.findByRole('button', { name: /Accept/ })
    await waitFor(() => expect(agree).toBeEnabled())
    await tab.user.click(agree)
    await greeted()
    await tab.user.click(screen.getByRole('button', { name: 'Welcome, reassigner' }))
    await tab.user.click(await screen.findByRole('menuitem', { name: 'Change Password' }))
    const dialog = await screen.findByRole('dialog', { name: 'Change Password' })
    const save = async (password: string) => {
      for (const label of [/^Password/, /^Confirm Password/]) {
        await replaceText(tab.user, await within(dialog).findByLabelText(label), password)
      }
      await tab.user.click(within(dialog).getByRole('button', { name: 'Save' }))
    }
    await save('password1234')
    await tab.user.click(
      within(await screen.findByRole('dialog', { name: "That's an error." })).getByRole('button', {
        name: 'Dismiss',
      }),
    )
    await waitFor(() => expect(screen.queryByRole('dialog', { name: "That's an error." })).toBeNull())
    await save('seventeen calm otters')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect((await other.call('GET', '/api/v1/portal')).status).toBe(401)
    await tab.user.click(screen.getByRole('button', { name: 'Manage' }))
    await tab.user.click(await screen.findByRole('menuitem', { name: 'Merchants' }))
    await waitFor(() => expect(screen.getAllByRole('row').length).toBeGreaterThan(5))
  })
})
