import type { SignedIn, TestPortal } from '../../testPortal.ts'
import { type Driver, ok } from './drivers/driver.ts'

/** The merchants all models begin with: 23, of which those with odd numbers are bakeries. */
export const most = 23
export const xmid = (number: number) => `4000${String(number).padStart(7, '0')}`
export const dba = (number: number) =>
  `${number % 2 === 1 ? 'Bakery' : 'Garage'} ${String(number).padStart(2, '0')}`

export const routes = {
  list: 'GET /api/v1/merchant',
  create: 'POST /api/v1/merchant',
  one: (method: 'GET' | 'PUT' | 'DELETE', id: number) => `${method} /api/v1/merchant/${id}`,
}

/** Puts the 23 merchants there anew, as nobody has changed them; none of an earlier walk is left. */
export async function putMerchants({ db }: TestPortal, count = most): Promise<void> {
  await db.query('delete from adjustment where merchantid is not null')
  await db.query('delete from equipment where merchantid is not null')
  await db.query('delete from merchant')
  await db.query(
    `insert into merchant (id, xmid, dba, masteragentid, accountstatus)
      select n, '4000' || lpad(n::text, 7, '0'), case n % 2 when 1 then 'Bakery ' else 'Garage ' end || lpad(n::text, 2, '0'), 2, 2
      from generate_series(1, $1::int) n`,
    [count],
  )
  await db.query(`select setval(pg_get_serial_sequence('merchant', 'id'), 100)`)
}

/** What the database holds of one merchant, or undefined. */
export const stored = async ({ db }: TestPortal, id: number): Promise<Record<string, unknown> | undefined> =>
  (await db.query<Record<string, unknown>>('select * from merchant where id = $1', [id]))[0]

const known = new WeakMap<TestPortal, Record<string, Promise<string>>>()

/** Lets the browser know this person already, as after an earlier visit. One session a person and portal. */
export async function remember({ portal, keep }: Driver, name: string): Promise<void> {
  const sessions = known.get(portal) ?? {}
  known.set(portal, sessions)
  sessions[name] ??= signIn(portal, name)
  await keep('technology-portal.session', await sessions[name])
}

async function signIn(portal: TestPortal, name: string): Promise<string> {
  const { username, password } = portal.people[name]!
  const { status, body } = await (
    await portal.stranger()
  ).call('PUT', '/api/v1/login', { username, password })
  ok(status === 200, `${name} cannot sign in: ${status}`)
  return JSON.stringify({ user: { username, ...body }, renewed: 0 })
}

const others = new WeakMap<TestPortal, Promise<SignedIn>>()

/** Somebody else at another computer, who may do everything. */
export function secondClient(portal: TestPortal): Promise<SignedIn> {
  const other = others.get(portal) ?? portal.login('admin')
  others.set(portal, other)
  return other
}

/** What the address asks of the list, without what belongs to others. */
export const asked = (it: Driver): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(it.url().split('?')[1] ?? ''))

/** What is said beside the screen; what says nothing at this moment is left out. */
export const statusText = async (it: Driver): Promise<string> =>
  (await it.texts('status')).filter((text) => text !== '').join(' ')

export function same(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)]
  ok(is === should, `${what}: ${is}, not ${should}`)
}
