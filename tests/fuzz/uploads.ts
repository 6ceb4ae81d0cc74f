import fc from 'fast-check'
import { nastyText } from './values.ts'

const heads = ['XMID,DBA,Master Agent', 'XMID;DBA', 'MID\tNet', 'MID,Sales,Refunds,Net', '"', '']
const cell = fc.oneof(
  fc.constantFrom('000123', 'Shop', 'MA0002', '12.50', '(1.00)', '10/31/2026'),
  nastyText.map((text) => text.replaceAll(/[\r\n]/g, ' ').slice(0, 300)),
)
const csv = fc
  .tuple(fc.constantFrom(...heads), fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 4 }))
  .map(([head, lines]) => Buffer.from([head, ...lines.map((cells) => cells.join(','))].join('\n')))
const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
const brokenZip = noise.map((bytes) => Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), bytes]))

type Part = { name: string; filename: string | null; type: string | null; content: Buffer }
const likelyPart = fc.record<Part>({
  name: fc.constantFrom('file', 'file', 'file', 'attachments'),
  filename: fc.constantFrom('m.csv', 'Iris_Oct2026.csv', 'm.xlsx', 'm.xls'),
  type: fc.constantFrom('text/csv', null),
  content: fc.oneof(csv, noise, brokenZip),
})
const field = fc.record<Part>({
  name: fc.constantFrom('date', 'subject', 'email', 'message'),
  filename: fc.constant(null),
  type: fc.constant(null),
  content: fc.constantFrom('1790000000', '0', 'Hello').map((text) => Buffer.from(text)),
})
const nastyPart = fc.record<Part>({
  name: fc.oneof(fc.constantFrom('file', 'date', 'attachments'), nastyText),
  filename: fc.option(fc.oneof(fc.constantFrom('m.csv', 'm.xlsx'), nastyText), { nil: null }),
  type: fc.option(fc.oneof(fc.constantFrom('text/csv', 'multipart/mixed'), nastyText), { nil: null }),
  content: fc.oneof(
    csv,
    noise,
    nastyText.map((text) => Buffer.from(text)),
  ),
})

const bytesOf = (parts: readonly Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name, filename, type, content }) => [
      Buffer.from(`--cut\r\nContent-Disposition: form-data; name="${name}"`),
      Buffer.from(filename === null ? '' : `; filename="${filename}"`),
      Buffer.from(type === null ? '\r\n\r\n' : `\r\nContent-Type: ${type}\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--cut--\r\n'),
  ])

/** The body of an upload with the boundary `cut`: a file and a field, or parts nobody would send. */
export const multipartBody = (isSpoiled: boolean): fc.Arbitrary<Buffer> =>
  isSpoiled
    ? fc
        .tuple(fc.array(fc.oneof(nastyPart, likelyPart), { maxLength: 4 }), fc.constantFrom(1, 1, 1, 0.5))
        .map(([parts, share]) => {
          const bytes = bytesOf(parts)
          return bytes.subarray(0, Math.floor(bytes.length * share))
        })
    : fc.tuple(field, likelyPart).map(bytesOf)
