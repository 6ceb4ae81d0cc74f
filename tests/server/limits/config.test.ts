import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../server/config/config.ts'

/** Is this value of a variable taken? Others that it needs stand in `more`. */
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
    ['UPLOAD_LIMIT_MB', 1, 1_024],
    ['IDLE_MINUTES', 1, 720],
    ['REPORT_SECONDS', 1, 100],
    ['IMPORT_ROWS', 1, 10_000_000],
    ['IMPORT_COLUMNS', 1, 16_384],
    ['IMPORT_UNZIPPED_MB', 1, 4_000],
    ['IMPORT_RATIO', 10, 1_000],
    ['IMPORT_SECONDS', 1, 3_600],
    ['IMPORT_MEMORY_MB', 256, 16_384],
    ['IMPORT_ROOM_MB', 0, 1_000_000],
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
const bank = (companyId: string, routing = '091000019') =>
  JSON.stringify({ bank: 'First Bank', routing, company: 'Our Company', companyId })
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
  ])('%s=%s: %s', (name, value, verdict, more) => {
    expect(isTaken(name, value, more)).toBe(verdict)
  })
})
