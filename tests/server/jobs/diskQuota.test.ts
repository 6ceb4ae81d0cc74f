import { pbkdf2 } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../server/config/config.ts'
import { defaultImportLimits } from '../../../server/config/importLimits.ts'
import { uploadQuota } from '../../../server/imports/upload.ts'
import { createDiskQuota, writeNewFile } from '../../../server/jobs/diskQuota.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { fileTicket, formOf } from '../../ticket.ts'

const open = ({ limit = 1e9, freeDiskMb = 0 } = {}) => {
  const folder = mkdtempSync(`${tmpdir()}/room-`)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return createDiskQuota({ folder, limit, freeDiskMb, tooMany: 'Too many.' })
}

test.each([
  [999, null],
  [1_000, null],
  [1_001, 429],
])('of a limit of 1,000 bytes two calls of a user hold %d in all: %s', async (bytes, refused) => {
  const quotaOf = open({ limit: 1_000 })
  const [first, second] = [quotaOf('ann'), quotaOf('ann')]
  await first.take(600)
  await second.take(300)
  const last = second.take(bytes - 900)
  if (refused === null) await last
  else await expect(last).rejects.toMatchObject({ status: refused, extra: { retryAfter: 30 } })
  await quotaOf('bob').take(1_000)
  second.free()
  second.free()
  // What was given back twice is there once.
  const third = quotaOf('ann')
  await third.take(400)
  await expect(third.take(1)).rejects.toMatchObject({ status: 429 })
  first.free()
  third.free()
  await quotaOf('ann').take(1_000)
})

test('the disk is looked at before the first byte and again while it is full', async () => {
  const quotaOf = open({ freeDiskMb: 1e9 })
  const message =
    'The server has no room for the file: 1,000,000,000 MB of its disk must stay free. Please tell an administrator.'
  for (const user of ['ann', 'ann', 'bob'])
    await expect(quotaOf(user).take(1)).rejects.toMatchObject({ status: 507, message })
})

test.each([
  [15_999_999, null],
  [16_000_000, 'ENOENT'],
  [16_000_001, 'ENOENT'],
])('after %i bytes more, of all users, the disk is looked at again: %s', async (bytes, fault) => {
  const disk = mkdtempSync(`${tmpdir()}/room-`)
  const quotaOf = createDiskQuota({ folder: disk, limit: 1e9, freeDiskMb: 0, tooMany: 'Too many.' })
  // Each look begins to count anew.
  for (const bytes of [1, 16_000_000]) await quotaOf('ann').take(bytes)
  // From now on a look fails.
  rmSync(disk, { recursive: true })
  await quotaOf('ann').take(10_000_000)
  const last = quotaOf('bob').take(bytes - 10_000_000)
  if (fault === null) await last
  else await expect(last).rejects.toMatchObject({ code: fault })
})

test('the uploads of one person hold three files of the largest size, and not a byte more', async () => {
  const folder = mkdtempSync(`${tmpdir()}/room-`)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const config = readConfig({ DATA_DIR: folder })
  const ann = uploadQuota({
    ...config,
    uploadLimit: 1_000,
    importLimits: { ...config.importLimits, freeDiskMb: 0 },
  })('ann')
  mkdirSync(join(folder, 'tmp'))
  await ann.take(3_000)
  await expect(ann.take(1)).rejects.toMatchObject({ status: 429 })
})

test('a file whose first bytes are refused is created before the refusal comes, so that it can be removed', async () => {
  const folder = mkdtempSync(`${tmpdir()}/room-`)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'file')
  const refuse = () => Promise.reject(new Error('refused'))
  // Calls of the file system run in the same threads, and wait.
  const threads = Array.from({ length: 8 }, () => promisify(pbkdf2)('', '', 100_000, 64, 'sha512'))
  await expect(writeNewFile(Readable.from(['x']), refuse, path)).rejects.toThrow('refused')
  expect(existsSync(path)).toBe(true)
  await Promise.all(threads)
})

describe('of what one person may have on the disk', () => {
  let portal: TestPortal
  let admin: SignedIn
  beforeAll(async () => {
    portal = await openTestPortal({ uploadLimit: 1_000 })
    admin = await portal.login('admin')
    await portal.db.query(`update portal_user set email = 'admin@example.com' where username = 'admin'`)
  })
  afterAll(() => portal.close())

  const content = `XMID,DBA\n1,${'x'.repeat(900)}\n`
  const form = formOf({}, [{ name: 'merchants.csv', content }])
  const upload = (path: string) => () => admin.call('POST', `/api/v1/${path}`, form.body, form.headers)
  test.each([
    ['an import', upload('file/merchant')],
    ['a fix file', upload('file/merchant/rejected')],
    ['a file for the inbox', upload('inbox')],
    ['an attachment', () => fileTicket(admin, {}, [{ name: 'a.txt', content }])],
    [
      'an attachment of a refused ticket',
      () => fileTicket(admin, { subject: '' }, [{ name: 'a.txt', content }]),
    ],
  ])('%s takes nothing when its call is done', async (_, send) => {
    // Three files of the largest size are as many as fit.
    for (const n of [1, 2, 3, 4]) expect((await send()).status, String(n)).not.toBe(429)
  })

  test('what has not come to its end counts for who sends it, and for nobody else', async () => {
    await portal.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = portal.app.server.address() as AddressInfo
    const staff = await portal.login('staff')
    await portal.db.query(`update portal_user set email = 'staff@example.com' where username = 'staff'`)
    for (let n = 0; n < 3; n += 1) {
      const sent = request({
        port,
        host: '127.0.0.1',
        path: '/api/v1/inbox',
        method: 'POST',
        headers: {
          authorization: `Bearer ${admin.token}`,
          cookie: `XSRF-TOKEN=${admin.cookie}`,
          'x-xsrf-token': admin.cookie,
          'content-length': Buffer.byteLength(form.body),
          ...form.headers,
        },
      })
      sent.on('error', () => {})
      onTestFinished(() => void sent.destroy())
      sent.write(form.body.subarray(0, -50))
    }
    const tmp = join(portal.config.dataDir, 'tmp')
    const sizes = () => readdirSync(tmp).map((name) => statSync(join(tmp, name)).size > 800)
    await expect.poll(sizes, { interval: 20 }).toEqual([true, true, true])
    const statuses = async (who: SignedIn) => [
      ...(await Promise.all(
        ['file/merchant', 'file/merchant/rejected', 'inbox'].map(
          async (path) => (await who.call('POST', `/api/v1/${path}`, form.body, form.headers)).status,
        ),
      )),
      (await fileTicket(who, {}, [{ name: 'a.txt', content }])).status,
    ]
    expect(await statuses(admin)).toEqual([429, 429, 429, 429])
    expect(await statuses(staff)).not.toContain(429)
  })
})

test('an import, its fix file, a file for the inbox and an attachment are refused where the disk has no room', async () => {
  const dataDir = mkdtempSync(`${tmpdir()}/room-`)
  const portal = await openTestPortal({ dataDir, importLimits: { ...defaultImportLimits, freeDiskMb: 1e9 } })
  onTestFinished(async () => {
    await portal.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const admin = await portal.login('admin')
  await portal.db.query(`update portal_user set email = 'admin@example.com' where username = 'admin'`)
  const { body, headers } = formOf({}, [{ name: 'merchants.csv', content: 'XMID,DBA\n1,Shop\n' }])
  const paths = ['/api/v1/file/merchant', '/api/v1/file/merchant/rejected', '/api/v1/inbox']
  const uploads = paths.map((path) => admin.call('POST', path, body, headers))
  const answers = await Promise.all([...uploads, fileTicket(admin, {}, [{ name: 'a.txt', content: 'a' }])])
  const sentence =
    'The server has no room for the file: 1,000,000,000 MB of its disk must stay free. Please tell an administrator.'
  expect(answers.map((answer) => [answer.status, answer.body.error])).toEqual(
    Array.from({ length: 4 }, () => [507, sentence]),
  )
  expect(readdirSync(`${dataDir}/tmp`)).toEqual([])
})
