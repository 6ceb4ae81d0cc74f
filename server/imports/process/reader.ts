import { HttpError } from '../../http/errors.ts'
import type { TableReport } from '../rows/table.ts'
import { readImport, type ReadRequest } from './readImport.ts'

/**
 * The reading process: no database, no network, a cap on memory and time, killed without regret. It is told its job
 * by a message, writes rows to its standard output, and ends with one message of what it found.
 */
export type ReaderMessage =
  | { report: TableReport }
  | { refused: { message: string; extra: Record<string, unknown> } }
  | { failed: string }

const writeRows = (text: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })

const describeFailure = (error: unknown): ReaderMessage => {
  if (error instanceof HttpError) return { refused: { message: error.message, extra: error.extra } }
  return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

// Without its parent a reader has nobody to read for.
process.on('disconnect', () => process.exit(1))
process.once('message', (job: ReadRequest) => {
  const tell = (told: ReaderMessage) => process.send!(told, () => process.disconnect())
  readImport(job, writeRows).then(
    (report) => tell({ report }),
    (error: unknown) => tell(describeFailure(error)),
  )
})
