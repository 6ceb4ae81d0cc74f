import type { Finding } from '../../schemas/api/months/months.ts'
import type { ImportAsks } from '../../schemas/imports/answers.ts'
import type { Repeated, RowFault } from '../../schemas/imports/importReplies.ts'
import { parseJson, propertiesOf } from './untrusted.ts'

/** Shown when no answer came, and when a call without a task has no message in its answer (errors 7). */
export const genericText =
  'An error has occured. Please try your request again later. ' +
  'Contact Support if you continue to see this error.'

type Details = {
  fields?: Record<string, string>
  requestId?: string
  code?: string
  refused?: { rows: RowFault[]; more: number }
  repeated?: Repeated
  asks?: ImportAsks
  findings?: Finding[]
}

/**
 * A failed call. `status` is 0 if no answer came, `fields` has messages by field, `refused` the faults of an
 * uploaded file, `repeated` who imported the same file before, `asks` what must be said about the file,
 * `findings` what keeps a month from being locked.
 */
export class Failure extends Error {
  readonly status: number
  readonly fields: Record<string, string> | undefined
  readonly requestId: string | undefined
  readonly code: string | undefined
  readonly refused: Details['refused']
  readonly repeated: Details['repeated']
  readonly asks: Details['asks']
  readonly findings: Details['findings']
  constructor(status: number, message: string, details: Details = {}) {
    super(message)
    const { fields, requestId, code, refused, repeated, asks, findings } = details
    this.name = 'Failure'
    this.status = status
    this.fields = fields
    this.requestId = requestId
    this.code = code
    this.refused = refused
    this.repeated = repeated
    this.asks = asks
    this.findings = findings
  }
}

/** What to say when the answer to a call has no message (errors 7). */
const fallbackText = (task: string | undefined): string =>
  task === undefined ? genericText : `Unable to ${task}. Please try again.`

type FailedResponse = {
  status: number
  body: unknown
  header: (name: string) => unknown
  /** What the call was for. */
  task?: string | undefined
}

/**
 * Reads the body of a failed response (errors 1); one that is not JSON, such as a proxy's page, gives the
 * text of the call.
 */
export async function parseFailure({ status, body, header, task }: FailedResponse): Promise<Failure> {
  const answer = propertiesOf(await bodyValue(body))
  const { error, code, rows, more, username, importedat, subject, asks, findings } = answer
  const requestId = nonBlank(answer.requestId) ?? nonBlank(header('x-request-id'))
  return new Failure(status, nonBlank(error) ?? fallbackText(task), {
    fields: messagesByField(answer.fields),
    requestId,
    code: nonBlank(code),
    refused: Array.isArray(rows)
      ? { rows: rows as RowFault[], more: typeof more === 'number' ? more : 0 }
      : undefined,
    repeated:
      code === 'repeated' && typeof username === 'string' && typeof importedat === 'number'
        ? { username, importedat, subject: nonBlank(subject) ?? null }
        : undefined,
    asks: code === 'asks' && typeof asks === 'object' && asks !== null ? (asks as ImportAsks) : undefined,
    findings: code === 'findings' && Array.isArray(findings) ? (findings as Finding[]) : undefined,
  })
}

const nonBlank = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined)
const messagesByField = (value: unknown) =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([field, message]) => [field, String(message)]))
    : undefined

/** The error of a download arrives as a Blob, as its file would. */
const bodyValue = async (body: unknown): Promise<unknown> => {
  const raw = body instanceof Blob ? await body.text() : body
  return typeof raw === 'string' ? parseJson(raw) : raw
}
