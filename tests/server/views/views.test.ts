import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { viewLimits, viewLists } from '../../../schemas/api/lists/views.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { whileUncommitted } from '../../whileUncommitted.ts'
import { formerDatabase } from '../db/formerDatabase.ts'

let portal: TestPortal
let staff: SignedIn
let admin: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  staff = await portal.login('staff')
  admin = await portal.login('admin')
})
afterEach(() => portal.db.query('delete from saved_view'))
afterAll(() => portal.close())

const view = { list: 'merchant', name: 'Open ones', shared: false, search: 'sort=dba' }
/** The lists that a user without any permission may not open (permissions 3). */
const closedToClerk = new Set(['adjustment', 'user', 'processor', 'processorstatement', 'tc', 'audit'])
const save = (person: SignedIn, changed: object = {}) =>
  person.call('POST', '/api/v1/view', { ...view, ...changed })
const names = async (person: SignedIn, list = 'merchant') =>
  (await person.call('GET', `/api/v1/view?list=${list}`)).body.data.map(({ name }: { name: string }) => name)
const remove = async (person: SignedIn, id: number | string) =>
  (await person.call('DELETE', `/api/v1/view/${id}`)).status

describe('a view', () => {
  test('is kept by name for its list and its owner alone, replaced under the same name, and removed', async () => {
    const { status, body } = await save(staff, { name: ' Open ones ' })
    expect([status, body]).toEqual([
      201,
      { ...view, list: undefined, id: body.id, own: true, removable: true, owner: 'staff' },
    ])
    expect((await save(staff, { search: '', shared: true })).body).toMatchObject({
      id: body.id,
      search: '',
      shared: true,
    })
    expect(await names(admin)).toEqual(['Open ones'])
    expect((await save(staff, { search: '' })).body).toMatchObject({ id: body.id, search: '', shared: false })
    expect((await staff.call('GET', '/api/v1/view?list=merchant')).body.data).toEqual([
      {
        id: body.id,
        name: 'Open ones',
        shared: false,
        own: true,
        removable: true,
        owner: 'staff',
        search: '',
      },
    ])
    expect([await names(admin), await names(staff, 'equipment')]).toEqual([[], []])
    expect(await remove(admin, body.id)).toBe(404)
    expect(await remove(staff, body.id)).toBe(204)
    expect(await remove(staff, body.id)).toBe(404)
    expect(await names(staff)).toEqual([])
  })

  test.each([
    ['own', 'staff', false],
    ['shared', 'admin', true],
  ] as const)('that is %s leaves the others when %s removes it', async (_, who, shared) => {
    const { body } = await save(staff, { shared })
    await save(staff, { name: 'Closed ones', shared })
    await save(admin, { name: 'New ones', shared: true })
    expect(await remove(who === 'admin' ? admin : staff, body.id)).toBe(204)
    expect(await names(staff)).toEqual(['Closed ones', 'New ones'])
  })

  test('is replaced by a view of the same list alone', async () => {
    const first = await save(staff)
    const second = await save(staff, { list: 'equipment' })
    expect(second.body.id).not.toBe(first.body.id)
    expect([await names(staff), await names(staff, 'equipment')]).toEqual([['Open ones'], ['Open ones']])
  })

  test('is no longer there once its owner is deleted', async () => {
    const [gone] = await portal.db.query<{ id: number }>(
      `insert into portal_user (username, foldedname, password_hash, masteragentid)
        values ('gone', 'gone', 'x', 1) returning id`,
    )
    await portal.db.query(
      `insert into saved_view (userid, list, name, shared, search) values ($1, 'merchant', 'Theirs', true, '')`,
      [gone!.id],
    )
    expect(await names(staff)).toEqual(['Theirs'])
    await portal.db.query('delete from portal_user where id = $1', [gone!.id])
    expect(await names(staff)).toEqual([])
  })

  test.each(['0', '-1', 'x', '1e3', '99999999999'])('with the number %s is not found', async (id) => {
    expect(await remove(admin, id)).toBe(404)
  })
})

describe('a shared view', () => {
  /** The master agent of each: 1 is the office, whose people see all branches (permissions 4). */
  const agents = { admin: null, staff: 1, importer: 1, agent: 2, reassigner: 2, clerk: 3 }
  beforeAll(async () => {
    for (const [name, agent] of Object.entries(agents))
      await portal.db.query('update portal_user set masteragentid = $2 where username = $1', [name, agent])
  })
  test.each([
    ['staff', 'admin', true],
    ['staff', 'importer', true],
    ['staff', 'agent', false],
    ['admin', 'staff', true],
    ['admin', 'clerk', false],
    ['agent', 'reassigner', true],
    ['agent', 'clerk', false],
    ['agent', 'staff', false],
    ['agent', 'admin', false],
  ])('of %s is offered to %s: %s', async (owner, other, isOffered) => {
    await save(await portal.login(owner), { shared: true })
    expect(await names(await portal.login(other))).toEqual(isOffered ? ['Open ones'] : [])
  })

  test('of nobody is offered to a user without a master agent, who sees no rows', async () => {
    await save(await portal.login('clerk'), { shared: true })
    await portal.db.query(`update portal_user set masteragentid = null where username in ('clerk', 'agent')`)
    expect(await names(await portal.login('agent'))).toEqual([])
  })

  test('is removed by its owner or an administrator, and by nobody else', async () => {
    const { body } = await save(admin, { shared: true })
    const removable = async (person: SignedIn) =>
      (await person.call('GET', '/api/v1/view?list=merchant')).body.data[0].removable
    expect([await removable(staff), await removable(admin)]).toEqual([false, true])
    expect(await remove(staff, body.id)).toBe(404)
    expect(await remove(admin, body.id)).toBe(204)
    const other = await save(staff, { shared: true })
    expect([await removable(staff), await removable(admin)]).toEqual([true, true])
    expect(await remove(admin, other.body.id)).toBe(204)
  })

  test('is listed among the viewer’s own views, by name', async () => {
    await save(staff, { name: 'b' })
    await save(admin, { name: 'C', shared: true })
    await save(admin, { name: 'a', shared: true })
    expect(await names(staff)).toEqual(['a', 'b', 'C'])
  })

  test('is listed after an older one whose name differs only in capitals', async () => {
    await save(staff, { name: 'OPEN' })
    await save(admin, { name: 'open', shared: true })
    await save(staff, { name: 'Open' })
    expect(await names(staff)).toEqual(['OPEN', 'open', 'Open'])
    // A row that is changed moves behind the others in its table.
    expect((await save(staff, { name: 'OPEN', search: '' })).status).toBe(201)
    expect(await names(staff)).toEqual(['OPEN', 'open', 'Open'])
  })
})

describe('a view is refused', () => {
  test.each(viewLists)('of the list %s to a user who may not open it', async (list) => {
    const clerk = await portal.login('clerk')
    const expected = !closedToClerk.has(list)
    const answers = [await clerk.call('GET', `/api/v1/view?list=${list}`), await save(clerk, { list })]
    expect(answers.map(({ status }) => status)).toEqual(expected ? [200, 201] : [403, 403])
    if (!expected)
      expect(answers.map(({ body }) => body.error)).toEqual(Array(2).fill('You may not open this list'))
  })

  test('of the list of tickets to a user without a validated email', async () => {
    expect((await save(staff, { list: 'ticket' })).status).toBe(201)
    await portal.db.query(`update portal_user set email = null where username = 'importer'`)
    const importer = await portal.login('importer')
    for (const { status, body } of [
      await save(importer, { list: 'ticket' }),
      await importer.call('GET', '/api/v1/view?list=ticket'),
    ])
      expect([status, body.error]).toEqual([403, 'Validate your email to see support tickets'])
  })

  test.each([
    ['of an unknown list', { list: 'nothing' }],
    ['without a name', { name: ' ' }],
    ['with a field that a view has not', { colour: 'red' }],
  ])('%s', async (_, changed) => {
    expect([400, 422]).toContain((await save(staff, changed)).status)
  })

  test('beyond the most of a list, until one is removed; another list has room', async () => {
    for (let number = 1; number <= viewLimits.count; number++)
      expect((await save(staff, { name: `View ${number}` })).status).toBe(201)
    const { status, body } = await save(staff, { name: 'One more' })
    expect([status, body.error]).toEqual([409, 'You keep 50 views of this list already: remove one first'])
    expect((await save(staff, { name: 'View 1', search: 'search=x' })).status).toBe(201)
    expect((await save(staff, { list: 'equipment' })).status).toBe(201)
    expect(await names(staff)).toHaveLength(viewLimits.count)
  })

  test('beyond the most of a list beside the last one that is just being stored', async () => {
    const own = `userid = (select id from portal_user where username = 'staff')`
    for (let number = 1; number < viewLimits.count; number++)
      expect((await save(staff, { name: `View ${number}` })).status).toBe(201)
    const { status } = await whileUncommitted(
      portal.db,
      async (tx) => {
        await tx.query(`select from portal_user where username = 'staff' for no key update`)
        await tx.query(`insert into saved_view (userid, list, name, shared, search)
          select userid, list, 'The last', shared, search from saved_view where ${own} limit 1`)
      },
      () => save(staff, { name: 'One more' }),
    )
    expect(status).toBe(409)
    expect(await names(staff)).toHaveLength(viewLimits.count)
  })
})

test('the saved filters of the audit become views of it, whatever their values hold', async () => {
  const former = await formerDatabase('035')
  const filters = { person: 'Zoë & Söhne=1', kind: 'denied' }
  await former.db.query(
    `insert into portal_user (username, foldedname, password_hash) values ('ann', 'ann', 'x')`,
  )
  await former.db.query(
    `insert into audit_filter (userid, name, filters)
      select id, name, filters from portal_user, (values ('One', $1::jsonb), ('None', '{}')) f (name, filters)`,
    [filters],
  )
  await former.update()
  const views = await former.db.query<{ name: string; search: string; list: string }>(
    'select list, name, search from saved_view order by name',
  )
  await former.close()
  expect(views[0]).toEqual({ list: 'audit', name: 'None', search: '' })
  expect(views[1]).toMatchObject({ list: 'audit', name: 'One' })
  expect(Object.fromEntries(new URLSearchParams(views[1]!.search))).toEqual(filters)
})
