import { HttpError } from '../../http/errors.ts'
import type { Report } from '../rows/table.ts'
import { readImport, type Job } from './readImport.ts'

/**
 * The reading process: no database, no network, a cap on memory and time, killed without regret. It is told its job
 * by a message, writes rows to its standard output, and ends with one message of what it found.
 */
export type Told =
  | { report: Report }
  | { refused: { message: string; extra: Record<string, unknown> } }
  | { failed: string }

const emit = (text: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })

const said = (error: unknown): Told => {
  if (error instanceof HttpError) return { refused: { message: error.message, extra: error.extra } }
  return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

// Without its parent a reader has nobody to read for.
process.on('disconnect', () => process.exit(1))
process.once('message', (job: Job) => {
  const tell = (told: Told) => process.send!(told, () => process.disconnect())
  readImport(job, emit).then(
    (report) => tell({ report }),
    (error: unknown) => tell(said(error)),
  )
})
