import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Db } from './db.ts'
import { writeSecret } from './postgres/durable.ts'

/**
 * The 32 bytes that sign and encrypt (operations 8): SECRET_KEY, or the file secret.key of the data folder,
 * made on the first start. Throws an Error when the database was written with another key; the database
 * stores a MAC of the first.
 */
export async function loadSecretKey(config: Pick<Config, 'secretKey' | 'dataDir'>, db: Db): Promise<Buffer> {
  const { key, where } =
    config.secretKey === null
      ? readOrCreateKey(config.dataDir)
      : { key: config.secretKey, where: 'SECRET_KEY' }
  const secret = Buffer.from(key, 'hex')
  const mac = createHmac('sha256', secret).update('the key of this database').digest('hex')
  await db.query('insert into setting (name, value) values ($1, $2) on conflict do nothing', [
    'secret key',
    mac,
  ])
  const [known] = await db.query<{ value: string }>('select value from setting where name = $1', [
    'secret key',
  ])
  if (known?.value !== mac)
    throw new Error(
      `The secret key in ${where} is not the one this database was written with: set SECRET_KEY to that one`,
    )
  return secret
}

function readOrCreateKey(dataDir: string) {
  const file = join(dataDir, 'secret.key')
  try {
    mkdirSync(dataDir, { recursive: true })
    if (!existsSync(file)) writeSecret(file, randomBytes(32).toString('hex'))
  } catch (error) {
    throw new Error(
      `The data folder ${dataDir} cannot be written (${(error as NodeJS.ErrnoException).code}): ` +
        'choose another with DATA_DIR, or set SECRET_KEY',
    )
  }
  const key = readFileSync(file, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/.test(key))
    throw new Error(`The file ${file} does not hold a key of 64 hexadecimal digits: put the right one back`)
  return { key, where: file }
}
