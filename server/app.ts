import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import { Ajv, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  type HTTPMethods,
} from 'fastify'
import type { Endpoint } from '../schemas/api/endpoint.ts'
import { endpoints } from '../schemas/api/endpoints.ts'
import { entities } from '../schemas/entities/index.ts'
import type { LiteName } from '../schemas/entities/lookups.ts'
import { authorize } from './accounts/authorize.ts'
import { emailHandlers } from './accounts/emailHandlers.ts'
import { sessionHandlers } from './accounts/sessionHandlers.ts'
import { termsHandlers } from './accounts/termsHandlers.ts'
import type { Config } from './config/config.ts'
import type { Db } from './db/db.ts'
import { driveHandlers } from './drive/handlers.ts'
import { entityHandlers, lookupHandler } from './entities/crud.ts'
import { answerError } from './http/answerError.ts'
import type { Call, Handler, Handlers } from './http/call.ts'
import { HttpError } from './http/errors.ts'
import { requestLogger } from './http/log.ts'
import { registerSecurityHeaders, registerPortalPages } from './http/portalPages.ts'
import { createXsrfToken, needsXsrfToken, xsrfCookie } from './http/xsrf.ts'
import { batchHandlers, fileHandlers } from './imports/handlers.ts'
import { createMailer } from './mail/mailer.ts'
import { reportHandlers } from './reports/handlers.ts'
import { homeHandlers } from './reports/homeHandlers.ts'
import { ticketHandlers } from './tickets/handlers.ts'

type AppOptions = { db: Db; config: Config; secret: Buffer; log?: FastifyServerOptions['logger'] }

const createAjv = (options: Options) => {
  const made = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    strict: true,
    strictRequired: false,
    multipleOfPrecision: 8,
    ...options,
  })
  made.addVocabulary(['kind', 'to', 'secret', 'virtual', 'show', 'none', 'placeholder', 'rows'])
  addFormats.default(made)
  return made
}

/** Fastify's serializer compiles what a reply may hold; titles, limits and kinds are not its business. */
const serializerSchema = (schema: unknown): unknown => {
  if (Array.isArray(schema) || typeof schema !== 'object' || schema === null) return schema
  const { type, properties, items, required, additionalProperties } = schema as Record<string, never>
  const kept = {
    type,
    required,
    items: items && serializerSchema(items),
    properties:
      properties &&
      Object.fromEntries(Object.entries(properties).map(([name, it]) => [name, serializerSchema(it)])),
    additionalProperties:
      typeof additionalProperties === 'object'
        ? serializerSchema(additionalProperties)
        : additionalProperties,
  }
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
}

const isEndpoint = (row: object): row is Endpoint => 'route' in row
/** Every row of the table with its handler. */
const endpointHandlers = (rows: object, handlers: object): [Endpoint, Handler][] =>
  Object.entries(rows).flatMap(([name, row]) => {
    const handler = (handlers as Record<string, object>)[name]!
    return isEndpoint(row)
      ? [[row, handler as unknown as Handler] as [Endpoint, Handler]]
      : endpointHandlers(row, handler)
  })

/** The portal's server: every row of the endpoints table meets its gate and its handler. */
export async function buildApp({ db, config, secret, log = false }: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    logger: log && requestLogger(log),
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy,
    bodyLimit: 1_000_000,
    requestTimeout: 300_000,
    connectionTimeout: 120_000,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
  }) as unknown as FastifyInstance
  app.server.headersTimeout = 30_000
  const strict = createAjv({ coerceTypes: false })
  const textual = createAjv({ coerceTypes: true, useDefaults: true })
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? strict : textual).compile(schema as object),
  )
  app.removeContentTypeParser('text/plain')
  app.setErrorHandler(answerError)
  await app.register(cookie)
  await app.register(multipart, {
    limits: { files: 1, fields: 5, parts: 6, fileSize: config.uploadLimit, headerPairs: 50 },
  })
  await registerSecurityHeaders(app, config)

  const secure = config.publicUrl?.startsWith('https:') ?? false
  const setXsrf = ({ reply }: Pick<Call, 'reply'>, value: string) =>
    void reply.setCookie(xsrfCookie, value, { path: '/', sameSite: 'strict', secure })
  app.addHook('onRequest', async (request, reply) => {
    const signedIn = request.headers.authorization !== undefined
    if (!signedIn && needsXsrfToken(secret, request.cookies[xsrfCookie], undefined))
      setXsrf({ reply }, createXsrfToken(secret, null))
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })
  app.get('/healthz', async () => {
    await db.query('select 1')
    return { status: 'ok' }
  })

  const mailer = createMailer(config.mail, config.dataDir)
  app.addHook('onClose', mailer.flush)
  const handlers: Handlers = {
    session: sessionHandlers(db, config, secret, setXsrf, mailer),
    terms: termsHandlers(db),
    home: homeHandlers(db, config),
    reports: reportHandlers(db, config, secret),
    email: emailHandlers(db, secret, mailer, config.helpdesk),
    entities: Object.fromEntries(
      Object.values(entities).map((it) => [it.name, entityHandlers(db, it, secret)]),
    ),
    ids: {
      masteragent: lookupHandler(db, 'masteragent'),
      merchant: lookupHandler(db, 'merchant'),
    } satisfies Record<LiteName, Handler>,
    drive: driveHandlers(config, secret),
    tickets: ticketHandlers(db, config),
    file: fileHandlers(db, config),
    batches: batchHandlers(db, config),
  }
  const messages = Object.fromEntries(Object.values(entities).map((it) => [it.schema.$id, it.messages]))
  for (const [row, handler] of endpointHandlers(endpoints, handlers)) {
    const [method, url] = row.route.split(' ') as [HTTPMethods, string]
    const { $id, ...body } = (row.body ?? {}) as { $id?: string }
    app.route({
      method,
      url,
      schema: {
        ...(row.query && { querystring: row.query }),
        ...(row.body && { body }),
        ...(row.reply && { response: { [row.status ?? 200]: serializerSchema(row.reply) } }),
      },
      config: {
        names: { schema: row.body, messages: $id && messages[$id.replace('.update', '')] },
      } as object,
      onRequest: authorize(db, config, secret, row, setXsrf),
      handler: async (request, reply) => {
        const { caller, params, query, body } = request as unknown as Call
        const answer = await handler({ caller, address: request.ip, params, query, body, request, reply })
        if (!row.download) reply.code(row.status ?? 200)
        return row.status === 204 ? undefined : answer
      },
    })
  }
  await registerPortalPages(app)
  app.setNotFoundHandler(async (request) => {
    throw new HttpError(404, `There is no ${request.method} ${request.url.split('?')[0]}`)
  })
  return app
}

export type Logger = FastifyBaseLogger
