import { crc32, deflateRawSync } from 'node:zlib'

/** One part of a hand-made archive; what is not given is what an honest archive would say. */
export type Part = {
  name: string
  data: string | Buffer
  method?: 0 | 8
  flags?: number
  crc?: number
  size?: number
  localName?: string
}

/** A zip, byte by byte, so that it can lie. */
export function zipOf(parts: Part[], { comment = '', overlap = false } = {}): Buffer {
  const chunks: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const { name, data, method = 8, flags = 0, crc, size, localName = name } of parts) {
    const raw = Buffer.from(data)
    const packed = method === 8 ? deflateRawSync(raw) : raw
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(20, 4)
    head.writeUInt16LE(flags, 6)
    head.writeUInt16LE(method, 8)
    head.writeUInt32LE(crc ?? crc32(raw), 14)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(size ?? raw.length, 22)
    head.writeUInt16LE(Buffer.byteLength(localName), 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(20, 4)
    entry.writeUInt16LE(20, 6)
    head.copy(entry, 8, 6, 30)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    entry.writeUInt32LE(overlap && central.length ? 0 : at, 42)
    central.push(entry, Buffer.from(name))
    chunks.push(head, Buffer.from(localName), packed)
    at += 30 + Buffer.byteLength(localName) + packed.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...chunks, directory, end, Buffer.from(comment)])
}
