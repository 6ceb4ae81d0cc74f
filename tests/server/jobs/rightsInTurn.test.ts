import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { permissions } from '../../../schemas/permissions.ts'
import { openTestPortal, type Answer, type Method, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { waitingForLocks } from '../../whileUncommitted.ts'

let portal: TestPortal
let staff: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
})
beforeEach(async () => {
  await portal.db.query(
    `update portal_user set permissions = $1, admin = true, masteragentid = 1 where username = 'staff'`,
    [permissions],
  )
  staff = await portal.login('staff')
})
afterAll(() => portal.close())

type Asked = [Method, path: string, body?: unknown, headers?: Record<string, string>]
const upload = (path: string, rows: string): Asked => [
  'POST',
  path,
  '--cut\r\nContent-Disposition: form-data; name="m.csv"; filename="m.csv"\r\n\r\n' +
    `XMID,DBA,Master Agent\n${rows}\n\r\n--cut--\r\n`,
  { 'content-type': 'multipart/form-data; boundary=cut' },
]
const record: Asked = ['GET', '/api/v1/merchant/1']
const report: Asked = ['POST', '/api/v1/report/equipment-outstanding', {}]
const change = { records: [{ id: 1, version: 1 }], values: { notes: 'x' } }
const many: Asked = ['POST', '/api/v1/merchant/bulk/preview', change]
const file = upload('/api/v1/file/merchant?dryrun=1', '4001,Shop,2')

const job = '00000000-0000-4000-8000-000000000001'
const followed = upload(`/api/v1/file/merchant?dryrun=1&job=${job}`, '4001,Shop,2')

/** What takes all turns while `merchant` is locked, and how many of it. */
const turns = {
  calls: [record, 4],
  reports: [report, 2],
  changes: [many, 1],
  imports: [file, 1],
} satisfies Record<string, [Asked, number]>

/** Whether the file has come, so that its sender was authorized a second time. */
async function isFileWaiting() {
  const [told] = await portal.db.query<{ waits: boolean }>(
    `select exists (select from job_progress where job = $1) or exists (select from inbox_file
      where claim is not null) as waits`,
    [job],
  )
  return told!.waits
}

/** The answer to a call that is judged, and waits for its turn while `meanwhile` is done. */
async function afterWaiting(kind: keyof typeof turns, asked: Asked, meanwhile: string): Promise<Answer> {
  const [holding, count] = turns[kind]
  const { answers } = await portal.db.transaction(async (tx) => {
    await tx.query('lock table merchant, equipment in access exclusive mode')
    const held = Array.from({ length: count }, () => staff.call(...holding))
    await expect.poll(() => waitingForLocks(portal.db), { interval: 10 }).toBe(count)
    await portal.db.query(`update session set used_at = now() - interval '2 minutes'`)
    const next = staff.call(...asked)
    const judged = () => portal.db.query(`select from session where used_at > now() - interval '1 minute'`)
    await expect.poll(judged, { interval: 10 }).toHaveLength(1)
    if (kind === 'imports') await expect.poll(isFileWaiting, { interval: 10 }).toBe(true)
    await portal.db.query(meanwhile)
    return { answers: Promise.all([next, ...held]) }
  })
  const [answer] = await answers
  return answer
}

describe.each<[string, keyof typeof turns, Asked]>([
  ['a call', 'calls', ['GET', '/api/v1/audit']],
  ['a report', 'reports', ['POST', '/api/v1/report/user-access', {}]],
  ['the file of a report', 'reports', ['POST', '/api/v1/report/user-access/export?format=csv', {}]],
  ['the file of a list', 'reports', ['GET', '/api/v1/user/export?format=csv']],
  ['the file of the audit', 'reports', ['GET', '/api/v1/audit/export?format=csv']],
  ['the file of a comparison of months', 'reports', ['GET', '/api/v1/month/2026-10/variance/file']],
  ['a preview of many records', 'changes', many],
  ['a bulk change', 'changes', ['POST', '/api/v1/merchant/bulk', { ...change, fingerprint: '0'.repeat(64) }]],
  ['the undo of a bulk change', 'changes', ['POST', '/api/v1/merchant/bulk/1/undo']],
  ['a file to import', 'imports', followed],
  ['a file of the inbox', 'imports', upload('/api/v1/inbox', '4002,Shop,2')],
])('%s that waits for its turn', (_, kind, asked) => {
  test('is refused when its session is ended meanwhile', async () => {
    expect((await afterWaiting(kind, asked, 'delete from session')).status).toBe(401)
  })

  test('is refused when the right to it is taken meanwhile', async () => {
    const taken = `update portal_user set permissions = '{}', admin = false where username = 'staff'`
    expect((await afterWaiting(kind, asked, taken)).status).toBe(403)
  })
})

describe('who sees a branch alone by the time the turn comes', () => {
  const narrowed = `update portal_user set admin = false, permissions = '{import_files}', masteragentid = 5
    where username = 'staff'`

  test.each<[string, keyof typeof turns, Asked, (answer: Answer) => unknown]>([
    ['the file of a list', 'reports', ['GET', '/api/v1/masteragent/export?format=csv'], ({ body }) => body],
    ['a preview of a file', 'imports', followed, ({ body }) => body.rejected],
  ])('is answered %s of the branch', async (_, kind, asked, shown) => {
    const all = shown(await staff.call(...asked))
    const waited = shown(await afterWaiting(kind, asked, narrowed))
    expect(waited).not.toEqual(all)
    expect(waited).toEqual(shown(await staff.call(...asked)))
  })

  test('is refused a file of the inbox that somebody else added', async () => {
    const admin = await portal.login('admin')
    const { body } = await admin.call(...upload('/api/v1/inbox', '4003,Shop,5'))
    const imported: Asked = ['POST', `/api/v1/inbox/${body.id}/import`, {}]
    expect((await afterWaiting('imports', imported, narrowed)).status).toBe(404)
    expect(await portal.db.query(`select from merchant where xmid = '4003'`)).toEqual([])
  })
})
