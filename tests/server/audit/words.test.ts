import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StoredEntry, RecordNames } from '../../../server/audit/names.ts'
import { describeChanges, recordText, sentenceOf } from '../../../server/audit/words.ts'
import { resetPassword } from '../../../server/backup/resetPassword.ts'
import { commandAddress } from '../../../server/db/audit.ts'
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

const known: Record<string, string> = { 'masteragent 3': 'MA0003', 'merchant 7': '4001', 'user 5': 'ann' }
const names: RecordNames = (entity, id) => known[`${entity} ${String(id)}`]
const entryOf = (given: Partial<StoredEntry>): StoredEntry => ({
  id: 1,
  at: 0,
  username: 'bob',
  address: '192.0.2.1',
  action: 'update',
  entity: 'merchant',
  entityid: '7',
  before: null,
  after: null,
  ...given,
})
const toText = (text: string) => ({ before: { notes: '' }, after: { notes: text } })

test.each<[given: Partial<StoredEntry>, words: string]>([
  [{ action: 'login', entity: 'user', entityid: '5' }, 'Signed in'],
  [{ action: 'logout', entity: 'user', entityid: '5' }, 'Signed out'],
  [
    { action: 'logout', entity: 'user', entityid: '5', before: { device: 'Firefox on Windows' } },
    'Ended a session of user ann: Firefox on Windows',
  ],
  [{ action: 'password', entity: 'user', entityid: '5' }, 'Changed the own password'],
  [
    { action: 'password', entity: 'user', entityid: '5', address: commandAddress },
    'Reset the password of user ann',
  ],
  [{ action: 'failedlogin', entity: 'user', entityid: '5', after: { reason: 'Wrong' } }, 'Sign-in failed'],
  [
    { action: 'failedlogin', entity: 'user', entityid: '', username: '', after: { repeats: 2 } },
    'Sign-in failed with a name that no user has, 2 times more',
  ],
  [
    {
      action: 'denied',
      entity: 'call',
      entityid: 'GET /api/v1/audit',
      after: { path: '/api/v1/audit', missing: 'Needs more', repeats: 1 },
    },
    'Refused a call, 1 time more: Needs more (GET /api/v1/audit)',
  ],
  [{ action: 'create' }, 'Created merchant 4001'],
  [{ action: 'delete', entityid: '8', before: { xmid: '4002' } }, 'Deleted merchant 4002'],
  [
    { action: 'delete', entity: 'masteragent', entityid: '8', before: { displayid: 'MA0008' } },
    'Deleted master agent MA0008',
  ],
  [{ action: 'delete', entity: 'user', entityid: '8', before: { username: 'carl' } }, 'Deleted user carl'],
  [{ action: 'reveal', entity: 'masteragent', entityid: '3' }, 'Read whole master agent MA0003'],
  [{ action: 'import', entityid: '12', after: { inserted: 3 } }, 'Imported import of merchant 12'],
  [{ action: 'undo', entityid: '12' }, 'Undone import of merchant 12'],
  [
    { action: 'export', entity: 'audit', entityid: '', after: { repeats: 1 } },
    'Downloaded audit, 1 time more',
  ],
  [{ action: 'bulk', entity: 'bulk', entityid: '5' }, 'Made bulk change 5'],
  [{ action: 'undobulk', entity: 'bulk', entityid: '5' }, 'Undone bulk change 5'],
  [{ action: 'accept', entity: 'terms', entityid: '2' }, 'Accepted terms and conditions 2'],
  [{ action: 'lock', entity: 'month', entityid: '2031-10' }, 'Locked October 2031'],
  [
    { action: 'hold', entity: 'payout', entityid: '2031-10', after: { reason: 'r'.repeat(61), repeats: 2 } },
    `Held payment 2031-10: ${'r'.repeat(59)}…, 2 times more`,
  ],
  [{ action: 'odd', entity: 'thing' }, 'odd thing 7'],
  [toText('n'.repeat(59)), `Changed merchant 4001: Notes nothing → ${'n'.repeat(59)}`],
  [toText('n'.repeat(60)), `Changed merchant 4001: Notes nothing → ${'n'.repeat(60)}`],
  [toText('n'.repeat(61)), `Changed merchant 4001: Notes nothing → ${'n'.repeat(59)}…`],
  [{ before: { notes: 'x' }, after: { notes: '' } }, 'Changed merchant 4001: Notes x → nothing'],
  ...([2, 3, 4, 5].map((count) => {
    const fields = ['xmid', 'dba', 'product', 'status', 'notes'].slice(0, count)
    const titles = ['XMID', 'DBA', 'Product', 'Status', 'Notes'].slice(0, Math.min(count, 3))
    const values = (text: string) => Object.fromEntries(fields.map((field) => [field, text]))
    const more = count > 3 ? ` and ${count - 3} more` : ''
    return [
      { before: values('a'), after: values('b') },
      `Changed merchant 4001: ${titles.map((title) => `${title} a → b`).join(', ')}${more}`,
    ]
  }) as [Partial<StoredEntry>, string][]),
])('the entry %j says: %s', (given, words) => expect(sentenceOf(entryOf(given), names)).toBe(words))

test.each<[given: Partial<StoredEntry>, words: string]>([
  [{ entityid: '7' }, 'merchant 4001'],
  [{ entityid: '9', before: { xmid: 'a' }, after: { xmid: 'b' } }, 'merchant b'],
  [{ entityid: '9', before: { xmid: 'a' } }, 'merchant a'],
  [{ entityid: '9' }, 'merchant 9'],
  [{ entityid: '7', action: 'import' }, 'import of merchant 7'],
  [{ entity: 'ticket', entityid: '9' }, 'ticket 9'],
  [{ entity: 'month', entityid: '2031-10' }, 'October 2031'],
  [{ entity: 'audit', entityid: '' }, 'audit'],
])('the record of the entry %j is called %s', (given, words) =>
  expect(recordText(entryOf(given), names)).toBe(words),
)

describe('a value of an entry is shown as the form of its record shows it', () => {
  test.each<[entity: string, field: string, value: unknown, title: string, shown: string]>([
    ['merchant', 'accountstatus', 3, 'Account Status', 'Inactive'],
    ['merchant', 'accountstatus', 77, 'Account Status', '77'],
    ['merchant', 'masteragentid', 3, 'Master Agent', 'MA0003'],
    ['merchant', 'masteragentid', 99, 'Master Agent', '99'],
    ['merchant', 'date_added', 1_767_312_000, 'Date Added', '1/2/2026'],
    ['merchant', 'date_added', 1, 'Date Added', '1/1/1970'],
    ['equipment', 'cost', 1234.5, 'Cost', '$1,234.50'],
    ['equipment', 'cost', -0.5, 'Cost', '-$0.50'],
    ['equipment', 'cost', 'much', 'Cost', 'much'],
    ['equipment', 'merchantid', 7, 'Merchant', '4001'],
    ['user', 'admin', false, 'Administrator', 'No'],
    ['masteragent', 'percentagecommissionreceived', 0, 'Percentage Commission Received', '0%'],
    [
      'masteragent',
      'collectionSubscriptions',
      [{ a: 1 }, 'b', null],
      'Collection Subscriptions',
      '{"a":1}, b, null',
    ],
    ['report', 'reply_text_in_full', { a: [1] }, 'Reply text in full', '{"a":[1]}'],
    ['report', 'count', 0, 'Count', '0'],
    ['report', 'masteragentid', 3, 'Master Agent', 'MA0003'],
    ['payout', 'paidmonth', '2026-01', 'Paid in', '2026-01'],
    ['call', 'repeats', 2, 'Times more within a minute', '2'],
    ['call', 'missing', 'Needs more', 'Refused because', 'Needs more'],
    ['call', 'path', '/api', 'Address of the call', '/api'],
    ['month', 'sha256', 'ab', 'SHA-256', 'ab'],
    ['month', 'lockversion', 2, 'Version of the lock', '2'],
  ])('%s %s %j: %s %s', (entity, field, value, title, shown) => {
    const entry = entryOf({ action: 'create', entity, after: { [field]: value } })
    expect(describeChanges(entry, names)).toEqual([{ title, before: '', after: shown }])
  })

  test.each(['id', 'version', 'labels', 'own', 'confirm_password'])(
    'but for %s, which is left out',
    (field) => {
      const entry = entryOf({ action: 'create', after: { [field]: 'x', notes: 'y' } })
      expect(describeChanges(entry, names).map(({ title }) => title)).toEqual(['Notes'])
    },
  )

  test('in the order of its form, and others behind them', () => {
    const after = { later: 'x', notes: 'x', xmid: 'x' }
    const titles = (entry: StoredEntry) => describeChanges(entry, names).map(({ title }) => title)
    expect(titles(entryOf({ after }))).toEqual(['XMID', 'Notes', 'Later'])
    // What was imported holds counts, which are called what they are.
    expect(titles(entryOf({ action: 'import', after }))).toEqual(['Later', 'Notes', 'Xmid'])
  })

  test('where it differs, or is hidden', () => {
    const entry = entryOf({
      entity: 'masteragent',
      before: { name: 'A', taxid: '***', notes: null },
      after: { name: 'A', taxid: '***', notes: '' },
    })
    expect(describeChanges(entry, names).map(({ before, after }) => [before, after])).toEqual([
      ['hidden', 'hidden'],
    ])
  })
})
