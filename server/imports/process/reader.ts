import { HttpError } from '../../http/errors.ts'
import type { TableReport } from '../rows/table.ts'
import { readImport, type ReadRequest } from './readImport.ts'

/**
 * The one message that the reading process sends before it ends. The process gets a ReadRequest as a message
 * and writes the rows to its standard output. It has no database, no secrets, and limits on memory and time
 * (imports 4).
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

// When the server dies, the process would otherwise read on.
process.on('disconnect', () => process.exit(1))
process.once('message', (request: ReadRequest) => {
  const send = (message: ReaderMessage) => process.send!(message, () => process.disconnect())
  readImport(request, writeRows).then(
    (report) => send({ report }),
    (error: unknown) => send(describeFailure(error)),
  )
})
