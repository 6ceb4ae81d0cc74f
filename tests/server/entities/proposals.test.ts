import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissions } from '../../../schemas/permissions.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

const path = '/api/v1/adjustment'
const month = '2090-01'
type Row = Record<string, unknown> & { id: number; version: number }

let portal: TestPortal
/** Sees all, with lock_reports; `second` as well. */
let staff: SignedIn
let admin: SignedIn
/** Holds everything, and sees the branch of master agent 2. */
let branch: SignedIn
/** Sees all, without lock_reports. */
let clerk: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  await portal.db.query(`update portal_user set permissions = $1 where username = 'agent'`, [permissions])
  await portal.db.query(`update portal_user set permissions = $1 where username = 'clerk'`, [
    permissions.filter((name) => name !== 'lock_reports'),
  ])
  ;[staff, admin, branch, clerk] = await Promise.all([
    portal.login('staff'),
    portal.login('admin'),
    portal.login('agent'),
    portal.login('clerk'),
  ])
}, 60_000)
afterAll(() => portal.close())

const make = async (who: SignedIn, more: object = {}): Promise<Row> => {
  const body = { month, masteragentid: 2, amount: 12.34, reason: 'Correction', ...more }
  const answer = await who.call('POST', path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const accept = (who: SignedIn, { id }: Row, body?: object) => who.call('POST', `${path}/${id}/accept`, body)
const refuse = (who: SignedIn, { id }: Row, body: object = { reason: 'not agreed' }) =>
  who.call('POST', `${path}/${id}/refuse`, body)
/** The adjustments in the statement of agent 2 for the month, as its report shows them, in dollars. */
const inStatement = async (): Promise<number> => {
  const answer = await staff.call('POST', '/api/v1/report/residual-summary', { month })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  const row = answer.body.data.find((it: Record<string, unknown>) => JSON.stringify(it).includes('MA0002'))
  return Number(row?.adjustments ?? 0)
}

describe('an adjustment', () => {
  test('of a person who sees all is accepted, that of a branch is proposed, with the same rights', async () => {
    expect(await make(staff)).toMatchObject({ state: 'accepted', decidedby: '', decisionreason: '' })
    expect(await make(admin)).toMatchObject({ state: 'accepted' })
    expect(await make(branch)).toMatchObject({ state: 'proposed', author: 'agent', decidedby: '' })
    await portal.db.query('delete from adjustment where month = $1', [`${month}-01`])
  })

  test('from before this rule is accepted', async () => {
    const states = await portal.db.query('select distinct state from adjustment')
    expect(states).toEqual([{ state: 'accepted' }])
  })

  test('is part of the statement while it is accepted alone', async () => {
    await make(staff, { amount: 5 })
    expect(await inStatement()).toBe(5)
    const proposed = await make(branch, { amount: 100 })
    const refused = await make(branch, { amount: 1000 })
    expect(await inStatement()).toBe(5)
    expect((await refuse(staff, refused)).status).toBe(200)
    expect(await inStatement()).toBe(5)
    expect((await accept(staff, proposed)).status).toBe(200)
    expect(await inStatement()).toBe(105)
  })

  test('cannot be given a state in the body', async () => {
    const answer = await branch.call('POST', path, {
      month,
      masteragentid: 2,
      amount: 1,
      reason: 'R',
      state: 'accepted',
    })
    expect(answer).toMatchObject({ status: 403, body: { fields: { state: 'You may not change State' } } })
  })

  test('that another person changes keeps its author and stays what it was', async () => {
    const [proposed, accepted] = [await make(branch), await make(staff)]
    const change = async (who: SignedIn, { id, version }: Row) =>
      (await who.call('PUT', `${path}/${id}`, { version, reason: 'Changed' })).body
    expect(await change(staff, proposed)).toMatchObject({
      author: 'agent',
      state: 'proposed',
      reason: 'Changed',
    })
    expect(await change(admin, accepted)).toMatchObject({
      author: 'staff',
      state: 'accepted',
      reason: 'Changed',
    })
  })
})

describe('a decision', () => {
  test('names who made it, and why it was refused; both are audited and move the version', async () => {
    const before = { state: 'proposed', decidedby: '', decisionreason: '' }
    const [one, two] = [await make(branch), await make(branch)]
    expect(await accept(staff, one)).toMatchObject({
      status: 200,
      body: { state: 'accepted', decidedby: 'staff', decisionreason: '', version: one.version + 1 },
    })
    expect(await refuse(admin, two, { reason: '  not agreed  ' })).toMatchObject({
      status: 200,
      body: { state: 'refused', decidedby: 'admin', decisionreason: 'not agreed', version: two.version + 1 },
    })
    expect(
      await portal.db.query(
        `select action, username, before, after from audit
          where entity = 'adjustment' and entityid = any ($1) and action <> 'create' order by id`,
        [[String(one.id), String(two.id)]],
      ),
    ).toEqual([
      {
        action: 'accept',
        username: 'staff',
        before,
        after: { state: 'accepted', decidedby: 'staff', decisionreason: '' },
      },
      {
        action: 'refuse',
        username: 'admin',
        before,
        after: { state: 'refused', decidedby: 'admin', decisionreason: 'not agreed' },
      },
    ])
    const { body } = await branch.call('GET', `${path}/${two.id}`)
    expect(body).toMatchObject({ state: 'refused', decisionreason: 'not agreed' })
  })

  test('needs lock_reports and the sight of all, whatever the record and the body are', async () => {
    const row = await make(branch)
    const other = { ...row, id: 999_999 }
    for (const who of [branch, clerk])
      for (const target of [row, other])
        for (const call of [accept, refuse])
          expect((await call(who, target, { nonsense: 1 })).status).toBe(403)
    expect((await staff.call('GET', `${path}/${row.id}`)).body.state).toBe('proposed')
  })

  test('is made once: what is accepted or refused is decided about no more', async () => {
    const [accepted, refused, direct] = [await make(branch), await make(branch), await make(staff)]
    await accept(staff, accepted)
    await refuse(staff, refused)
    for (const row of [accepted, refused, direct])
      for (const call of [accept, refuse])
        expect(await call(admin, row, { nonsense: 1 })).toMatchObject({
          status: 409,
          body: { error: 'This adjustment is not proposed' },
        })
    for (let round = 0; round < 5; round += 1) {
      const row = await make(branch)
      const answers = await Promise.all([accept(staff, row), refuse(admin, row)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    }
    expect((await accept(staff, { ...direct, id: 999_999 })).status).toBe(404)
  })

  test.each([
    [{}, 422],
    [{ reason: 'ab' }, 422],
    [{ reason: ' ab ' }, 422],
    [{ reason: 'x'.repeat(1001) }, 422],
    [{ reason: 7 }, 400],
    [{ reason: 'abc', more: 1 }, 400],
    [{ reason: 'abc' }, 200],
    [{ reason: 'x'.repeat(1000) }, 200],
  ])('of refusal with the body %j answers %i', async (body, status) => {
    const row = await make(branch)
    expect((await refuse(staff, row, body)).status).toBe(status)
    expect((await staff.call('GET', `${path}/${row.id}`)).body.state).toBe(
      status === 200 ? 'refused' : 'proposed',
    )
  })

  test('of acceptance is refused when the proposal changed since the version that it names', async () => {
    const row = await make(branch)
    const changed = await branch.call('PUT', `${path}/${row.id}`, { version: row.version, amount: 99 })
    expect(changed).toMatchObject({ status: 200, body: { state: 'proposed', amount: 99 } })
    expect(await accept(staff, row, { version: row.version })).toMatchObject({
      status: 409,
      body: { code: 'stale' },
    })
    expect((await accept(staff, row, { version: changed.body.version })).status).toBe(200)
  })

  test('is not the author, who may see all by now', async () => {
    const row = await make(branch)
    await portal.db.query(`update portal_user set admin = true where username = 'agent'`)
    for (const call of [accept, refuse])
      expect(await call(branch, row, call === refuse ? { reason: 'abc' } : undefined)).toMatchObject({
        status: 403,
        body: { error: 'You proposed this adjustment: another person must decide' },
      })
    await portal.db.query(`update portal_user set admin = false where username = 'agent'`)
  })

  test('is that of the person who has the name since, where its author was deleted', async () => {
    const enter = async (admin: boolean) => {
      const [user] = await portal.db.query<{ id: number }>(
        `insert into portal_user (username, password_hash, permissions, masteragentid, admin)
          select 'passing', password_hash, permissions, case when $1 then null else masteragentid end, $1
          from portal_user where username = 'agent' returning id`,
        [admin],
      )
      await portal.db.query(
        `insert into terms_acceptance (termsid, userid, ipaddress) select id, $1, '' from terms`,
        [user!.id],
      )
      return { ...user!, session: await portal.login('passing', portal.people['agent']!.password) }
    }
    const former = await enter(false)
    const row = await make(former.session)
    expect((await admin.call('DELETE', `/api/v1/user/${former.id}`)).status).toBe(204)
    const { session } = await enter(true)
    expect(await accept(session, row)).toMatchObject({ status: 200, body: { decidedby: 'passing' } })
  })
})

describe('who sees a branch', () => {
  test('changes and withdraws a proposal, and nothing that is accepted or refused', async () => {
    const proposed = await make(branch)
    expect((await branch.call('DELETE', `${path}/${proposed.id}`)).status).toBe(204)
    const [accepted, refused] = [await make(staff, { amount: -50 }), await make(branch)]
    const { body: after } = await refuse(staff, refused)
    for (const row of [accepted, after as Row]) {
      expect(
        await branch.call('PUT', `${path}/${row.id}`, { version: row.version, amount: 1 }),
      ).toMatchObject({ status: 403, body: { fields: { amount: 'You may not change Amount' } } })
      expect((await branch.call('DELETE', `${path}/${row.id}`)).status).toBe(403)
    }
  })

  test('finds refused ones in the list, which nobody can change or delete', async () => {
    const row = await make(branch)
    const { body: refused } = await refuse(staff, row)
    expect(
      (await staff.call('PUT', `${path}/${row.id}`, { version: refused.version, amount: 1 })).status,
    ).toBe(403)
    expect((await admin.call('DELETE', `${path}/${row.id}`)).status).toBe(403)
    const { body } = await branch.call('GET', `${path}?sort=-amount&size=100`)
    expect(body.data.find(({ id }: Row) => id === row.id)).toMatchObject({
      state: 'refused',
      decidedby: 'staff',
    })
  })
})

test('in a month that is locked a proposal stays as it is', async () => {
  const locked = '2089-12'
  const row = await make(branch, { month: locked })
  await portal.db.query(
    `insert into month_lock (month, version, hash, username) values ('2089-12-01', 1, 'x', 'staff')`,
  )
  for (const call of [accept, refuse])
    expect(await call(staff, row, {})).toMatchObject({
      status: 409,
      body: {
        code: 'locked',
        error: 'December 2089 is locked. A proposal is decided about in an open month',
      },
    })
})
