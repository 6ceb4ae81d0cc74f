import { genericText } from '../../../src/api/failure.ts'
import { storageKey } from '../../../src/api/storedSession.ts'
import type { TestPortal } from '../../testPortal.ts'
import { ok, type Driver } from './drivers/driver.ts'
import { refusalText, type Answer, type Seen } from './drivers/network.ts'

/** Who sits at the screen, and who else uses the same browser. */
export const me = 'staff'
export const somebodyElse = 'newcomer'
export const errorTitle = "That's an error."
export { genericText }

/** The causes are real: rows of the database, so that the server itself answers 401, 428 and 429. */
export const causes = ({ db }: TestPortal) => ({
  acceptTerms: (who: string) =>
    db.query(
      `insert into terms_acceptance (termsid, userid, ipaddress)
        select (select max(id) from terms), id, '127.0.0.1' from portal_user where username = $1 on conflict do nothing`,
      [who],
    ),
  openTerms: (who: string) =>
    db.query('delete from terms_acceptance where userid = (select id from portal_user where username = $1)', [
      who,
    ]),
  changeTerms: () =>
    db.query(`insert into terms (tctext) select 'Version ' || count(*) + 1 || ' of the terms' from terms`),
  endSessions: (who: string) =>
    db.query('delete from session where userid = (select id from portal_user where username = $1)', [who]),
  failSignIns: (who: string) =>
    db.query(
      `insert into login_attempt (account, address) select $1, '127.0.0.1' from generate_series(1, 14)`,
      [who],
    ),
  /** As if the password had last been given so many minutes ago. */
  lastConfirmed: (who: string, minutes: number) =>
    db.query(
      `update session set confirmed_at = now() - make_interval(mins => $2)
        where userid = (select id from portal_user where username = $1)`,
      [who, minutes],
    ),
  forgiveSignIns: () => db.query('delete from login_attempt'),
})

export async function latestTerms({ db }: TestPortal): Promise<string> {
  const [terms] = await db.query<{ tctext: string }>('select tctext from terms order by id desc limit 1')
  return terms!.tctext
}

/** Whether the server still honours this token. */
export async function isAlive({ db }: TestPortal, token: string): Promise<boolean> {
  const found = await db.query(`select 1 from session where token_hash = sha256(convert_to($1, 'UTF8'))`, [
    token,
  ])
  return found.length > 0
}

/** The stored session as a person with the developer tools sees it. */
export async function stored(it: Driver): Promise<{ username: string; access_token: string } | null> {
  const text = (await it.storage())[storageKey]
  return text === undefined ? null : JSON.parse(text).user
}

/** Does something, and waits for the call it is to make. */
export async function calls(it: Driver, route: string, act: () => Promise<void>): Promise<Seen> {
  const before = it.network.calls(route).length
  await act()
  await it.eventually(() => {
    const call = it.network.calls(route).at(before)
    ok(typeof call?.status === 'number', `no answered call ${route}${call ? ', but one that waits' : ''}`)
  })
  return it.network.calls(route)[before]!
}

/**
 * Does something on which the page gives up the calls that wait, and lets them go then: any earlier, they
 * would still be sent.
 * What the page does not give up is answered after all, for the caller to see.
 */
export async function givesUp(it: Driver, route: string, act: () => Promise<void>) {
  const waiting = it.network.calls(route).filter(({ status }) => status === null)
  await act()
  await it
    .eventually(() =>
      ok(
        waiting.every(({ status }) => status === 0),
        `${route} was not given up`,
      ),
    )
    .catch(() => {})
  it.network.release(route)
}

/**
 * The bar asks every minute how many files wait in the inbox: left waiting, it does not meet what the server
 * changes before the call that a step is about.
 */
export const holdInboxCount = (it: Driver) => it.network.hold('GET /api/v1/inbox/count')

/** Opens a page as somebody this browser knows already, with a session of its own. */
export async function arrive(it: Driver, who: string, path: string) {
  await causes(it.portal).acceptTerms(who)
  const { username, password } = it.portal.people[who]!
  const { status, body } = await (
    await it.portal.stranger()
  ).call('PUT', '/api/v1/login', { username, password })
  ok(status === 200, `${who} cannot sign in: ${status}`)
  await it.keep(storageKey, JSON.stringify({ user: { username, ...body }, renewed: 0 }))
  await it.go(path)
}

/** What the error dialog says of an answer. */
export const sentenceOf = (answer: Answer) => (answer === 'no answer' ? genericText : refusalText(answer))

export async function dismiss(it: Driver) {
  await it.press('Dismiss', { dialog: errorTitle })
}

/** Types name and password and presses Login; answers the call. */
export async function signIn(
  it: Driver,
  who: string,
  password = it.portal.people[who]!.password,
): Promise<Seen> {
  await it.fill('Username', who)
  await it.fill('Password', password)
  const call = await calls(it, 'PUT /api/v1/login', () => it.press('Login'))
  ok(call.bearer === null, 'a token went along with the password')
  return call
}

export async function logOut(it: Driver, who: string) {
  await it.press(`Welcome, ${who}`)
  await it.eventually(async () => ok(await it.count('menuitem', 'Logout'), 'there is no Logout'))
  await it.press('Logout', { role: 'menuitem' })
}
