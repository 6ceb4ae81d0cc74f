import { DateTime } from 'luxon'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { mailServer, type MailServer } from '../../mail.ts'
import { payoutPortal, replaceUser, type PayoutPortal } from './payoutPortal.ts'

let mail: MailServer
let portal: PayoutPortal
let isOpen = false
const month = '2026-01'
beforeAll(async () => {
  mail = await mailServer()
})
afterAll(() => mail.close())
afterEach(() => close())
/** Everything that was to be sent is sent after it. */
async function close() {
  if (isOpen) await portal.close()
  isOpen = false
}

/** January is locked by ann; two administrators have an email, bob has one too and is none. */
async function locked(timeZone = 'UTC') {
  mail.emails.length = 0
  mail.refuse.clear()
  portal = await payoutPortal(3, { timeZone, mail: { smtpUrl: mail.url, from: 'portal@example.com' } })
  isOpen = true
  await portal.earn(2, month, 50)
  await portal.earn(3, month, 60)
  await portal.lock(month)
  await portal.db.query(
    `update portal_user set email = username || '@example.com' where username in ('admin', 'bob')`,
  )
  await portal.db.query(
    `insert into portal_user (username, password_hash, admin, email) values ('second', '', true, 'second@example.com'),
      ('mute', '', true, null)`,
  )
}
/** One user created another, or set its password, so many hours ago. */
const bind = (by: string, action: 'create' | 'password', of: string, hours = 1) =>
  portal.db.query(
    `insert into audit (username, address, action, entity, entityid, after, at)
      select $1, '', $2, 'user', id::text, $3, now() - make_interval(hours => $5) from portal_user
      where username = $4`,
    [
      by,
      action === 'create' ? 'create' : 'update',
      action === 'create' ? {} : { password: '***' },
      of,
      hours,
    ],
  )
const release = async (who: 'ann' | 'bob' | 'carl', hash: string) => {
  const body = { hash, how: 'other', date: '2026-03-10' }
  const { status } = await portal.call(who, 'POST', `/api/v1/month/${month}/release`, body)
  expect(status).toBe(200)
}
/** Admin enters an account of agent 3, bob confirms it. */
async function confirm() {
  const { body: agent } = await portal.call('admin', 'GET', '/api/v1/masteragent/3')
  const change = { version: agent.version, bankaccountnumber: '777000111' }
  const { body: entered } = await portal.call('admin', 'PUT', '/api/v1/masteragent/3', change)
  const { status } = await portal.call('bob', 'POST', '/api/v1/masteragent/3/bank/confirm', {
    how: 'Called back',
    version: entered.version,
  })
  expect(status).toBe(200)
}
const steps: Record<
  string,
  [step: () => Promise<unknown>, by: string, of: string, what: string, where: string]
> = {
  approval: [
    () => portal.approve(month),
    'ann',
    'bob',
    'ann locked January 2026, and bob approved its payouts in the Technology Portal.',
    'the payouts of January 2026',
  ],
  release: [
    async () => release('carl', await portal.approve(month)),
    'carl',
    'ann',
    'ann locked January 2026, and carl released its payouts in the Technology Portal.',
    'the payouts of January 2026',
  ],
  confirmation: [
    confirm,
    'admin',
    'bob',
    'admin entered the bank account of MA0003 - Agent 3, and bob confirmed it in the Technology Portal.',
    'the bank account of MA0003 - Agent 3',
  ],
}

test.each(Object.entries(steps))(
  'the %s by a person who is not independent of the one before is written to every administrator with an email',
  async (_, [step, by, of, what, where]) => {
    const dayIn = (timeZone: string) =>
      DateTime.now().minus({ hours: 1 }).setZone(timeZone).toFormat('MM/dd/yyyy')
    // One of them is always at another day than UTC.
    const zone = ['Pacific/Niue', 'Pacific/Kiritimati'].find((it) => dayIn(it) !== dayIn('UTC'))!
    await locked(zone)
    await bind(by, 'create', of)
    const day = dayIn(zone)
    await step()
    await close()
    expect(mail.emails.map(({ to }) => to).sort()).toEqual([['admin@example.com'], ['second@example.com']])
    for (const { headers, text } of mail.emails) {
      expect(headers.subject).toBe(`Two people at ${where} are not independent`)
      expect(text.replace(/\s+/g, ' ')).toMatch(
        new RegExp(`^Hello (admin|second), ${what} ${by} created the user ${of} on ${day}\\. Two accounts`),
      )
    }
  },
)

test.each(Object.entries(steps))(
  'the %s by an independent person is written to nobody',
  async (_, [step]) => {
    await locked()
    await bind('second', 'create', 'bob')
    // Who sets their own password depends on nobody.
    for (const name of ['ann', 'bob', 'carl', 'admin']) await bind(name, 'password', name)
    await step()
    await close()
    expect(mail.emails).toEqual([])
  },
)

test.each([
  ['password', 30 * 24 - 1, 2],
  ['password', 30 * 24 + 1, 0],
  ['create', 400 * 24, 2],
] as const)(
  'a pair by a %s %i hours before, of which passwords count for 30 days: %i emails',
  async (action, hours, emails) => {
    await locked()
    await bind('bob', action, 'ann', hours)
    await portal.approve(month)
    await close()
    expect(mail.emails).toHaveLength(emails)
  },
)

test('each author of a confirmed account who is not independent is named, in one email', async () => {
  await locked()
  await bind('bob', 'password', 'ann')
  await bind('admin', 'create', 'bob')
  const { body: agent } = await portal.call('admin', 'GET', '/api/v1/masteragent/3')
  // Ann twice, who is named once.
  for (const [more, bankaccountnumber] of ['777000222', '777000444'].entries()) {
    const change = { version: agent.version + more, bankaccountnumber }
    expect((await portal.call('ann', 'PUT', '/api/v1/masteragent/3', change)).status).toBe(200)
  }
  await confirm()
  await close()
  expect(mail.emails).toHaveLength(2)
  expect(mail.emails[0]!.text.replace(/\s+/g, ' ')).toMatch(
    /Portal\. bob set the password of ann on \S+ admin created the user bob on \S+ Two accounts/,
  )
})

test('an email that cannot be sent leaves the approval stored, and the other email sent', async () => {
  await locked()
  mail.refuse.add('admin@example.com')
  await bind('ann', 'create', 'bob')
  await portal.approve(month)
  expect(await portal.db.query('select username from payout_approval')).toEqual([{ username: 'bob' }])
  await close()
  expect(mail.emails.map(({ to }) => to)).toEqual([['second@example.com']])
})

test('an approval that is refused is written to nobody', async () => {
  await locked()
  await bind('ann', 'create', 'bob')
  const { status } = await portal.call('bob', 'POST', `/api/v1/month/${month}/approve`, {
    hash: 'f'.repeat(64),
  })
  await close()
  expect([status, mail.emails]).toEqual([409, []])
})

test('a pair is reported by email also if one of the two users was deleted after locking the month', async () => {
  await locked()
  await bind('bob', 'create', 'ann')
  await bind('bob', 'password', 'ann', 2)
  const [ann] = await portal.db.query<{ id: number }>(`select id from portal_user where username = 'ann'`)
  expect((await portal.call('admin', 'DELETE', `/api/v1/user/${ann!.id}`)).status).toBe(204)
  await portal.approve(month)
  const { body } = await portal.call('bob', 'GET', `/api/v1/month/${month}/payout`)
  await close()
  expect(mail.emails).toHaveLength(2)
  expect(body.notes).toEqual([
    expect.stringMatching(/^The two people at this run are not independent: bob created the user ann on /),
  ])
})

describe('a name of a deleted user that another person has', () => {
  const named = ['bob created the user ann']

  test.each<[string, 'bob' | 'carl', () => Promise<unknown>, string[]]>([
    [
      'approves, and who locked created the former user',
      'carl',
      () => bind('ann', 'create', 'carl', 2).then(() => replaceUser(portal, 'carl')),
      [],
    ],
    [
      'approves, and the former user created who locked',
      'carl',
      () => bind('carl', 'create', 'ann', 2).then(() => replaceUser(portal, 'carl')),
      [],
    ],
    [
      'approves, and was created by who locked',
      'carl',
      () => replaceUser(portal, 'carl').then(() => bind('ann', 'create', 'carl', 0)),
      ['ann created the user carl'],
    ],
    [
      'did not lock, and who approves created the former user, who did',
      'bob',
      () => bind('bob', 'create', 'ann', 2).then(() => replaceUser(portal, 'ann')),
      named,
    ],
    [
      'did not lock, and was created by who approves',
      'bob',
      () => replaceUser(portal, 'ann').then(() => bind('bob', 'create', 'ann', 0)),
      [],
    ],
    [
      'did not lock, and created who approves',
      'bob',
      () => replaceUser(portal, 'ann').then(() => bind('ann', 'create', 'bob', 0)),
      [],
    ],
  ])('is that of the person who acted by it: it %s', async (_, who, prepare, pairs) => {
    await locked()
    await prepare()
    await portal.approve(month, who)
    const { body } = await portal.call(who, 'GET', `/api/v1/month/${month}/payout`)
    const evidence = await portal.call(who, 'POST', '/api/v1/report/payout-evidence', { month })
    await close()
    const notes = [body.notes, evidence.body.notes].map((sentences: string[]) =>
      sentences.map((note) => /: (.*) on \S+$/.exec(note)![1]),
    )
    expect([...notes, mail.emails.length]).toEqual([pairs, pairs, pairs.length * 2])
  })
})

test('an author of an account whose name another person has since is the one who entered it', async () => {
  await locked()
  const { body: agent } = await portal.call('admin', 'GET', '/api/v1/masteragent/3')
  const change = { version: agent.version, bankaccountnumber: '777000222' }
  await portal.call('ann', 'PUT', '/api/v1/masteragent/3', change)
  await replaceUser(portal, 'ann')
  await bind('ann', 'create', 'bob', 0)
  await confirm()
  const { body } = await portal.call('bob', 'POST', '/api/v1/report/payout-evidence', { month })
  await close()
  expect([body.notes, mail.emails]).toEqual([[], []])
})

test('two authors of an account who had the same name one after the other are judged each by itself', async () => {
  await locked()
  const enter = async (bankaccountnumber: string) => {
    const { body: agent } = await portal.call('ann', 'GET', '/api/v1/masteragent/3')
    const change = { version: agent.version, bankaccountnumber }
    expect((await portal.call('ann', 'PUT', '/api/v1/masteragent/3', change)).status).toBe(200)
  }
  await bind('ann', 'create', 'bob')
  await enter('777000222')
  await replaceUser(portal, 'ann')
  await enter('777000333')
  await confirm()
  const { body } = await portal.call('bob', 'POST', '/api/v1/report/payout-evidence', { month })
  await close()
  expect([body.notes, mail.emails.length]).toEqual([
    [expect.stringMatching(/^Two people of this month are not independent: ann created the user bob on /)],
    2,
  ])
})

/** Ann locks 60 days ago, and the run is paid then; a password is set so many hours before that day. */
describe('a month that was approved 60 days ago', () => {
  const judged = async (step: 'approve' | 'pay', hours: number) => {
    await locked()
    await portal[step](month)
    await portal.db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query(`update month_lock set locked_at = locked_at - interval '60 days'`)
      for (const table of ['payout_approval', 'payout_release'])
        await tx.query(`update ${table} set at = at - interval '60 days'`)
    })
    await bind('ann', 'password', 'bob', 60 * 24 + hours)
  }
  const notes = ({ body }: { body: { notes: string[] } }) =>
    body.notes.map((it) => it.replace(/ on \S+$/, ''))

  test.each<['approve' | 'pay', string, number, string[]]>(
    (['approve', 'pay'] as const).flatMap((step) => [
      [step, 'less than 30 days before', 30 * 24 - 1, ['ann set the password of bob']],
      [step, 'more than 30 days before', 30 * 24 + 1, []],
      [step, 'after', -59 * 24, []],
    ]),
  )('judges a password by that day (%s): it was set %s it', async (step, _, hours, pairs) => {
    await judged(step, hours)
    const run = await portal.call('bob', 'GET', `/api/v1/month/${month}/payout`)
    expect(notes(run)).toEqual(pairs.map((it) => `The two people at this run are not independent: ${it}`))
    const evidence = await portal.call('bob', 'POST', '/api/v1/report/payout-evidence', { month })
    expect(notes(evidence)).toEqual(pairs.map((it) => `Two people of this month are not independent: ${it}`))
  })

  test('and paid does not judge the viewer', async () => {
    await judged('pay', 40 * 24)
    await bind('ann', 'create', 'carl')
    const run = await portal.call('carl', 'GET', `/api/v1/month/${month}/payout`)
    expect(notes(run)).toEqual([])
  })
})
