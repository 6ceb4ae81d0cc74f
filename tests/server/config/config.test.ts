import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exampleLinks, readConfig, type Config } from '../../../server/config/config.ts'
import { defaultImportLimits, type ImportLimits } from '../../../server/config/importLimits.ts'
import { defaultMoneySettings } from '../../../server/config/money.ts'
import { passwordFault } from '../../../server/config/passwords.ts'

const key = 'a1'.repeat(32)

describe('an empty environment', () => {
  const config = readConfig({ PORT: '', DEMO: '  ' })

  const unset: [keyof Config, unknown][] = [
    ['port', 8080],
    ['host', '127.0.0.1'],
    ['dataDir', resolve('data')],
    ['databaseUrl', null],
    ['migrateDatabaseUrl', null],
    ['adminPassword', null],
    ['demo', true],
    ['publicUrl', null],
    ['timeZone', Intl.DateTimeFormat().resolvedOptions().timeZone],
    ['links', exampleLinks],
    ['store', 'https://example.com/store'],
    ['training', 'https://example.com/training'],
    ['logLevel', null],
    ['secretKey', null],
    ['uploadLimit', 430 * 1024 * 1024],
    [
      'importLimits',
      {
        rows: 1e6,
        columns: 200,
        unzippedBytes: 2e9,
        zipRatio: 200,
        seconds: 300,
        memoryMb: 1024,
        freeDiskMb: 512,
        rowCharacters: 4e6,
        zipEntries: 2000,
        mergedRows: 200_000,
      },
    ],
    ['inbox', { watched: null, copies: resolve('data/inbox'), days: 30, quietSeconds: 30 }],
    ['idleMinutes', null],
    ['trustProxy', 0],
    ['reportSeconds', 60],
    ['bulkRecords', 10_000],
    ['downloadLimit', 1e9],
    ['downloadSeconds', 120],
    ['ach', null],
    ['mail', { smtpUrl: null, from: 'Technology Portal <portal@localhost>' }],
    ['helpdesk', { widget: null }],
    ['drive', { folder: resolve('data/drive'), createIfMissing: true }],
    ['money', { netNegative: 'pass', amountBasis: 'perActiveMerchant', minimumPayout: 0 }],
    ['fourEyes', true],
    ['helpdeskForm', { url: null, fields: {} }],
    ['backup', { folder: resolve('data/backups'), keep: null, passphrase: null, passphraseFile: null }],
  ]
  test.each(unset)('leaves %s at %j', (name, value) => expect(config[name]).toEqual(value))

  test('has no setting that this table lacks', () => {
    expect(unset.map(([name]) => name)).toEqual(Object.keys(config))
  })

  test('has twelve example links, each with a title and an address of its own', () => {
    expect(new Set(config.links.map(({ title }) => title)).size).toBe(12)
    expect(new Set(config.links.map(({ link }) => new URL(link).pathname)).size).toBe(12)
  })
})

test.each<[string, string, keyof ImportLimits, number]>([
  ['IMPORT_ROWS', '250000', 'rows', 250_000],
  ['IMPORT_COLUMNS', '60', 'columns', 60],
  ['IMPORT_UNZIPPED_MB', '20', 'unzippedBytes', 20_000_000],
  ['IMPORT_RATIO', '50', 'zipRatio', 50],
  ['IMPORT_SECONDS', '600', 'seconds', 600],
  ['IMPORT_MEMORY_MB', '256', 'memoryMb', 256],
  ['IMPORT_ROOM_MB', '0', 'freeDiskMb', 0],
])('%s=%s sets that limit of imports alone', (name, text, field, value) => {
  expect(readConfig({ [name]: text }).importLimits).toEqual({ ...defaultImportLimits, [field]: value })
})

test.each<[string | undefined, string | undefined, number]>([
  [undefined, undefined, 430],
  ['1', undefined, 50],
  ['116508', undefined, 50],
  ['116509', undefined, 51],
  ['10000000', undefined, 4_292],
  ['10000000', '50', 50],
])('with IMPORT_ROWS=%s and UPLOAD_LIMIT_MB=%s a file may have %i MB', (rows, megabytes, limit) => {
  const { uploadLimit } = readConfig({ IMPORT_ROWS: rows, UPLOAD_LIMIT_MB: megabytes })
  expect(uploadLimit).toBe(limit * 1_048_576)
})

const backup = { folder: resolve('data/backups'), keep: null, passphrase: null, passphraseFile: null }
const inbox = { watched: null, copies: resolve('data/inbox'), days: 30, quietSeconds: 30 }

test.each<[string, string, keyof Config, unknown]>([
  ['PORT', '0', 'port', 0],
  ['PORT', ' 65535 ', 'port', 65_535],
  ['HOST', '::1', 'host', '::1'],
  ['HOST', 'portal.local', 'host', 'portal.local'],
  ['DATA_DIR', 'elsewhere', 'dataDir', resolve('elsewhere')],
  ['DATABASE_URL', 'postgres://u:p@db:5432/portal', 'databaseUrl', 'postgres://u:p@db:5432/portal'],
  [
    'DATABASE_URL',
    'postgresql:///portal?host=/run/postgresql',
    'databaseUrl',
    'postgresql:///portal?host=/run/postgresql',
  ],
  ['ADMIN_PASSWORD', 'tall green lanterns', 'adminPassword', 'tall green lanterns'],
  ['DEMO', '0', 'demo', false],
  ['PUBLIC_URL', 'https://portal.example.com/', 'publicUrl', 'https://portal.example.com'],
  ['PUBLIC_URL', 'HTTPS://Portal.Example.com:443', 'publicUrl', 'https://portal.example.com'],
  ['TIME_ZONE', 'America/New_York', 'timeZone', 'America/New_York'],
  ['TIME_ZONE', 'america/new_york', 'timeZone', 'America/New_York'],
  ['LINKS', '[]', 'links', []],
  [
    'LINKS',
    '[{"title": "Bank ", "link": "https://bank.example.com/a"}]',
    'links',
    [{ title: 'Bank', link: 'https://bank.example.com/a' }],
  ],
  ['STORE_URL', 'none', 'store', null],
  ['TRAINING_URL', 'http://training.example.com/', 'training', 'http://training.example.com/'],
  ['TRAINING_URL', 'none', 'training', null],
  ['LOG_LEVEL', 'debug', 'logLevel', 'debug'],
  ['SECRET_KEY', key.toUpperCase(), 'secretKey', key],
  ['UPLOAD_LIMIT_MB', '2', 'uploadLimit', 2 * 1024 * 1024],
  ['INBOX_DIR', 'sftp', 'inbox', { ...inbox, watched: resolve('sftp') }],
  ['INBOX_DAYS', '1', 'inbox', { ...inbox, days: 1 }],
  ['INBOX_DAYS', '3650', 'inbox', { ...inbox, days: 3_650 }],
  ['INBOX_QUIET_SECONDS', '300', 'inbox', { ...inbox, quietSeconds: 300 }],
  ['IDLE_MINUTES', '15', 'idleMinutes', 15],
  ['REPORT_SECONDS', '7', 'reportSeconds', 7],
  ['BULK_RECORDS', '7', 'bulkRecords', 7],
  ['DOWNLOAD_LIMIT_MB', '7', 'downloadLimit', 7_000_000],
  ['DOWNLOAD_SECONDS', '17', 'downloadSeconds', 17],
  ['BACKUP_DIR', 'kept', 'backup', { ...backup, folder: resolve('kept') }],
  ['BACKUP_KEEP', '7', 'backup', { ...backup, keep: 7 }],
  ['BACKUP_PASSPHRASE', 'x'.repeat(16), 'backup', { ...backup, passphrase: 'x'.repeat(16) }],
  ['BACKUP_PASSPHRASE_FILE', 'phrase', 'backup', { ...backup, passphraseFile: resolve('phrase') }],
  ['DRIVE_FOLDER', 'shared', 'drive', { folder: resolve('shared'), createIfMissing: false }],
  ['MAIL_FROM', 'a@example.com', 'mail', { smtpUrl: null, from: 'a@example.com' }],
  [
    'HELPDESK_FORM_URL',
    'https://desk.example.com/f',
    'helpdeskForm',
    { url: 'https://desk.example.com/f', fields: {} },
  ],
  ['NET_NEGATIVE', 'floor', 'money', { ...defaultMoneySettings, netNegative: 'floor' }],
  ['AMOUNT_BASIS', 'perTransaction', 'money', { ...defaultMoneySettings, amountBasis: 'perTransaction' }],
  ['MINIMUM_PAYOUT', '12.50', 'money', { ...defaultMoneySettings, minimumPayout: 12.5 }],
  ['TRUST_PROXY', '2', 'trustProxy', 2],
  ['TRUST_PROXY', '10.1.0.0/16, ::1', 'trustProxy', ['10.1.0.0/16', '::1']],
  ['FOUR_EYES', 'off', 'fourEyes', false],
  ['FOUR_EYES', 'on', 'fourEyes', true],
])('%s=%s is taken', (name, text, field, value) => expect(readConfig({ [name]: text })[field]).toEqual(value))

test('the bank of ACH is taken as it is written, with the usual names of its payments where it gives none', () => {
  const given = { bank: 'First Bank', routing: '091000019', company: 'Our Company', companyId: '1 A' }
  const named = { ...given, ppd: 'PAY', ccd: 'SHARES' }
  const taken = [given, named, { ...given, ccd: 'SHARES' }].map(
    (bank) => readConfig({ ACH: JSON.stringify(bank) }).ach,
  )
  const usual = { ppd: 'PAYROLL', ccd: 'RESIDUALS' }
  expect(taken).toEqual([{ ...given, ...usual }, named, { ...given, ...usual, ccd: 'SHARES' }])
})

test('the fields of the ticket form are taken as they are written', () => {
  const fields = { orgId: '123', empty: '' }
  const env = {
    HELPDESK_FORM_URL: 'https://desk.example.com/f',
    HELPDESK_FORM_FIELDS: JSON.stringify(fields),
  }
  expect(readConfig(env).helpdeskForm).toEqual({ url: 'https://desk.example.com/f', fields })
})

const thirteen = JSON.stringify(
  Array.from({ length: 13 }, (_, at) => ({ title: `Link ${at}`, link: 'https://example.com' })),
)
const aList =
  'it must be a JSON list of at most 12 entries like {"title": "Bank", "link": "https://bank.example.com"}'

test.each([
  ['PORT', '80a', 'it must be a whole number from 0 to 65535'],
  ['PORT', '65536', 'it must be a whole number from 0 to 65535'],
  ['PORT', '-1', 'it must be a whole number from 0 to 65535'],
  ['HOST', 'http://here', 'it must be an IP address or the name of this machine'],
  ['DEMO', 'yes', 'it must be 0 or 1'],
  ['PUBLIC_URL', 'portal.example.com', 'it must be the address people open, like https://portal.example.com'],
  [
    'PUBLIC_URL',
    'https://portal.example.com/app',
    'it must be the address people open, like https://portal.example.com',
  ],
  ['TIME_ZONE', 'Mars/Olympus', 'it must be the name of a time zone, like America/New_York'],
  ['LINKS', 'Bank', aList],
  ['LINKS', '{}', aList],
  ['LINKS', thirteen, aList],
  ['LINKS', '[{"title": "Bank", "link": "javascript:alert(1)"}]', `${aList}; entry 1 is not`],
  ['LINKS', '[{"title": "A", "link": "https://a.example"}, null]', `${aList}; entry 2 is not`],
  ['LINKS', '[{"title": "A", "link": "https://a.example", "icon": "x"}]', `${aList}; entry 1 is not`],
  ['LINKS', '[{"title": " ", "link": "https://a.example"}]', `${aList}; entry 1 is not`],
  ['LINKS', '[{"title": 1, "link": "https://a.example"}]', `${aList}; entry 1 is not`],
  ['LINKS', '[{"link": "https://a.example"}]', `${aList}; entry 1 is not`],
  ['LINKS', '[{"title": "A", "link": 1}]', `${aList}; entry 1 is not`],
  ['LINKS', '[{"title": "A"}]', `${aList}; entry 1 is not`],
  ['STORE_URL', 'javascript:alert(1)', "it must be an http or https address, or 'none' to leave it out"],
  ['TRAINING_URL', 'ftp://example.com', "it must be an http or https address, or 'none' to leave it out"],
  ['LOG_LEVEL', 'loud', 'it must be one of fatal, error, warn, info, debug, trace, silent'],
  ['UPLOAD_LIMIT_MB', '0', 'it must be a whole number from 1 to 8192'],
  ['IMPORT_ROWS', '0', 'it must be a whole number from 1 to 10000000'],
  ['IMPORT_COLUMNS', '16385', 'it must be a whole number from 1 to 16384'],
  ['IMPORT_UNZIPPED_MB', '1GB', 'it must be a whole number from 1 to 4000'],
  ['IMPORT_RATIO', '9', 'it must be a whole number from 10 to 1000'],
  ['IMPORT_SECONDS', '1.5', 'it must be a whole number from 1 to 3600'],
  ['IMPORT_MEMORY_MB', '255', 'it must be a whole number from 256 to 16384'],
  ['IMPORT_ROOM_MB', '-1', 'it must be a whole number from 0 to 1000000'],
  ['NET_NEGATIVE', 'zero', 'it must be one of pass, floor'],
  ['AMOUNT_BASIS', 'perMonth', 'it must be one of perActiveMerchant, perAgentMonth, perTransaction'],
  ['MINIMUM_PAYOUT', '-5', 'it must be an amount such as 25 or 12.50'],
  ['INBOX_DIR', 'data/inbox', 'it must be another folder than the one that DATA_DIR keeps its copies in'],
  ['INBOX_DAYS', '0', 'it must be a whole number from 1 to 3650'],
  ['INBOX_DAYS', '3651', 'it must be a whole number from 1 to 3650'],
  ['INBOX_QUIET_SECONDS', '0', 'it must be a whole number from 1 to 3600'],
  ['IDLE_MINUTES', '721', 'it must be a whole number from 1 to 720'],
  [
    'TRUST_PROXY',
    'true',
    'it must be the number of proxies in front of the portal, 0 to 9, or a list of their networks, like 10.1.0.0/16,fd00::/8',
  ],
  ['FOUR_EYES', '0', 'it must be on or off'],
])('%s=%s is refused by name, value and what is expected', (name, text, why) => {
  expect(() => readConfig({ [name]: text })).toThrow(new Error(`${name} is '${text}': ${why}`))
})

test('MIGRATE_DATABASE_URL is taken beside DATABASE_URL, and refused alone', () => {
  const [runtime, owner] = ['postgres://r:p@db:5432/portal', 'postgres://o:p@db:5432/portal']
  const both = readConfig({ DATABASE_URL: runtime, MIGRATE_DATABASE_URL: owner })
  expect([both.databaseUrl, both.migrateDatabaseUrl]).toEqual([runtime, owner])
  expect(() => readConfig({ MIGRATE_DATABASE_URL: owner })).toThrow(
    new Error('MIGRATE_DATABASE_URL is set without DATABASE_URL: set both, or neither'),
  )
})

test.each([
  [
    'MIGRATE_DATABASE_URL',
    'mysql://u:secret@db/portal',
    'it must be a URL like postgresql://user:password@host:5432/database',
  ],
  [
    'DATABASE_URL',
    'mysql://u:secret@db/portal',
    'it must be a URL like postgresql://user:password@host:5432/database',
  ],
  ['ADMIN_PASSWORD', 'secret', 'Password needs at least 12 characters'],
  ['ADMIN_PASSWORD', 'tall ADMIN lanterns', 'Password must not contain the user name'],
  ['SECRET_KEY', 'secret', 'it must be 64 hexadecimal digits'],
])('%s is refused without showing its value', (name, text, why) => {
  expect(() => readConfig({ [name]: text })).toThrow(new Error(`${name} is wrong: ${why}`))
})

const desk = { HELPDESK_FORM_URL: 'https://desk.example.com/f' }
const achJson =
  'JSON like {"bank": "First Bank", "routing": "091000019", "company": "Our Company", "companyId": "1234567890"}'
const ach = (more: object) =>
  JSON.stringify({ bank: 'B', routing: '091000019', company: 'C', companyId: '1', ...more })
test.each<[name: string, text: string, others: Record<string, string>, why: string]>([
  ['HELPDESK_FORM_URL', 'desk', {}, 'the http or https address that takes the form'],
  ['HELPDESK_FORM_FIELDS', '{}', {}, 'set together with HELPDESK_FORM_URL'],
  ['HELPDESK_FORM_FIELDS', '[]', desk, 'a JSON object of texts, like {"orgId": "123"}'],
  ['HELPDESK_FORM_FIELDS', '{"a": 1}', desk, 'a JSON object of texts, like {"orgId": "123"}'],
  ['HELPDESK_FORM_FIELDS', '{"a": "b", "c": null}', desk, 'a JSON object of texts, like {"orgId": "123"}'],
  ['HELPDESK_FORM_FIELDS', '["a"]', desk, 'a JSON object of texts, like {"orgId": "123"}'],
  ['HELPDESK_FORM_FIELDS', 'null', desk, 'a JSON object of texts, like {"orgId": "123"}'],
  ['HELPDESK_FORM_FIELDS', '"a"', desk, 'a JSON object of texts, like {"orgId": "123"}'],
  ['HELPDESK_FORM_FIELDS', 'orgId', desk, 'a JSON object of texts, like {"orgId": "123"}'],
  [
    'HELPDESK_WIDGET_URL',
    'https://desk.example.com/w.js',
    {},
    'set together with HELPDESK_JWT_SECRET, so that people can be signed in',
  ],
  ['HELPDESK_ORG', 'x', {}, 'the number of the organisation, digits alone'],
  ['ACH', '[]', {}, achJson],
  ['ACH', 'null', {}, achJson],
  ['ACH', '1', {}, achJson],
  ['ACH', 'First Bank', {}, achJson],
  ...['bank', 'routing', 'company', 'companyId'].flatMap(
    (name): [string, string, Record<string, string>, string][] => [
      ['ACH', ach({ [name]: undefined }), {}, achJson],
      ['ACH', ach({ [name]: ' ' }), {}, achJson],
      ['ACH', ach({ [name]: 1 }), {}, achJson],
    ],
  ),
  ['ACH', ach({ iban: 'X' }), {}, achJson],
  ['ACH', ach({ ppd: ' ' }), {}, achJson],
  [
    'ACH',
    ach({ routing: '091000018' }),
    {},
    'a bank whose routing has nine digits that pass the ABA checksum',
  ],
  ['ACH', ach({ companyId: 'A-1' }), {}, 'a company whose companyId has at most ten letters and digits'],
  ['ACH', ach({ ppd: 'A-1' }), {}, 'a text of at most ten letters and digits as ppd'],
  ['ACH', ach({ ccd: 'A-1' }), {}, 'a text of at most ten letters and digits as ccd'],
])('%s=%s with %j is refused: %s', (name, text, others, why) => {
  expect(() => readConfig({ ...others, [name]: text })).toThrow(
    new Error(`${name} is '${text}': it must be ${why}`),
  )
})

test.each<[name: string, text: string, others: Record<string, string>, why: string]>([
  [
    'BACKUP_PASSPHRASE',
    'x'.repeat(16),
    { BACKUP_PASSPHRASE_FILE: 'phrase' },
    'left out when BACKUP_PASSPHRASE_FILE is set',
  ],
  ['HELPDESK_JWT_SECRET', 'short', {}, 'the secret the desk shows for its widget, at least 16 characters'],
])('%s is refused without its value', (name, text, others, why) => {
  expect(() => readConfig({ ...others, [name]: text })).toThrow(
    new Error(`${name} is wrong: it must be ${why}`),
  )
})

test.each([
  ['https://desk.example.com/w.js?orgId=1&x=2', 'https://desk.example.com/w.js?orgId=77&x=2'],
  ['https://desk.example.com/w.js', 'https://desk.example.com/w.js?orgId=77'],
])('the widget %s is asked for the organisation that is set: %s', (given, script) => {
  const secret = 's'.repeat(16)
  const env = { HELPDESK_JWT_SECRET: secret, HELPDESK_ORG: '77', HELPDESK_WIDGET_URL: given }
  expect(readConfig(env).helpdesk).toEqual({ widget: { script, secret } })
})

test('all that is wrong is printed at once, a line each', () => {
  expect(() => readConfig({ PORT: 'x', DEMO: '2', HOST: '0.0.0.0' })).toThrow(
    /^PORT is 'x': .*\nDEMO is '2': .*$/,
  )
})

test.each([
  ['x', 15, false],
  ['x', 16, true],
  ['🔑', 15, false],
  ['🔑', 16, true],
])('a passphrase of %s counts its characters: %i of them are enough: %s', (letter, count, isTaken) => {
  const read = () => readConfig({ BACKUP_PASSPHRASE: letter.repeat(count) }).backup.passphrase
  if (isTaken) expect(read()).toBe(letter.repeat(count))
  else expect(read).toThrow('BACKUP_PASSPHRASE is wrong: it must be a passphrase of at least 16 characters')
})

test.each([
  ['bo', null],
  ['b-o', null],
  ['bob', 'Password must not contain the user name'],
  ['b.o.b', 'Password must not contain the user name'],
])('a password that holds the user name %s is weak where that has three letters: %s', (name, fault) => {
  expect(passwordFault('four warm bob kettles', name)).toBe(fault)
})
