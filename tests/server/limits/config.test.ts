import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../server/config/config.ts'
import { passwordFault } from '../../../server/config/passwords.ts'

/** Whether this value of a variable is accepted. Others that it needs stand in `more`. */
const isTaken = (name: string, value: string, more: Record<string, string> = {}) => {
  try {
    readConfig({ ...more, [name]: value })
    return true
  } catch (error) {
    expect((error as Error).message).toMatch(new RegExp(`^${name} is `))
    return false
  }
}
const verdicts = (name: string, values: string[], more?: Record<string, string>) =>
  Object.fromEntries(values.map((value) => [value, isTaken(name, value, more)]))

describe('a setting that is a number takes its bounds and nothing beyond them', () => {
  test.each<[string, number, number]>([
    ['PORT', 0, 65_535],
    ['UPLOAD_LIMIT_MB', 1, 8_192],
    ['IDLE_MINUTES', 1, 720],
    ['REPORT_SECONDS', 1, 100],
    ['DOWNLOAD_LIMIT_MB', 1, 100_000],
    ['BULK_RECORDS', 1, 10_000],
    ['DOWNLOAD_SECONDS', 10, 3_600],
    ['IMPORT_ROWS', 1, 10_000_000],
    ['IMPORT_COLUMNS', 1, 16_384],
    ['IMPORT_UNZIPPED_MB', 1, 4_000],
    ['IMPORT_RATIO', 10, 1_000],
    ['IMPORT_SECONDS', 1, 3_600],
    ['IMPORT_MEMORY_MB', 256, 16_384],
    ['IMPORT_ROOM_MB', 0, 1_000_000],
    ['INBOX_DAYS', 1, 3_650],
    ['INBOX_QUIET_SECONDS', 1, 3_600],
    ['BACKUP_KEEP', 1, 10_000],
  ])('%s from %i to %i', (name, least, most) => {
    const beyond = [least - 1, most + 1]
    const within = [least, least + 1, most - 1, most]
    expect(verdicts(name, [...beyond, ...within].map(String))).toEqual({
      ...Object.fromEntries(within.map((value) => [value, true])),
      ...Object.fromEntries(beyond.map((value) => [value, false])),
    })
  })
})

const links = (count: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, at) => ({ title: `Link ${at}`, link: 'https://a.example' })),
  )
const bank = (companyId: string, routing = '091000019', more: Record<string, string> = {}) =>
  JSON.stringify({ bank: 'First Bank', routing, company: 'Our Company', companyId, ...more })
const phrase = (length: number) =>
  'tall green lanterns over the quiet bay '.repeat(4).slice(0, length - 1) + 'x'

describe('a setting that is a text takes its longest and its shortest, and no other', () => {
  test.each<[string, string, boolean, Record<string, string>?]>([
    ['LINKS', links(11), true],
    ['LINKS', links(12), true],
    ['LINKS', links(13), false],
    ['ADMIN_PASSWORD', phrase(11), false],
    ['ADMIN_PASSWORD', phrase(12), true],
    ['ADMIN_PASSWORD', phrase(13), true],
    ['ADMIN_PASSWORD', phrase(127), true],
    ['ADMIN_PASSWORD', phrase(128), true],
    ['ADMIN_PASSWORD', phrase(129), false],
    ['SECRET_KEY', 'a'.repeat(63), false],
    ['SECRET_KEY', 'a'.repeat(64), true],
    ['SECRET_KEY', 'a'.repeat(65), false],
    ['MINIMUM_PAYOUT', '0', true],
    ['MINIMUM_PAYOUT', '0.01', true],
    ['MINIMUM_PAYOUT', '0.001', false],
    ['MINIMUM_PAYOUT', '999999999.99', true],
    ['MINIMUM_PAYOUT', '1000000000', false],
    ['ACH', bank('123456789'), true],
    ['ACH', bank('1234567890'), true],
    ['ACH', bank('12345678901'), false],
    ['ACH', bank('1'), true],
    ['ACH', bank('§1'), false],
    ['ACH', bank('1§'), false],
    ...['ppd', 'ccd'].flatMap((name): [string, string, boolean][] =>
      ['A', 'A'.repeat(10), 'A'.repeat(11), '§A', 'A§'].map((text, at) => [
        'ACH',
        bank('1', '091000019', { [name]: text }),
        at < 2,
      ]),
    ),
    ['ACH', bank('1', '09100001'), false],
    ['ACH', bank('1', '091000018'), false],
    ['ACH', bank('1', '0910000190'), false],
    ['DRIVE_GOOGLE_FOLDER', 'x'.repeat(201), false, { DRIVE_GOOGLE_KEY_FILE: '/nowhere' }],
    ['HELPDESK_JWT_SECRET', 'x'.repeat(15), false],
    ['HELPDESK_JWT_SECRET', 'x'.repeat(16), true],
    ['HELPDESK_ORG', '1'.repeat(20), true],
    ['HELPDESK_ORG', '1'.repeat(21), false],
    ['MAIL_FROM', `${'a'.repeat(64)}@example.com`, true],
    ['MAIL_FROM', `${'a'.repeat(65)}@example.com`, false],
    ['MAIL_FROM', 'Portal <a@example.com>', true],
    ['MAIL_FROM', ' <a@example.com>', false],
    ['MAIL_FROM', 'Por"tal <a@example.com>', false],
    ['MAIL_FROM', 'Portal <a@example.com> x', false],
    ['MAIL_FROM', 'Portal <a@example.com', false],
    ['DRIVE_GOOGLE_FOLDER', '§x', false, { DRIVE_GOOGLE_KEY_FILE: '/nowhere' }],
  ])('%s=%s: %s', (name, value, verdict, more) => {
    expect(isTaken(name, value, more)).toBe(verdict)
  })
})

describe('a setting takes nothing before and nothing behind what it may be', () => {
  /** As in an address, where a text behind it belongs to it. */
  const url = (text: string) => [`§${text}`, `x ${text}`]
  const around = (text: string) => [...url(text), `${text}§`, `${text} x`, `${text}\n${text}`]
  /** What JavaScript reads as a number, and people do not write. */
  const number = ['+50', '5e1', '0x32', '50.0', '0000000050', '50_0']
  const key = 'a1'.repeat(32)
  const bank = 'postgresql:///d?host=/tmp'
  test.each<[string, string[], string[]]>([
    ['UPLOAD_LIMIT_MB', ['50', '000000050'], [...around('50'), ...number]],
    [
      'TRUST_PROXY',
      '0 1 9 10.0.0.0/8 10.1.2.3 10.1.2.3/32 10.0.0.0/8,fc00::/7 ::1/128'.split(' '),
      [
        ...around('0'),
        ...around('1'),
        ...around('10.0.0.0/8'),
        ...'01 10 -1 true loopback 0.0.0.0/0 10.0.0.0/7 10.0.0.0/33 10.0.0.0/ 10.0.0/8 10.0.0.0/8/8'.split(
          ' ',
        ),
        ...'10.0.0.0/8, ::/0 fc00::/6 ::1/129 ::ffff:10.0.0.0/104 fe80::1%eth0 1,10.0.0.0/8'.split(' '),
      ],
    ],
    ['FOUR_EYES', ['on', 'off'], [...around('on'), ...around('off'), 'one', 'onoff']],
    ['HOST', ['127.0.0.1', '::1', 'a', 'A', 'a-b.Example.com'], [...around('a'), '-a', 'a-', '.a', 'a.']],
    [
      'DATABASE_URL',
      ['postgres://u@h/d', 'postgresql://u:p@h:1/d', bank],
      [...url(bank), `x${bank}`, 'http://h', 'postgres:///d', 'postgresql:d', 'postgres://'],
    ],
    ['SECRET_KEY', [key, key.toUpperCase()], around(key)],
    [
      'MINIMUM_PAYOUT',
      ['25', '12.5', '12.50'],
      [...around('25'), '12.', '.5', '12.505', '+25', '2e1', '0x19'],
    ],
    ['NET_NEGATIVE', ['pass', 'floor'], around('floor')],
    ['AMOUNT_BASIS', ['perActiveMerchant', 'perAgentMonth', 'perTransaction'], around('perAgentMonth')],
    ['LOG_LEVEL', ['info', 'warn'], around('info')],
    ['PUBLIC_URL', ['https://portal.example.com'], [...url('https://a.example'), 'https://a.example/b']],
    ['HELPDESK_ORG', ['1', '12345678901234567890'], [...around('123'), '+1', '1.0']],
    ['TIME_ZONE', ['UTC', 'America/New_York'], [...around('UTC'), 'Nowhere/City']],
  ])('%s: %j, and none of %j', (name, good, bad) => {
    const expected = [...good.map((value) => [value, true]), ...bad.map((value) => [value, false])]
    expect(verdicts(name, [...good, ...bad])).toEqual(Object.fromEntries(expected))
  })
})

describe('a password is too easy', () => {
  const common = 'Password is too easy to guess: it is on a list of common passwords'
  test.each([
    ['aaaaaaaaaaaa', common],
    ['abcabcabcabc', common],
    ['å'.repeat(13), common],
    ['abcdefabcdef', common],
    ['abcdefgabcdefg', null],
    ['xabcdefabcdef', null],
    ['abcdefabcdefx', null],
    ['password1234', common],
    ['Password!1234', common],
    ['9900990password', null],
    // On the list with its digits, and with its hyphen.
    ['q1w2e3-r4t5y6', common],
    ['nick1234-rem936', common],
  ])('%s: %s', (password, fault) => expect(passwordFault(password, 'ann')).toBe(fault))
})
