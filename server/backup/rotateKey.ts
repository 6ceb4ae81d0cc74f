import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Db } from '../db/db.ts'
import { renameDurably, writeSecret } from '../db/postgres/durable.ts'
import { keyFileOf, loadSecretKey, nextKeyFileOf, replaceKey, type KeyPlace } from '../db/secretKey.ts'
import { refuseOpenDatabase } from './restore.ts'
import { sealAgain, unreadableFields } from './sealedFields.ts'

/** `sealed` values were sealed again; `unreadable` ones no key opens. */
type Rotation = { sealed: number; unreadable: string[] }

/**
 * Gives the installation a new secret key (operations 21). `next` is 64 hexadecimal digits where the key is
 * in SECRET_KEY, null where it is in a file. The new key is on the disk before the database is sealed with it
 * in one transaction, so that a rotation may be cut short anywhere: the next start takes the key that the
 * database was sealed with. Throws an Error with a sentence for a person when a portal is open.
 */
export async function rotateKey(db: Db, place: KeyPlace, next: string | null): Promise<Rotation> {
  const secret = await loadSecretKey(place, db)
  const key = next ?? (await writeNextKey(place))
  const rotation = await db.transaction(async (tx) => {
    await refuseOpenDatabase(tx)
    const unreadable = await unreadableFields(tx, secret)
    const sealed = await sealAgain(tx, secret, Buffer.from(key, 'hex'))
    await replaceKey(tx, secret, Buffer.from(key, 'hex'))
    return { sealed, unreadable }
  })
  if (next === null) renameDurably(nextKeyFileOf(place), keyFileOf(place))
  return rotation
}

/** A key that an earlier rotation left was never used: `loadSecretKey` has just taken one that was. */
async function writeNextKey(place: KeyPlace): Promise<string> {
  const key = randomBytes(32).toString('hex')
  await rm(nextKeyFileOf(place), { force: true })
  writeSecret(nextKeyFileOf(place), key)
  return key
}
