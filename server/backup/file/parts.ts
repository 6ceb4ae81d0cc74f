import { createCipheriv, createDecipheriv, createHash, scryptSync, timingSafeEqual } from 'node:crypto'
import { damagedBackup, type ByteReader } from './bytes.ts'

/** Bytes of a part before it is encoded. */
const partBytes = 256 * 1024
/** A part begins with 1 for the last one and 0 for others, and the number of its bytes (4 bytes). */
const partHeadBytes = 5

/**
 * Encodes the parts of a backup in their order, encrypted or with a checksum (operations 17): a part that
 * was changed, moved, left out or taken from another backup has another tag. `decode` answers null for such
 * a part.
 */
type PartCodec = {
  tagBytes: number
  encode(head: Buffer, part: Buffer): { bytes: Buffer; tag: Buffer }
  decode(head: Buffer, bytes: Buffer, tag: Buffer): Buffer | null
}

const sha256 = (...parts: Buffer[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Parts in the clear; the tag of each is the SHA-256 of the tag before it and of the part. */
function checksumCodec(header: Buffer): PartCodec {
  let last = sha256(header)
  return {
    tagBytes: 32,
    encode: (head, part) => ({ bytes: part, tag: (last = sha256(last, head, part)) }),
    decode(head, bytes, tag) {
      last = sha256(last, head, bytes)
      return timingSafeEqual(last, tag) ? bytes : null
    },
  }
}

/**
 * AES-256-GCM. The nonce is the number of the part: the key is of this backup alone, because its salt is. The
 * header is authenticated with each part.
 */
function encryptingCodec(header: Buffer, key: Buffer): PartCodec {
  const context = sha256(header)
  let count = 0
  const nextNonce = () => {
    const nonce = Buffer.alloc(12)
    nonce.writeUIntBE(count++, 6, 6)
    return nonce
  }
  return {
    tagBytes: 16,
    encode(head, part) {
      const cipher = createCipheriv('aes-256-gcm', key, nextNonce()).setAAD(Buffer.concat([context, head]))
      const bytes = Buffer.concat([cipher.update(part), cipher.final()])
      return { bytes, tag: cipher.getAuthTag() }
    },
    decode(head, bytes, tag) {
      const decipher = createDecipheriv('aes-256-gcm', key, nextNonce())
        .setAAD(Buffer.concat([context, head]))
        .setAuthTag(tag)
      try {
        return Buffer.concat([decipher.update(bytes), decipher.final()])
      } catch {
        return null
      }
    },
  }
}

/** `header` is the whole header of the file; `key` is null for a backup that is not encrypted. */
export const partCodec = (header: Buffer, key: Buffer | null): PartCodec =>
  key === null ? checksumCodec(header) : encryptingCodec(header, key)

/** The settings of scrypt: each guess takes 128 MB of memory. */
export const scryptCost = { N: 131_072, r: 8, p: 1 }

/** The key of a passphrase, and 16 bytes that distinguish a wrong passphrase from a damaged backup. */
export function passphraseKey(passphrase: string, salt: Buffer, { N, r, p }: typeof scryptCost) {
  const derived = scryptSync(passphrase.normalize('NFC'), salt, 48, { N, r, p, maxmem: 256 * N * r })
  return { key: derived.subarray(0, 32), check: derived.subarray(32) }
}

/** The bytes of `source` as encoded parts, the last one marked. */
export async function* encodeParts(source: AsyncIterable<Buffer>, codec: PartCodec): AsyncGenerator<Buffer> {
  const encodePart = (part: Buffer, isLast: boolean) => {
    const head = Buffer.alloc(partHeadBytes)
    head.writeUInt8(isLast ? 1 : 0)
    head.writeUInt32BE(part.length, 1)
    const { bytes, tag } = codec.encode(head, part)
    return Buffer.concat([head, bytes, tag])
  }
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    held.push(chunk)
    size += chunk.length
    if (size < partBytes) continue
    let rest = Buffer.concat(held)
    for (; rest.length >= partBytes; rest = rest.subarray(partBytes))
      yield encodePart(rest.subarray(0, partBytes), false)
    held = [rest]
    size = rest.length
  }
  yield encodePart(Buffer.concat(held), true)
}

/** The bytes that were encoded. Throws a BackupFault for a part that is not as it was written. */
export async function* decodeParts(reader: ByteReader, codec: PartCodec): AsyncGenerator<Buffer> {
  for (let number = 1; ; number++) {
    const head = await reader.take(partHeadBytes)
    const length = head?.readUInt32BE(1) ?? 0
    if (!head) throw damagedBackup('its end is missing')
    if (length > partBytes) throw damagedBackup(`its part ${number} is not what was written`)
    const rest = (await reader.take(length + codec.tagBytes)) ?? Buffer.alloc(0)
    const isWhole = rest.length === length + codec.tagBytes
    const part = isWhole ? codec.decode(head, rest.subarray(0, length), rest.subarray(length)) : null
    if (part === null) throw damagedBackup(`its part ${number} is not what was written`)
    if (part.length > 0) yield part
    if (head.readUInt8() === 1) break
  }
  if ((await reader.take(1)) !== null) throw damagedBackup('something follows its end')
}
