import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resetPassword } from '../../../server/backup/resetPassword.ts'
import { monthName } from '../../../server/money/months.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let admin: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  await portal.db.query(`update portal_user set email = 'admin@example.com' where username = 'admin'`)
  admin = await portal.login('admin')
})
afterAll(() => portal.close())

const list = async (query: string) => (await admin.call('GET', `/api/v1/audit?${query}`)).body
const lastOf = async (query: string) => {
  const [entry] = (await list(query)).data
  return (await admin.call('GET', `/api/v1/audit/${entry.id}`)).body
}
const userOf = async (username: string) =>
  (await admin.call('GET', `/api/v1/user?search=${username}`)).body.data[0]

describe('an entry of the audit says', () => {
  test('what was given to a user, permission by permission, and that a password was set', async () => {
    const { id, version, permissions } = await userOf('importer')
    const given = { ...permissions, import_files: false, manage_users: true }
    const body = { version, permissions: given }
    expect((await admin.call('PUT', `/api/v1/user/${id}`, body)).status).toBe(200)
    const query = `record=user&recordid=${id}&kind=update`
    expect(await lastOf(query)).toMatchObject({
      what: 'Changed user importer: Import files Yes → No, Manage users No → Yes',
      changes: [
        { title: 'Import files', before: 'Yes', after: 'No' },
        { title: 'Manage users', before: 'No', after: 'Yes' },
      ],
    })
    const password = 'four warm copper kettles'
    const set = { version: version + 1, password, confirm_password: password }
    expect((await admin.call('PUT', `/api/v1/user/${id}`, set)).status).toBe(200)
    expect(await lastOf(query)).toMatchObject({
      what: 'Changed user importer: Password',
      changes: [{ title: 'Password', before: '', after: 'hidden' }],
    })
    const made = { username: 'ann', password, confirm_password: password, masteragentid: 2 }
    const { body: ann } = await admin.call('POST', '/api/v1/user', made)
    expect((await lastOf(`record=user&recordid=${ann.id}`)).changes).toEqual([
      { title: 'Username', before: '', after: 'ann' },
      { title: 'Master Agent', before: '', after: 'MA0002' },
      { title: 'Administrator', before: '', after: 'No' },
    ])
  })

  test.each([
    [1, 'Sign-in failed, 1 time more'],
    [2, 'Sign-in failed, 2 times more'],
  ])('how often more within a minute: %i', async (repeats, words) => {
    await portal.db.query(
      `insert into audit (username, address, action, entity, entityid, after)
        values ('staff', '', 'failedlogin', 'user', '3', $1)`,
      [{ repeats }],
    )
    expect((await list('person=staff&kind=failedlogin')).data[0].what).toBe(words)
  })

  test('what a rate was and is, in percent', async () => {
    const { body } = await admin.call('GET', '/api/v1/masteragent/3')
    const rate = { version: body.version, percentageequipmentcommissionreceived: 12.5 }
    expect((await admin.call('PUT', '/api/v1/masteragent/3', rate)).status).toBe(200)
    const { changes } = await lastOf('record=masteragent&recordid=3&kind=update')
    expect(changes).toContainEqual({
      title: 'Percentage Equipment Commission Received',
      before: expect.stringMatching(/^(\d+%)?$/),
      after: '12.5%',
    })
  })

  test('whose session somebody ended, and whose password was reset at the server', async () => {
    const { id } = await userOf('reassigner')
    const reassigner = await portal.login('reassigner')
    await portal.login('reassigner')
    await admin.call('DELETE', `/api/v1/user/${id}/sessions`)
    const query = `record=user&recordid=${id}`
    expect((await list(`${query}&kind=logout`)).data[0].what).toBe(
      'Ended a session of user reassigner: Unknown device',
    )
    expect((await reassigner.call('GET', '/api/v1/merchant')).status).toBe(401)
    const again = await portal.login('reassigner')
    await again.call('PUT', '/api/v1/logout', {})
    expect((await list(`${query}&kind=logout`)).data[0].what).toBe('Signed out')
    await resetPassword(portal.db, 'reassigner')
    expect((await list(`${query}&kind=password`)).data[0].what).toBe('Reset the password of user reassigner')
  })

  type Change = { title: string; before: string; after: string }
  test.each<[what: string, entry: Record<string, unknown>, words: string, changes: Change[]]>([
    [
      'a password that somebody of this name changed',
      { username: 'operator', action: 'password', entity: 'user' },
      'Changed the own password',
      [],
    ],
    [
      'a name that no user has',
      { username: '', action: 'failedlogin', entity: 'user' },
      'Sign-in failed with a name that no user has',
      [],
    ],
    [
      'a secret, of which neither value is kept',
      { entityid: '3', before: { bankaccountnumber: '***' }, after: { bankaccountnumber: '***' } },
      'Changed master agent MA0003: Bank Account #',
      [{ title: 'Bank Account #', before: 'hidden', after: 'hidden' }],
    ],
    [
      'a record that is gone, by its last name',
      { entity: 'merchant', before: { xmid: '71' }, after: { xmid: '72' } },
      'Changed merchant 72: XMID 71 → 72',
      [{ title: 'XMID', before: '71', after: '72' }],
    ],
    [
      'a date that there was not',
      { entity: 'merchant', before: { date_added: 0 }, after: { date_added: 1_767_312_000 } },
      'Changed merchant 99999999: Date Added nothing → 1/2/2026',
      [{ title: 'Date Added', before: '', after: '1/2/2026' }],
    ],
    [
      'an agent by its number, also where it is no field of the record',
      { action: 'hold', entity: 'payout', entityid: '2026-01', after: { masteragentid: 3 } },
      'Held payment 2026-01',
      [{ title: 'Master Agent', before: '', after: 'MA0003' }],
    ],
  ])('%s', async (_, given, words, changes) => {
    const entry = {
      username: 'ann',
      action: 'update',
      entity: 'masteragent',
      entityid: '99999999',
      before: null,
      after: null,
      ...given,
    }
    await portal.db.query(
      `insert into audit (username, address, action, entity, entityid, before, after)
        values ($1, '192.0.2.1', $2, $3, $4, $5, $6)`,
      Object.values(entry),
    )
    const { entity, entityid, action } = entry
    expect(await lastOf(`record=${entity}&recordid=${entityid}&kind=${action}`)).toMatchObject({
      what: words,
      changes,
    })
  })

  test('which terms somebody accepted', async () => {
    const newcomer = await portal.login('newcomer')
    expect((await newcomer.call('POST', '/api/v1/tc/accept')).status).toBe(204)
    expect((await list('person=newcomer&kind=accept')).data[0].what).toBe('Accepted terms and conditions 1')
  })

  test('a ticket by the words of its form, its status, the names of its files and its address', async () => {
    const ticket = {
      email: 'ann@example.com',
      tickettypeid: 3,
      subject: 'Rates',
      description: 'What is due',
      agentoffice: 'North',
    }
    const { body: sent } = await admin.call('POST', '/api/v1/ticket', ticket)
    const query = `record=ticket&recordid=${sent.id}`
    expect(await lastOf(query)).toMatchObject({
      what: `Created ticket ${sent.id}`,
      path: `/tickets?open=${sent.id}`,
      changes: expect.arrayContaining([
        { title: 'Agent Office', before: '', after: 'North' },
        { title: 'Type', before: '', after: 'Statement Breakdown' },
        { title: 'Status', before: '', after: 'Open' },
        { title: 'Created', before: '', after: expect.stringMatching(/^\d+\/\d+\/\d{4}$/) },
      ]),
    })
    await admin.call('PUT', `/api/v1/ticket/${sent.id}`, { version: sent.version, statusid: 2 })
    expect((await lastOf(query)).what).toBe(`Changed ticket ${sent.id}: Status Open → On Hold`)
    await portal.db.query(
      `insert into audit (username, address, action, entity, entityid, before) values
        ('ann', '', 'delete', 'ticket', '77', '{"files": [{"name": "a.txt", "mimetype": "text/plain"}, {"name": "b.txt", "mimetype": ""}]}')`,
    )
    expect(await lastOf('record=ticket&recordid=77')).toMatchObject({
      path: null,
      changes: [{ title: 'Files', before: 'a.txt, b.txt', after: '' }],
    })
  })

  test.each([
    [1, 'a finding'],
    [2, '2 findings'],
  ])('of which kind were findings that somebody waived: %i of them', async (count, words) => {
    const months = (await admin.call('GET', '/api/v1/month')).body.data as { month: string; state: string }[]
    const { month } = months.findLast(({ state }) => state === 'open')!
    const { body } = await admin.call('GET', `/api/v1/month/${month}`)
    const findings = body.findings as { kind: string; key: string; severity: string; what: string }[]
    const { kind, what } = findings.find(({ severity }) => severity === 'warning')!
    const keys = findings.filter((it) => it.kind === kind).map(({ key }) => key)
    await portal.db.query(
      `insert into audit (username, address, action, entity, entityid, after)
        values ('ann', '', 'waive', 'month', $1, $2)`,
      [month, { kind, keys: keys.concat(keys).slice(0, count), reason: 'Looked at each' }],
    )
    expect((await list(`record=month&recordid=${month}&kind=waive`)).data[0].what).toBe(
      `Waived ${words} of ${monthName(month)}, ${what}: Looked at each`,
    )
  })

  test.each([
    ['accept', 'adjustment', '700', 'Accepted adjustment 700'],
    ['refuse', 'adjustment', '700', 'Refused adjustment 700: Looked at each'],
    ['lock', 'month', '2031-10', 'Locked October 2031'],
    ['reopen', 'month', '2031-10', 'Opened again October 2031: Looked at each'],
  ])('what was decided: %s of %s %s', async (action, entity, id, words) => {
    const after = words.includes(':') ? { reason: 'Looked at each' } : {}
    await portal.db.query(
      `insert into audit (username, address, action, entity, entityid, after) values ('ann', '', $1, $2, $3, $4)`,
      [action, entity, id, after],
    )
    expect((await list(`record=${entity}&recordid=${id}&kind=${action}`)).data[0].what).toBe(words)
  })
})
