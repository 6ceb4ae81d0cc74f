import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { passwordFault } from '../config/passwords.ts'
import { HttpError } from '../http/errors.ts'
import { createLimiter } from '../jobs/limiter.ts'

/**
 * Argon2id with 19 MiB, two passes and one lane, the first choice of OWASP's Password Storage Cheat Sheet.
 */
const argon2Parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const currentHashPrefix = '$argon2id$v=19$m=19456,t=2,p=1$'

/** Each hash takes 19 MiB of memory while it is computed. */
const limitHashes = createLimiter(4)

export const hashPassword = (password: string) => limitHashes(() => hash(password, argon2Parameters))

/** Whether a stored hash was made with other parameters than today's. */
export const needsRehash = (stored: string) => !stored.startsWith(currentHashPrefix)

const decoyHash = hash(randomBytes(16).toString('hex'), argon2Parameters)

/**
 * `stored` null is a user who does not exist: false, after as much time as any other password takes (session
 * 2).
 */
export const verifyPassword = async (stored: string | null, password: string): Promise<boolean> => {
  const expected = stored ?? (await decoyHash)
  const matches = await limitHashes(() => verify(expected, password))
  return stored !== null && matches
}

/** Throws an HttpError (422) on the field `password` when the password is too weak (session 12). */
export function checkPassword(password: string, username: string): void {
  const fault = passwordFault(password, username)
  if (fault) throw new HttpError(422, fault, { fields: { password: fault } })
}
