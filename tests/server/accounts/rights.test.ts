import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import { permissions, type Permission } from '../../../schemas/permissions.ts'
import { rows, who } from '../../rights/calls.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
/** Those who hold nothing, one permission each, some that a call asks for together, and the administrator. */
const signedIn = new Map<string, SignedIn>()
const nameOf = (held: readonly string[], admin: boolean) => (admin ? 'admin' : held.toSorted().join())

/** A person who differs from clerk in these rights alone. */
async function enter(held: readonly Permission[], admin: boolean) {
  const username = `caller${signedIn.size}`
  await portal.db.query(
    `with made as (
       insert into portal_user (username, foldedname, password_hash, email, masteragentid, permissions, admin)
         select $1, $1, password_hash, email, masteragentid, $2, $3 from portal_user where username = 'clerk'
         returning id)
       insert into terms_acceptance (termsid, userid, ipaddress) select t.id, made.id, '' from terms t, made`,
    [username, held, admin],
  )
  signedIn.set(nameOf(held, admin), await portal.login(username, portal.people['clerk']!.password))
}

beforeAll(async () => {
  portal = await openTestPortal()
  const together = Object.values(who).flatMap((allowed) =>
    allowed !== null && typeof allowed === 'object' && 'all' in allowed ? [allowed.all] : [],
  )
  await enter([], true)
  for (const held of [[], ...permissions.map((name) => [name]), ...together])
    if (!signedIn.has(nameOf(held, false))) await enter(held, false)
})
afterAll(() => portal.close())

describe('every endpoint answers each kind of person as docs/product says', () => {
  test('no endpoint is without a row in this table', () => {
    expect(
      rows(endpoints)
        .map(([name]) => name)
        .sort(),
    ).toEqual(Object.keys(who).sort())
  })

  test.each(rows(endpoints).filter(([name]) => name !== 'session.logout'))('%s', async (name, row) => {
    const [method, url] = row.route.split(' ') as ['GET' | 'PUT' | 'POST' | 'DELETE', string]
    const path = url.replace(':id', '999999')
    const body =
      method === 'PUT' || method === 'POST' ? (row.upload ? undefined : { surely: 'unknown' }) : undefined
    const allowed = who[name]
    const stranger = await (await portal.stranger()).call(method, path, body)
    expect(stranger.status === 401, 'a stranger').toBe(allowed !== 'anyone')
    const isAll = allowed !== null && typeof allowed === 'object' && 'all' in allowed
    const people: [name: string, given: Permission[]][] = [
      ['admin', []],
      ['nobody', []],
      ...permissions.map((name): [string, Permission[]] => [name, [name]]),
      ...(isAll ? [['all of them', [...allowed.all]] as [string, Permission[]]] : []),
    ]
    for (const [person, given] of people) {
      const { status } = await signedIn.get(nameOf(given, person === 'admin'))!.call(method, path, body)
      const isSaid = typeof allowed === 'function'
      const may =
        person === 'admin' ||
        (isSaid
          ? allowed({ admin: false, given })
          : isAll
            ? allowed.all.every((name) => given.includes(name))
            : !Array.isArray(allowed) || given.some((name) => allowed.includes(name)))
      expect(status === 403, `${person} gets ${status}`).toBe(!may)
      expect(status, person).not.toBe(401)
      expect(status, person).toBeLessThan(500)
    }
  })
})
