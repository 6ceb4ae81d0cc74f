import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'

/** What stands for a stored secret that cannot be decrypted (operations 20). */
export const unreadable = 'Unreadable'

/**
 * `former` keys decrypt what they encrypted and encrypt nothing; `onUnreadable` is called once for a field.
 */
type KeyUse = {
  former: readonly Buffer[]
  onUnreadable: (context: string) => void
  reported: Set<string>
  /** Keyed by context and encrypted bytes; each encryption of a value gives other bytes. */
  masks: Map<string, string>
}

/**
 * Keyed by the secret key. Not part of the key itself, because everything that signs with it expects a
 * Buffer.
 */
const uses = new WeakMap<Buffer, KeyUse>()

const useOf = (secret: Buffer): KeyUse => {
  const use = uses.get(secret) ?? { former: [], onUnreadable() {}, reported: new Set(), masks: new Map() }
  uses.set(secret, use)
  return use
}

/** Sets the keys that `secret` replaced (operations 21). */
export const setFormerKeys = (secret: Buffer, former: readonly Buffer[]) =>
  void Object.assign(useOf(secret), { former, masks: new Map() })

/** `onUnreadable` is given the context of each stored secret that could not be decrypted. */
export const watchUnreadable = (secret: Buffer, onUnreadable: (context: string) => void) =>
  void Object.assign(useOf(secret), { onUnreadable, reported: new Set() })

/** By the key of the installation: deriving takes longer than decrypting, and a list decrypts 200 fields. */
const derivedKeys = new WeakMap<Buffer, KeyObject>()

/** The AES-256 key of bank account numbers and tax ids (operations 8). */
function deriveKey(secret: Buffer): KeyObject {
  const derived =
    derivedKeys.get(secret) ??
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'stored secrets', 32)))
  derivedKeys.set(secret, derived)
  return derived
}

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

function decryptWith(secret: Buffer, encrypted: Buffer, context: string): string | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', deriveKey(secret), encrypted.subarray(0, 12), {
      authTagLength: 16,
    })
      .setAAD(Buffer.from(context))
      .setAuthTag(encrypted.subarray(12, 28))
    return Buffer.concat([decipher.update(encrypted.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/**
 * The text that was encrypted, '' for null; `unreadable` when the bytes were changed, or the key or the
 * context is another one: a damaged value costs one field, not the list that it stands in.
 */
export function decrypt(secret: Buffer, encrypted: Buffer | null, context: string): string {
  if (encrypted === null) return ''
  const { former, onUnreadable, reported } = useOf(secret)
  for (const key of [secret, ...former]) {
    const text = decryptWith(key, encrypted, context)
    if (text !== null) return text
  }
  if (!reported.has(context)) onUnreadable(context)
  reported.add(context)
  return unreadable
}

/** The most masks in the cache; with it a list of agents that is shown again is not decrypted again. */
const maxCachedMasks = 20_000

/** What is shown in lists of a secret that was encrypted: `maskSecret` of what `decrypt` answers. */
export function decryptMasked(secret: Buffer, encrypted: Buffer | null, context: string): string {
  if (encrypted === null) return ''
  const { masks } = useOf(secret)
  const key = context + encrypted.toString('latin1')
  const cached = masks.get(key)
  if (cached !== undefined) return cached
  const mask = maskSecret(decrypt(secret, encrypted, context))
  if (masks.size >= maxCachedMasks) masks.clear()
  // What cannot be read may be readable with a key that is given later.
  if (mask !== unreadable) masks.set(key, mask)
  return mask
}

/** '*****6789', the last four characters; '' stays '', and what is unreadable says so. */
export const maskSecret = (text: string) =>
  text === '' || text === unreadable ? text : `*****${text.replace(/\W/g, '').slice(-4)}`
