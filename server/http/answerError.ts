import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Entity } from '../../schemas/entities/entity.ts'
import { say, type Fault } from '../../schemas/messages.ts'
import { HttpError } from './errors.ts'

const genericMessage =
  'An error has occured. Please try your request again later. Contact Support if you continue to see this error.'

/** What a body may be named by in its faults: the schema and the specification's own texts. */
type BodyNames = {
  schema?: { properties?: Entity['schema']['properties'] }
  messages?: Record<string, string>
}
export type RouteNames = { names?: BodyNames }

/** Wrong shape is 400, a well-formed value that is not allowed 422 (decisions, section 3). */
function validationError(error: FastifyError, { names }: RouteNames): HttpError {
  const place = error.validationContext ?? 'body'
  const faults = (error.validation ?? []) as unknown as Fault[]
  if (place !== 'body') {
    const { field, message } = say({}, { ...faults[0]!, params: faults[0]!.params })
    const allowed = Array.isArray(faults[0]!.params.allowedValues)
      ? `: ${faults[0]!.params.allowedValues.join(', ')}`
      : ''
    return new HttpError(
      400,
      `${place === 'querystring' ? 'The query' : 'The address'} is not valid: ${message}${allowed}`,
      { fields: { [field]: message } },
    )
  }
  const said = faults.map((fault) => say(names?.schema ?? {}, fault, names?.messages))
  const fields = Object.fromEntries(said.reverse().map(({ field, message }) => [field, message]))
  const malformed = faults.some(
    (fault) =>
      fault.keyword === 'additionalProperties' || (fault.keyword === 'type' && fault.params.type !== 'null'),
  )
  return new HttpError(malformed ? 400 : 422, Object.values(fields).reverse().join('. '), { fields })
}

/** PostgreSQL's own refusals, in our words. */
function databaseError(error: { code?: string; detail?: string }, { names }: RouteNames): HttpError | null {
  const column = /^Key \((?:lower\()?"?(\w+)"?/.exec(error.detail ?? '')?.[1]
  const title = (column && names?.schema?.properties?.[column]?.title) ?? column ?? 'record'
  if (error.code === '23505') {
    const message = `This ${title} is already taken`
    return new HttpError(409, message, column ? { fields: { [column]: message } } : {})
  }
  if (error.code === '23503')
    return new HttpError(
      409,
      'It is still referenced by other records, or refers to one that was just deleted',
    )
  if (error.code === '22003') return new HttpError(422, 'A number is too large to be stored')
  if (error.code === '22021' || error.code === '22P05')
    return new HttpError(400, 'A text holds a character that cannot be stored')
  if (error.code === '40P01' || error.code === '40001')
    return new HttpError(503, 'Somebody else changed the same records at this moment. Please try again.', {
      retryAfter: 1,
    })
  const away = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', '57P01', '57P03', '08006', '53300', '57P02']
  if (error.code && away.includes(error.code))
    return new HttpError(503, 'The database is not available at the moment. Please try again.', {
      retryAfter: 2,
    })
  return null
}

function toHttpError(error: FastifyError, names: RouteNames): HttpError | null {
  if (error instanceof HttpError) return error
  if (error.validation) return validationError(error, names)
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new HttpError(415, 'The body must be JSON')
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new HttpError(413, 'The body is too large')
  if (/connection terminated|timeout exceeded when trying to connect/i.test(error.message))
    return new HttpError(503, 'The database is not available at the moment. Please try again.', {
      retryAfter: 2,
    })
  const bySql = databaseError(error, names)
  if (bySql) return bySql
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500)
    return new HttpError(error.statusCode, error.message)
  return null
}

/** Every failure leaves as `{error, requestId, fields?}`; what we did not foresee is a 500 that tells nothing of the inside. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const refusal =
    toHttpError(error, request.routeOptions.config as RouteNames) ?? new HttpError(500, genericMessage)
  if (refusal.status >= 500)
    request.log.error(
      { err: { type: error.name, code: error.code, message: error.message, stack: error.stack } },
      'failed',
    )
  const { retryAfter, ...extra } = refusal.extra
  if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter)
  void reply.code(refusal.status).send({
    error: refusal.message,
    requestId: request.id,
    ...(refusal.fields && { fields: refusal.fields }),
    ...extra,
  })
}
