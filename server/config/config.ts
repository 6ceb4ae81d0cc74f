import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { ExternalLink } from '../../schemas/api/home.ts'
import type { HelpdeskForm } from '../../schemas/api/tickets.ts'
import { maxLinks, maxBulkRecords } from '../../schemas/constants.ts'
import { backupSettings, type BackupSettings } from './backup.ts'
import { bankSettings, type Bank } from './bank.ts'
import { driveSettings, type DriveSettings } from './drive.ts'
import { helpdeskFormSettings, helpdeskSettings, type HelpdeskSettings } from './helpdesk.ts'
import { importLimitSettings, uploadMbOf, type ImportLimits } from './importLimits.ts'
import { inboxSettings, type InboxSettings } from './inbox.ts'
import { mailSettings, type MailSettings } from './mail.ts'
import { moneySettings, type MoneySettings } from './money.ts'
import { passwordFault } from './passwords.ts'
import { trustedProxies, type TrustedProxies } from './proxy.ts'
import {
  failExpected,
  parseUrl,
  parseWebAddress,
  wholeNumber,
  type ParseVariable,
  type ReadVariable,
} from './variables.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

export type Config = {
  port: number
  host: string
  /** Absolute. Holds the embedded database and the secret key. */
  dataDir: string
  /** Null for the embedded database. */
  databaseUrl: string | null
  /** The owner's URL of the same database; null where `databaseUrl` is the owner's. */
  migrateDatabaseUrl: string | null
  adminPassword: string | null
  demo: boolean
  publicUrl: string | null
  timeZone: string
  links: ExternalLink[]
  store: string | null
  training: string | null
  /** Null for warnings on a terminal, and every request elsewhere. */
  logLevel: LogLevel | null
  /** 64 hexadecimal digits; null for the key in the data folder. */
  secretKey: string | null
  /** Bytes. */
  uploadLimit: number
  importLimits: ImportLimits
  inbox: InboxSettings
  /** Minutes without a call after which a session ends; null for never. */
  idleMinutes: number | null
  trustProxy: TrustedProxies
  /** Seconds after which PostgreSQL stops the statement of a report. */
  reportSeconds: number
  /** The most records that are changed at once. */
  bulkRecords: number
  /** Bytes of one user's downloads that were not taken yet. */
  downloadLimit: number
  /** Seconds after which a download is cut of which nothing is taken. */
  downloadSeconds: number
  /** The bank of the payout files; null for none. */
  ach: Bank | null
  mail: MailSettings
  helpdesk: HelpdeskSettings
  drive: DriveSettings
  money: MoneySettings
  /** A changed account of an agent needs another person than those who entered it (agents 11). */
  fourEyes: boolean
  helpdeskForm: HelpdeskForm
  backup: BackupSettings
}

const exampleTitles =
  'Acquiring Bank,Card Networks,Chargeback Desk,Compliance Library,Developer Docs,Equipment Catalogue,' +
  'Gateway Status,Marketing Kit,Merchant Underwriting,PCI Questionnaire,Residuals Calculator,Shipping Tracker'
export const exampleLinks: ExternalLink[] = exampleTitles.split(',').map((title) => ({
  title,
  link: `https://example.com/${title.toLowerCase().replaceAll(' ', '-')}`,
}))

/**
 * The configuration of an environment; an empty variable counts as unset (operations 4). Throws one Error
 * whose message has a line for each wrong variable: its name, its value unless it is a secret, and what is
 * expected.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = []
  const read: ReadVariable = (name, unset, parse, secret = false) => {
    const text = env[name]?.trim()
    if (!text) return unset
    try {
      return parse(text)
    } catch (error) {
      problems.push(`${name} is ${secret ? 'wrong' : `'${text}'`}: ${(error as Error).message}`)
      return unset
    }
  }
  const dataDir = read('DATA_DIR', resolve('data'), (text) => resolve(text))
  const importLimits = importLimitSettings((name, unset, least, most) =>
    read(name, unset, wholeNumber(least, most)),
  )
  const config: Config = {
    port: read('PORT', 8080, wholeNumber(0, 65_535)),
    host: read('HOST', '127.0.0.1', hostName),
    dataDir,
    databaseUrl: read('DATABASE_URL', null, databaseUrl, true),
    migrateDatabaseUrl: read('MIGRATE_DATABASE_URL', null, databaseUrl, true),
    adminPassword: read('ADMIN_PASSWORD', null, adminPassword, true),
    demo: read('DEMO', true, flag),
    publicUrl: read('PUBLIC_URL', null, origin),
    timeZone: read('TIME_ZONE', Intl.DateTimeFormat().resolvedOptions().timeZone, timeZone),
    links: read('LINKS', exampleLinks, links),
    store: read('STORE_URL', 'https://example.com/store', linkOrNone),
    training: read('TRAINING_URL', 'https://example.com/training', linkOrNone),
    logLevel: read('LOG_LEVEL', null, logLevel),
    secretKey: read('SECRET_KEY', null, secretKey, true),
    uploadLimit: read('UPLOAD_LIMIT_MB', uploadMbOf(importLimits.rows), wholeNumber(1, 8_192)) * 1_048_576,
    importLimits,
    inbox: inboxSettings(read, dataDir),
    idleMinutes: read<number | null>('IDLE_MINUTES', null, wholeNumber(1, 720)),
    trustProxy: read<TrustedProxies>('TRUST_PROXY', 0, trustedProxies),
    reportSeconds: read('REPORT_SECONDS', 60, wholeNumber(1, 100)),
    bulkRecords: read('BULK_RECORDS', maxBulkRecords, wholeNumber(1, maxBulkRecords)),
    downloadLimit: read('DOWNLOAD_LIMIT_MB', 1_000, wholeNumber(1, 100_000)) * 1_000_000,
    downloadSeconds: read('DOWNLOAD_SECONDS', 120, wholeNumber(10, 3_600)),
    ach: bankSettings(read),
    mail: mailSettings(read),
    helpdesk: helpdeskSettings(read),
    drive: driveSettings(read, dataDir),
    money: moneySettings(read),
    fourEyes: read('FOUR_EYES', true, onOrOff),
    helpdeskForm: helpdeskFormSettings(read),
    backup: backupSettings(read, dataDir),
  }
  if (config.migrateDatabaseUrl !== null && config.databaseUrl === null)
    problems.push('MIGRATE_DATABASE_URL is set without DATABASE_URL: set both, or neither')
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return config
}

const flag: ParseVariable<boolean> = (text) => (/^[01]$/.test(text) ? text === '1' : failExpected('0 or 1'))

const onOrOff: ParseVariable<boolean> = (text) =>
  /^(on|off)$/.test(text) ? text === 'on' : failExpected('on or off')

const hostName: ParseVariable<string> = (text) =>
  isIP(text) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)
    ? text
    : failExpected('an IP address or the name of this machine')

const databaseUrl: ParseVariable<string> = (text) => {
  const sockets = /^postgres(ql)?:\/\/\/.*[?&]host=/.test(text)
  return sockets || parseUrl(text, ['postgres:', 'postgresql:'])
    ? text
    : failExpected('a URL like postgresql://user:password@host:5432/database')
}

const adminPassword: ParseVariable<string> = (text) => {
  const fault = passwordFault(text, 'admin')
  if (fault) throw new Error(fault)
  return text
}

const origin: ParseVariable<string> = (text) => {
  const parsed = parseWebAddress(text)
  return parsed && parsed.href.replace(/\/$/, '') === parsed.origin
    ? parsed.origin
    : failExpected('the address people open, like https://portal.example.com')
}

const timeZone: ParseVariable<string> = (text) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return failExpected('the name of a time zone, like America/New_York')
  }
}

const linkOrNone: ParseVariable<string | null> = (text) =>
  text === 'none'
    ? null
    : (parseWebAddress(text)?.href ?? failExpected("an http or https address, or 'none' to leave it out"))

const links: ParseVariable<ExternalLink[]> = (text) => {
  const example = '{"title": "Bank", "link": "https://bank.example.com"}'
  const wanted = `a JSON list of at most ${maxLinks} entries like ${example}`
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    return failExpected(wanted)
  }
  if (!Array.isArray(list) || list.length > maxLinks) return failExpected(wanted)
  return list.map((entry: Partial<ExternalLink> | null, at) => {
    const { title, link, ...others } = entry ?? {}
    const isLink =
      typeof title === 'string' &&
      title.trim() &&
      typeof link === 'string' &&
      parseWebAddress(link) &&
      Object.keys(others).length === 0
    return isLink ? { title: title.trim(), link } : failExpected(`${wanted}; entry ${at + 1} is not`)
  })
}

const logLevel: ParseVariable<LogLevel> = (text) =>
  logLevels.find((level) => level === text) ?? failExpected(`one of ${logLevels.join(', ')}`)

const secretKey: ParseVariable<string> = (text) =>
  /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : failExpected('64 hexadecimal digits')
