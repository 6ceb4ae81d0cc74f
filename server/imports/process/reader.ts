import { HttpError } from '../../http/errors.ts'
import type { Recognised } from '../rows/recognise.ts'
import type { TableReport } from '../rows/table.ts'
import { readImport, recogniseKinds, type ReadRequest, type RecogniseRequest } from './readImport.ts'

/**
 * The one message that the reading process sends before it ends. The process gets a request as a message,
 * and of a ReadRequest it writes the rows to its standard output. It has no database, no secrets, and
 * limits on memory and time (imports 4).
 */
export type ReaderMessage =
  | { report: TableReport | Recognised }
  | { refused: { status: number; message: string; extra: Record<string, unknown> } }
  | { failed: string }

const writeRows = (text: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })

const describeFailure = (error: unknown): ReaderMessage => {
  if (error instanceof HttpError) {
    const { status, message, fields, extra } = error
    return { refused: { status, message, extra: { ...extra, ...(fields && { fields }) } } }
  }
  return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

// When the server dies, the process would otherwise read on.
process.on('disconnect', () => process.exit(1))
process.once('message', (request: ReadRequest | RecogniseRequest) => {
  const send = (message: ReaderMessage) => process.send!(message, () => process.disconnect())
  const work = request.kind === null ? recogniseKinds(request) : readImport(request, writeRows)
  work.then(
    (report: TableReport | Recognised) => send({ report }),
    (error: unknown) => send(describeFailure(error)),
  )
})
