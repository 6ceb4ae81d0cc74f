import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import { permissions, type Permission } from '../../../schemas/permissions.ts'
import { rows, who } from '../../rights/calls.ts'
import { world, type SignedIn, type World } from '../../world.ts'

let portal: World
let probe: SignedIn
beforeAll(async () => {
  portal = await world()
  probe = await portal.login('clerk')
})
afterAll(() => portal.close())

const become = (held: readonly string[], admin = false) =>
  portal.db.query(`update portal_user set permissions = $1, admin = $2 where username = 'clerk'`, [
    held,
    admin,
  ])

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
      await become(given, person === 'admin')
      const { status } = await probe.call(method, path, body)
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
