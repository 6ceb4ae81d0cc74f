import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import fastify, { type FastifyError } from 'fastify'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../server/config/config.ts'
import { busyCode } from '../../../server/db/db.ts'
import { answerError, bodyError, toHttpError } from '../../../server/http/answerError.ts'
import { HttpError, isFullDisk } from '../../../server/http/errors.ts'
import { abortOnDisconnect, withoutSocketTimeout } from '../../../server/http/fileResponse.ts'
import { requestLogger } from '../../../server/http/log.ts'
import { malformedRequests } from '../../../server/http/malformedRequests.ts'
import { isCutOff, isUploadFault } from '../../../server/http/multipart.ts'
import { baseVersion } from '../../../server/http/version.ts'

const away = 'The database is not available at the moment. Please try again.'
const full =
  'There is no room left on the disk of the server: nothing was stored. Please tell an administrator.'
const again = 'Somebody else changed the same records at this moment. Please try again.'
const unstorable = 'A text holds a character that cannot be stored'
type Facts = Partial<FastifyError> & { detail?: string }
const errorOf = (facts: Facts) => Object.assign(new Error(facts.message ?? 'as it is said'), facts)
const answerTo = (facts: Facts, names = {}) => {
  const answer = toHttpError(errorOf(facts) as FastifyError, { names })
  return answer && [answer.status, answer.message, answer.extra]
}

describe('an error with the code', () => {
  test.each<[codes: string, answer: ReturnType<typeof answerTo>]>([
    [
      'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENOTFOUND EAI_AGAIN ENOENT ' +
        '57P01 57P02 57P03 57P05 08000 08001 08003 08004 08006 53200 53300 25006 26000',
      [503, away, { retryAfter: 2 }],
    ],
    ['ENOSPC EDQUOT EFBIG 53100', [507, full, {}]],
    [
      busyCode,
      [
        503,
        'The portal is busy: all its connections to the database are in use. Please try again in a moment.',
        { retryAfter: 2 },
      ],
    ],
    ['40P01 40001', [503, again, { retryAfter: 1 }]],
    ['22021 22P05', [400, unstorable, {}]],
    ['22003', [422, 'A number is too large to be stored', {}]],
    ['23503', [409, 'It is still referenced by other records, or refers to one that was just deleted', {}]],
    ['ML409', [409, 'as it is said', { code: 'locking' }]],
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', [415, 'The body must be JSON', {}]],
    ['FST_ERR_CTP_BODY_TOO_LARGE', [413, 'The body is too large', {}]],
    ['P0001 XX000 57014 EACCES 5320', null],
  ])('%s is answered %j', (codes, answer) => {
    for (const code of codes.split(' ')) expect([code, answerTo({ code })]).toEqual([code, answer])
  })

  test.each([
    ['ENOSPC', true],
    ['EDQUOT', true],
    ['EFBIG', true],
    ['EACCES', false],
    [undefined, false],
  ])('%s is that of a full disk: %s', (code, isFull) =>
    expect(isFullDisk(code === undefined ? {} : { code })).toBe(isFull),
  )
})

test.each<[message: string, answer: ReturnType<typeof answerTo>]>([
  ['Connection terminated unexpectedly', [503, away, { retryAfter: 2 }]],
  ['Client has encountered a connection error and is not queryable', [503, away, { retryAfter: 2 }]],
  ['timeout exceeded when trying to connect', [503, away, { retryAfter: 2 }]],
  ['Cannot use a pool after calling end on the pool', [503, away, { retryAfter: 2 }]],
  [
    'Query read timeout',
    [504, 'This was stopped because it took too long. Ask for less, or try again at a quieter time.', {}],
  ],
  ['timeout', null],
])('an error that says "%s" is answered %j', (message, answer) =>
  expect(answerTo({ message })).toEqual(answer),
)

test('a body that is cut off is the fault of its sender, and not of the database', async () => {
  const app = fastify()
  const outcome = new Promise((resolve) => {
    app.addHook('onError', async (_request, _reply, error) => resolve(toHttpError(error, {})))
  })
  app.post('/', () => 'read')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  app.server.once('request', () => socket.destroy())
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{')
  expect(await outcome).toMatchObject({ status: 400, message: 'The request was cut off' })
  await app.close()
})

test.each([
  [399, null],
  [400, 400],
  [499, 499],
  [500, null],
  [undefined, null],
])(
  "an error of the framework with the status %s keeps it where it is the caller's: %s",
  (statusCode, status) =>
    expect(toHttpError(errorOf({ statusCode }) as FastifyError, {})?.status ?? null).toBe(status),
)

describe('a value that is taken already is named by the title of its field', () => {
  const properties = { xmid: { title: 'XMID' }, username: { title: 'Username' }, plain: {} }
  test.each([
    ['Key (xmid)=(4001) already exists.', 'XMID', 'xmid'],
    ['Key (lower(xmid))=(4001) already exists.', 'XMID', 'xmid'],
    ['Key ("xmid")=(4001) already exists.', 'XMID', 'xmid'],
    ['Key (lower("xmid"))=(4001) already exists.', 'XMID', 'xmid'],
    ['Key (foldedname)=(ann) already exists.', 'Username', 'username'],
    ['Key (xmid, month)=(4001, 2026-01-01) already exists.', 'XMID', 'xmid'],
    ['Key (plain)=(1) already exists.', 'plain', 'plain'],
    ['Key (unknown)=(1) already exists.', 'unknown', 'unknown'],
    [undefined, 'record', null],
  ])('%s is that of %s', (detail, title, field) => {
    const error = errorOf({ code: '23505', ...(detail !== undefined && { detail }) }) as FastifyError
    const answer = toHttpError(error, { names: { schema: { properties } } })!
    const message = `This ${title} is already taken`
    expect([answer.status, answer.message, answer.fields]).toEqual([
      409,
      message,
      field === null ? undefined : { [field]: message },
    ])
  })
})

describe('what is wrong', () => {
  const fault = (keyword: string, field: string, params: object = {}) => ({
    keyword,
    instancePath: field && `/${field}`,
    schemaPath: '',
    params: params as Record<string, unknown>,
  })
  const inThe = (validationContext: 'querystring' | 'params', faults: ReturnType<typeof fault>[]) =>
    toHttpError(errorOf({ validation: faults, validationContext } as Facts) as FastifyError, {})!

  test('with a query or an address is said of the first fault, with the values that are allowed', () => {
    const size = fault('enum', 'size', { allowedValues: [10, 25] })
    const answers = [
      inThe('querystring', [size, fault('type', 'page', { type: 'integer' })]),
      inThe('params', [size]),
      inThe('querystring', [fault('type', 'page', { type: 'integer' }), size]),
    ]
    expect(answers.map(({ status, message, fields }) => [status, message, fields])).toEqual([
      [400, 'The query is not valid: size must be one of 10, 25', { size: 'size must be one of 10, 25' }],
      [400, 'The address is not valid: size must be one of 10, 25', { size: 'size must be one of 10, 25' }],
      [400, 'The query is not valid: page must be a whole number', { page: 'page must be a whole number' }],
    ])
  })

  test('with a body is said field by field in their order, of each field the first fault', () => {
    const { message, fields } = bodyError(
      [
        fault('minLength', 'name', { limit: 1 }),
        fault('pattern', 'name'),
        fault('maximum', 'share', { limit: 100 }),
        fault('maxItems', 'keys', { limit: 1000 }),
        fault('required', '', { missingProperty: 'agent' }),
      ],
      {},
    )
    expect(message).toBe(
      'name is required. share may be at most 100. keys may have at most 1,000 entries. agent is required',
    )
    expect(fields).toEqual({
      name: 'name is required',
      share: 'share may be at most 100',
      keys: 'keys may have at most 1,000 entries',
      agent: 'agent is required',
    })
  })

  test.each([
    ['type', { type: 'string' }, 400],
    ['type', { type: ['string', 'null'] }, 400],
    ['type', { type: 'null' }, 422],
    ['additionalProperties', { additionalProperty: 'x' }, 400],
    ['maximum', { limit: 1 }, 422],
  ])('with a body is of its shape or of a value: %s %j is answered %i', (keyword, params, status) => {
    const other = fault('required', '', { missingProperty: 'agent' })
    expect(bodyError([other, fault(keyword, 'name', params)], {}).status).toBe(status)
  })

  test('with a body is said in the words of its schema and of its entity', () => {
    const names = {
      schema: { properties: { agent: { title: 'Agent' }, name: { title: 'Name' } } },
      messages: { 'agent required': 'Choose an agent' },
    }
    const faults = ['agent', 'name'].map((missingProperty) => fault('required', '', { missingProperty }))
    expect(bodyError(faults, names).message).toBe('Choose an agent. Name is required')
  })
})

test('an error that nobody expected is answered without its message and leaves it in the log, a refusal does not', async () => {
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }
  const app = fastify({ logger: requestLogger({ stream, level: 'error' }) })
  app.setErrorHandler(answerError)
  const errors: Record<string, Error> = {
    unexpected: Object.assign(new TypeError('of the inside'), { code: 'XX000' }),
    away: errorOf({ code: '57P01', detail: 'Key (taxid)=(12-3456789)' }),
    refused: new HttpError(429, 'Wait', { fields: { a: 'b' }, retryAfter: 7, rows: [1] }),
  }
  app.get('/:name', (request) => {
    throw errors[(request.params as { name: string }).name]!
  })
  const answers = []
  for (const name of Object.keys(errors)) {
    const { statusCode, headers, json } = await app.inject(`/${name}`)
    answers.push([statusCode, headers['retry-after'], json()])
  }
  const requestId = expect.any(String)
  const generic =
    'An error has occured. Please try your request again later. ' +
    'Contact Support if you continue to see this error.'
  expect(answers).toEqual([
    [500, undefined, { error: generic, requestId }],
    [503, '2', { error: away, requestId }],
    [429, '7', { error: 'Wait', requestId, fields: { a: 'b' }, rows: [1] }],
  ])
  expect(lines.map(({ msg, err }) => [msg, err])).toEqual([
    [
      'failed',
      { type: 'TypeError', code: 'XX000', message: 'of the inside', stack: expect.stringMatching(/\n +at /) },
    ],
    ['failed', { type: 'Error', code: '57P01', message: 'as it is said', stack: expect.any(String) }],
  ])
})

describe('the version on which a write is based', () => {
  test.each<[ifMatch: string | undefined, version: unknown, base: number | null]>([
    [undefined, undefined, null],
    [undefined, null, null],
    [undefined, 3, 3],
    ['4', 4, 4],
    ['4', null, 4],
    ['"4"', undefined, 4],
    ['W/"4"', undefined, 4],
  ])('is with If-Match %s and version %j %j', (ifMatch, version, base) =>
    expect(baseVersion(ifMatch, version)).toBe(base),
  )

  test.each<[ifMatch: string | undefined, version: unknown]>([
    ['', undefined],
    ['*', undefined],
    ['1.5', undefined],
    ['1e0', undefined],
    ['-1', undefined],
    ['"1", "2"', undefined],
    [undefined, 1.5],
    [undefined, '3'],
    ['3', '3'],
  ])('is refused with If-Match %j and version %j', (ifMatch, version) => {
    const sentence = 'If-Match must be the version of the record, a whole number'
    expect(() => baseVersion(ifMatch, version)).toThrow(new HttpError(400, sentence))
  })

  test.each([
    ['4', 3],
    ['"3"', 4],
    ['W/"0"', 1],
  ])('is refused with If-Match %s and another version %i', (ifMatch, version) => {
    const sentence =
      'If-Match and the version in the body differ: send the version of the record that was read'
    expect(() => baseVersion(ifMatch, version)).toThrow(new HttpError(400, sentence))
  })
})

test.each([
  ['FST_REQ_FILE_TOO_LARGE', '', true, false],
  ['', 'Multipart: Boundary not found', true, false],
  ['', 'Malformed part header', true, false],
  ['', 'The needle cannot have a length bigger than 256.', true, false],
  ['ERR_STREAM_PREMATURE_CLOSE', '', true, true],
  ['', 'Unexpected end of multipart data', true, true],
  ['', 'Unexpected end of form', true, true],
  ['', 'Premature close', true, true],
  ['', 'aborted', true, true],
  ['ENOSPC', 'no space left on device', false, false],
  ['', '', false, false],
])('the error "%s" "%s" is of the upload: %s, which was cut off: %s', (code, message, isOfUpload, isCut) => {
  const error = { ...(code && { code }), message }
  expect([isUploadFault(error), isCutOff(error)]).toEqual([isOfUpload, isCut])
})

test.each([
  ['https://portal.example.com', 'max-age=31536000; includeSubDomains'],
  ['http://portal.example.com', undefined],
  [undefined, undefined],
])('an address that cannot be read is answered with all headers, for %s with HSTS %s', async (url, hsts) => {
  const app = fastify({
    ...malformedRequests(readConfig({ PUBLIC_URL: url })),
    routerOptions: { maxParamLength: 5 },
  })
  app.get('/:name', () => 'here')
  for (const [path, status, error] of [
    ['/%', 400, 'The address is not well-formed'],
    ['/abcdef', 414, 'A part of the address is too long'],
  ] as const) {
    const { statusCode, headers, json } = await app.inject(path)
    expect([statusCode, json()]).toEqual([status, { error, requestId: expect.any(String) }])
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    expect(headers['strict-transport-security']).toBe(hsts)
  }
})

test('a connection may be silent while its work waits, and no longer, also when the work fails', async () => {
  const limits: (number | undefined)[] = []
  const kept: unknown[] = []
  const app = fastify({ connectionTimeout: 54_321 })
  app.get('/:outcome', async (request, reply) => {
    const limit = () => limits.push(reply.raw.socket?.timeout)
    const { outcome } = request.params as { outcome: string }
    const { socket } = reply.raw
    socket!.setKeepAlive = (...given) => {
      kept.push(given)
      return socket!
    }
    limit()
    const work = async () => {
      limit()
      if (outcome === 'fails') throw new Error('failed')
      return outcome
    }
    const done = await withoutSocketTimeout(reply, work).catch((error: Error) => error.message)
    limit()
    return done
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const said = []
  for (const outcome of ['ends', 'fails']) said.push(await (await fetch(`${url}/${outcome}`)).text())
  await app.close()
  expect(said).toEqual(['ends', 'failed'])
  expect(limits).toEqual([54_321, 0, 54_321, 54_321, 0, 54_321])
  expect(kept).toEqual([true, true].map((isKept) => [isKept, 60_000]))
})

test('work ends with the connection of the person who asked, before or while it runs, and not because it was answered', async () => {
  const signals: Record<string, AbortSignal> = {}
  const closed: Promise<unknown>[] = []
  const app = fastify()
  app.get('/:name', async (request, reply) => {
    const { name } = request.params as { name: string }
    const end = once(reply.raw, 'close')
    closed.push(end)
    const leave = () => {
      reply.raw.destroy()
      return end
    }
    if (name === 'before') await leave()
    signals[name] = abortOnDisconnect(reply, `Gone ${name}`)
    if (name === 'while') await leave()
    return name
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  for (const name of ['before', 'while', 'answered'])
    await fetch(`${url}/${name}`).then(
      (answer) => answer.text(),
      () => {},
    )
  await app.close()
  await Promise.all(closed)
  expect(Object.entries(signals).map(([name, { reason }]) => [name, reason])).toEqual([
    ['before', new HttpError(400, 'Gone before')],
    ['while', new HttpError(400, 'Gone while')],
    ['answered', undefined],
  ])
})
