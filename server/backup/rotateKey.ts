import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Db } from '../db/db.ts'
import { renameDurably, writeSecret } from '../db/postgres/durable.ts'
import {
  keyFileOf,
  loadSecretKey,
  nextKeyFileOf,
  replaceKey,
  replaceLostKey,
  type KeyPlace,
} from '../db/secretKey.ts'
import { reencryptFields, unreadableFields } from './encryptedFields.ts'
import { refuseOpenDatabase } from './restore.ts'

/** `reencrypted` values were encrypted with the new key; no key decrypts the `unreadable` ones. */
type Rotation = { reencrypted: number; unreadable: string[] }

/**
 * Gives the installation a new secret key (operations 21). `next` is 64 hexadecimal digits where the key is
 * in SECRET_KEY, null where it is in a file. The new key is on the disk before the database is encrypted
 * with it in one transaction, so that a rotation may be cut short anywhere: the next start takes the key
 * that the database was encrypted with. Throws an Error with a sentence for a person when a portal is open.
 */
export async function rotateKey(db: Db, place: KeyPlace, next: string | null): Promise<Rotation> {
  const secret = await loadSecretKey(place, db)
  const key = next ?? (await writeNextKey(place))
  const rotation = await db.transaction(async (tx) => {
    await refuseOpenDatabase(tx)
    const unreadable = await unreadableFields(tx, secret)
    const reencrypted = await reencryptFields(tx, secret, Buffer.from(key, 'hex'))
    await replaceKey(tx, secret, Buffer.from(key, 'hex'))
    return { reencrypted, unreadable }
  })
  if (next === null) renameDurably(nextKeyFileOf(place), keyFileOf(place))
  return rotation
}

/**
 * Gives an installation whose secret key is lost another one, and answers the encrypted values that no key
 * decrypts any more. Throws an Error with a sentence for a person when a portal is open or the key is here.
 */
export const giveUpLostKey = (db: Db, place: KeyPlace): Promise<string[]> =>
  db.transaction(async (tx) => {
    await refuseOpenDatabase(tx)
    return unreadableFields(tx, await replaceLostKey(tx, place))
  })

/** A key that an earlier rotation left was never used: `loadSecretKey` has just taken one that was. */
async function writeNextKey(place: KeyPlace): Promise<string> {
  const key = randomBytes(32).toString('hex')
  await rm(nextKeyFileOf(place), { force: true })
  writeSecret(nextKeyFileOf(place), key)
  return key
}
