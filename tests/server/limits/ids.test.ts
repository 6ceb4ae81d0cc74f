import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import { entities } from '../../../schemas/entities/index.ts'
import { isId } from '../../../server/http/ids.ts'
import { rows } from '../../rights/calls.ts'
import { openTestPortal, type Method, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { fileTicket } from '../../ticket.ts'

let portal: TestPortal
let admin: SignedIn
let ticket: number
beforeAll(async () => {
  portal = await openTestPortal()
  await portal.db.query(`update portal_user set email = 'admin@example.com' where username = 'admin'`)
  admin = await portal.login('admin')
  ticket = (await fileTicket(admin)).body.id
})
afterAll(() => portal.close())

/** A record that is there, of the table that an address is about; 1 where the demo data has none. */
async function storedId(path: string): Promise<number> {
  if (path.includes('/ticket/')) return ticket
  const name = /^\/api\/v1\/(\w+)\//.exec(path)?.[1] ?? ''
  const table = name === 'audit' ? 'audit' : (entities[name]?.table ?? null)
  if (!table) return 1
  const [row] = await portal.db.query<{ id: number }>(`select min(id)::int as id from ${table}`)
  return row!.id ?? 1
}

/** What is in an address in place of a record's id: numbers that no id is, and a stored one with more. */
const wrongIds = (id: number) => [
  '0',
  '-1',
  '1.5',
  '2147483648',
  '99999999999',
  'x',
  '%00',
  `${id}.0`,
  `${id}%20`,
  `%20${id}`,
  `${id}x`,
  `+${id}`,
  `${id}e0`,
  `00000000000${id}`,
]

const calls = rows(endpoints).filter(([, { route }]) => route.includes('/:id'))

describe('an id of an address that is no id', () => {
  test.each(calls)('%s answers that there is no such record, and no failure', async (_, row) => {
    const [method, route] = row.route.split(' ') as [Method, string]
    const path = route.replace(':kind', 'merchant').replace(':month', '2026-01').replace(':session', '1')
    const before = await portal.db.query('select count(*) from audit where action <> $1', ['refuse'])
    for (const id of wrongIds(await storedId(path))) {
      const body = method !== 'DELETE' && row.body ? { version: 1 } : undefined
      const headers: Record<string, string> = method === 'DELETE' ? { 'if-match': '"1"' } : {}
      const { status, body: answer } = await admin.call(method, path.replace(':id', id), body, headers)
      const said = `${id}: ${status} ${JSON.stringify(answer).slice(0, 200)}`
      if (method === 'GET') expect(status, said).toBe(404)
      expect(status, said).toBeGreaterThanOrEqual(400)
      expect(status, said).toBeLessThan(500)
    }
    expect(await portal.db.query('select count(*) from audit where action <> $1', ['refuse'])).toEqual(before)
  })
})

test.each([
  ['0', false],
  ['1', true],
  ['2147483647', true],
  ['2147483648', false],
  ['1e3', false],
])('whether %s may be the id of a record is %s', (text, expected) => {
  expect(isId(text)).toBe(expected)
})
