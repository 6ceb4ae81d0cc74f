import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatDuration } from '../../../server/accounts/emailCodes.ts'
import type { Tx } from '../../../server/db/db.ts'
import { codeIn, mailServer, type MailServer } from '../../mail.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { waitingForLocks, whileUncommitted } from '../../whileUncommitted.ts'

let portal: TestPortal
let mail: MailServer
let clerk: SignedIn
let other: SignedIn
const request = '/api/v1/user/requestemailverification'
const verify = '/api/v1/user/verifyemail'
const mine = 'clerk@mail.example.com'

beforeAll(async () => {
  mail = await mailServer()
  portal = await openTestPortal({ mail: { smtpUrl: mail.url, from: 'Portal <portal@example.com>' } })
  clerk = await portal.login('clerk')
  other = await portal.login('importer')
})
afterAll(async () => {
  await portal.close()
  await mail.close()
})
beforeEach(async () => {
  await portal.db.query('delete from email_code')
  await portal.db.query('update portal_user set email = null')
  mail.refuse.clear()
})

const ask = (email = mine, who = clerk) => who.call('POST', request, { email })
const guess = (otp: string, email = mine, who = clerk) => who.call('POST', verify, { email, otp })
/** Asks, and reads the code from the email. */
const code = async (email = mine, who = clerk) => {
  expect((await ask(email, who)).status).toBe(204)
  return codeIn(mail.last())
}
const wrong = (right: string) => String((Number(right) + 1) % 1_000_000).padStart(6, '0')
const emailOf = async (username: string) =>
  (
    await portal.db.query<{ email: string | null }>('select email from portal_user where username = $1', [
      username,
    ])
  )[0]!.email
/** Every code was sent so much earlier. */
const age = (interval: string) =>
  portal.db.query('update email_code set sent_at = sent_at - $1::interval', [interval])
/** As if this many codes had been sent, the newest this long ago and each a second before the next. */
const sent = (count: number, ago: string) =>
  portal.db.query(
    `insert into email_code (userid, email, code_hash, sent_at)
      select (select id from portal_user where username = 'clerk'), 'x@example.com', '', now() - $2::interval - make_interval(secs => n - 1) from generate_series(1, $1::int) n`,
    [count, ago],
  )

describe('a code', () => {
  test('comes by mail to the address asked for, alone, from the configured sender, and says how long it is valid', async () => {
    const before = mail.emails.length
    const digits = await code()
    const received = mail.last()
    expect(mail.emails.length).toBe(before + 1)
    expect(received).toMatchObject({ to: [mine], from: 'portal@example.com' })
    expect(received.headers).toMatchObject({
      to: mine,
      from: 'Portal <portal@example.com>',
      'auto-submitted': 'auto-generated',
    })
    expect(received.headers.subject).not.toContain(digits)
    expect(received.text.trim()).toBe(
      `Hello clerk,\n\nyour code for the Technology Portal is\n\n    ${digits}\n\n` +
        'It is valid for 10 minutes and works once. Nobody of the portal will ask you for it.\n' +
        'If you did not ask for it, you need not do anything.',
    )
  })

  test('validates the address, once, and leaves an audit row without the code', async () => {
    const digits = await code()
    expect(await guess(digits)).toMatchObject({ status: 204, body: '' })
    expect([await emailOf('clerk'), await emailOf('importer')]).toEqual([mine, null])
    const [row] = await portal.db.query(
      `select action, entity, entityid = (select id::text from portal_user where username = 'clerk') as isown,
        username, address, before, after from audit order by id desc limit 1`,
    )
    expect(row).toEqual({
      action: 'update',
      entity: 'user',
      isown: true,
      username: 'clerk',
      address: '127.0.0.1',
      before: { email: null },
      after: { email: mine },
    })
    expect((await clerk.call('PUT', '/api/v1/renew')).body.email).toBe(mine)
    await portal.db.query('update portal_user set email = null')
    expect(await guess(digits)).toMatchObject({
      status: 422,
      body: { error: 'This code was tried too often. Please go back and ask for a new one.' },
    })
  })

  test('that comes twice at once counts once: the second is told, and the audit has one row', async () => {
    const digits = await code()
    const entries = `select 1 from audit where action = 'update' and entity = 'user'`
    const before = (await portal.db.query(entries)).length
    const answers = await whileUncommitted(
      portal.db,
      (tx) => tx.query(`select from portal_user where username = 'clerk' for update`),
      () => Promise.all([guess(digits), guess(digits)]),
      () => expect.poll(() => waitingForLocks(portal.db), { interval: 10 }).toBe(2),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409])
    expect(await portal.db.query(entries)).toHaveLength(before + 1)
  })

  test('stands nowhere in the database, and neither do two users or two addresses have the same hash', async () => {
    const digits = await code()
    await code(mine, other)
    const rows = await portal.db.query<{ code_hash: Buffer }>(
      'select code_hash, email_code::text as all from email_code',
    )
    expect(new Set(rows.map(({ code_hash }) => code_hash.toString('hex'))).size).toBe(2)
    expect(rows.every(({ code_hash }) => code_hash.length === 32)).toBe(true)
    const audits = await portal.db.query<{ all: string }>('select audit::text as all from audit')
    expect(JSON.stringify(audits)).not.toContain(`"${digits}"`)
  })

  test.each([
    ['in another notation of the address', 'CLERK@Mail.Example.com', 204],
    ['for another address', 'other@mail.example.com', 422],
  ])('%s', async (_, email, status) => expect((await guess(await code(), email)).status).toBe(status))

  test('of one user is of no use to another, not even for the same address', async () => {
    const digits = await code()
    expect(await guess(digits, mine, other)).toMatchObject({
      status: 422,
      body: { error: 'This code has expired. Please go back and ask for a new one.' },
    })
    await code(mine, other)
    if (codeIn(mail.last()) !== digits) expect((await guess(digits, mine, other)).status).toBe(422)
    expect(await emailOf('importer')).toBeNull()
  })

  test('is void once a new one was sent', async () => {
    const first = await code()
    await age('60 seconds')
    const second = await code()
    if (first !== second) expect((await guess(first)).status).toBe(422)
    expect((await guess(second)).status).toBe(204)
  })

  test('stays void when the new one was tried too often', async () => {
    const first = await code()
    await age('60 seconds')
    const second = await code()
    for (let n = 0; n < 5; n++) await guess(wrong(second))
    expect(await guess(first)).toMatchObject({
      status: 422,
      body: { error: 'This code was tried too often. Please go back and ask for a new one.' },
    })
    expect(await emailOf('clerk')).toBeNull()
  })

  test.each([
    ['9 minutes 59 seconds', 204],
    ['10 minutes', 422],
  ])('is worth something for 10 minutes: after %s it answers %i', async (interval, status) => {
    const digits = await code()
    await age(interval)
    const answer = await guess(digits)
    expect(answer.status).toBe(status)
    if (status === 422)
      expect(answer.body.error).toBe('This code has expired. Please go back and ask for a new one.')
  })

  test('that was tried too often is said to be so also after an older one has expired', async () => {
    await code()
    await age('11 minutes')
    const second = await code()
    for (let n = 0; n < 5; n++) await guess(wrong(second))
    expect((await guess(second)).body.error).toMatch(/^This code was tried too often\./)
  })

  test.each([
    [4, 204],
    [5, 422],
  ])('bears five attempts: after %i wrong ones the right one answers %i', async (failures, status) => {
    const digits = await code()
    for (let at = 1; at <= failures; at++) {
      const next =
        at < 5
          ? `You have ${5 - at} attempt${at === 4 ? '' : 's'} left.`
          : 'Please go back and ask for a new one.'
      expect(await guess(wrong(digits))).toMatchObject({
        status: 422,
        body: { error: `This code is not right. ${next}`, fields: { otp: expect.any(String) } },
      })
    }
    expect((await guess(digits)).status).toBe(status)
  })

  test('is not found by 50 guesses at once: five are looked at', async () => {
    const digits = await code()
    const guesses = Array.from({ length: 50 }, (_, at) =>
      guess(at === 49 ? digits : String((Number(digits) + 1 + at) % 1_000_000).padStart(6, '0')),
    )
    const answers = await Promise.all(guesses.slice(0, 49))
    expect(answers.filter(({ body }) => body.error.startsWith('This code is not right.'))).toHaveLength(5)
    expect(
      answers.filter(({ body }) => body.error.startsWith('This code was tried too often.')),
    ).toHaveLength(44)
    expect((await guess(digits)).status).toBe(422)
    expect(await emailOf('clerk')).toBeNull()
  })
})

describe('asking for codes', () => {
  test.each([
    [
      '59 seconds after the last',
      1,
      '59 seconds',
      429,
      /^A code was sent a moment ago\. Please try again in \d seconds?\.$/,
    ],
    ['60 seconds after the last', 1, '60 seconds', 204, null],
    ['a fifth within the hour', 4, '61 seconds', 204, null],
    [
      'a sixth within the hour',
      5,
      '61 seconds',
      429,
      /^You have asked for 5 codes within an hour\. Please try again in 59 minutes\.$/,
    ],
    ['a sixth, five being an hour old', 5, '1 hour', 204, null],
    ['a tenth within a day', 9, '2 hours', 204, null],
    [
      'an eleventh within a day',
      10,
      '2 hours',
      429,
      /^You have asked for 10 codes within a day\. Please try again in 22 hours\.$/,
    ],
    [
      'an eleventh within a day, of which a third of an hour more than 21 hours is left',
      10,
      '160 minutes',
      429,
      /^You have asked for 10 codes within a day\. Please try again in 22 hours\.$/,
    ],
    ['an eleventh, ten being a day old', 10, '1 day', 204, null],
  ])('%s', async (_, count, ago, status, error) => {
    await sent(count, ago)
    const answer = await ask()
    expect(answer.status).toBe(status)
    if (error) {
      expect(answer.body.error).toMatch(error)
      expect(answer.body.fields).toEqual({ email: answer.body.error })
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
  })

  test.each<[which: string, codes: [count: number, ago: string][], error: RegExp]>([
    [
      'the limit of a day before that of an hour',
      [[10, '61 seconds']],
      /^You have asked for 10 codes within a day\. Please try again in 24 hours\.$/,
    ],
    [
      'the limit of an hour before a code of a moment ago',
      [[5, '30 seconds']],
      /^You have asked for 5 codes within an hour\. Please try again in 60 minutes\.$/,
    ],
    [
      'the time until the first of an hour is an hour old',
      [
        [4, '61 seconds'],
        [1, '30 minutes'],
        [1, '2 hours'],
      ],
      /^You have asked for 5 codes within an hour\. Please try again in 30 minutes\.$/,
    ],
    [
      'the time until the first of a day is a day old',
      [
        [9, '2 hours'],
        [1, '20 hours'],
      ],
      /^You have asked for 10 codes within a day\. Please try again in 4 hours\.$/,
    ],
  ])('is refused with %s', async (_, codes, error) => {
    for (const [count, ago] of codes) await sent(count, ago)
    const answer = await ask()
    expect([answer.status, answer.body.error]).toEqual([429, expect.stringMatching(error)])
  })

  test.each([
    [1, '1 second'],
    [2, '2 seconds'],
    [59, '59 seconds'],
    [60, '1 minute'],
    [61, '2 minutes'],
    [120, '2 minutes'],
    [3_599, '60 minutes'],
    [3_600, '1 hour'],
    [3_601, '2 hours'],
  ])('says of %i seconds that they are %s', (seconds, words) => expect(formatDuration(seconds)).toBe(words))

  test('forgets those of a day ago, and no younger ones', async () => {
    await sent(2, '1 day')
    await sent(3, '23 hours')
    await ask()
    expect(await portal.db.query('select 1 from email_code')).toHaveLength(4)
  })

  test('ten times at once sends one', async () => {
    const before = mail.emails.length
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask()))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(9).fill(429)])
    expect(mail.emails.length).toBe(before + 1)
  })

  test('does not reveal whether somebody else has the address', async () => {
    await portal.db.query(`update portal_user set email = 'taken@example.com' where username = 'importer'`)
    const plain = ({ status, body }: Awaited<ReturnType<typeof ask>>) => ({ status, body })
    const taken = plain(await ask('taken@example.com'))
    await age('60 seconds')
    expect(plain(await ask('free@example.com'))).toEqual(taken)
    await age('60 seconds')
    expect((await guess(await code('taken@example.com'), 'taken@example.com')).status).toBe(204)
  })

  test('is over once the address is validated', async () => {
    await guess(await code())
    const error = 'Your email is validated already. Please reload the page.'
    expect(await ask()).toMatchObject({ status: 409, body: { error } })
    expect(await guess('123456')).toMatchObject({ status: 409, body: { error } })
  })

  test.each([
    ['a new code', () => ask()],
    ['a right code', (digits: string) => guess(digits)],
  ])('%s waits for an address that is being validated, and is told of it', async (_, work) => {
    const digits = await code()
    await age('60 seconds')
    const validate = (tx: Tx) =>
      tx.query(`update portal_user set email = 'first@example.com' where username = 'clerk'`)
    const answer = await whileUncommitted(portal.db, validate, () => work(digits))
    expect(answer).toMatchObject({ status: 409, body: { fields: { email: expect.any(String) } } })
    expect(await emailOf('clerk')).toBe('first@example.com')
  })

  test.each([
    ['no field', {}, 422],
    ['an empty address', { email: '' }, 422],
    ['no address', { email: 'clerk' }, 422],
    ['a host without a dot', { email: 'clerk@mail' }, 422],
    ['two addresses', { email: 'a@example.com,b@example.com' }, 422],
    ['a second header', { email: 'a@example.com\r\nBcc: b@example.com' }, 422],
    ['253 characters', { email: `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}examp` }, 204],
    ['255 characters', { email: `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}example` }, 422],
    ['65 characters before the @', { email: `${'a'.repeat(65)}@example.com` }, 422],
    ['a number', { email: 7 }, 400],
  ])('with %s', async (_, body, status) =>
    expect((await clerk.call('POST', request, body)).status).toBe(status),
  )

  test.each([
    ['five digits', '12345', 422],
    ['seven digits', '1234567', 422],
    ['a letter', '12345a', 422],
    ['digits of another script', '١٢٣٤٥٦', 422],
    ['a number', 123456, 400],
  ])('a code of %s is no guess', async (_, otp, status) => {
    const digits = await code()
    expect((await clerk.call('POST', verify, { email: mine, otp })).status).toBe(status)
    const [row] = await portal.db.query('select attempts from email_code')
    expect(row).toEqual({ attempts: 0 })
    expect((await guess(digits)).status).toBe(204)
  })
})
