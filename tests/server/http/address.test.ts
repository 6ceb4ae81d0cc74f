import { describe, expect, test } from 'vitest'
import type { TrustedProxies } from '../../../server/config/proxy.ts'
import { bareAddress, networkOf } from '../../../server/http/address.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal

type Case = [name: string, from: string, forwarded: string | undefined, address: string]

/** Signs in and accepts the terms, and answers the addresses that attempts, audit and acceptance name. */
const addressesOf = async (from: string, forwarded: string | undefined) => {
  const visitor = await portal.stranger()
  const { username, password } = portal.people.newcomer!
  const send = async (
    method: 'GET' | 'PUT' | 'POST',
    url: string,
    payload: object,
    token?: string,
    cookie?: string,
  ) =>
    portal.app.inject({
      method,
      url,
      ...(method !== 'GET' && { payload }),
      remoteAddress: from,
      headers: {
        cookie: `XSRF-TOKEN=${cookie ?? visitor.cookie}`,
        'x-xsrf-token': cookie ?? visitor.cookie,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
        'x-real-ip': '6.6.6.6',
        forwarded: 'for=6.6.6.6',
      },
    })
  await portal.db.query('delete from login_attempt; delete from terms_acceptance; delete from audit_repeat')
  expect((await send('PUT', '/api/v1/login', { username, password: 'wrong' })).statusCode).toBe(401)
  const [attempt] = await portal.db.query<{ address: string }>('select address from login_attempt')
  const reply = await send('PUT', '/api/v1/login', { username, password })
  const token = reply.json().access_token as string
  const cookie = /XSRF-TOKEN=([^;]+)/.exec(String(reply.headers['set-cookie']))![1]!
  expect((await send('POST', '/api/v1/tc/accept', {}, token, cookie)).statusCode).toBe(204)
  const [accepted] = await portal.db.query<{ ipaddress: string }>('select ipaddress from terms_acceptance')
  expect((await send('GET', '/api/v1/audit', {}, token, cookie)).statusCode).toBe(403)
  const audited = await portal.db.query<{ address: string }>(
    `select address from audit where action in ('login', 'accept', 'denied') and username = 'newcomer'
      order by id desc limit 3`,
  )
  return [attempt!.address, accepted!.ipaddress, ...audited.map(({ address }) => address)]
}

describe.each<[proxies: TrustedProxies, cases: Case[]]>([
  [
    0,
    [
      ['no header', '9.9.9.9', undefined, '9.9.9.9'],
      ['a forged header', '9.9.9.9', '6.6.6.6', '9.9.9.9'],
      ['an IPv4 address in IPv6', '::ffff:9.9.9.9', undefined, '9.9.9.9'],
    ],
  ],
  [
    1,
    [
      ['no header', '10.0.0.1', undefined, '10.0.0.1'],
      ['an entry of the proxy', '10.0.0.1', '9.9.9.9', '9.9.9.9'],
      ['a forged entry before it', '10.0.0.1', '6.6.6.6, 9.9.9.9', '9.9.9.9'],
      ['a forged entry that looks like the proxy', '10.0.0.1', '10.0.0.1, 9.9.9.9', '9.9.9.9'],
      ['a port', '10.0.0.1', '6.6.6.6, 9.9.9.9:4711', '9.9.9.9'],
      ['what is no address', '10.0.0.1', "6.6.6.6, unknown'--", '10.0.0.1'],
      ['an empty header', '10.0.0.1', '', '10.0.0.1'],
    ],
  ],
  [
    2,
    [
      ['two entries of the proxies', '10.0.0.1', '9.9.9.9, 10.0.0.2', '9.9.9.9'],
      ['forged entries before them', '10.0.0.1', '6.6.6.6, 7.7.7.7, 9.9.9.9, 10.0.0.2', '9.9.9.9'],
      ['one entry', '10.0.0.1', '9.9.9.9', '9.9.9.9'],
    ],
  ],
  [
    ['10.0.0.0/8', 'fd00::/8', '192.168.1.1'],
    [
      ['a caller beside the proxies', '9.9.9.9', '6.6.6.6', '9.9.9.9'],
      ['a caller one past the network', '11.0.0.0', '6.6.6.6', '11.0.0.0'],
      ['one proxy', '10.255.255.255', '6.6.6.6, 9.9.9.9', '9.9.9.9'],
      ['a proxy with an IPv4 address in IPv6', '::ffff:10.0.0.1', '6.6.6.6, 9.9.9.9', '9.9.9.9'],
      ['three proxies', '192.168.1.1', '6.6.6.6, 9.9.9.9, fd00::1, 10.0.0.2', '9.9.9.9'],
      ['an IPv6 caller', '10.0.0.1', '6.6.6.6, [2001:DB8::1]:443', '2001:db8::1'],
      ['what is no address', '10.0.0.1', '6.6.6.6, unknown', '10.0.0.1'],
    ],
  ],
])('with TRUST_PROXY %j, limits, acceptance and audit name the caller of', (trustProxy, cases) => {
  test(cases.map(([name]) => name).join('; '), async () => {
    portal = await openTestPortal({ trustProxy })
    try {
      for (const [name, from, forwarded, address] of cases) {
        const found = await addressesOf(from, forwarded)
        const attempted = address.includes(':') ? '2001:db8:0:0::/64' : address
        expect(found, name).toEqual([attempted, address, address, address, address])
      }
    } finally {
      await portal.close()
    }
  })
})

test.each([
  ['1.2.3.4', '1.2.3.4'],
  ['1.2.3.4:80', '1.2.3.4'],
  ['::FFFF:1.2.3.4', '1.2.3.4'],
  ['[::1]', '::1'],
  ['[::1]:80', '::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['1.2.3', null],
  ['1.2.3.4, 5.6.7.8', null],
  ['', null],
])('the address in %j is %j', (text, address) => expect(bareAddress(text)).toBe(address))

test.each([
  ['1.2.3.4', '1.2.3.4'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['1::2:3:4:5:6.7.8.9', '1:0:2:3::/64'],
  ['1:2:3:4:5:6:6.7.8.9', '1:2:3:4::/64'],
  ['unknown', 'unknown'],
])('the network of %s is %s', (address, expected) => expect(networkOf(address)).toBe(expected))
