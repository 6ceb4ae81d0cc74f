/** What is wrong with a backup, as the end of a sentence; `readBackup` puts the file's name before it. */
export class BackupFault extends Error {}

export const damagedBackup = (where: string) => new BackupFault(`is damaged: ${where}`)

export type ByteReader = {
  /** The next `length` bytes; null at the end. Throws a BackupFault when fewer are left. */
  take(length: number): Promise<Buffer | null>
}

/** Reads a stream in pieces of given lengths. */
export function byteReader(source: AsyncIterable<Buffer>): ByteReader {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  return {
    async take(length) {
      const parts = [held]
      let size = held.length
      while (size < length) {
        const next = await chunks.next()
        if (next.done) break
        parts.push(next.value)
        size += next.value.length
      }
      const all = parts.length === 1 ? held : Buffer.concat(parts)
      if (size === 0 && length > 0) return null
      if (size < length) throw damagedBackup('it ends too early')
      held = all.subarray(length)
      return all.subarray(0, length)
    },
  }
}
