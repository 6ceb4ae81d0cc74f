import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { imports } from '../../../schemas/imports/imports.ts'
import { permissions } from '../../../schemas/permissions.ts'
import { screens } from '../../../src/app/screenTable.tsx'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
/** Both hold every permission; the one sees the branch of master agent 2, the other all. */
let branch: SignedIn
let staff: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  await portal.db.query(`update portal_user set permissions = $1 where username = 'agent'`, [permissions])
  ;[branch, staff] = await Promise.all([portal.login('agent'), portal.login('staff')])
}, 60_000)
afterAll(() => portal.close())

const seesAll = 'Needs the sight of all master agents'

describe('processor statements', () => {
  test('are read, typed, changed and deleted only by those who see all master agents', async () => {
    const path = '/api/v1/processorstatement'
    const { body } = await staff.call('POST', path, { processor: 'P', month: '2090-01', statednet: 5 })
    const calls = [
      ['GET', path],
      ['GET', `${path}/${body.id}`],
      ['POST', path, { nonsense: 1 }],
      ['PUT', `${path}/${body.id}`, { version: body.version, note: 'n' }],
      ['DELETE', `${path}/${body.id}`],
    ] as const
    for (const [method, url, sent] of calls) {
      expect((await branch.call(method, url, sent)).status, method).toBe(403)
      expect((await staff.call(method, url, sent)).status, method).not.toBe(403)
    }
  })
})

describe('an import', () => {
  const kinds = Object.keys(imports)
  const calls = (kind: string) =>
    [
      ['POST', `/api/v1/file/${kind}`],
      ['POST', `/api/v1/file/${kind}?dryrun=1`],
      ['POST', `/api/v1/file/${kind}/rejected`],
      ['GET', `/api/v1/file/${kind}/template`],
      ['GET', `/api/v1/file/${kind}/history`],
      ['GET', `/api/v1/file/${kind}/progress/8c5b9a5c-0b0e-4f7e-9d57-9b1f5a0b6a11`],
      ['POST', `/api/v1/file/${kind}/999999/undo`],
    ] as const

  test.each(kinds)('of the kind %s is refused to a branch if it is compensation data', async (kind) => {
    for (const [method, url] of calls(kind)) {
      const answer = await branch.call(method, url)
      expect(answer.status === 403, `${method} ${url}: ${answer.status}`).toBe(kind === 'compdata')
      expect((await staff.call(method, url)).status, url).not.toBe(403)
    }
  })

  test('of compensation data says why it is refused', async () => {
    expect(await branch.call('GET', '/api/v1/file/compdata/history')).toMatchObject({
      status: 403,
      body: { error: seesAll },
    })
  })
})

test('the session says who sees all, by flag, office account or neither, and the menu follows', async () => {
  const menu = async (name: string) => {
    const { username, password } = portal.people[name]!
    const { body } = await (await portal.stranger()).call('PUT', '/api/v1/login', { username, password })
    const viewer = { ...body, username }
    const shown = [
      '/manage/statements',
      '/import/compensation',
      '/manage/adjustments',
      '/import/merchants',
    ].filter((path) => screens.find((screen) => screen.path === path)!.allow(viewer))
    return [body.seesall, shown]
  }
  const all = ['/manage/statements', '/import/compensation', '/manage/adjustments', '/import/merchants']
  expect(await menu('admin')).toEqual([true, all])
  expect(await menu('staff')).toEqual([true, all])
  expect(await menu('agent')).toEqual([false, all.slice(2)])
  await portal.db.query(`update portal_user set masteragentid = null where username = 'agent'`)
  expect(await menu('agent')).toEqual([false, all.slice(2)])
})
