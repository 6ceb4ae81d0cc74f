import { createRequire } from 'node:module'

type Verify = (stored: string, password: string) => Promise<boolean>

/**
 * To compare a password with its hash takes 19 MiB and 0.05 s of a processor on purpose, and tests sign the
 * same few people in a thousand times. The answer for a hash and a password is always the same, so it is
 * asked for once. Set before the sources import the package, which takes what its module exports then.
 */
const held = globalThis as { verified?: Map<string, Promise<boolean>> }
if (!held.verified) {
  const verified = (held.verified = new Map<string, Promise<boolean>>())
  const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as { verify: Verify }
  const { verify } = argon2
  argon2.verify = (stored, password) => {
    const key = JSON.stringify([stored, password])
    const answer = verified.get(key) ?? verify(stored, password)
    verified.set(key, answer)
    return answer
  }
}
