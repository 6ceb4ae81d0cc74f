import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jwtVerify } from 'jose'
import { afterEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../../server/app.ts'
import { readConfig } from '../../../server/config/config.ts'
import { transactionWithEmails } from '../../../server/mail/emails.ts'
import { createMailer } from '../../../server/mail/mailer.ts'
import { codeIn, mailServer, outbox } from '../../mail.ts'
import { testSecret } from '../../setup/postgres.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
const begin = async (settings: Parameters<typeof openTestPortal>[0]): Promise<TestPortal> => {
  const portal = await openTestPortal(settings)
  await portal.db.query('update portal_user set email = null')
  ends.push(() => portal.close())
  return portal
}
const ask = async (portal: TestPortal) =>
  (await portal.login('clerk')).call('POST', '/api/v1/user/requestemailverification', {
    email: 'clerk@example.com',
  })
const from = 'Portal <portal@example.com>'
const unsent = 'The email could not be sent. Please check the address, or try again in a few minutes.'

/** Something that listens, and what it does with who comes. */
const peer = async (greet: (socket: Socket) => void): Promise<string> => {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    greet(socket)
  })
  await new Promise<void>((open) => server.listen(0, '127.0.0.1', open))
  ends.push(
    () =>
      new Promise((closed) => {
        for (const socket of sockets) socket.destroy()
        server.close(closed)
      }),
  )
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('without SMTP_URL', () => {
  test('an email is put into the outbox of the data folder, for the owner of the process alone', async () => {
    const portal = await begin({})
    expect((await ask(portal)).status).toBe(204)
    const [received] = await outbox(portal.config.dataDir)
    expect(received!.headers).toMatchObject({ to: 'clerk@example.com', 'auto-submitted': 'auto-generated' })
    expect(codeIn(received!)).toMatch(/^\d{6}$/)
    expect(statSync(join(portal.config.dataDir, 'outbox')).mode & 0o077).toBe(0)
  })

  test('an email is complete before its call has an answer, and before the log names it', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'emails-'))
    ends.push(async () => rmSync(dataDir, { recursive: true }))
    const mailer = createMailer({ smtpUrl: null, from }, dataDir)
    const email = {
      to: 'clerk@example.com',
      subject: 'Long',
      text: `${'A long line. '.repeat(20_000)}The end`,
    }
    const read = (file: string) => readFileSync(file, 'utf8').trim().slice(-7)
    const logged: string[] = []
    await mailer.send(email, { warn: (facts) => void logged.push(read((facts as { file: string }).file)) })
    const [file] = readdirSync(join(dataDir, 'outbox'))
    expect(statSync(join(dataDir, 'outbox', file!)).mode & 0o077).toBe(0)
    expect([...logged, read(join(dataDir, 'outbox', file!))]).toEqual(['The end', 'The end'])
  })
})

test('emails of one moment are a file each in the outbox', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'emails-'))
  ends.push(async () => rmSync(dataDir, { recursive: true }))
  const mailer = createMailer({ smtpUrl: null, from }, dataDir)
  const subjects = Array.from({ length: 50 }, (_, at) => `Number ${at}`)
  for (const subject of subjects)
    mailer.sendInBackground({ to: 'clerk@example.com', subject, text: 'A line.' }, { warn: () => {} })
  await mailer.flush()
  const sent = (await outbox(dataDir)).map(({ headers }) => headers.subject)
  expect(sent.toSorted()).toEqual(subjects.toSorted())
})

describe('a mail server that does not take the email', () => {
  const names = [
    'nobody listens',
    'it never says a word',
    'it keeps talking',
    'it refuses the address',
    'it hangs up',
  ] as const
  const urls: Record<(typeof names)[number], () => Promise<string>> = {
    'nobody listens': async () => 'smtp://127.0.0.1:9',
    'it never says a word': () => peer(() => {}),
    'it keeps talking': () =>
      peer((socket) => {
        const talking = setInterval(() => socket.write('220-wait\r\n'), 500)
        socket.on('close', () => clearInterval(talking))
      }),
    'it refuses the address': async () => {
      const mail = await mailServer()
      mail.refuse.add('clerk@example.com')
      ends.push(mail.close)
      return mail.url
    },
    'it hangs up': () => peer((socket) => socket.end()),
  }

  // Two of them are given up after eight seconds, so all are asked at the same time.
  test('of any kind is shown in a sentence under the field, and no code counts', async () => {
    const portals: [string, TestPortal][] = []
    for (const name of names)
      portals.push([name, await begin({ mail: { smtpUrl: await urls[name](), from } })])
    const asked = portals.map(async ([name, portal]) => {
      const answer = await ask(portal)
      return { name, answer, codes: await portal.db.query('select 1 from email_code') }
    })
    for (const { name, answer, codes } of await Promise.all(asked)) {
      expect(answer, name).toMatchObject({
        status: 503,
        headers: { 'retry-after': '60' },
        body: { error: unsent, fields: { email: unsent } },
      })
      expect(codes, name).toEqual([])
    }
  })

  test('twice in a row hinders neither the third email nor its code', async () => {
    const email = 'clerk@example.com'
    const first = await mailServer()
    const port = Number(new URL(first.url).port)
    const portal = await begin({ mail: { smtpUrl: first.url, from } })
    const clerk = await portal.login('clerk')
    await first.close()
    for (const time of [1, 2]) expect([time, (await ask(portal)).status]).toEqual([time, 503])
    const second = await mailServer(port)
    ends.push(second.close)
    expect((await ask(portal)).status).toBe(204)
    expect(second.emails).toHaveLength(1)
    const otp = codeIn(second.last())
    expect((await clerk.call('POST', '/api/v1/user/verifyemail', { email, otp })).status).toBe(204)

    // And once more, for what is sent in the background.
    await second.close()
    const change = (password: string) => clerk.call('PUT', '/api/v1/user/me', { password })
    expect((await change('nine tall green lanterns')).status).toBe(204)
    const third = await mailServer(port)
    ends.push(third.close)
    expect((await change('nine tall blue lanterns')).status).toBe(204)
    await expect.poll(() => third.emails.map(({ to }) => to)).toContainEqual([email])
  })

  test('lets the code before it count again', async () => {
    const mail = await mailServer()
    ends.push(mail.close)
    const portal = await begin({ mail: { smtpUrl: mail.url, from } })
    const clerk = await portal.login('clerk')
    const email = 'clerk@example.com'
    await clerk.call('POST', '/api/v1/user/requestemailverification', { email })
    await portal.db.query(`update email_code set sent_at = sent_at - interval '61 seconds'`)
    mail.refuse.add(email)
    expect((await clerk.call('POST', '/api/v1/user/requestemailverification', { email })).status).toBe(503)
    expect(
      (await clerk.call('POST', '/api/v1/user/verifyemail', { email, otp: codeIn(mail.last()) })).status,
    ).toBe(204)
  })
})

test('what is sent in the background is sent, or its failure logged, before a closing portal goes on', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'emails-'))
  ends.push(async () => rmSync(dataDir, { recursive: true }))
  const mail = await mailServer()
  ends.push(mail.close)
  const logged: string[] = []
  const log = { warn: (_: object, message: string) => void logged.push(message) }
  for (const smtpUrl of [null, mail.url, 'smtp://127.0.0.1:9']) {
    const mailer = createMailer({ smtpUrl, from }, dataDir)
    for (const subject of ['One', 'Two'])
      mailer.sendInBackground({ to: 'clerk@example.com', subject, text: 'A line.' }, log)
    await mailer.flush()
    const subjects = [...(await outbox(dataDir)), ...mail.emails].map(({ headers }) => headers.subject)
    expect(subjects.sort()).toEqual(smtpUrl === null ? ['One', 'Two'] : ['One', 'One', 'Two', 'Two'])
  }
  const put = 'SMTP_URL is not set: an email was put into the outbox'
  const failed = 'an email could not be sent'
  expect(logged).toEqual([put, put, failed, failed])
})

test('a portal that is closed has sent its emails', async () => {
  const mail = await mailServer()
  ends.push(mail.close)
  const portal = await begin({ mail: { smtpUrl: mail.url, from } })
  await portal.db.query(`update portal_user set email = 'clerk@example.com' where username = 'clerk'`)
  const password = 'seven wooden lanterns'
  expect((await (await portal.login('clerk')).call('PUT', '/api/v1/user/me', { password })).status).toBe(204)
  await portal.app.close()
  expect(mail.emails.map(({ to }) => to)).toEqual([['clerk@example.com']])
})

test('no log line holds the code, nor the password of the mail server', async () => {
  const portal = await begin({})
  const url = 'smtp://portal:hush-hush@127.0.0.1:9'
  const lines: string[] = []
  const log = { level: 'trace' as const, stream: { write: (line: string) => void lines.push(line) } }
  for (const smtpUrl of [null, url]) {
    const app = await buildApp({
      db: portal.db,
      config: { ...portal.config, mail: { smtpUrl, from } },
      secret: testSecret,
      log,
    })
    const { token, cookie } = await portal.login('clerk')
    const headers = {
      authorization: `Bearer ${token}`,
      cookie: `XSRF-TOKEN=${cookie}`,
      'x-xsrf-token': cookie,
    }
    const call = (path: string, payload: object) =>
      app.inject({ method: 'POST', url: `/api/v1/user/${path}`, headers, payload })
    const { statusCode } = await call('requestemailverification', { email: 'clerk@example.com' })
    expect(statusCode).toBe(smtpUrl ? 503 : 204)
    if (!smtpUrl)
      await call('verifyemail', {
        email: 'other@example.com',
        otp: codeIn((await outbox(portal.config.dataDir))[0]!),
      })
    await portal.db.query(`update email_code set sent_at = sent_at - interval '61 seconds'`)
    await app.close()
  }
  const text = lines.join('')
  expect(text).toContain('an email was put into the outbox')
  expect(text).toContain('a code could not be sent')
  expect(text).not.toContain(codeIn((await outbox(portal.config.dataDir))[0]!))
  expect(text).not.toContain('hush-hush')
  // Nobody has seen the code that could not be sent: no fact of a line is one.
  const facts = lines.flatMap((line) => Object.values(JSON.parse(line) as Record<string, unknown>))
  expect(facts.filter((fact) => /^\d{6}$/.test(String(fact)))).toEqual([])
})

test('emails about a change are sent once it is committed, and not when that fails', async () => {
  const portal = await begin({ mail: { smtpUrl: null, from } })
  const mailer = createMailer(portal.config.mail, portal.config.dataDir)
  const email = { to: 'clerk@example.com', subject: 'Changed', text: 'It was changed.' }
  const change = (twice: boolean) =>
    transactionWithEmails(portal.db, mailer, { warn: () => {} }, async (tx, emails) => {
      emails.push(email)
      await tx.query('create temp table late (id int unique deferrable initially deferred) on commit drop')
      await tx.query('insert into late select 1 from generate_series(1, $1::int)', [twice ? 2 : 1])
    })
  await expect(change(true)).rejects.toMatchObject({ code: '23505' })
  await mailer.flush()
  expect(existsSync(join(portal.config.dataDir, 'outbox'))).toBe(false)
  await change(false)
  await mailer.flush()
  expect(await outbox(portal.config.dataDir)).toHaveLength(1)
})

test('who changes their own password is notified by mail, without the password', async () => {
  const portal = await begin({})
  await portal.db.query(`update portal_user set email = 'clerk@example.com' where username = 'clerk'`)
  const password = 'seven wooden lanterns'
  expect((await (await portal.login('clerk')).call('PUT', '/api/v1/user/me', { password })).status).toBe(204)
  await expect.poll(async () => (await outbox(portal.config.dataDir)).length).toBe(1)
  const [received] = await outbox(portal.config.dataDir)
  expect(received!.headers).toMatchObject({
    to: 'clerk@example.com',
    subject: 'Your password for the Technology Portal was changed',
  })
  expect(received!.text.trim()).toBe(
    'Hello clerk,\n\nyour password for the Technology Portal was changed a moment ago, ' +
      'and all your other sessions have ended.\nIf it was not you, please tell an administrator at once.',
  )
})

describe('the token of the help desk', () => {
  const secret = 'a secret of the desk, long enough'
  const widget = { script: 'https://desk.example.com/widget.js?orgId=7', secret }
  const token = '/api/v1/user/zohojwt'

  test('needs a help desk, and then a validated address', async () => {
    const none = await begin({})
    expect(await (await none.login('clerk')).call('GET', token)).toMatchObject({
      status: 404,
      body: { error: 'This portal has no help desk' },
    })
    const portal = await begin({ helpdesk: { widget } })
    expect(await (await portal.login('clerk')).call('GET', token)).toMatchObject({
      status: 403,
      body: { error: 'Validate your email to see support tickets' },
    })
  })

  test("is HS256, names the validated address and is valid for five minutes, in the vendor's claims as in everybody's", async () => {
    const portal = await begin({ helpdesk: { widget } })
    await portal.db.query(`update portal_user set email = 'clerk@example.com' where username = 'clerk'`)
    const { status, body } = await (await portal.login('clerk')).call('GET', token)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['token'])
    const key = new TextEncoder().encode(secret)
    const { payload, protectedHeader } = await jwtVerify<Record<'not_before' | 'not_after', number>>(
      body.token,
      key,
      { algorithms: ['HS256'] },
    )
    expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(payload).toMatchObject({ email: 'clerk@example.com', email_verified: true })
    expect(Object.keys(payload).sort()).toEqual([
      'email',
      'email_verified',
      'exp',
      'iat',
      'not_after',
      'not_before',
    ])
    expect(payload.not_after - payload.not_before).toBe(300_000)
    expect(payload.exp! - payload.iat!).toBe(300)
    expect(Math.floor(payload.not_before / 1000)).toBe(payload.iat)
    await expect(
      jwtVerify(body.token, key, { currentDate: new Date(payload.not_after + 1000) }),
    ).rejects.toThrow('exp')
    await expect(jwtVerify(body.token, new TextEncoder().encode(`${secret}r`))).rejects.toThrow('signature')
  })

  test('and its secret are not sent to the page', async () => {
    const portal = await begin({ helpdesk: { widget } })
    const { body } = await (await portal.login('clerk')).call('GET', '/api/v1/portal')
    expect(body.widget).toBe(widget.script)
    expect(JSON.stringify(body)).not.toContain(secret)
  })
})

describe('the policy of the page', () => {
  const widget = { script: 'https://desk.example.com/a/b.js?orgId=7', secret: 'x'.repeat(16) }
  const helpdeskForm = { url: 'https://form.example.com/tickets', fields: {} }
  const own = ["object-src 'none'", "base-uri 'none'"]
  const framed = "frame-ancestors 'none'"
  test.each<[string, Parameters<typeof openTestPortal>[0], string[]]>([
    [
      'no other host',
      {},
      ["default-src 'self'", "img-src 'self' data:", ...own, "form-action 'self'", framed],
    ],
    [
      'the host of the desk with the widget, which may do what the portal may, and be shown in a frame',
      { helpdesk: { widget } },
      [
        "default-src 'self'",
        ...['script', 'style', 'font', 'connect'].map(
          (what) => `${what}-src 'self' https://desk.example.com`,
        ),
        'frame-src https://desk.example.com',
        "img-src 'self' https://desk.example.com data:",
        ...own,
        "form-action 'self'",
        framed,
      ],
    ],
    [
      'the host that takes the ticket form, to which it may be posted',
      { helpdeskForm },
      [
        "default-src 'self'",
        "img-src 'self' data:",
        ...own,
        "form-action 'self' https://form.example.com",
        framed,
      ],
    ],
  ])('names %s', async (_, settings, policy) => {
    const { headers } = await (await begin(settings)).app.inject('/healthz')
    expect(String(headers['content-security-policy']).split(';')).toEqual(policy)
  })
})

describe('the settings of mail and help desk', () => {
  const desk = {
    HELPDESK_WIDGET_URL: 'https://desk.example.com/asap/1',
    HELPDESK_JWT_SECRET: 'sixteen letters!',
  }

  test('have defaults', () => {
    expect(readConfig({})).toMatchObject({
      mail: { smtpUrl: null, from: 'Technology Portal <portal@localhost>' },
      helpdesk: { widget: null },
    })
  })

  test.each([
    [
      'mail',
      { SMTP_URL: 'smtp://u:p@mail.example.com:587', MAIL_FROM: 'a@example.com' },
      { mail: { smtpUrl: 'smtp://u:p@mail.example.com:587', from: 'a@example.com' } },
    ],
    [
      'mail over TLS',
      { SMTP_URL: 'smtps://mail.example.com', MAIL_FROM: 'a@example.com' },
      { mail: { smtpUrl: 'smtps://mail.example.com', from: 'a@example.com' } },
    ],
    [
      'a sender with a name',
      { MAIL_FROM: 'The Portal <a@example.com>' },
      { mail: { from: 'The Portal <a@example.com>' } },
    ],
    [
      'a widget',
      desk,
      { helpdesk: { widget: { script: 'https://desk.example.com/asap/1', secret: 'sixteen letters!' } } },
    ],
    [
      'its organisation',
      { ...desk, HELPDESK_ORG: '42' },
      { helpdesk: { widget: { script: 'https://desk.example.com/asap/1?orgId=42' } } },
    ],
    ['a secret alone', { HELPDESK_JWT_SECRET: 'sixteen letters!' }, { helpdesk: { widget: null } }],
  ])('%s is taken', (_, env, config) => expect(readConfig(env)).toMatchObject(config))

  test.each([
    [
      { SMTP_URL: 'http://u:secret@mail', MAIL_FROM: 'a@example.com' },
      'SMTP_URL is wrong: it must be a URL like smtp://user:password@mail.example.com:587',
    ],
    [
      { SMTP_URL: 'smtp://u:secret@mail' },
      'SMTP_URL is wrong: it must be set together with MAIL_FROM, the address the mail comes from',
    ],
    [
      { MAIL_FROM: 'a@localhost' },
      "MAIL_FROM is 'a@localhost': it must be an address like Technology Portal <portal@example.com>",
    ],
    [{ MAIL_FROM: 'A <a@example.com>, <b@example.com>' }, /^MAIL_FROM is/],
    [
      { HELPDESK_JWT_SECRET: 'secret' },
      'HELPDESK_JWT_SECRET is wrong: it must be the secret the desk shows for its widget, at least 16 characters',
    ],
    [{ HELPDESK_WIDGET_URL: desk.HELPDESK_WIDGET_URL }, /set together with HELPDESK_JWT_SECRET/],
    [
      { ...desk, HELPDESK_WIDGET_URL: 'javascript:alert(1)' },
      /the http or https address of the desk's widget script$/,
    ],
    [{ ...desk, HELPDESK_ORG: '42&x=1' }, /the number of the organisation, digits alone$/],
  ])('%j is refused', (env, why) => expect(() => readConfig(env)).toThrow(why))
})
