import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DriveNode } from '../../../schemas/api/drive.ts'
import { buildApp } from '../../../server/app.ts'
import { googleDrive } from '../../../server/drive/google.ts'
import { folderType, googlePeer, type Item } from '../../peers/google.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

const missing =
  'This file is not in the shared drive. It may have been removed or renamed since its list was read'
const modifiedTime = '2026-03-04T05:06:07.000Z'
const file = (id: string, parent: string, more: Partial<Item> = {}): Item => ({
  id,
  name: `${id}.txt`,
  mimeType: 'text/plain',
  parents: [parent],
  content: `content of ${id}`,
  modifiedTime,
  ...more,
})
const folder = (id: string, parent: string): Item => ({
  id,
  name: `Folder ${id}`,
  mimeType: folderType,
  parents: [parent],
})
const kind = (id: string, type: string, name = id): Item => ({
  id,
  name,
  mimeType: `application/vnd.google-apps.${type}`,
  parents: ['root'],
  modifiedTime,
})

const many = Array.from({ length: 95 }, (_, index) => folder(`many-${index}`, 'a'))
const items: Item[] = [
  folder('a', 'root'),
  folder('b', 'a'),
  file('one', 'root'),
  file('two', 'b'),
  { ...folder('twice', 'root'), parents: ['root', 'a'] },
  file('digits', 'root', { content: '0123456789' }),
  file('nothing', 'root', { content: '' }),
  file('gone', 'root', { trashed: true }),
  file('outside', 'another-folder'),
  { ...file('shared', 'root'), parents: ['elsewhere', 'root', 'a'] },
  file('undated', 'root', { modifiedTime: '' }),
  kind('plan', 'document', 'Plan'),
  kind('sums', 'spreadsheet', 'Sums.xlsx'),
  kind('loud', 'spreadsheet', 'LOUD.XLSX'),
  kind('talk', 'presentation', 'Talk'),
  kind('sketch', 'drawing', 'Sketch'),
  kind('questions', 'form', 'Questions'),
  kind('pointer', 'shortcut', 'Pointer'),
  ...many,
  ...many.map(({ id }) => file(`in-${id}`, id)),
]

let google: Awaited<ReturnType<typeof googlePeer>>
let portal: TestPortal
let clerk: SignedIn
beforeAll(async () => {
  google = await googlePeer(items, 7)
  portal = await openTestPortal({ drive: { google: { key: google.key, folder: 'root', url: google.url } } })
  clerk = await portal.login('clerk')
})
afterAll(async () => {
  await portal.close()
  await google.close()
})

const flat = (nodes: readonly DriveNode[], path = ''): [string, DriveNode][] =>
  nodes.flatMap((node) => [
    [path + node.name, node] as [string, DriveNode],
    ...flat(node.children, `${path}${node.name}/`),
  ])
const tree = () => clerk.call('GET', '/api/v2/drive')
const get = (id: string, headers: Record<string, string> = {}) =>
  clerk.call('GET', `/api/v2/files/${id}`, undefined, headers)

describe('the manifest of Google Drive', () => {
  test('holds what is below the folder, page after page, and nothing that is trashed, elsewhere or cannot be downloaded', async () => {
    google.log.length = 0
    const nodes = flat((await tree()).body.data)
    const all = new Map(nodes)
    // What is in two folders is shown in one of them.
    expect(nodes).toHaveLength(all.size)
    const expected = [
      'Folder a',
      'Folder a/Folder b',
      'Folder a/Folder b/two.txt',
      'Folder twice',
      'one.txt',
      'shared.txt',
      'undated.txt',
      'digits.txt',
      'nothing.txt',
      'Plan.docx',
      'Sums.xlsx',
      'LOUD.XLSX',
      'Talk.pptx',
      'Sketch.pdf',
    ]
    const inMany = many.flatMap(({ id, name }) => [`Folder a/${name}`, `Folder a/${name}/in-${id}.txt`])
    expect([...all.keys()].sort()).toEqual([...expected, ...inMany].sort())
    expect(all.get('one.txt')).toEqual({
      id: 'one',
      name: 'one.txt',
      mimeType: 'text/plain',
      size: 14,
      modified: Date.parse(modifiedTime) / 1000,
      children: [],
    })
    expect(all.get('undated.txt')).toMatchObject({ size: 18, modified: null })
    expect(all.get('Plan.docx')).toMatchObject({
      size: null,
      mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    })
    expect(all.get('Folder a')).toMatchObject({ mimeType: folderType, size: null, modified: null })
    // Four levels, of which the third has 96 folders in questions of 40; seven files a page.
    expect(google.log.filter((line) => line === 'GET /drive/v3/files').length).toBeLessThan(40)
  })
})

describe('a download from Google Drive', () => {
  test('is the file under its name', async () => {
    expect(await get('two')).toMatchObject({
      status: 200,
      body: 'content of two',
      headers: { 'content-disposition': 'attachment; filename=two.txt', 'content-length': '14' },
    })
  })

  test.each([
    [
      'plan',
      'Plan.docx',
      'exported Plan',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    [
      'sums',
      'Sums.xlsx',
      'exported Sums.xlsx',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ],
    [
      'talk',
      'Talk.pptx',
      'exported Talk',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ],
    ['sketch', 'Sketch.pdf', 'exported Sketch', 'application/pdf'],
  ])('of %s is exported as %s', async (id, name, content, type) => {
    const { status, body, headers } = await get(id, { range: 'bytes=0-3' })
    expect([
      status,
      body,
      headers['content-type'],
      headers['accept-ranges'],
      headers['content-length'],
    ]).toEqual([200, content, type, 'none', undefined])
    expect(headers['content-disposition']).toBe(`attachment; filename=${name}`)
  })

  test.each<[string, number, string, string | undefined]>([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
  ])('of a range, %s, is answered %i', async (range, status, content, contentRange) => {
    const answer = await get('digits', { range })
    expect([answer.status, answer.headers['content-range']]).toEqual([status, contentRange])
    if (status === 206) expect(answer.body).toBe(content)
  })

  test('of a range is the whole file once it has changed, although it is as long as before', async () => {
    const item = items.find(({ id }) => id === 'digits')!
    const before = { range: 'bytes=0-3', 'if-range': String((await get('digits')).headers['etag']) }
    expect((await get('digits', before)).status).toBe(206)
    item.modifiedTime = '2026-03-04T05:06:08.000Z'
    await tree()
    expect((await get('digits', before)).status).toBe(200)
    item.modifiedTime = modifiedTime
    await tree()
  })

  test.each([
    ['more', '0123456789abc', {}, 200, '0123456789abc'],
    ['fewer', '01234', {}, 200, '01234'],
    ['fewer', '01234', { range: 'bytes=2-8' }, 206, '234'],
  ])(
    'of a file that has %s bytes than before, %j, is refused before any of them is sent, and right the next time',
    async (_, content, headers, status, sent) => {
      await tree()
      const item = items.find(({ id }) => id === 'digits')!
      item.content = content
      expect(await get('digits', headers)).toMatchObject({
        status: 503,
        headers: { 'retry-after': '1' },
        body: { error: 'The file was changed in Google Drive at this moment. Please try again.' },
      })
      const answer = await get('digits', headers)
      expect([answer.status, answer.body]).toEqual([status, sent])
      item.content = '0123456789'
      await tree()
    },
  )

  test('of a range is refused where Google sends the whole file', async () => {
    await tree()
    google.fault({ status: 200 })
    expect(await get('digits', { range: 'bytes=2-4' })).toMatchObject({
      status: 502,
      body: {
        error: 'Google Drive sent the whole file where a part was asked for. Please try again.',
      },
    })
  })

  test.each(['one', 'plan'])('of %s is not gone on with once it was cancelled', async (id) => {
    const drive = googleDrive({ key: google.key, folder: 'root', url: google.url })
    const opened = await drive.open(id)
    const cancelled = AbortSignal.abort(new Error('The download was cancelled'))
    await expect(opened.read(null, cancelled)).rejects.toThrow('The download was cancelled')
  })

  test.each([
    'outside',
    'gone',
    'questions',
    'pointer',
    'a',
    'root',
    'another-folder',
    '..%2F..%2Foauth2',
    'unknown',
  ])('of %s answers 404, although the account could see it', async (id) => {
    expect(await get(id)).toMatchObject({ status: 404, body: { error: missing } })
  })
})

describe("Google's refusals", () => {
  const busy = 'Google Drive is asked too often at the moment. Please try again in a minute.'
  const away = 'Google Drive is not available at the moment. Please try again.'
  test.each([
    [401, 'authError', 1, 502, 'Google does not accept the key of the shared drive. Tell an administrator.'],
    [
      403,
      'insufficientFilePermissions',
      1,
      502,
      'Google does not let the portal read this. Tell an administrator.',
    ],
    [403, 'rateLimitExceeded', 3, 503, busy],
    [403, 'userRateLimitExceeded', 3, 503, busy],
    [403, 'dailyLimitExceeded', 3, 503, busy],
    [403, 'sharingRateLimitExceeded', 3, 503, busy],
    [
      403,
      'exportSizeLimitExceeded',
      1,
      422,
      'This document is too large for Google to export it. Open it in Google Drive instead.',
    ],
    [404, 'notFound', 1, 404, missing],
    [400, 'badRequest', 1, 502, 'Google Drive refused the call with status 400. Tell an administrator.'],
    [429, 'rateLimitExceeded', 3, 503, busy],
    [500, 'backendError', 3, 503, away],
    [503, 'backendError', 3, 503, away],
  ])('%i %s, %i times, of a download is told as %i', async (status, reason, times, told, sentence) => {
    await tree()
    google.fault(...Array.from({ length: times }, () => ({ status, reason })))
    const answer = await get('one')
    expect(answer).toMatchObject({ status: told, body: { error: sentence } })
    expect(answer.headers['retry-after']).toBe({ [busy]: '60', [away]: '10' }[sentence])
    expect(answer.headers['content-disposition']).toBeUndefined()
    expect(google.left()).toBe(0)
  })

  test.each([429, 500, 503])('a %i that passes is not noticed', async (status) => {
    google.fault({ status }, { status })
    expect((await tree()).status).toBe(200)
    expect(google.left()).toBe(0)
  })

  test('of the manifest are reported too', async () => {
    google.fault({ status: 403, reason: 'forbidden' })
    expect(await tree()).toMatchObject({
      status: 502,
      body: { error: 'Google does not let the portal read this. Tell an administrator.' },
    })
  })

  test.each([
    [
      'of a key it does not know',
      () => ({ ...google.key, private_key: otherKey() }),
      502,
      /does not accept the key/,
    ],
    [
      'by not answering',
      () => ({ ...google.key, token_uri: 'http://127.0.0.1:9/token' }),
      503,
      /cannot be reached/,
    ],
  ])('%s never sign the person out', async (_, key, status, sentence) => {
    const app = await buildApp({
      db: portal.db,
      secret: Buffer.alloc(32, 7),
      config: { ...portal.config, drive: { google: { key: key(), folder: 'root', url: google.url } } },
    })
    const answer = await app.inject({
      method: 'GET',
      url: '/api/v2/drive',
      headers: { authorization: `Bearer ${clerk.token}` },
    })
    expect([answer.statusCode, answer.json().error]).toEqual([status, expect.stringMatching(sentence)])
    expect(answer.headers['retry-after']).toBe(status === 503 ? '10' : undefined)
    await app.close()
  })
})

describe('Google sends the portal elsewhere', () => {
  const asked: string[] = []
  const elsewhere = createServer((request, reply) => {
    asked.push(request.url ?? '')
    if (request.url === '/token') return void reply.writeHead(307, { location: `${google.url}/token` }).end()
    reply.end('{}')
  })
  let address = ''
  beforeAll(async () => {
    await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening))
    address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
  })
  beforeEach(() => void (asked.length = 0))
  afterAll(() => new Promise((closed) => elsewhere.close(closed)))
  const unreachable = {
    status: 503,
    body: { error: 'Google Drive cannot be reached at the moment. Please try again.' },
  }

  test.each([301, 302, 303, 307, 308])(
    'with %i for a file, and the portal does not go there',
    async (status) => {
      await tree()
      google.fault({ status, location: `${address}/stolen` })
      expect(await get('one')).toMatchObject(unreachable)
      expect([asked, google.left()]).toEqual([[], 0])
    },
  )

  test('for a token, and the portal does not go there', async () => {
    const key = { ...google.key, token_uri: `${address}/token` }
    const config = { ...portal.config, drive: { google: { key, folder: 'root', url: google.url } } }
    const app = await buildApp({ db: portal.db, secret: Buffer.alloc(32, 7), config })
    google.log.length = 0
    const headers = { authorization: `Bearer ${clerk.token}` }
    const answer = await app.inject({ method: 'GET', url: '/api/v2/drive', headers })
    expect({ status: answer.statusCode, body: answer.json() }).toMatchObject(unreachable)
    expect([asked.every((path) => path === '/token'), google.log]).toEqual([true, []])
    await app.close()
  })
})

const otherKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey
