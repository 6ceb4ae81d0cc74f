import type { Browser, Page } from 'playwright-core'
import { findChromium } from '../../chromium.mjs'
import { expectThat, newOutcome, type Fault, type Outcome } from '../fault.ts'
import { fillOffice, must, startOffice, stopOffice, type Office } from '../office.ts'

const password = 'seven old copper kettles'
const missing = () => (findChromium() ? null : 'needs Chromium')

type User = { id: number; username: string; version: number; permissions: Record<string, boolean> }

async function addUser({ portal }: Office, username: string, masteragentid: number): Promise<User> {
  const user = { username, masteragentid, password, confirm_password: password }
  return (await must(portal.call('POST', '/api/v1/user', user), 201)) as User
}

async function moveTo({ portal }: Office, { id }: User, masteragentid: number): Promise<void> {
  const { version } = (await must(portal.call('GET', `/api/v1/user/${id}`))) as User
  await must(portal.call('PUT', `/api/v1/user/${id}`, { version, masteragentid }))
}

/** Gives a user these permissions and no other. */
async function permit({ portal }: Office, { id }: User, ...held: string[]): Promise<void> {
  const { version, permissions } = (await must(portal.call('GET', `/api/v1/user/${id}`))) as User
  const all = Object.fromEntries(Object.keys(permissions).map((name) => [name, held.includes(name)]))
  await must(portal.call('PUT', `/api/v1/user/${id}`, { version, permissions: all }))
}

async function signIn(page: Page, { username }: User) {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('button', { name: `Welcome, ${username}` }).waitFor()
}

/** A page at which this user is signed in. */
async function pageOf(browser: Browser, { portal }: Office, user: User): Promise<Page> {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  page.setDefaultTimeout(30_000)
  await page.goto(`${portal.url}/login`)
  await signIn(page, user)
  return page
}

const dialogTitle = 'Create or Edit Merchant'
async function openMerchant(page: Page, { portal }: Office, id: number) {
  await page.goto(`${portal.url}/manage/merchants?open=${id}`)
  const dialog = page.getByRole('dialog', { name: dialogTitle })
  await dialog.locator('.form-frame').waitFor()
  return dialog
}

const merchantIn = async ({ db }: Office, id: number) => {
  const [row] = await db.query('select * from merchant where id = $1', [id])
  return JSON.stringify(row)
}

/** Presses Save; answers the status that the portal gave, and what the page sent to identify its user. */
async function saveAs(page: Page): Promise<{ status: number; headers: Record<string, string> }> {
  const answer = page.waitForResponse(
    (it) => it.request().method() === 'PUT' && /\/merchant\//.test(it.url()),
  )
  await page.getByRole('dialog', { name: dialogTitle }).getByRole('button', { name: 'Save' }).click()
  const reply = await answer
  const { authorization = '', 'x-xsrf-token': xsrf = '' } = await reply.request().allHeaders()
  return { status: reply.status(), headers: { authorization, 'x-xsrf-token': xsrf } }
}
const save = async (page: Page) => (await saveAs(page)).status

const notesOf = (page: Page) => page.getByRole('dialog', { name: dialogTitle }).getByLabel('Notes')
const isShown = (page: Page, text: RegExp) =>
  page
    .getByText(text)
    .first()
    .waitFor({ timeout: 10_000 })
    .then(
      () => true,
      () => false,
    )

type Round = { office: Office; page: Page; user: User; id: number; typed: string; outcome: Outcome }

/**
 * The permission is taken, which ends the session: what was typed is offered again, and stored when it is
 * given back.
 */
async function permissionGoes({ office, page, user, id, typed, outcome }: Round) {
  await permit(office, user)
  const before = await merchantIn(office, id)
  outcome.acknowledged++
  expectThat(outcome, (await save(page)) === 401, 'Save without the permission did not end at the login')
  const isUnchanged = (await merchantIn(office, id)) === before
  outcome.found += isUnchanged ? 1 : 0
  outcome.half += isUnchanged ? 0 : 1
  await page.getByRole('button', { name: 'Login' }).waitFor()
  await permit(office, user, 'manage_merchants')
  await signIn(page, user)
  await page.getByRole('button', { name: 'Restore' }).click()
  expectThat(outcome, (await notesOf(page).inputValue()) === typed, 'what was typed is not offered again')
  if ((await save(page)) !== 200) return
  outcome.acknowledged++
  outcome.found += (await merchantIn(office, id)).includes(typed) ? 1 : 0
}

/**
 * The user is moved to another branch and stays signed in: Save says that the record is not there, and
 * nothing typed is lost.
 */
async function branchGoes({ office, page, user, id, typed, outcome }: Round) {
  await moveTo(office, user, 3)
  const before = await merchantIn(office, id)
  outcome.acknowledged++
  expectThat(outcome, (await save(page)) === 404, 'Save on a record out of sight was not answered 404')
  expectThat(outcome, await isShown(page, /This merchant does not exist/), 'no sentence said why')
  const isUnchanged = (await merchantIn(office, id)) === before
  outcome.found += isUnchanged ? 1 : 0
  outcome.half += isUnchanged ? 0 : 1
  const dismiss = page.getByRole('button', { name: 'Dismiss' })
  if (await dismiss.count()) await dismiss.click()
  const left = await notesOf(page)
    .inputValue({ timeout: 5_000 })
    .catch(() => null)
  expectThat(outcome, left === typed, 'what was typed is gone from the dialog')
}

export const rightsGo: Fault = {
  name: 'rights-go',
  what: 'an administrator takes a permission or the branch away while a dialog with typed text is open',
  rounds: 4,
  missing,
  async run(place, rounds) {
    const outcome = newOutcome()
    const office = await startOffice(await place.folderWithDatabase())
    await fillOffice(office.db, 3, 3 * rounds)
    for (let round = 0; round < rounds; round++) {
      const user = await addUser(office, `editor${round}`, round % 2 === 0 ? 1 : 2)
      await permit(office, user, 'manage_merchants')
      const page = await pageOf(await place.browser(), office, user)
      // A merchant of agent 2.
      const id = 3 * round + 1
      await openMerchant(page, office, id)
      const typed = `Typed before the right was taken ${round}`
      await notesOf(page).fill(typed)
      outcome.tried++
      await (round % 2 === 0 ? permissionGoes : branchGoes)({ office, page, user, id, typed, outcome })
      await page.context().close()
    }
    await stopOffice(office)
    return outcome
  },
}

/** The names of the fields that are closed in a dialog. */
const closedIn = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('[role=dialog] .form-frame :is(input, textarea, select)')]
      .filter((it) => it.disabled || it.readOnly)
      .map((it) => it.id.replace(/^.*-field_/, '')),
  )

/** Opens a closed field as a person does with the tools of the browser. */
const openByHand = (page: Page, field: string) =>
  page.locator(`[id$="-field_${field}"]`).evaluate((it) => {
    for (let at: Element | null = it; at && at.getAttribute('role') !== 'dialog'; at = at.parentElement)
      for (const name of ['disabled', 'readonly', 'aria-disabled']) at.removeAttribute(name)
  })

/** Fills a field that was opened by hand, and one that is open, and presses Save. */
async function tryClosedField({ office, page, id, typed, outcome }: Round, field: string) {
  await openMerchant(page, office, id)
  await openByHand(page, field)
  const input = page.locator(`[id$="-field_${field}"]`)
  const [before] = await office.db.query('select * from merchant where id = $1', [id])
  if (await input.evaluate((it) => it.tagName === 'SELECT')) await input.selectOption({ index: 1 })
  else await input.fill('01/02/2026')
  await page.getByLabel('Sales Rep').fill(typed)
  outcome.tried++
  const { status, headers } = await saveAs(page)
  const [after] = await office.db.query('select * from merchant where id = $1', [id])
  const isKept = String(after![field]) === String(before![field])
  outcome.half += isKept ? 0 : 1
  if (status === 200) {
    outcome.acknowledged++
    outcome.found += after!['sales_rep'] === typed ? 1 : 0
  } else outcome.half += after!['sales_rep'] === before!['sales_rep'] ? 0 : 1

  // The page leaves a closed field out of what it sends; here it is sent all the same.
  const value = typeof after![field] === 'string' ? 'Sent' : field === 'accountstatus' ? 3 : 1_767_312_000
  const url = `${office.portal.url}/api/v1/merchant/${id}`
  const sent = await page.request.put(url, { headers, data: { version: after!['version'], [field]: value } })
  expectThat(outcome, sent.status() === 403, `a closed field that was sent was answered ${sent.status()}`)
  outcome.half += (await merchantIn(office, id)) === JSON.stringify(after) ? 0 : 1
}

export const closedFields: Fault = {
  name: 'closed-fields',
  what: 'disabled fields are enabled by hand in the browser, filled in and saved: none may be stored',
  rounds: 1,
  missing,
  async run(place, rounds) {
    const outcome = newOutcome()
    const office = await startOffice(await place.folderWithDatabase())
    await fillOffice(office.db, 3, rounds)
    for (let round = 0; round < rounds; round++) {
      const user = await addUser(office, `reassigner${round}`, 1)
      await permit(office, user, 'edit_maid_salesrep')
      const page = await pageOf(await place.browser(), office, user)
      const id = round + 1
      await openMerchant(page, office, id)
      const closed = await closedIn(page)
      expectThat(outcome, closed.length > 10, `only ${closed.length} fields are closed`)
      for (const [at, field] of closed.entries())
        await tryClosedField({ office, page, user, id, typed: `Rep ${round} ${at}`, outcome }, field)
      await page.context().close()
    }
    await stopOffice(office)
    return outcome
  },
}
