import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let admin: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  admin = await portal.login('admin')
})
afterAll(() => portal.close())

test('terms are listed, read and published by administrators alone', async () => {
  const staff = await portal.login('staff')
  for (const path of ['/api/v1/tc', '/api/v1/tc/1', '/api/v1/tc/acceptance/1'])
    expect((await staff.call('GET', path)).status).toBe(403)
  expect((await staff.call('POST', '/api/v1/tc', { tctext: 'x' })).status).toBe(403)
})

test('the acceptance lists who accepted, when and from where, and who has not yet', async () => {
  await portal.db.query(`insert into portal_user (username, password_hash) values ('late', '')`)
  const { body } = await admin.call('GET', '/api/v1/tc/acceptance/1')
  expect(body.data).toHaveLength(6)
  expect(body.data[0]).toEqual({
    userid: expect.any(Number),
    username: 'admin',
    acceptancedate: expect.any(Number),
    ipaddress: '127.0.0.1',
  })
  expect(body.pending.map((user: { username: string }) => user.username)).toEqual(['late', 'newcomer'])
  await portal.db.query(`delete from portal_user where username = 'late'`)
  for (const id of ['99', '99999999999', 'x'])
    expect((await admin.call('GET', `/api/v1/tc/acceptance/${id}`)).status).toBe(404)
})

test('who accepted is listed in the order of time, of one moment by number, and who has not by name', async () => {
  const listed = async () => {
    const { data, pending } = (await admin.call('GET', '/api/v1/tc/acceptance/1')).body
    return [data, pending].map((users: { userid: number }[]) => users.map(({ userid }) => userid))
  }
  const [accepted] = await listed()
  const first = Math.max(...accepted!)
  await portal.db.query(
    `update terms_acceptance set acceptancedate = '2026-01-02 03:04:05.6Z';
    insert into portal_user (username, password_hash) values ('zoe', ''), ('ann', '')`,
  )
  await portal.db.query(
    `update terms_acceptance set acceptancedate = '2026-01-01 03:04:05.6Z' where userid = $1`,
    [first],
  )
  const rest = accepted!.filter((id) => id !== first).sort((a, b) => a - b)
  const waiting = await portal.db.query<{ id: number }>(
    `select id from portal_user where username in ('ann', 'newcomer', 'zoe') order by username`,
  )
  expect(await listed()).toEqual([[first, ...rest], waiting.map(({ id }) => id)])
  const { data } = (await admin.call('GET', '/api/v1/tc/acceptance/1')).body
  expect(data[0].acceptancedate).toBe(Date.UTC(2026, 0, 1, 3, 4, 5) / 1000)
  await portal.db.query(`delete from portal_user where username in ('ann', 'zoe')`)
})

test('existing terms can be neither changed nor, once accepted, deleted', async () => {
  expect((await admin.call('PUT', '/api/v1/tc/1', { version: 1, tctext: 'changed' })).status).toBe(403)
  const noun = 'This version of the terms and conditions'
  expect(await admin.call('PUT', '/api/v1/tc/1', { version: 2 })).toMatchObject({
    status: 409,
    body: { error: `${noun} was changed by somebody else meanwhile` },
  })
  expect(await admin.call('DELETE', '/api/v1/tc/1')).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining(`${noun} cannot be deleted: it is still referenced by 6`) },
  })
})

test('terms without a text are refused', async () => {
  expect(await admin.call('POST', '/api/v1/tc', { tctext: '' })).toMatchObject({
    status: 422,
    body: { fields: { tctext: 'Text is required' } },
  })
})

test('a new version makes the next call of every user answer 428, the one who wrote it too', async () => {
  const staff = await portal.login('staff')
  const { body, status } = await admin.call('POST', '/api/v1/tc', { tctext: 'Second version' })
  expect(status).toBe(201)
  for (const person of [staff, admin]) expect((await person.call('GET', '/api/v1/profit')).status).toBe(428)
  expect((await staff.call('GET', '/api/v1/tc/latest')).body).toEqual({
    id: body.id,
    tctext: 'Second version',
  })
  // Accepting once more changes nothing, and writes no other entry.
  for (let time = 1; time <= 2; time++) await admin.call('POST', '/api/v1/tc/accept')
  expect(
    await portal.db.query(
      `select username from audit where entity = 'terms' and action = 'accept' and entityid = $1`,
      [String(body.id)],
    ),
  ).toEqual([{ username: 'admin' }])
  expect((await admin.call('GET', '/api/v1/tc')).status).toBe(200)
  expect((await staff.call('GET', '/api/v1/profit')).status).toBe(428)
})

test('a version is not accepted in place of a newer one that was published while it was read', async () => {
  const staff = await portal.login('staff')
  const { body: third } = await admin.call('POST', '/api/v1/tc', { tctext: 'Third version' })
  const { body: shown } = await staff.call('GET', '/api/v1/tc/latest')
  await admin.call('POST', '/api/v1/tc/accept')
  const { body: fourth } = await admin.call('POST', '/api/v1/tc', { tctext: 'Fourth version' })
  expect(await staff.call('POST', '/api/v1/tc/accept', { id: shown.id })).toMatchObject({
    status: 409,
    body: { error: 'The Terms and Conditions were changed while you read them. Please read the new text.' },
  })
  expect((await admin.call('POST', '/api/v1/tc/accept')).status).toBe(204)
  const names = async (id: number) =>
    (await admin.call('GET', `/api/v1/tc/acceptance/${id}`)).body.data.map(
      ({ username }: { username: string }) => username,
    )
  expect([await names(third.id), await names(fourth.id)]).toEqual([['admin'], ['admin']])
  expect((await staff.call('GET', '/api/v1/profit')).status).toBe(428)
  expect((await staff.call('POST', '/api/v1/tc/accept', { id: fourth.id })).status).toBe(204)
  expect(await names(fourth.id)).toEqual(['admin', 'staff'])
  expect((await staff.call('GET', '/api/v1/profit')).status).toBe(200)
})

const unknownTerms = 'This version of the terms and conditions does not exist'
test.each(['999', '0', 'x'])('the acceptance of the unknown version %s answers 404', async (id) =>
  expect(await admin.call('GET', `/api/v1/tc/acceptance/${id}`)).toMatchObject({
    status: 404,
    body: { error: unknownTerms },
  }),
)

test.each([
  [999, 404, unknownTerms],
  [0, 422, 'id must be at least 1'],
  ['1', 400, 'id must be a whole number'],
])('accepting terms with the id %j answers %i and records nothing', async (id, status, error) => {
  const count = async () =>
    (await portal.db.query<{ n: number }>('select count(*)::int n from terms_acceptance'))[0]!.n
  const before = await count()
  const staff = await portal.login('staff')
  expect(await staff.call('POST', '/api/v1/tc/accept', { id })).toMatchObject({ status, body: { error } })
  expect(await count()).toBe(before)
})

test('a portal without terms lets everybody work, says that there are none, and keeps no acceptance', async () => {
  await portal.db.query('delete from terms_acceptance; delete from terms')
  const newcomer = await portal.login('newcomer')
  expect((await newcomer.call('GET', '/api/v1/profit')).status).toBe(200)
  expect(await newcomer.call('GET', '/api/v1/tc/latest')).toMatchObject({
    status: 404,
    body: { error: 'There are no Terms and Conditions yet' },
  })
  expect((await newcomer.call('POST', '/api/v1/tc/accept')).status).toBe(204)
  expect(await portal.db.query('select from terms_acceptance')).toEqual([])
})
