import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * AES-256-GCM for bank account numbers and tax ids. The key is derived from the installation's secret, which lives
 * outside the database; `context` ('master_agent.taxid.12') binds a text to its place, so that it cannot be moved.
 */
const deriveKey = (secret: Buffer) => Buffer.from(hkdfSync('sha256', secret, '', 'stored secrets', 32))

/** nonce (12 bytes), tag (16), text; null for an empty text. */
export function encrypt(secret: Buffer, text: string, context: string): Buffer | null {
  if (text === '') return null
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret), nonce).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Throws when the key is another one, or the text was changed or moved. */
export function decrypt(secret: Buffer, sealed: Buffer | null, context: string): string {
  if (sealed === null) return ''
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(secret), sealed.subarray(0, 12))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}

/** '*****6789': what everybody may see. */
export const maskSecret = (text: string) => (text === '' ? '' : `*****${text.replace(/\W/g, '').slice(-4)}`)
