import { isUtf8 } from 'node:buffer'

/** How many bytes at the end begin a character that is not complete yet. */
const unfinished = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}

/** Text of a stream of UTF-8; `wrong` makes the error for bytes that are none. */
export async function* decodeUtf8(chunks: AsyncIterable<Buffer>, wrong: () => Error): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk
    const cut = bytes.length - unfinished(bytes)
    const whole = bytes.subarray(0, cut)
    if (!isUtf8(whole)) throw wrong()
    rest = bytes.subarray(cut)
    if (whole.length) yield whole.toString('utf8')
  }
  if (rest.length) throw wrong()
}
