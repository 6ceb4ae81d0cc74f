import { HttpError } from '../../http/errors.ts'
import type { Recognised } from '../rows/recognise.ts'
import type { WriteRows } from '../rows/rejectedWriter.ts'
import type { TableReport } from '../rows/table.ts'
import { readImport, recogniseKinds, type ReadRequest, type RecogniseRequest } from './readImport.ts'

/** The one message that the reading process sends before it ends. */
export type ReaderMessage =
  | { report: TableReport | Recognised }
  | { refused: { status: number; message: string; extra: Record<string, unknown> } }
  | { failed: string }

const describeFailure = (error: unknown): ReaderMessage => {
  if (error instanceof HttpError) {
    const { status, message, fields, extra } = error
    return { refused: { status, message, extra: { ...extra, ...(fields && { fields }) } } }
  }
  return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

/** Reads what is requested; the rows of a ReadRequest are given to `write`. Any error becomes a message. */
export const answerRequest = (
  request: ReadRequest | RecogniseRequest,
  write: WriteRows,
): Promise<ReaderMessage> => {
  const work: Promise<TableReport | Recognised> =
    request.kind === null ? recogniseKinds(request) : readImport(request, write)
  return work.then((report) => ({ report }), describeFailure)
}
