import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Db, Sql } from './db.ts'
import { decrypt, encrypt, setFormerKeys, unreadable } from './encryption.ts'
import { renameDurably, writeSecret } from './postgres/durable.ts'

export type KeyPlace = Pick<Config, 'secretKey' | 'dataDir'>

/** The rows of `setting` that hold the MAC of the key in use, and the keys it took the place of. */
const macSetting = 'secret key'
const formerSetting = 'former secret keys'

export const keyFileOf = ({ dataDir }: Pick<KeyPlace, 'dataDir'>) => join(dataDir, 'secret.key')
/** Where a new key lies until the database is encrypted with it (operations 21). */
export const nextKeyFileOf = (place: Pick<KeyPlace, 'dataDir'>) => `${keyFileOf(place)}.new`

/**
 * The 32 bytes that sign and encrypt (operations 8): SECRET_KEY, or the file secret.key of the data folder,
 * made on the first start. Throws an Error when the database was written with another key, of which it stores
 * a MAC, or when the file is missing: a new key would decrypt nothing that the missing one encrypted.
 */
export async function loadSecretKey(config: KeyPlace, db: Db): Promise<Buffer> {
  const known = await storedMac(db)
  if (config.secretKey === null) finishRotation(config, known)
  const { key, where } =
    config.secretKey === null
      ? readOrCreateKey(config, known !== null)
      : { key: config.secretKey, where: 'SECRET_KEY' }
  const secret = Buffer.from(key, 'hex')
  await db.query('insert into setting (name, value) values ($1, $2) on conflict do nothing', [
    macSetting,
    keyMac(secret),
  ])
  if ((await storedMac(db)) !== keyMac(secret))
    throw new Error(
      `The secret key in ${where} is not the one this database was written with: set SECRET_KEY to that one`,
    )
  setFormerKeys(secret, await readFormerKeys(db, secret))
  return secret
}

/** What the database stores of its key: it names the key and does not give it away. */
const keyMac = (secret: Buffer) =>
  createHmac('sha256', secret).update('the key of this database').digest('hex')

async function storedMac(sql: Sql): Promise<string | null> {
  const [known] = await sql.query<{ value: string }>('select value from setting where name = $1', [
    macSetting,
  ])
  return known?.value ?? null
}

/** The first 16 digits of what the database stores of a key. */
const keyFingerprint = (secret: Buffer) => keyMac(secret).slice(0, 16)

/** The fingerprint of the key that the database was written with; null before the first start. */
export const databaseKeyFingerprint = async (sql: Sql): Promise<string | null> =>
  (await storedMac(sql))?.slice(0, 16) ?? null

/** The fingerprint of the key that this installation has; null when it has none yet. */
export function ownKeyFingerprint(place: KeyPlace): string | null {
  const key = place.secretKey ?? (existsSync(keyFileOf(place)) ? readKey(keyFileOf(place)) : null)
  return key && keyFingerprint(Buffer.from(key, 'hex'))
}

const formerContext = (at: number) => `setting.${formerSetting}.${at}`

async function readFormerKeys(sql: Sql, secret: Buffer): Promise<Buffer[]> {
  const [row] = await sql.query<{ value: string }>('select value from setting where name = $1', [
    formerSetting,
  ])
  const encrypted = row ? (JSON.parse(row.value) as string[]) : []
  return encrypted
    .map((text, at) => decrypt(secret, Buffer.from(text, 'base64'), formerContext(at)))
    .filter((key) => key !== unreadable)
    .map((key) => Buffer.from(key, 'hex'))
}

/**
 * Makes `next` the key of the database, in the caller's transaction: `secret` and the keys before it are
 * kept, encrypted with it, because copies that may not be changed stay as they are (operations 21).
 */
export const replaceKey = async (sql: Sql, secret: Buffer, next: Buffer): Promise<void> =>
  storeKey(sql, next, [secret, ...(await readFormerKeys(sql, secret))])

/**
 * Makes the key that is here, or a new one where there is none, that of a database whose own is lost, in the
 * caller's transaction. The former keys are lost with it, because they are encrypted with it. Throws an Error
 * when the key of the database is here.
 */
export async function replaceLostKey(sql: Sql, place: KeyPlace): Promise<Buffer> {
  const known = await storedMac(sql)
  if (place.secretKey === null) finishRotation(place, known)
  const { key, where } =
    place.secretKey === null ? readOrCreateKey(place, false) : { key: place.secretKey, where: 'SECRET_KEY' }
  const next = Buffer.from(key, 'hex')
  if (known === null || known === keyMac(next))
    throw new Error(`The secret key is not lost: this database was written with that in ${where}`)
  await storeKey(sql, next, [])
  return next
}

async function storeKey(sql: Sql, next: Buffer, former: readonly Buffer[]): Promise<void> {
  const encrypted = former.map((key, at) =>
    encrypt(next, key.toString('hex'), formerContext(at))!.toString('base64'),
  )
  const write = (name: string, value: string) =>
    sql.query(
      'insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = $2',
      [name, value],
    )
  await write(macSetting, keyMac(next))
  await write(formerSetting, JSON.stringify(encrypted))
}

/**
 * Puts a new key into its place after a rotation that was cut short: the database says whether it is
 * encrypted with it already.
 */
export function finishRotation(place: Pick<KeyPlace, 'dataDir'>, known: string | null): void {
  const file = nextKeyFileOf(place)
  if (known === null || !existsSync(file)) return
  const next = readFileSync(file, 'utf8').trim()
  if (keyMac(Buffer.from(next, 'hex')) === known) renameDurably(file, keyFileOf(place))
}

function readOrCreateKey(place: KeyPlace, isExpected: boolean) {
  const file = keyFileOf(place)
  if (isExpected && !existsSync(file))
    throw new Error(
      `The file ${file}, which holds the secret key of this database, is missing: put it back, or set ` +
        'SECRET_KEY. No other key decrypts the bank numbers and tax ids that it encrypted',
    )
  try {
    mkdirSync(place.dataDir, { recursive: true })
    if (!existsSync(file)) writeSecret(file, randomBytes(32).toString('hex'))
  } catch (error) {
    throw new Error(
      `The data folder ${place.dataDir} cannot be written (${(error as NodeJS.ErrnoException).code}): ` +
        'choose another with DATA_DIR, or set SECRET_KEY',
    )
  }
  return { key: readKey(file), where: file }
}

function readKey(file: string): string {
  const key = readFileSync(file, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/.test(key))
    throw new Error(`The file ${file} does not hold a key of 64 hexadecimal digits: put the right one back`)
  return key
}
