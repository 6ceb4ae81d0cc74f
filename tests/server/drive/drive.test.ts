import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { parse } from 'content-disposition'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DriveNode } from '../../../schemas/api/drive.ts'
import { cachedScan } from '../../../server/drive/drive.ts'
import { folderDrive } from '../../../server/drive/folder.ts'
import { mimeTypeOf } from '../../../server/drive/mimeTypes.ts'
import { asStranger, folder, removeFolders } from '../../fixtures/folders.ts'
import { testSecret } from '../../setup/postgres.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

const missing =
  'This file is not in the shared drive. It may have been removed or renamed since its list was read'
let base: string
let root: string
let portal: TestPortal
let clerk: SignedIn
const put = async (path: string, content: string | Buffer) => {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}
const names = [
  'plain.txt',
  'with spaces and (brackets).txt',
  'Señora & Café.txt',
  '案内.txt',
  'дом.pdf',
  'ملف.csv',
  '🙂.txt',
  `it's "quoted".txt`,
  '100%.txt',
  'semi;colon.txt',
  'new\nline.txt',
  '-rf',
  'no-ending',
  'a.constructor',
]

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'drive-'))
  root = join(base, 'shared')
  await put('digits.txt', '0123456789')
  await put('empty.txt', '')
  await put('a/b/c/deep.txt', 'deep')
  await put('a/b/deep.txt', 'less deep')
  await put('page.html', '<script>alert(1)</script>')
  await put('picture.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
  await put('.hidden', 'hidden')
  await put('.folder/inside.txt', 'hidden too')
  for (const name of names) await put(`names/${name}`, name)
  await mkdir(join(root, 'bare'))
  await utimes(join(root, 'digits.txt'), 1_700_000_000, 1_700_000_000.7)
  await writeFile(join(base, 'secret.txt'), 'secret')
  await mkdir(join(base, 'elsewhere'))
  await writeFile(join(base, 'elsewhere', 'other.txt'), 'other')
  await symlink(join(base, 'secret.txt'), join(root, 'link.txt'))
  await symlink('../secret.txt', join(root, 'relative.txt'))
  await symlink(join(base, 'elsewhere'), join(root, 'linked'))
  await symlink('digits.txt', join(root, 'inside.txt'))
  await symlink(root, join(root, 'a', 'round'))
  portal = await openTestPortal({ drive: { folder: root, createIfMissing: false } })
  clerk = await portal.login('clerk')
})
afterAll(async () => {
  await portal.close()
  await rm(base, { recursive: true })
})

const flat = (nodes: readonly DriveNode[], path = ''): [string, DriveNode][] =>
  nodes.flatMap((node) => [
    [path + node.name, node] as [string, DriveNode],
    ...flat(node.children, `${path}${node.name}/`),
  ])
const tree = async () => new Map(flat((await clerk.call('GET', '/api/v2/drive')).body.data))
const idOf = async (path: string) => (await tree()).get(path)!.id
const get = async (path: string, headers: Record<string, string> = {}) =>
  clerk.call('GET', `/api/v2/files/${await idOf(path)}`, undefined, headers)

describe('the manifest', () => {
  test('holds the files and folders below the folder with size and time, no hidden ones and nothing behind a symbolic link', async () => {
    const all = await tree()
    const expected = [
      'digits.txt',
      'empty.txt',
      'a',
      'a/b',
      'a/b/c',
      'a/b/c/deep.txt',
      'a/b/deep.txt',
      'page.html',
      'picture.svg',
      'bare',
      'names',
      ...names.map((name) => `names/${name}`),
    ]
    expect([...all.keys()].sort()).toEqual(expected.sort())
    expect(all.get('digits.txt')).toMatchObject({
      name: 'digits.txt',
      mimeType: 'text/plain',
      size: 10,
      modified: 1_700_000_000,
      children: [],
    })
    expect(all.get('bare')).toMatchObject({
      mimeType: 'application/vnd.google-apps.folder',
      size: null,
      modified: null,
      children: [],
    })
  })

  test('gives ids that reveal nothing of names or paths, each its own, the same every time', async () => {
    const all = await tree()
    const ids = [...all.values()].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[\w-]{32}$/)
    expect([...(await tree()).values()].map(({ id }) => id)).toEqual(ids)
  })

  test('gives ids that follow from the secret of the portal, and others under another secret', async () => {
    const idsBy = async (secret: Buffer) => {
      const drive = folderDrive({ folder: root, createIfMissing: false, secret })
      return flat(await drive.tree()).map(([, { id }]) => id)
    }
    const [ids, others] = [await idsBy(testSecret), await idsBy(Buffer.alloc(32, 1))]
    expect(await idsBy(testSecret)).toEqual(ids)
    expect(ids.filter((id) => others.includes(id))).toEqual([])
  })

  test.runIf(process.platform === 'linux')('leaves out a folder whose name is no text', async () => {
    const path = Buffer.from(`${root}/\xff`, 'latin1')
    await mkdir(path)
    const names = [...(await tree()).keys()]
    await rm(path, { recursive: true })
    expect(names.filter((name) => name.includes('\ufffd'))).toEqual([])
  })

  test('shows a folder that is closed to the portal empty, and is unavailable where all of it is closed', async () => {
    const closed = folder()
    for (const name of ['a', 'b']) {
      await mkdir(join(closed, name))
      await writeFile(join(closed, name, 'in.txt'), 'in')
    }
    const { tree: read } = folderDrive({ folder: closed, createIfMissing: false, secret: testSecret })
    const shut = process.getuid?.() === 0 ? 0o700 : 0
    await chmod(join(closed, 'a'), shut)
    const paths = async () => flat(await asStranger(read)).map(([path]) => path)
    expect((await paths()).sort()).toEqual(['a', 'b', 'b/in.txt'])
    await chmod(closed, shut)
    await expect(paths()).rejects.toMatchObject({ status: 503, extra: { retryAfter: 10 } })
    for (const path of [closed, join(closed, 'a')]) await chmod(path, 0o700)
    removeFolders()
  })

  test.each([true, false])(
    'is empty without its folder, if it is to be made: %s',
    async (createIfMissing) => {
      const missingFolder = join(base, `missing-${createIfMissing}`, 'drive')
      const { tree: read } = folderDrive({ folder: missingFolder, createIfMissing, secret: testSecret })
      if (createIfMissing) expect(await read()).toEqual([])
      else await expect(read()).rejects.toMatchObject({ status: 503 })
      expect(existsSync(missingFolder)).toBe(createIfMissing)
    },
  )

  test('shows a new file at once', async () => {
    await put('fresh.txt', 'fresh')
    expect((await get('fresh.txt')).body).toBe('fresh')
    await rm(join(root, 'fresh.txt'))
  })
})

describe('a download', () => {
  test.each(names)('of %j comes under its own name', async (name) => {
    const { status, body, headers } = await get(`names/${name}`)
    expect([status, body]).toEqual([200, name])
    expect(parse(String(headers['content-disposition']))).toMatchObject({
      type: 'attachment',
      parameters: { filename: name },
    })
    expect(String(headers['content-disposition'])).toMatch(/^[\x20-\x7e]*$/)
  })

  test.each([
    ['page.html', 'text/html'],
    ['picture.svg', 'image/svg+xml'],
  ])('of %s can neither be shown nor run', async (path, type) => {
    const { headers } = await get(path)
    expect(headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(headers['content-disposition']).toMatch(/^attachment/)
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
  })

  test('of an empty file is empty', async () => {
    const { status, body, headers } = await get('empty.txt')
    expect([status, body, headers['content-length']]).toEqual([200, '', '0'])
  })

  test('needs a session', async () => {
    const id = await idOf('digits.txt')
    const stranger = await portal.stranger()
    expect((await stranger.call('GET', '/api/v2/drive')).status).toBe(401)
    expect((await stranger.call('GET', `/api/v2/files/${id}`)).status).toBe(401)
  })
})

describe('what an id cannot lead to', () => {
  test.each([
    '..%2Fsecret.txt',
    '..%2f..%2fetc%2fpasswd',
    '%2Fetc%2Fpasswd',
    '....%2F%2Fsecret.txt',
    '..',
    '.',
    '%2e%2e%2fsecret.txt',
    '%252e%252e%252fsecret.txt',
    '..%5Csecret.txt',
    'digits.txt',
    'digits.txt%00.png',
    '%00',
    'link.txt',
    'linked%2Fother.txt',
    '.hidden',
    'a%2Fb%2Fc%2Fdeep.txt',
    '~',
    'null',
    'constructor',
    '__proto__',
    'A'.repeat(200),
    '%F0%9F%99%82',
    "'%20or%20'1'%3D'1",
  ])('%s', async (id) => {
    const { status, body } = await clerk.call('GET', `/api/v2/files/${id}`)
    expect(status).toBe(404)
    expect(String(body.error ?? body)).not.toContain('secret')
  })

  test('a folder is not found as a file', async () => {
    expect(await clerk.call('GET', `/api/v2/files/${await idOf('a')}`)).toMatchObject({
      status: 404,
      body: { error: missing },
    })
  })

  test('a file that was exchanged for a symbolic link after it was listed', async () => {
    await put('turned.txt', 'mine')
    const id = await idOf('turned.txt')
    await rm(join(root, 'turned.txt'))
    await symlink(join(base, 'secret.txt'), join(root, 'turned.txt'))
    expect((await clerk.call('GET', `/api/v2/files/${id}`)).status).toBe(404)
    await rm(join(root, 'turned.txt'))
  })

  test.runIf(process.platform === 'linux')(
    'a file that was exchanged for a pipe after it was listed, into which nobody writes',
    async () => {
      await put('piped.txt', 'mine')
      const id = await idOf('piped.txt')
      await rm(join(root, 'piped.txt'))
      execFileSync('mkfifo', [join(root, 'piped.txt')])
      expect((await clerk.call('GET', `/api/v2/files/${id}`)).status).toBe(404)
      await rm(join(root, 'piped.txt'))
    },
  )

  test('a file whose folder was exchanged for a symbolic link after it was listed', async () => {
    await put('moved/other.txt', 'mine')
    const id = await idOf('moved/other.txt')
    await rm(join(root, 'moved'), { recursive: true })
    await symlink(join(base, 'elsewhere'), join(root, 'moved'))
    expect((await clerk.call('GET', `/api/v2/files/${id}`)).status).toBe(404)
    const other = await realpath(join(base, 'elsewhere', 'other.txt'))
    if (process.platform === 'linux') expect(await openPaths()).not.toContain(other)
    await rm(join(root, 'moved'))
  })
})

/** The paths of all files that this process has open; read from /proc, which only Linux has. */
const openPaths = async () => {
  const opened = await readdir('/proc/self/fd')
  return Promise.all(opened.map((fd) => readlink(join('/proc/self/fd', fd)).catch(() => 'closed meanwhile')))
}

test.runIf(process.platform === 'linux')('an empty file does not stay open once it was sent', async () => {
  expect((await get('empty.txt')).status).toBe(200)
  const path = join(await realpath(root), 'empty.txt')
  expect(await openPaths()).not.toContain(path)
})

test.runIf(process.platform === 'linux')(
  'a file whose download cannot be written to the audit is not sent, and does not stay open',
  async () => {
    await portal.db.query(
      `create function refuse_audit() returns trigger language plpgsql as $$
        begin raise exception 'No space left on device' using errcode = '53100'; end $$;
      create trigger refuse_audit before insert or update on audit for each row execute function refuse_audit()`,
    )
    const { status, body } = await get('digits.txt')
    await portal.db.query('drop trigger refuse_audit on audit')
    expect([status, String(body)]).toEqual([507, expect.not.stringContaining('0123456789')])
    const path = join(await realpath(root), 'digits.txt')
    await expect.poll(openPaths).not.toContain(path)
  },
)

describe('a range of 0123456789', () => {
  test.each<[string, number, string, string | undefined]>([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-30', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=9-9', 206, '9', 'bytes 9-9/10'],
    ['bytes=8-100', 206, '89', 'bytes 8-9/10'],
    ['BYTES=1-2', 206, '12', 'bytes 1-2/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=10-20', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=5-2', 200, '0123456789', undefined],
    ['bytes=0-1,4-5', 200, '0123456789', undefined],
    ['bytes=-', 200, '0123456789', undefined],
    ['bytes=a-b', 200, '0123456789', undefined],
    ['lines=0-1', 200, '0123456789', undefined],
  ])('%s is answered %i', async (range, status, content, contentRange) => {
    const answer = await get('digits.txt', { range })
    expect(answer.status).toBe(status)
    expect(answer.headers['content-range']).toBe(contentRange)
    if (status === 416)
      expect(answer.body.error).toBe('The file has 10 bytes: there is nothing in this range')
    else
      expect([answer.body, answer.headers['content-length'], answer.headers['accept-ranges']]).toEqual([
        content,
        String(content.length),
        'bytes',
      ])
  })

  test('of an empty file is never there', async () => {
    for (const range of ['bytes=0-0', 'bytes=-1'])
      expect((await get('empty.txt', { range })).headers['content-range']).toBe('bytes */0')
  })

  test.runIf(process.platform === 'linux')('that is refused leaves no file open', async () => {
    expect((await get('digits.txt', { range: 'bytes=10-' })).status).toBe(416)
    expect(await openPaths()).not.toContain(join(await realpath(root), 'digits.txt'))
  })

  test('is the whole file once it has changed, in the same second and to the same length too', async () => {
    const { headers } = await get('digits.txt')
    const etag = String(headers['etag'])
    expect((await get('digits.txt', { range: 'bytes=0-3', 'if-range': etag })).status).toBe(206)
    await utimes(join(root, 'digits.txt'), 1_700_000_000, 1_700_000_000.5)
    expect((await get('digits.txt', { range: 'bytes=0-3', 'if-range': etag })).status).toBe(200)
    await utimes(join(root, 'digits.txt'), 1_700_000_000, 1_700_000_000)
  })

  test('is the whole file once it has another length, although its time is as it was', async () => {
    await put('longer.txt', '0123456789')
    await utimes(join(root, 'longer.txt'), 1_700_000_000, 1_700_000_000)
    const etag = String((await get('longer.txt')).headers['etag'])
    await put('longer.txt', '0123456789a')
    await utimes(join(root, 'longer.txt'), 1_700_000_000, 1_700_000_000)
    const { status, body } = await get('longer.txt', { range: 'bytes=0-3', 'if-range': etag })
    expect([status, body]).toEqual([200, '0123456789a'])
    await rm(join(root, 'longer.txt'))
  })
})

test('calls during a scan share it, and one that failed is made again', async () => {
  let scans = 0
  let isAway = true
  const scanned = cachedScan(async () => {
    scans += 1
    await setImmediate()
    if (isAway) throw new Error('away')
    return { nodes: [], files: new Map([['known', 'a.txt']]) }
  })
  const both = () => Promise.all([scanned.tree(), scanned.find('known')])
  await expect(both()).rejects.toThrow('away')
  isAway = false
  expect([await both(), scans]).toEqual([[[], 'a.txt'], 2])
})

test.each([
  ['known', 29_999, 1],
  ['known', 30_000, 2],
  ['unknown', 1_999, 1],
  ['unknown', 2_000, 2],
])('for the %s id the folder was scanned, after %i ms, %i times', async (id, after, times) => {
  let [clock, scans] = [0, 0]
  const scan = async () => {
    scans += 1
    return { nodes: [], files: new Map([['known', 'a.txt']]) }
  }
  const scanned = cachedScan(scan, () => clock)
  await scanned.tree()
  clock = after
  const found = await scanned.find(id).catch(({ status }: { status: number }) => status)
  expect([found, scans]).toEqual([id === 'known' ? 'a.txt' : 404, times])
})

test('a scan is trusted by its own time, however many there were before it', async () => {
  let [clock, scans] = [0, 0]
  const scanned = cachedScan(
    async () => {
      scans += 1
      return { nodes: [], files: new Map([['known', 'a.txt']]) }
    },
    () => clock,
  )
  const counts = []
  for (clock of [0, 30_000, 59_999, 60_000, 60_001]) {
    await scanned.find('known')
    counts.push(scans)
  }
  expect(counts).toEqual([1, 2, 2, 3, 3])
})

test('a folder that is away is reported as such, and is there again when it comes back', async () => {
  const away = await openTestPortal({ drive: { folder: join(base, 'away'), createIfMissing: false } })
  const other = await away.login('clerk')
  expect(await other.call('GET', '/api/v2/drive')).toMatchObject({
    status: 503,
    headers: { 'retry-after': '10' },
    body: { error: /cannot be read at the moment/ },
  })
  await mkdir(join(base, 'away'))
  expect((await other.call('GET', '/api/v2/drive')).body).toEqual({ data: [] })
  await away.close()
})

test('a file has the mime type of its extension, in capitals too, and another the one of bytes', () => {
  const office = 'application/vnd.openxmlformats-officedocument'
  const expected = {
    csv: 'text/csv',
    doc: 'application/msword',
    docx: `${office}.wordprocessingml.document`,
    eml: 'message/rfc822',
    gif: 'image/gif',
    htm: 'text/html',
    html: 'text/html',
    jpeg: 'image/jpeg',
    jpg: 'image/jpeg',
    json: 'application/json',
    mp4: 'video/mp4',
    pdf: 'application/pdf',
    png: 'image/png',
    ppt: 'application/vnd.ms-powerpoint',
    pptx: `${office}.presentationml.presentation`,
    svg: 'image/svg+xml',
    txt: 'text/plain',
    xls: 'application/vnd.ms-excel',
    xlsx: `${office}.spreadsheetml.sheet`,
    xml: 'application/xml',
    zip: 'application/zip',
    exe: 'application/octet-stream',
  }
  const ofNames = (nameOf: (extension: string) => string) =>
    Object.fromEntries(Object.keys(expected).map((extension) => [extension, mimeTypeOf(nameOf(extension))]))
  expect(ofNames((extension) => `May.2026 a.${extension}`)).toEqual(expected)
  expect(ofNames((extension) => `.${extension.toUpperCase()}`)).toEqual(expected)
  for (const name of ['pdf', 'a.pdf.', 'a.pdf ', 'a.constructor', ''])
    expect(mimeTypeOf(name)).toBe(expected.exe)
})

test.each([
  [null, '0123456789'],
  [{ start: 8, end: 9 }, '89'],
])('of a file that grows after it was opened only what its size says is sent: %j', async (range, content) => {
  const growing = await mkdtemp(join(base, 'growing-'))
  await writeFile(join(growing, 'log.txt'), '0123456789')
  const drive = folderDrive({ folder: growing, createIfMissing: false, secret: testSecret })
  const [node] = await drive.tree()
  const file = await drive.open(node!.id)
  await appendFile(join(growing, 'log.txt'), 'and more')
  expect([file.size, await text(await file.read(range, new AbortController().signal))]).toEqual([10, content])
})
