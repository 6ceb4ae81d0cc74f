import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { permissions, type Permission } from '../../../schemas/permissions.ts'
import { mailServer, type MailServer } from '../../mail.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

const account = { routingnumber: '021000021', bankaccountnumber: '0012345678' }
const other = { routingnumber: '011401533', bankaccountnumber: '9988776655' }
const path = '/api/v1/masteragent'
const password = 'nine tall green lanterns'
type Body = Record<string, unknown> & { id: number; version: number }

let portal: TestPortal
let mail: MailServer
const people: Record<string, SignedIn> = {}
/** A user with all permissions but those left out, of master agent 1, which is the office account. */
const addPerson = async (username: string, without: Permission[] = [], masteragentid = 1) => {
  const admin = (people['admin'] ??= await portal.login('admin'))
  const given = permissions.filter((name) => name !== 'manage_tickets' && !without.includes(name))
  const answer = await admin.call('POST', '/api/v1/user', {
    username,
    password,
    confirm_password: password,
    masteragentid,
    permissions: Object.fromEntries(given.map((name) => [name, true])),
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  await portal.db.query(
    `insert into terms_acceptance (termsid, userid, ipaddress) select id, $1, '127.0.0.1' from terms`,
    [answer.body.id],
  )
  people[username] = await portal.login(username, password)
}
beforeAll(async () => {
  mail = await mailServer()
  portal = await openTestPortal({ mail: { smtpUrl: mail.url, from: 'portal@example.com' } })
  for (const name of ['ann', 'bob', 'carl']) await addPerson(name)
  await addPerson('unlocking', ['lock_reports'])
  await addPerson('unmanaging', ['manage_master_agents'])
  await addPerson('branch', [], 2)
}, 60_000)
afterAll(async () => {
  await portal.close()
  await mail.close()
})
afterEach(async () => expect(await inView()).toEqual(Object.keys(await waitingAuthors())))

/** The agents of the view by which Home knows a pending account. */
const inView = async () => {
  const rows = await portal.db.query('select masteragentid from pending_account order by 1')
  return rows.map(({ masteragentid }) => String(masteragentid))
}
/** The authors of the changes that wait for a decision, by agent. */
const waitingAuthors = async (): Promise<Record<string, string[]>> => {
  const rows = await portal.db.query<{ masteragentid: number; authors: string[] }>(
    'select masteragentid, authors from bank_change where decision is null',
  )
  return Object.fromEntries(rows.map(({ masteragentid, authors }) => [masteragentid, authors]))
}

const make = async (who: string, more: object = {}): Promise<Body> => {
  const answer = await people[who]!.call('POST', path, { name: 'North', parentid: 2, ...more })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const put = async (who: string, row: Body, change: object): Promise<Body> => {
  const answer = await people[who]!.call('PUT', `${path}/${row.id}`, { version: row.version, ...change })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const read = async (who: string, { id }: { id: number }): Promise<Body> =>
  (await people[who]!.call('GET', `${path}/${id}`)).body
const confirm = (who: string, row: Body, body: object = { how: 'called back', version: row.version }) =>
  people[who]!.call('POST', `${path}/${row.id}/bank/confirm`, body)
const reject = (who: string, row: Body, body: object = { reason: 'not theirs' }) =>
  people[who]!.call('POST', `${path}/${row.id}/bank/reject`, body)
/** An agent whose account `account` was entered by ann and confirmed by bob. */
const confirmed = async (more: object = {}): Promise<Body> => {
  const answer = await confirm('bob', await make('ann', { ...account, ...more }))
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const decisions = async ({ id }: { id: number }) =>
  (
    await portal.db.query<{ decision: string | null }>(
      'select decision from bank_change where masteragentid = $1 order by id',
      [id],
    )
  ).map(({ decision }) => decision)
const twoPeople = 'You entered this account: another person must confirm it'

describe('an account is pending', () => {
  test('from the moment it is entered, with who entered it, when, and which fields', async () => {
    const before = Math.floor(Date.now() / 1000)
    const row = await put('ann', await make('ann'), account)
    expect(row['bankpending']).toEqual({
      by: 'ann',
      at: expect.any(Number),
      fields: ['routingnumber', 'bankaccountnumber'],
      source: '',
      canconfirm: twoPeople,
    })
    const { at } = row['bankpending'] as { at: number }
    expect(at).toBeGreaterThanOrEqual(before - 1)
    expect(at).toBeLessThanOrEqual(Date.now() / 1000 + 1)
    expect((await read('bob', row))['bankpending']).toMatchObject({ canconfirm: true })
    expect(
      await portal.db.query('select entered_by from pending_account where masteragentid = $1', [row.id]),
    ).toEqual([{ entered_by: 'ann' }])
  })

  test('also when it comes with a new agent, while a new agent without one has nothing pending', async () => {
    expect((await make('ann', account))['bankpending']).toMatchObject({ by: 'ann' })
    const bare = await make('ann', { routingnumber: '', bankaccountnumber: '', payeeid: null })
    expect(bare['bankpending']).toBeNull()
    expect(await decisions(bare)).toEqual([])
  })

  test.each([
    ['payeeid', { payeeid: 3 }],
    ['routingnumber', { routingnumber: other.routingnumber }],
    ['bankaccountnumber', { bankaccountnumber: other.bankaccountnumber }],
    ['isbankaccounttypechecking', { isbankaccounttypechecking: false }],
    ['isbankaccounttypebusiness', { isbankaccounttypebusiness: false }],
    ['bankaccountnumber', { bankaccountnumber: '' }],
  ])('when %s alone is changed to %j', async (field, change) => {
    expect((await put('ann', await confirmed(), change))['bankpending']).toMatchObject({ fields: [field] })
  })

  test('not when any other field changes, nor when the account is sent as it is, masked or in full', async () => {
    let row = await confirmed()
    for (const change of [
      { notes: 'n', businessname: 'b', taxid: '12-3456789', percentagecommissionreceived: 5 },
      { ...account, bankaccountnumber: '*****5678' },
      account,
    ]) {
      row = await put('ann', row, change)
      expect(row['bankpending']).toBeNull()
    }
    expect(await decisions(row)).toEqual(['confirmed'])
  })

  test('of the demo data none is, so what was there before counts as confirmed', async () => {
    const [count] = await portal.db.query(
      'select count(*)::int as n from master_agent where routingnumber <> $1',
      [''],
    )
    expect(count!['n']).toBeGreaterThan(0)
    const [one] = await portal.db.query<{ id: number; version: number }>(
      `select id, version from master_agent where routingnumber <> '' and payeeid is null order by id desc limit 1`,
    )
    expect((await read('ann', one!))['bankpending']).toBeNull()
  })

  test('in lists as in its record', async () => {
    const row = await make('ann', { ...account, name: 'Pending Listed' })
    const { body } = await people['bob']!.call('GET', `${path}?search=Pending Listed`)
    expect(body.data).toMatchObject([{ id: row.id, bankpending: { by: 'ann', canconfirm: true } }])
  })
})

describe('confirming', () => {
  test('puts the account in force, moves the version, and keeps who, how and that somebody else entered it', async () => {
    const row = await make('ann', account)
    const answer = await confirm('bob', row, { how: '  called back  ', version: row.version })
    expect(answer).toMatchObject({ status: 200, body: { version: row.version + 1, bankpending: null } })
    expect(await read('bob', row)).toMatchObject(account)
    expect(
      await portal.db.query(
        'select entered_by, decision, decided_by, reason from bank_change where masteragentid = $1',
        [row.id],
      ),
    ).toEqual([{ entered_by: 'ann', decision: 'confirmed', decided_by: 'bob', reason: 'called back' }])
    expect(
      await portal.db.query(
        `select username, after from audit where entity = 'masteragent' and entityid = $1 and action = 'confirm'`,
        [String(row.id)],
      ),
    ).toEqual([{ username: 'bob', after: { how: 'called back' } }])
  })

  test('is refused to the user who entered the account, and to everybody who entered one since the last confirmed', async () => {
    const first = await put('ann', await confirmed(), other)
    const second = await put('carl', first, { routingnumber: account.routingnumber })
    for (const author of ['ann', 'carl'])
      expect(await confirm(author, second)).toMatchObject({ status: 403, body: { error: twoPeople } })
    expect(await decisions(first)).toEqual(['confirmed', 'replaced', null])
    expect((await confirm('bob', second)).status).toBe(200)
    // ann was an author of the account before this one alone.
    const third = await put('carl', await read('carl', second), { isbankaccounttypechecking: false })
    expect((await confirm('ann', third)).status).toBe(200)
  })

  test('needs lock_reports, manage_master_agents and the sight of all, before anything else is judged', async () => {
    const row = await make('ann', { ...account, parentid: 2 })
    const free = await make('ann')
    for (const who of ['unlocking', 'unmanaging', 'branch'])
      for (const target of [row, free, { ...row, id: 999_999 }])
        for (const call of [confirm, reject])
          expect((await call(who, target, { nonsense: 1 })).status, who).toBe(403)
    expect((await read('branch', row))['bankpending']).toMatchObject({
      canconfirm: expect.stringContaining('Needs the sight of all master agents'),
    })
    expect((await read('unlocking', row))['bankpending']).toMatchObject({
      canconfirm: expect.stringContaining('Needs the permission “Lock reports”'),
    })
    expect(await decisions(row)).toEqual([null])
  })

  test('is judged by the state before the body, and by the body before who entered the account', async () => {
    const free = await make('ann')
    for (const call of [confirm, reject]) {
      expect(await call('bob', free, { nonsense: 1 })).toMatchObject({
        status: 409,
        body: { error: 'The account of this master agent is not pending' },
      })
      expect((await call('bob', { ...free, id: 999_999 }, {})).status).toBe(404)
    }
    const row = await make('ann', account)
    expect((await confirm('ann', row, {})).status).toBe(422)
    expect((await confirm('ann', row, { how: 'called back', version: row.version + 1 })).status).toBe(409)
  })

  test.each([
    [{}, 422, { how: 'How it was confirmed is required' }],
    [{ how: 'ab' }, 422, { how: 'How it was confirmed needs at least 3 characters' }],
    [{ how: ' ab ' }, 422, { how: 'How it was confirmed needs at least 3 characters' }],
    [{ how: '     ' }, 422, { how: 'How it was confirmed is required' }],
    [{ how: 'x'.repeat(1001) }, 422, { how: 'How it was confirmed may have at most 1,000 characters' }],
    [{ how: 7 }, 400, { how: 'How it was confirmed must be text' }],
    [{ how: 'called', more: 1 }, 400, { more: 'more is not a field of this record' }],
    [{ how: 'called', version: '1' }, 400, { version: 'Version must be a whole number' }],
  ])('with the body %j answers %i and decides nothing', async (body, status, fields) => {
    const row = await make('ann', account)
    expect(await confirm('bob', row, { version: row.version, ...body })).toMatchObject({
      status,
      body: { fields },
    })
    expect(await decisions(row)).toEqual([null])
  })

  test('takes a text of three and of a thousand characters', async () => {
    for (const how of ['abc', 'x'.repeat(1000)]) {
      const row = await make('ann', account)
      expect((await confirm('bob', row, { how, version: row.version })).status).toBe(200)
    }
  })

  test('names the version that was seen: none is refused with 400, another with 409', async () => {
    const row = await make('ann', account)
    const moved = await put('carl', row, { notes: 'moved' })
    expect((await confirm('bob', row, { how: 'called back' })).status).toBe(400)
    expect(await confirm('bob', row)).toMatchObject({ status: 409, body: { code: 'stale' } })
    const byHeader = ({ id, version }: Body) =>
      people['bob']!.call(
        'POST',
        `${path}/${id}/bank/confirm`,
        { how: 'called back' },
        { 'if-match': `"${version}"` },
      )
    expect(await byHeader(row)).toMatchObject({ status: 409, body: { code: 'stale' } })
    expect(await decisions(row)).toEqual([null])
    expect((await byHeader(moved)).status).toBe(200)
  })

  test('happens once when two people do it at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const row = await make('ann', account)
      const answers = await Promise.all([confirm('bob', row), confirm('carl', row), reject('admin', row)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    }
  })

  test('keeps account numbers that were typed into the text out of the record and the audit', async () => {
    const row = await put('ann', await confirmed(), other)
    const how = `read ${other.bankaccountnumber} back, no longer ${account.bankaccountnumber}`
    expect((await confirm('bob', row, { how, version: row.version })).status).toBe(200)
    const all = JSON.stringify([
      await portal.db.query('select reason from bank_change'),
      await portal.db.query('select before, after from audit'),
    ])
    expect(all).toContain('read *****6655 back, no longer *****5678')
    expect(all).not.toMatch(/9988776655|0012345678/)
  })
})

describe('rejecting', () => {
  test('puts the confirmed account back, all five values of it, and moves the version', async () => {
    const before = await confirmed({ payeeid: 3, isbankaccounttypechecking: false })
    const changed = await put('ann', before, {
      ...other,
      payeeid: 4,
      isbankaccounttypechecking: true,
      isbankaccounttypebusiness: false,
    })
    const answer = await reject('bob', changed)
    expect(answer).toMatchObject({ status: 200, body: { version: changed.version + 1, bankpending: null } })
    expect(await read('bob', before)).toMatchObject({
      ...account,
      payeeid: 3,
      isbankaccounttypechecking: false,
      isbankaccounttypebusiness: true,
    })
    expect(await decisions(before)).toEqual(['confirmed', 'rejected'])
    const fields = ['payeeid', 'isbankaccounttypechecking', 'isbankaccounttypebusiness']
    const changes = await portal.db.query<{ before: { fields: string[] } }>(
      `select username, before, after from audit where entityid = $1 and action = 'reject'`,
      [String(before.id)],
    )
    expect(changes).toEqual([
      {
        username: 'bob',
        before: { fields: expect.arrayContaining(fields), authors: ['ann'] },
        after: { reason: 'not theirs' },
      },
    ])
  })

  test('a first account leaves the agent without one', async () => {
    const row = await make('ann', { ...account, isbankaccounttypechecking: false })
    expect((await reject('bob', row)).status).toBe(200)
    expect(await read('bob', row)).toMatchObject({
      routingnumber: '',
      bankaccountnumber: '',
      isbankaccounttypechecking: true,
    })
  })

  test('an account that was replaced while pending goes back to the confirmed one, not to the one in between', async () => {
    const before = await confirmed()
    const last = await put('carl', await put('ann', before, other), { bankaccountnumber: '4444555566' })
    expect((await reject('bob', last)).status).toBe(200)
    expect(await read('bob', before)).toMatchObject(account)
  })

  test('is possible for an author with the rights, and needs a reason of three characters', async () => {
    const row = await put('ann', await confirmed(), other)
    for (const reason of ['', 'ab', '   '])
      expect((await reject('ann', row, { reason })).status, reason).toBe(422)
    expect((await reject('ann', row, { reason: 'abc' })).status).toBe(200)
  })

  test('is refused when the confirmed payee does not exist any more, which cannot be deleted in the form', async () => {
    const payee = await make('ann')
    const before = await confirmed({ payeeid: payee.id })
    const later = await put('ann', await confirmed({ payeeid: payee.id }), { payeeid: 3 })
    const row = await put('ann', before, { payeeid: 3 })
    expect(await people['ann']!.call('DELETE', `${path}/${payee.id}`)).toMatchObject({
      status: 409,
      body: {
        error:
          'This master agent cannot be deleted: ' +
          `it is the confirmed payee of ${before['displayid']}, whose account is pending`,
      },
    })
    expect((await confirm('bob', later)).status).toBe(200)
    await portal.db.query('delete from master_agent where id = $1', [payee.id])
    expect(await reject('bob', row)).toMatchObject({
      status: 409,
      body: { error: 'The former payee does not exist any more: enter another account instead' },
    })
    expect(await decisions(row)).toEqual(['confirmed', null])
  })

  test('or another decision lets the payee be deleted that the account does not name any more', async () => {
    const payee = await make('ann')
    const remove = () => people['ann']!.call('DELETE', `${path}/${payee.id}`)
    const row = await put('ann', await confirmed({ payeeid: payee.id }), { payeeid: 3 })
    expect((await remove()).status).toBe(409)
    expect((await confirm('bob', row)).status).toBe(200)
    expect((await remove()).status).toBe(204)
  })
})

describe('entering again', () => {
  test('the confirmed account ends what was pending', async () => {
    const before = await confirmed()
    const back = await put('carl', await put('ann', before, other), account)
    expect(back['bankpending']).toBeNull()
    expect(await decisions(before)).toEqual(['confirmed', 'withdrawn'])
    expect((await confirm('bob', back)).status).toBe(409)
    // Both were authors of what was withdrawn, and of nothing after it.
    const next = await put('bob', back, other)
    expect((await confirm('ann', next)).status).toBe(200)
  })

  test('only a part of the confirmed account leaves the rest pending', async () => {
    const half = await put('ann', await put('ann', await confirmed(), other), {
      routingnumber: account.routingnumber,
    })
    expect(half['bankpending']).toMatchObject({ fields: ['bankaccountnumber'] })
  })

  test('nothing but an empty account after a first one ends it too', async () => {
    const row = await put('ann', await make('ann', account), { routingnumber: '', bankaccountnumber: '' })
    expect(row['bankpending']).toBeNull()
    expect(await decisions(row)).toEqual(['withdrawn'])
  })
})

describe('what is kept', () => {
  test('is encrypted: no account number stands in the table, and the bytes differ each time', async () => {
    const row = await put('ann', await confirmed(), other)
    const rows = await portal.db.query<{ bankaccountnumber: Buffer; formerbankaccountnumber: Buffer }>(
      'select bankaccountnumber, formerbankaccountnumber from bank_change where masteragentid = $1 order by id',
      [row.id],
    )
    expect(rows[0]!.bankaccountnumber.equals(rows[1]!.formerbankaccountnumber)).toBe(false)
    for (const { bankaccountnumber } of rows)
      expect(bankaccountnumber.toString('latin1')).not.toMatch(/99887|12345/)
  })

  test('can be changed only by its one decision, and goes with its agent alone', async () => {
    const row = await make('ann', account)
    const attempt = (sql: string) => portal.db.query(sql.replace('$', String(row.id)))
    const kept = 'kept as it was entered and decided'
    for (const sql of [
      `update bank_change set entered_by = 'x' where masteragentid = $`,
      `update bank_change set authors = '{}' where masteragentid = $`,
      'delete from bank_change where masteragentid = $',
      'truncate bank_change',
    ])
      await expect(attempt(sql)).rejects.toThrow(kept)
    await confirm('bob', row)
    await expect(attempt(`update bank_change set reason = 'x' where masteragentid = $`)).rejects.toThrow(kept)
    expect((await people['ann']!.call('DELETE', `${path}/${row.id}`)).status).toBe(204)
    expect(await decisions(row)).toEqual([])
  })

  test('is at most one undecided change of an agent', async () => {
    const row = await make('ann', account)
    await expect(
      portal.db.query(
        `insert into bank_change (masteragentid, routingnumber, ischecking, isbusiness, formerroutingnumber,
            formerischecking, formerisbusiness, fields, authors, entered_by)
          values ($1, '', true, true, '', true, true, '{}', '{}', 'x')`,
        [row.id],
      ),
    ).rejects.toThrow('bank_change_undecided')
  })

  test('names the authors of each pending account', async () => {
    const row = await put('carl', await make('ann', account), other)
    const free = await make('ann')
    const authors = await waitingAuthors()
    expect([authors[row.id], authors[free.id]]).toEqual([['ann', 'carl'], undefined])
  })
})

describe('the email', () => {
  test("goes to the agent's users with a validated email at every change, without the account", async () => {
    const row = await make('ann')
    for (const name of ['told', 'untold', 'told2']) await addPerson(name, [], row.id)
    await portal.db.query(
      `update portal_user set email = username || '@example.com' where username in ('told', 'told2')`,
    )
    mail.emails.length = 0
    let now = row
    for (const change of [
      account,
      other,
      { notes: 'nothing of the account' },
      { routingnumber: '', bankaccountnumber: '' },
    ])
      now = await put('ann', now, change)
    await expect.poll(() => mail.emails.length).toBe(6)
    expect(mail.emails.map(({ to }) => to[0]).sort()).toEqual(
      ['told2@example.com', 'told@example.com'].flatMap((to) => [to, to, to]),
    )
    const received = mail.emails.find(({ to }) => to[0] === 'told@example.com')!
    const agent = `${row.displayid} - ${row.name}`
    expect(received.headers['subject']).toBe(`The bank account of ${agent} was changed`)
    expect(received.text.replaceAll('\r', '').trim()).toBe(
      `Hello told,\n\nthe account to which ${agent} is paid was changed in the Technology Portal ` +
        'by ann: Routing #, Bank Account #.\n' +
        'Nothing is paid to a changed account until another person has confirmed it.\n' +
        'If you did not ask for this, please tell an administrator at once.',
    )
    expect(JSON.stringify(mail.emails)).not.toMatch(/5678|6655|021000021/)
  })

  test('that cannot be sent leaves the change stored', async () => {
    const row = await make('ann')
    await addPerson('unreachable', [], row.id)
    await portal.db.query(`update portal_user set email = 'no@example.com' where username = 'unreachable'`)
    mail.refuse.add('no@example.com')
    expect((await put('ann', row, account))['bankpending']).toMatchObject({ by: 'ann' })
  })

  test('is not written when the change is refused', async () => {
    const row = await make('ann')
    await addPerson('calm', [], row.id)
    await portal.db.query(`update portal_user set email = 'calm@example.com' where username = 'calm'`)
    mail.emails.length = 0
    const answer = await people['ann']!.call('PUT', `${path}/${row.id}`, {
      version: row.version,
      ...account,
      parentid: row.id,
    })
    expect(answer.status).toBe(422)
    await put('ann', row, account)
    await expect.poll(() => mail.emails.length).toBe(1)
  })
})

test('with FOUR_EYES=off an author may confirm, with the same text and rights', async () => {
  const alone = await openTestPortal({ fourEyes: false })
  try {
    const staff = await alone.login('staff')
    const { body } = await staff.call('POST', path, { name: 'North', parentid: 2, ...account })
    expect(body.bankpending).toMatchObject({ by: 'staff', canconfirm: true })
    const url = `${path}/${body.id}/bank/confirm`
    expect((await staff.call('POST', url, { how: 'ab', version: 1 })).status).toBe(422)
    expect((await staff.call('POST', url, { how: 'seen', version: 1 })).status).toBe(200)
    const agent = await alone.login('agent')
    expect((await agent.call('POST', url, { how: 'seen', version: 1 })).status).toBe(403)
  } finally {
    await alone.close()
  }
})
