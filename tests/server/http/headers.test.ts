import { afterEach, expect, test } from 'vitest'
import { world, type World } from '../../world.ts'

let portal: World
afterEach(() => portal.close())

const cookies = (headers: Record<string, unknown>) => [headers['set-cookie']].flat().map(String)

test.each<[string, string | null, boolean]>([
  ['no address', null, false],
  ['an http address', 'http://portal.example.com', false],
  ['an https address', 'https://portal.example.com', true],
])('with %s (%s) HSTS is sent and the cookies are Secure: %s', async (_, publicUrl, isSecure) => {
  portal = await world({ publicUrl })
  const first = await portal.app.inject({ method: 'GET', url: '/healthz' })
  const stranger = await portal.stranger()
  const { username, password } = portal.people['staff']!
  const session = await stranger.call('PUT', '/api/v1/login', { username, password })
  expect(session.status).toBe(200)
  for (const headers of [first.headers, session.headers]) {
    expect(headers['strict-transport-security']).toEqual(
      isSecure ? expect.stringMatching(/^max-age=31536000/) : undefined,
    )
    const [cookie, ...others] = cookies(headers)
    expect(others).toEqual([])
    expect(cookie).toMatch(/^XSRF-TOKEN=[^;]+; Path=\//)
    expect(cookie).toContain('SameSite=Strict')
    // A browser gives back no Secure cookie over http, and then no call but a GET would pass.
    expect(/; ?Secure/.test(cookie!)).toBe(isSecure)
  }
})
