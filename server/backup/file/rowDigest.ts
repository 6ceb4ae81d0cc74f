import { createHash } from 'node:crypto'
import type { TableSum } from './contents.ts'

const newline = 10
const lanes = 8

/**
 * Sums up rows in the text format of COPY, a line each: their number, and the SHA-256 of each line added up
 * in eight numbers of 32 bits, so that the order of the rows does not matter.
 */
export function rowDigest() {
  const sums = new Uint32Array(lanes)
  let rows = 0
  let held: Buffer[] = []
  const addLine = (line: Buffer) => {
    const digest = createHash('sha256').update(line).digest()
    for (let lane = 0; lane < lanes; lane++) sums[lane]! += digest.readUInt32LE(lane * 4)
    rows++
  }
  return {
    update(chunk: Buffer) {
      let start = 0
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        const line = chunk.subarray(start, end)
        addLine(held.length > 0 ? Buffer.concat([...held.splice(0), line]) : line)
        start = end + 1
      }
      if (start < chunk.length) held.push(Buffer.from(chunk.subarray(start)))
    },
    sum(): TableSum {
      return { rows, digest: Buffer.from(sums.buffer).toString('hex') }
    },
  }
}
