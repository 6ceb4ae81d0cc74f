import { damagedBackup, type ByteReader } from './bytes.ts'
import type { BackupHeader, Proof, TableSum } from './contents.ts'

/**
 * What a backup holds, in this order: for each table its `table`, `rows` in the text format of COPY, and
 * `tableEnd`; for each file of the drive and then of the inbox its `file`, `bytes` and `fileEnd`; then the
 * `proof`.
 */
export type BackupRecord =
  | { kind: 'table'; value: { name: string; columns: string[] } }
  | { kind: 'rows'; bytes: Buffer }
  | { kind: 'tableEnd'; value: TableSum }
  /** `path` is below the folder of its place, with '/'; `modified` in epoch milliseconds. */
  | { kind: 'file'; value: FileEntry }
  | { kind: 'bytes'; bytes: Buffer }
  | { kind: 'fileEnd'; value: { size: number; sha256: string } }
  | { kind: 'proof'; value: Proof }

/** `place`: the copies of the inbox, or the drive where it is not named. */
type FileEntry = { path: string; isFolder: boolean; modified: number; place?: 'inbox' }

const kinds = ['table', 'rows', 'tableEnd', 'file', 'bytes', 'fileEnd', 'proof'] as const
const headBytes = 5
const maxRecordBytes = 64 * 1024 * 1024

/** A record as bytes: its kind (1 byte), its length (4 bytes), and JSON or the bytes themselves. */
export function encodeRecord(record: BackupRecord): Buffer {
  const body = 'bytes' in record ? record.bytes : Buffer.from(JSON.stringify(record.value))
  const head = Buffer.alloc(headBytes)
  head.writeUInt8(kinds.indexOf(record.kind))
  head.writeUInt32BE(body.length, 1)
  return Buffer.concat([head, body])
}

/** The records of an opened backup, the proof last. Throws a BackupFault when one is none. */
export async function* decodeRecords(reader: ByteReader): AsyncGenerator<BackupRecord> {
  for (;;) {
    const head = await reader.take(headBytes)
    const kind = head && kinds[head.readUInt8()]
    const length = head?.readUInt32BE(1) ?? 0
    if (!kind || length > maxRecordBytes) throw damagedBackup('its content has no end')
    const body = length === 0 ? Buffer.alloc(0) : await reader.take(length)
    if (!body) throw damagedBackup('its content has no end')
    if (kind === 'rows' || kind === 'bytes') yield { kind, bytes: body }
    else yield { kind, value: JSON.parse(body.toString('utf8')) as never }
    if (kind === 'proof') return
  }
}

/** The header's JSON. Throws a BackupFault when it is none. */
export function parseHeader(text: Buffer): BackupHeader {
  try {
    return JSON.parse(text.toString('utf8')) as BackupHeader
  } catch {
    throw damagedBackup('its header cannot be read')
  }
}
