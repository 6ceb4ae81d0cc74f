import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDom } from '../models/dom.tsx'
import { ok, type Driver } from '../models/driver.ts'
import { recorder } from '../mbt/coverage.ts'
import { sessionMachine } from '../../machines/session.machine.ts'
import { world, type World } from '../world.ts'

let it: World
beforeAll(async () => {
  it = await world()
})
afterAll(() => it.close())

async function walk(d: Driver) {
  const staff = it.people.staff!
  await d.go('/manage/merchants?page=2')
  await d.fill('Username', staff.username)
  await d.fill('Password', staff.password)
  await d.press('Login')
  await d.eventually(async () => ok(await d.count('heading', 'Merchants'), 'not there'))
  const before = d.network.calls('PUT /api/v1/renew').length
  await d.elapse(300_000, 1)
  expect(d.network.calls('PUT /api/v1/renew').length).toBe(before)
  await d.pass(1)
  await d.eventually(() => ok(d.network.calls('PUT /api/v1/renew').length === before + 1, 'no renewal'))
  expect(d.url()).toBe('/manage/merchants?page=2')
  await d.press(/Welcome, staff/)
  await d.press('Logout', { role: 'menuitem' })
  await d.eventually(async () => ok(await d.count('button', 'Login'), 'still in'))
}

test('a first walk', async () => {
  const seen = recorder()
  const d = openDom(it, { inspect: seen.inspect })
  try {
    await walk(d)
  } finally {
    await d.close()
  }
})
