import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { month } from '../../schemas/fields.ts'
import { validationMessage, type SchemaFault } from '../../schemas/messages.ts'
import { busyCode, characterNotInRepertoire } from '../db/db.ts'
import { stalePlanCode } from '../db/prepared.ts'
import { HttpError, isFullDisk } from './errors.ts'

const genericMessage =
  'An error has occured. Please try your request again later. ' +
  'Contact Support if you continue to see this error.'

/** Where the faults of a body take their names from: its schema, and texts of the entity's own (lists 8). */
export type BodyNames = {
  schema?: Parameters<typeof validationMessage>[0]
  messages?: Record<string, string>
}
type RouteNames = { names?: BodyNames }

/** 400 for a body of the wrong shape, 422 for a well-formed value that is not allowed (errors 2). */
function validationError(error: FastifyError, { names }: RouteNames): HttpError {
  const place = error.validationContext ?? 'body'
  const faults = (error.validation ?? []) as unknown as SchemaFault[]
  if (place !== 'body') {
    const fault = faults[0]!
    const { field, message } =
      fault.keyword === 'additionalProperties' ? unknownParameter(fault) : parameterMessage(fault)
    return new HttpError(
      400,
      `${place === 'querystring' ? 'The query' : 'The address'} is not valid: ${message}`,
      { fields: { [field]: message } },
    )
  }
  return bodyError(faults, names ?? {})
}

function unknownParameter({ params }: SchemaFault): { field: string; message: string } {
  const field = String(params.additionalProperty)
  return { field, message: `${field} is not a parameter of this call` }
}

/** What Ajv adds to an error with the option `verbose`. */
type VerboseFault = SchemaFault & {
  data?: unknown
  parentSchema?: { kind?: string; pattern?: string; title?: string }
}

/**
 * Adds what is said behind the title where the schema does not have it: months have it here, to be no part of
 * the page's first load, and the usual message for a reference, 'is required', is meant for an empty picker.
 */
function withMessageEnd(fault: SchemaFault): SchemaFault {
  const { keyword, data = null, parentSchema = {}, params } = fault as VerboseFault
  const isOptional = [params.type].flat().includes('null')
  if (keyword === 'pattern' && parentSchema.pattern === month.pattern)
    return { ...fault, params: { ...params, messageEnd: 'must be a month as YYYY-MM' } }
  if (
    parentSchema.kind === 'reference' &&
    keyword === 'type' &&
    (isOptional || (data !== null && data !== ''))
  )
    return { ...fault, params: { ...params, messageEnd: 'must be a whole number' } }
  return fault
}

/** A parameter is called by its name, as it is sent, and not by the title of its schema. */
function parameterMessage(fault: SchemaFault): { field: string; message: string } {
  const { title: _, ...parameter } = (fault as VerboseFault).parentSchema ?? {}
  const properties = { [fault.instancePath.slice(1)]: parameter }
  return validationMessage({ properties }, withMessageEnd(fault))
}

/** The faults whose values have the wrong shape, and not a value that is not allowed (errors 2). */
const malformedKeywords = ['additionalProperties', 'storable']

/** The HttpError of a body's faults: 400 for a wrong shape, 422 for a forbidden value (errors 2). */
export function bodyError(faults: readonly SchemaFault[], names: BodyNames): HttpError {
  const messages = faults.map((fault) =>
    validationMessage(names.schema ?? {}, withMessageEnd(fault), names.messages),
  )
  const fields = Object.fromEntries(messages.reverse().map(({ field, message }) => [field, message]))
  const isMalformed = faults.some(
    (fault) =>
      malformedKeywords.includes(fault.keyword) || (fault.keyword === 'type' && fault.params.type !== 'null'),
  )
  const sentence = Object.values(fields).reverse().join('. ')
  // A fault of the body as a whole has no field.
  const { '': _, ...named } = fields
  return new HttpError(
    isMalformed ? 400 : 422,
    sentence,
    Object.keys(named).length > 0 ? { fields: named } : {},
  )
}

const sqlState = {
  uniqueViolation: '23505',
  foreignKeyViolation: '23503',
  numericOutOfRange: '22003',
  characterNotInRepertoire,
  untranslatableCharacter: '22P05',
  diskFull: '53100',
  deadlockDetected: '40P01',
  serializationFailure: '40001',
  /** Raised by the portal's own triggers. */
  monthBeingLocked: 'ML409',
}
/** The database is away: errors of the connection, its shutdown or start, or no free connection. */
const unavailableCodes = new Set(
  (
    'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENOTFOUND EAI_AGAIN ENOENT ' +
    // 25006: a standby that takes over refuses writes at first.
    '57P01 57P02 57P03 57P05 08000 08001 08003 08004 08006 53200 53300 25006 ' +
    stalePlanCode
  ).split(' '),
)
const portalBusy = () =>
  new HttpError(
    503,
    'The portal is busy: all its connections to the database are in use. Please try again in a moment.',
    { retryAfter: 2 },
  )
const diskFull = () =>
  new HttpError(
    507,
    'There is no room left on the disk of the server: nothing was stored. Please tell an administrator.',
  )
const databaseUnavailable = () =>
  new HttpError(503, 'The database is not available at the moment. Please try again.', { retryAfter: 2 })
const tookTooLong = () =>
  new HttpError(
    504,
    'This was stopped because it took too long. Ask for less, or try again at a quieter time.',
  )

/** The answer to an error of PostgreSQL that has a cause the caller can act on; null for any other. */
function databaseError(
  { code, detail, message }: { code?: string; detail?: string; message: string },
  { names }: RouteNames,
): HttpError | null {
  if (code === sqlState.monthBeingLocked) return new HttpError(409, message, { code: 'locking' })
  const named = /^Key \((?:lower\()?"?(\w+)"?/.exec(detail ?? '')?.[1]
  // The form in which the field is compared (users 8).
  const column = named === 'foldedname' ? 'username' : named
  const title = (column && names?.schema?.properties?.[column]?.title) ?? column ?? 'record'
  if (code === sqlState.uniqueViolation) {
    const message = `This ${title} is already taken`
    return new HttpError(409, message, column ? { fields: { [column]: message } } : {})
  }
  if (code === sqlState.foreignKeyViolation)
    return new HttpError(
      409,
      'It is still referenced by other records, or refers to one that was just deleted',
    )
  if (code === sqlState.numericOutOfRange) return new HttpError(422, 'A number is too large to be stored')
  if (code === sqlState.characterNotInRepertoire || code === sqlState.untranslatableCharacter)
    return new HttpError(400, 'A text holds a character that cannot be stored')
  if (code === sqlState.deadlockDetected || code === sqlState.serializationFailure)
    return new HttpError(503, 'Somebody else changed the same records at this moment. Please try again.', {
      retryAfter: 1,
    })
  if (code === busyCode) return portalBusy()
  if (code === sqlState.diskFull || isFullDisk({ code })) return diskFull()
  return code && unavailableCodes.has(code) ? databaseUnavailable() : null
}

/** What pg says of a connection that broke under a statement, or that was not made in time. */
const brokenConnection = new RegExp(
  'connection terminated|not queryable|timeout exceeded when trying to connect|cannot use a pool after',
  'i',
)
/** What pg says of a statement that took too long, while the database answered others (operations 16). */
const slowStatement = /query read timeout/i

/** The HttpError of an error with a cause the caller can act on; null for any other. */
export function toHttpError(error: FastifyError, names: RouteNames): HttpError | null {
  if (error instanceof HttpError) return error
  if (error.validation) return validationError(error, names)
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new HttpError(415, 'The body must be JSON')
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new HttpError(413, 'The body is too large')
  // The error of Node for a request whose connection ended before its body: the database's say it otherwise.
  if (error.code === 'ECONNRESET' && error.message === 'aborted')
    return new HttpError(400, 'The request was cut off')
  if (brokenConnection.test(error.message)) return databaseUnavailable()
  if (slowStatement.test(error.message)) return tookTooLong()
  const ofDatabase = databaseError(error, names)
  if (ofDatabase) return ofDatabase
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500)
    return new HttpError(error.statusCode, error.message)
  return null
}

/**
 * Answers every error as `{error, requestId, fields?}` (errors 1); an unexpected one is a 500 without its own
 * message.
 */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const answered =
    toHttpError(error, request.routeOptions.config as RouteNames) ?? new HttpError(500, genericMessage)
  if (answered.status >= 500) request.log.error({ err: error }, 'failed')
  const { retryAfter, ...extra } = answered.extra
  if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter)
  void reply.code(answered.status).send({
    error: answered.message,
    requestId: request.id,
    ...(answered.fields && { fields: answered.fields }),
    ...extra,
  })
}
