import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attachmentLimits, ticketTypes } from '../../../schemas/entities/ticket.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { fileTicket, formOf, goodTicket } from '../../ticket.ts'

let portal: TestPortal
let agent: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  agent = await portal.login('agent')
})
afterAll(() => portal.close())

const stored = async (id: number) =>
  (await portal.db.query<Record<string, unknown>>('select * from ticket where id = $1', [id]))[0]
const at = (id: number, rest = '') => `/api/v1/ticket/${id}${rest}`

describe('filing a ticket', () => {
  test('stores what the form says, open, under the name of the person who filed it, with its attachments byte for byte', async () => {
    const picture = Buffer.from(Array.from({ length: 2_500_000 }, (_, index) => (index * 7) % 256))
    const { status, body } = await fileTicket(
      agent,
      { subject: ' Ünïcode 案内 ', description: 'One\r\n\r\ntwo' },
      [
        { name: 'z.txt', content: 'text' },
        { name: 'empty', content: '' },
        { name: 'p.png', content: picture, type: 'image/png' },
      ],
    )
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...goodTicket,
      subject: 'Ünïcode 案内',
      description: 'One\n\ntwo',
      statusid: 1,
      reporter: 'agent',
      own: true,
      version: 1,
      attachments: 3,
    })
    expect(
      body.files.map(({ name, size, mimetype }: Record<string, unknown>) => [name, size, mimetype]),
    ).toEqual([
      ['z.txt', 4, 'text/plain'],
      ['empty', 0, 'text/plain'],
      ['p.png', 2_500_000, 'image/png'],
    ])
    const reply = await portal.app.inject({
      method: 'GET',
      url: at(body.id, `/attachment?id=${body.files[2].id}`),
      headers: { authorization: `Bearer ${agent.token}` },
    })
    expect(reply.rawPayload.equals(picture)).toBe(true)
    expect(reply.headers).toMatchObject({
      'content-disposition': 'attachment; filename=p.png',
      'content-type': 'image/png',
      // Two of a ticket are no parts of one another.
      etag: `"${body.files[2].id}"`,
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
    expect((await agent.call('GET', at(body.id, `/attachment?id=${body.files[1].id}`))).body).toBe('')
    // It is stored in parts of 1,048,576 bytes.
    for (const [first, last] of [
      [1_048_570, 1_048_590],
      [1_048_570, 1_048_575],
      [1_048_570, 1_048_576],
      [1_048_576, 1_048_576],
    ] as const) {
      const ranged = await portal.app.inject({
        method: 'GET',
        url: at(body.id, `/attachment?id=${body.files[2].id}`),
        headers: { authorization: `Bearer ${agent.token}`, range: `bytes=${first}-${last}` },
      })
      expect([ranged.statusCode, ranged.rawPayload.equals(picture.subarray(first, last + 1))]).toEqual([
        206,
        true,
      ])
    }
    expect((await agent.call('GET', at(body.id, '/attachment'))).body).toEqual({ data: body.files })
  })

  test.each([199, 200, 201])('keeps 200 characters of the type of a file, of %i', async (length) => {
    const type = `text/${'x'.repeat(length - 5)}`
    const { body } = await fileTicket(agent, {}, [{ name: 'a.txt', content: 'a', type }])
    expect(body.files[0].mimetype).toBe(type.slice(0, 200))
  })

  test.each([254, 255, 256])('keeps the last 255 characters of the name of a file, of %i', async (length) => {
    const name = `a${'案'.repeat(length - 5)}.txt`
    expect([...name]).toHaveLength(length)
    const { body } = await fileTicket(agent, {}, [{ name, content: 'a' }])
    expect(body.files[0].name).toBe([...name].slice(-255).join(''))
  })

  test('as JSON is filing one without attachments', async () => {
    const { status, body } = await agent.call('POST', '/api/v1/ticket', {
      email: 'a@b.co',
      tickettypeid: 1,
      subject: 's',
      description: 'd',
    })
    expect([status, body.agentoffice, body.agentname, body.files]).toEqual([201, '', '', []])
    expect(await stored(body.id)).toMatchObject({ email: 'a@b.co', tickettypeid: 1, masteragentid: 2 })
  })

  test.each([
    ['../../etc/passwd', 'passwd'],
    // As a browser sends a name with quotes.
    ['the %22new%22 rates 50%41.txt', 'the "new" rates 50%41.txt'],
    ['C:\\temp\\plan.doc', 'plan.doc'],
    ['a\u202Egpj.exe', 'agpj.exe'],
    ['案内.txt', '案内.txt'],
    [' two \u0007words.txt ', 'two words.txt'],
    ['\u200b', 'attachment'],
  ])('keeps of the name %j only %j', async (name, kept) => {
    expect((await fileTicket(agent, {}, [{ name, content: 'x' }])).body.files[0].name).toBe(kept)
  })

  test('with an input for files in which none was chosen is filing one without attachments', async () => {
    const { status, body } = await fileTicket(agent, {}, [{ name: '', content: '' }])
    expect([status, body.files]).toEqual([201, []])
  })

  test('whose bytes end before their last boundary is refused, and nothing is stored', async () => {
    const before = await portal.db.query('select count(*) from ticket')
    const { body, headers } = formOf(goodTicket, [{ name: 'a.txt', content: 'text' }])
    const answer = await agent.call('POST', '/api/v1/ticket', body.subarray(0, -20), headers)
    expect(answer).toMatchObject({ status: 400, body: { error: 'The upload was cut off' } })
    expect(await portal.db.query('select count(*) from ticket')).toEqual(before)
  })

  test('leaves no file behind in the data folder', () => {
    const folder = join(portal.config.dataDir, 'tmp')
    expect(existsSync(folder) && readdirSync(folder)).toEqual([])
  })

  test.runIf(process.platform === 'linux')('leaves no file open', () => {
    const opened = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`)
      } catch {
        // That of the folder is closed once it is read.
        return ''
      }
    })
    expect(opened.filter((path) => path.includes('/tmp/upload-'))).toEqual([])
  })
})

describe('the limits, at their edges', () => {
  const required = (title: string) => `${title} is required`
  const most = (title: string, limit: string) => `${title} may have at most ${limit} characters`
  const types = ticketTypes.map(({ title }) => title).join(', ')
  test.each<[string, unknown, string | null]>([
    ['agentoffice', 'x'.repeat(120), null],
    ['agentoffice', 'x'.repeat(121), most('Agent Office', '120')],
    ['agentname', '🙂'.repeat(120), null],
    ['agentname', '🙂'.repeat(121), most('Agent Name', '120')],
    ['email', `${'x'.repeat(60)}@${'y'.repeat(55)}.com`, null],
    ['email', `${'x'.repeat(60)}@${'y'.repeat(56)}.com`, most('Email', '120')],
    ['email', 'nobody', 'Email must be a valid email address'],
    ['email', '  ', required('Email')],
    ['subject', 'x'.repeat(255), null],
    ['subject', 'x'.repeat(256), most('Agent Office-Merchant-Issue', '255')],
    ['subject', '', required('Agent Office-Merchant-Issue')],
    ['description', 'x'.repeat(3000), null],
    ['description', '案'.repeat(3000), null],
    ['description', 'x'.repeat(3001), most('Description', '3,000')],
    ['description', ' \n ', required('Description')],
    ['tickettypeid', 1, null],
    ['tickettypeid', 9, null],
    ['tickettypeid', 0, `Ticket Type must be one of ${types}`],
    ['tickettypeid', 10, `Ticket Type must be one of ${types}`],
    ['tickettypeid', null, required('Ticket Type')],
  ])('%s %j: %s', async (field, value, fault) => {
    const json = await agent.call('POST', '/api/v1/ticket', { ...goodTicket, [field]: value })
    const form = await fileTicket(agent, { [field]: value ?? '' })
    for (const answer of [json, form]) {
      if (fault === null) expect([answer.status, answer.body[field]]).toEqual([201, value])
      else expect(answer).toMatchObject({ status: 422, body: { error: fault, fields: { [field]: fault } } })
    }
  })

  const small = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `${index}.txt`, content: 'x' }))
  test('five attachments are taken, a sixth is refused and nothing is stored', async () => {
    expect((await fileTicket(agent, {}, small(5))).body.attachments).toBe(5)
    const before = await portal.db.query('select count(*) from ticket')
    const message = 'At most 5 attachments can be sent'
    expect(await fileTicket(agent, {}, small(6))).toMatchObject({
      status: 422,
      body: { error: message, fields: { attachments: message } },
    })
    expect(await fileTicket(agent, {}, small(7))).toMatchObject({ status: 422, body: { error: message } })
    expect(await portal.db.query('select count(*) from ticket')).toEqual(before)
  })

  test('20 MB are taken, one byte more is refused by the name of the file', async () => {
    const { body } = await fileTicket(agent, {}, [
      { name: 'large.bin', content: Buffer.alloc(attachmentLimits.bytes, 1) },
    ])
    expect(body.files).toMatchObject([{ size: 20 * 1024 * 1024 }])
    const message = 'larger.bin is larger than 20 MB'
    const answer = await fileTicket(agent, {}, [
      { name: 'larger.bin', content: Buffer.alloc(attachmentLimits.bytes + 1, 1) },
    ])
    expect(answer).toMatchObject({ status: 413, body: { error: message, fields: { attachments: message } } })
  })

  const unknown = 'statusid is not a field of a ticket'
  const neither = { error: 'A ticket is sent as multipart/form-data or as JSON' }
  test.each<[string, unknown, object]>([
    [
      'a field it does not have',
      { ...goodTicket, statusid: 4 },
      { error: unknown, fields: { statusid: unknown } },
    ],
    [
      'a number for a text',
      { ...goodTicket, subject: 5 },
      { error: 'Agent Office-Merchant-Issue must be text' },
    ],
    [
      'a text for the type',
      { ...goodTicket, tickettypeid: 'Other' },
      { error: 'Ticket Type must be a whole number' },
    ],
    ['a list', [goodTicket], neither],
    ['nothing', undefined, neither],
  ])('%s is refused in a sentence', async (_, body, answer) =>
    expect(await agent.call('POST', '/api/v1/ticket', body)).toMatchObject({ status: 400, body: answer }),
  )

  test('a field that a form gives twice is refused by its name', async () => {
    const { body, headers } = formOf(goodTicket)
    const again = '------ticket-test\r\nContent-Disposition: form-data; name="subject"\r\n\r\nOther\r\n'
    const message = 'subject is given more than once'
    expect(
      await agent.call('POST', '/api/v1/ticket', Buffer.concat([Buffer.from(again), body]), headers),
    ).toMatchObject({
      status: 400,
      body: { error: message, fields: { subject: message } },
    })
  })

  test('what is wrong with several fields is said of each, in one sentence after the other', async () => {
    const fields = { email: 'Email is required', tickettypeid: 'Ticket Type is required' }
    expect(await fileTicket(agent, { email: '', tickettypeid: 'Other' })).toMatchObject({
      status: 422,
      body: { error: 'Email is required. Ticket Type is required', fields },
    })
  })
})
