import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissions } from '../../../schemas/permissions.ts'
import { userId } from '../../records.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let admin: SignedIn
/** Holds every permission, and sees the branch of master agent 2 alone. */
let branch: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  await portal.db.query(`update portal_user set permissions = $1 where username = 'agent'`, [permissions])
  ;[admin, branch] = await Promise.all([portal.login('admin'), portal.login('agent')])
})
afterAll(() => portal.close())

const password = 'correct horse battery'
let next = 0
const draft = (more: object = {}) => ({
  username: `user${(next += 1)}`,
  password,
  confirm_password: password,
  masteragentid: 2,
  ...more,
})
const put = async (who: SignedIn, path: string, change: object) =>
  who.call('PUT', path, { version: (await admin.call('GET', path)).body.version, ...change })

describe('who sees a branch alone', () => {
  test('makes agents below its own, and works with them at once', async () => {
    const made = await branch.call('POST', '/api/v1/masteragent', { name: 'Child', parentid: 2 })
    expect(made).toMatchObject({ status: 201, body: { name: 'Child', parentid: 2 } })
    const below = await branch.call('POST', '/api/v1/masteragent', {
      name: 'Grandchild',
      parentid: made.body.id,
    })
    expect(below.status).toBe(201)
    expect((await put(branch, `/api/v1/masteragent/${below.body.id}`, { name: 'Renamed' })).status).toBe(200)
  })

  const parent = 'Parent must be one of your own branch'
  const equipment = 'Master Agent must be one of your own branch'
  const office = 'You may not make an office account: its users see all master agents'
  test.each<[string, 'POST' | 'PUT', string, object, number, object]>([
    [
      'an agent at the top level',
      'POST',
      '/api/v1/masteragent',
      { name: 'Top', parentid: 0 },
      422,
      { parentid: parent },
    ],
    [
      'an agent of its branch moved to the top level',
      'PUT',
      '/api/v1/masteragent/10',
      { parentid: 0 },
      422,
      { parentid: parent },
    ],
    [
      'its own agent moved to the top level',
      'PUT',
      '/api/v1/masteragent/2',
      { parentid: 0 },
      403,
      { parentid: 'You may not change Parent' },
    ],
    [
      'an agent below a foreign one',
      'POST',
      '/api/v1/masteragent',
      { name: 'Far', parentid: 3 },
      422,
      { parentid: 'Parent 3 does not exist' },
    ],
    [
      'a new office account',
      'POST',
      '/api/v1/masteragent',
      { name: 'All', parentid: 2, isofficeaccount: true },
      403,
      { isofficeaccount: office },
    ],
    [
      'an agent of its branch as an office account',
      'PUT',
      '/api/v1/masteragent/10',
      { isofficeaccount: true },
      403,
      { isofficeaccount: office },
    ],
    [
      'its own agent as an office account',
      'PUT',
      '/api/v1/masteragent/2',
      { isofficeaccount: true },
      403,
      { isofficeaccount: 'You may not change Office Account' },
    ],
    [
      'a terminal of nobody',
      'POST',
      '/api/v1/equipment',
      { model: 'T', serialnumber: 'S0' },
      422,
      { masteragentid: equipment },
    ],
    [
      'a merchant of a foreign agent',
      'POST',
      '/api/v1/merchant',
      { xmid: '1', dba: 'A', masteragentid: 3 },
      422,
      { masteragentid: 'Master Agent 3 does not exist' },
    ],
    [
      'a user of a foreign agent',
      'POST',
      '/api/v1/user',
      draft({ masteragentid: 3 }),
      422,
      { masteragentid: 'Master Agent 3 does not exist' },
    ],
  ])('is refused %s', async (_, method, path, body, status, fields) => {
    const answer = method === 'POST' ? await branch.call('POST', path, body) : await put(branch, path, body)
    expect(answer).toMatchObject({ status, body: { fields } })
    expect(
      (await branch.call('GET', '/api/v1/masteragent?size=100')).body.data.every(
        (row: { id: number }) => row.id === 2 || row.id > 3,
      ),
    ).toBe(true)
  })

  test('cannot put its terminal out of its own sight', async () => {
    const { body } = await branch.call('POST', '/api/v1/equipment', {
      model: 'T',
      serialnumber: 'S1',
      masteragentid: 2,
    })
    expect(await put(branch, `/api/v1/equipment/${body.id}`, { masteragentid: null })).toMatchObject({
      status: 422,
      body: { fields: { masteragentid: equipment } },
    })
    expect((await branch.call('GET', `/api/v1/equipment/${body.id}`)).body.masteragentid).toBe(2)
  })

  test('cannot become, make or touch a user of an office account within its branch', async () => {
    const within = (
      await admin.call('POST', '/api/v1/masteragent', {
        name: 'Inner office',
        parentid: 2,
        isofficeaccount: true,
      })
    ).body
    const { body: user } = await admin.call('POST', '/api/v1/user', draft({ masteragentid: within.id }))
    const fields = { masteragentid: 'You may not choose an office account: its users see all master agents' }
    expect(await branch.call('POST', '/api/v1/user', draft({ masteragentid: within.id }))).toMatchObject({
      status: 403,
      body: { fields },
    })
    const { body: colleague } = await admin.call('POST', '/api/v1/user', draft())
    expect(await put(branch, `/api/v1/user/${colleague.id}`, { masteragentid: within.id })).toMatchObject({
      status: 403,
      body: { fields },
    })
    expect(
      await put(branch, `/api/v1/user/${await userId(portal.db, 'agent')}`, { masteragentid: within.id }),
    ).toMatchObject({ status: 403, body: { fields: { masteragentid: 'You may not change Master Agent' } } })
    const more = { status: 403, body: { error: 'This user sees more than you do: all master agents' } }
    expect(
      await put(branch, `/api/v1/user/${user.id}`, { password, confirm_password: password }),
    ).toMatchObject(more)
    expect(await branch.call('DELETE', `/api/v1/user/${user.id}`)).toMatchObject(more)
  })
})

describe('an administrator', () => {
  test('is above a user who holds manage_tickets, which administrators lack', async () => {
    const { body } = await admin.call('POST', '/api/v1/user', draft())
    await portal.db.query('update portal_user set permissions = $1 where id = $2', [permissions, body.id])
    expect((await put(admin, `/api/v1/user/${body.id}`, { masteragentid: 1 })).status).toBe(200)
    expect((await admin.call('DELETE', `/api/v1/user/${body.id}`)).status).toBe(204)
  })

  test('who is made an ordinary user again needs a master agent', async () => {
    const { body } = await admin.call('POST', '/api/v1/user', draft({ admin: true, masteragentid: null }))
    const path = `/api/v1/user/${body.id}`
    expect(await put(admin, path, { admin: false })).toMatchObject({
      status: 422,
      body: { fields: { masteragentid: 'Master Agent is required' } },
    })
    expect((await put(admin, path, { admin: false, masteragentid: 1 })).status).toBe(200)
    expect((await put(admin, path, { admin: true })).status).toBe(200)
    expect((await put(admin, path, { masteragentid: null })).status).toBe(200)
  })
})

describe('odd values are refused with a sentence, never a 500', () => {
  const agents = '/api/v1/masteragent/2'
  test.each<[string, string, () => object, number, string]>([
    [
      'a taken user name in other letters',
      '/api/v1/user',
      () => draft({ username: 'ADMIN' }),
      409,
      'This Username is already taken',
    ],
    [
      'a user name that looks taken',
      '/api/v1/user',
      () => draft({ username: ' admin' }),
      422,
      'Username may neither begin nor end with a space',
    ],
    ['a user name of blanks', '/api/v1/user', () => draft({ username: '   ' }), 422, 'Username is required'],
    ['terms of blanks', '/api/v1/tc', () => ({ tctext: ' \n ' }), 422, 'Text is required'],
    [
      'a subscription with an enormous id',
      agents,
      () => ({ collectionSubscriptions: [{ id: 99_999_999_999, amount: 1, notes: 'x' }] }),
      422,
      'id may be at most 2,147,483,647',
    ],
    [
      'a subscription that is there twice',
      agents,
      () => ({ collectionSubscriptions: [1, 1].map((id) => ({ id, amount: 1, notes: 'x' })) }),
      422,
      'A collection subscription is there twice',
    ],
    [
      'a payee beyond all',
      agents,
      () => ({ payeeid: 2_147_483_648 }),
      422,
      'Payee may be at most 2,147,483,647',
    ],
  ])('%s', async (_, path, body, status, error) => {
    const answer = path === agents ? await put(admin, path, body()) : await admin.call('POST', path, body())
    expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(error) } })
  })
})
