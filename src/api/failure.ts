import type { RowFault } from '../../schemas/imports/imports.ts'

/** Specification, section 8: said when the server gave no sentence of its own. */
export const genericText =
  'An error has occured. Please try your request again later. Contact Support if you continue to see this error.'
export const unreachableText = 'The portal cannot be reached. Please check your connection and try again.'

type Details = {
  fields?: Record<string, string>
  requestId?: string
  code?: string
  refused?: { rows: RowFault[]; more: number }
  repeated?: { username: string; importedat: number }
}

/** A call that went wrong. `status` is 0 when no answer came; `refused` lists what is wrong in an uploaded file, `repeated` tells who imported it before. */
export class Failure extends Error {
  readonly status: number
  readonly fields: Record<string, string> | undefined
  readonly requestId: string | undefined
  readonly code: string | undefined
  readonly refused: Details['refused']
  readonly repeated: Details['repeated']
  constructor(status: number, message: string, { fields, requestId, code, refused, repeated }: Details = {}) {
    super(message)
    this.name = 'Failure'
    this.status = status
    this.fields = fields
    this.requestId = requestId
    this.code = code
    this.refused = refused
    this.repeated = repeated
  }
}

type Answer = { status: number; body: unknown; header: (name: string) => unknown }

/** Reads what the server answered; a body that is no JSON (a proxy's page) gives the generic text. */
export async function failureOf({ status, body, header }: Answer): Promise<Failure> {
  const said = record(await json(body))
  const { error, code, rows, more, username, importedat } = said
  const requestId = text(said.requestId) ?? text(header('x-request-id'))
  return new Failure(status, text(error) ?? genericText, {
    fields: sentences(said.fields),
    requestId,
    code: text(code),
    refused: Array.isArray(rows)
      ? { rows: rows as RowFault[], more: typeof more === 'number' ? more : 0 }
      : undefined,
    repeated:
      code === 'repeated' && typeof username === 'string' && typeof importedat === 'number'
        ? { username, importedat }
        : undefined,
  })
}

const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined)
const record = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const sentences = (value: unknown) =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([field, sentence]) => [field, String(sentence)]))
    : undefined

/** A download's error arrives as a Blob, like the file it replaces. */
const json = async (body: unknown): Promise<unknown> => {
  const raw = body instanceof Blob ? await body.text() : body
  if (typeof raw !== 'string') return raw
  try {
    return JSON.parse(raw)
  } catch {
    return null
  }
}
