import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** The AES-256 key of bank account numbers and tax ids (operations 8). */
const deriveKey = (secret: Buffer) => Buffer.from(hkdfSync('sha256', secret, '', 'stored secrets', 32))

/**
 * Encrypts with AES-256-GCM: nonce (12 bytes), tag (16 bytes), encrypted text; null for an empty text.
 * `secret` is the installation's key. `context` ('master_agent.taxid.12') is authenticated, so that a value
 * copied to another record does not decrypt.
 */
export function encrypt(secret: Buffer, text: string, context: string): Buffer | null {
  if (text === '') return null
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret), nonce).setAAD(Buffer.from(context))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
}

/** Throws when the key or the context is another one, or the bytes were changed. */
export function decrypt(secret: Buffer, encrypted: Buffer | null, context: string): string {
  if (encrypted === null) return ''
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(secret), encrypted.subarray(0, 12))
    .setAAD(Buffer.from(context))
    .setAuthTag(encrypted.subarray(12, 28))
  return Buffer.concat([decipher.update(encrypted.subarray(28)), decipher.final()]).toString('utf8')
}

/** '*****6789', the last four characters; '' stays ''. */
export const maskSecret = (text: string) => (text === '' ? '' : `*****${text.replace(/\W/g, '').slice(-4)}`)
