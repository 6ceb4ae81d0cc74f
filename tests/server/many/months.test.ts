import { afterAll, beforeAll, expect, test } from 'vitest'
import { world, type SignedIn, type World } from '../../world.ts'

let portal: World
let admin: SignedIn
beforeAll(async () => {
  portal = await world()
  admin = await portal.login('admin')
})
afterAll(() => portal.close())

type Offered = { id: string; state?: string }
type Report = { id: string; inputs: { constraints: Offered[] }[] }

const incomeOf = async (month: string) => {
  const { status, body } = await admin.call('POST', '/api/v1/report/residual-summary', { month })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

test('200 merchants that are moved count for their new agent in the open month, and in no locked one', async () => {
  const reports = (await admin.call('GET', '/api/v1/report')).body.data as Report[]
  const offered = reports.find(({ id }) => id === 'residual-summary')!.inputs[0]!.constraints
  const isLocked = ({ state }: Offered) => state === 'Locked'
  const locked = offered.find(isLocked)!.id
  const open = offered.find((it) => !isLocked(it))!.id
  const shares = () => portal.db.query('select * from locked_merchant order by lockid, xmid')
  const before = {
    copies: await shares(),
    locked: await incomeOf(locked),
    open: await incomeOf(open),
  }
  const moved = await portal.db.query<{ id: number; version: number }>(
    'select id, version from merchant where masteragentid <> 4 order by id limit 200',
  )
  const body = { records: moved, values: { masteragentid: 4 } }
  const looked = await admin.call('POST', '/api/v1/merchant/many/preview', body)
  expect(looked.body).toMatchObject({ changed: 200, refused: 0 })
  const done = await admin.call('POST', '/api/v1/merchant/many', {
    ...body,
    fingerprint: looked.body.fingerprint,
  })
  expect(done.body.changed).toBe(200)
  expect(await shares()).toEqual(before.copies)
  expect(await incomeOf(locked)).toEqual(before.locked)
  expect(await incomeOf(open)).not.toEqual(before.open)
  expect((await admin.call('POST', `/api/v1/merchant/many/${done.body.id}/undo`)).status).toBe(200)
  expect(await incomeOf(open)).toEqual(before.open)
}, 120_000)
