import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import fastify, {
  type FastifyInstance,
  type FastifyServerOptions,
  type HTTPMethods,
  type onRequestAsyncHookHandler,
} from 'fastify'
import { bulkEntities } from '../schemas/api/bulk/bulk.ts'
import { mayTakeLong, type Endpoint } from '../schemas/api/endpoint.ts'
import { endpoints } from '../schemas/api/endpoints.ts'
import { entities } from '../schemas/entities/index.ts'
import { lookups } from '../schemas/entities/lookups.ts'
import { mapValues } from '../schemas/shapes.ts'
import { authorize, type Authorized } from './accounts/authorize.ts'
import { emailHandlers } from './accounts/emailHandlers.ts'
import { openSessionHandlers } from './accounts/openSessionHandlers.ts'
import { auditRefusals } from './accounts/refusals.ts'
import { sessionHandlers } from './accounts/sessionHandlers.ts'
import { termsHandlers } from './accounts/termsHandlers.ts'
import { auditDownloads } from './audit/downloadAudit.ts'
import { auditHandlers } from './audit/handlers.ts'
import { bulkHandlers } from './bulk/handlers.ts'
import type { Config } from './config/config.ts'
import type { Db } from './db/db.ts'
import { watchUnreadable } from './db/encryption.ts'
import { driveHandlers } from './drive/handlers.ts'
import { adjustmentDecisions } from './entities/adjustmentDecisions.ts'
import { accountDecisions } from './entities/decisions.ts'
import { agentHandlers, entityHandlers } from './entities/handlers.ts'
import { lookupHandler } from './entities/paging/pick.ts'
import { findHandlers } from './find/handlers.ts'
import { addressOf, trustProxy } from './http/address.ts'
import { answerError, type BodyNames } from './http/answerError.ts'
import type { Call, Handler, Handlers } from './http/call.ts'
import { HttpError } from './http/errors.ts'
import { abortOnDisconnect, withoutSocketTimeout } from './http/fileResponse.ts'
import { refusesEncodings, refusesForms, useJsonBodies } from './http/jsonBodies.ts'
import { requestLogger } from './http/log.ts'
import {
  answerBareRequests,
  createAnswerOnSocket,
  assertReadableQuery,
  malformedRequests,
} from './http/malformedRequests.ts'
import { registerSecurityHeaders, registerPortalPages } from './http/portalPages.ts'
import { routeSchema, useSchemaValidators } from './http/schemas.ts'
import { clientTimes, endSlowClients, type ClientTimes } from './http/slowClients.ts'
import { createXsrfToken, needsXsrfToken, xsrfCookie, type SetXsrfCookie } from './http/xsrf.ts'
import { batchHandlers, fileHandlers } from './imports/handlers.ts'
import { uploadQuota } from './imports/upload.ts'
import { inboxHandlers } from './inbox/handlers.ts'
import { endReplaced } from './inbox/replaced.ts'
import { inCallersTurn } from './jobs/callersTurn.ts'
import { createDownloads } from './jobs/downloads.ts'
import { createLimiter, type Limiter } from './jobs/limiter.ts'
import { listFileHandler } from './lists/entityFile.ts'
import { createMailer, type Mailer } from './mail/mailer.ts'
import { monthHandlers } from './payouts/handlers.ts'
import { payeeHoldHandlers } from './payouts/payeeHolds.ts'
import { reportHandlers } from './reports/handlers.ts'
import { homeHandlers } from './reports/homeHandlers.ts'
import { ticketHandlers } from './tickets/handlers.ts'
import { varianceHandlers } from './variance/handlers.ts'
import { viewHandlers } from './views/views.ts'

/** Calls of one user that are worked on at a time; their others wait (operations 14). */
const callsPerUser = 4

type AppOptions = {
  db: Db
  config: Config
  secret: Buffer
  log?: FastifyServerOptions['logger']
  times?: ClientTimes
}

/** The portal's server: every row of the endpoints table with its authorization and its handler (api 1). */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { db, config, secret, log = false, times = clientTimes } = options
  const app = fastify({
    logger: log && requestLogger(log),
    genReqId: () => randomUUID(),
    trustProxy: trustProxy(config.trustProxy),
    bodyLimit: 1_000_000,
    http: { connectionsCheckingInterval: times.checkInterval, requireHostHeader: false },
    requestTimeout: 0,
    connectionTimeout: times.silence,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    ...malformedRequests(config),
  }) as unknown as FastifyInstance
  const answerOnSocket = createAnswerOnSocket(config)
  endSlowClients(app, times, answerOnSocket)
  watchUnreadable(secret, (field) => app.log.error({ field }, 'a stored secret is unreadable'))
  useSchemaValidators(app)
  useJsonBodies(app)
  app.setErrorHandler(answerError)
  app.addHook('onError', auditRefusals(db))
  await app.register(cookie)
  await app.register(multipart, {
    limits: { files: 1, fields: 5, parts: 6, fileSize: config.uploadLimit, headerPairs: 50 },
  })
  await registerSecurityHeaders(app, config)
  answerBareRequests(app, answerOnSocket)

  const secure = config.publicUrl?.startsWith('https:') ?? false
  const setXsrfCookie: SetXsrfCookie = (reply, token) =>
    void reply.setCookie(xsrfCookie, token, { path: '/', sameSite: 'strict', secure })
  app.addHook('onRequest', async (request, reply) => {
    const isSignedIn = request.headers.authorization !== undefined
    // A proxy may cache the files of the page and give them to others, with their cookies.
    const isCacheable = request.url.startsWith('/assets/')
    if (!isSignedIn && !isCacheable && needsXsrfToken(secret, request.cookies[xsrfCookie], undefined))
      setXsrfCookie(reply, createXsrfToken(secret, null))
    if (!request.url.startsWith('/api/')) return
    reply.header('cache-control', 'no-store')
    assertReadableQuery(request.url)
  })
  addHealthRoutes(app, db)

  const mailer = createMailer(config.mail, config.dataDir)
  app.addHook('onClose', mailer.flush)
  const handlers = createHandlers({ db, config, secret, setXsrfCookie, mailer })
  const limitCalls = createLimiter(Infinity, callsPerUser)
  for (const [endpoint, handler] of endpointHandlers(endpoints, handlers)) {
    const onRequest = authorize({ db, idleMinutes: config.idleMinutes, endpoint, secret, setXsrfCookie })
    addRoute(app, endpoint, inTurn(endpoint, auditDownloads(db, endpoint, handler), limitCalls), onRequest)
  }
  await registerPortalPages(app)
  app.setNotFoundHandler(async (request) => {
    throw new HttpError(404, `There is no ${request.method} ${request.url.split('?')[0]}`)
  })
  return app
}

/** Whether the process lives, and whether the database answers, too (api 9). */
function addHealthRoutes(app: FastifyInstance, db: Db) {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    await db.query('select 1')
    return { status: 'ok' }
  })
}

type HandlerOptions = {
  db: Db
  config: Config
  secret: Buffer
  setXsrfCookie: SetXsrfCookie
  mailer: Mailer
}

function createHandlers({ db, config, secret, setXsrfCookie, mailer }: HandlerOptions): Handlers {
  const options = { db, secret, settings: config, mailer }
  const downloads = createDownloads(config)
  const uploads = uploadQuota(config)
  return {
    session: sessionHandlers(db, secret, setXsrfCookie, mailer),
    sessions: openSessionHandlers(db, config),
    terms: termsHandlers(db),
    home: homeHandlers(db, config),
    reports: reportHandlers(db, config, secret, downloads),
    months: monthHandlers(db, config, secret, mailer),
    variance: varianceHandlers({ db, config, downloads }),
    email: emailHandlers(db, secret, mailer, config.helpdesk),
    entities: mapValues(entities, (it) => ({
      ...entityHandlers(it, options),
      export: listFileHandler(it, { db, config, secret, downloads }),
    })),
    bulk: mapValues(bulkEntities, (it) => bulkHandlers(it, { ...options, config })),
    decisions: {
      masteragent: { ...accountDecisions(options), ...payeeHoldHandlers(options) },
      adjustment: adjustmentDecisions(options),
    },
    agents: agentHandlers(options),
    ids: mapValues(lookups, (_, name) => lookupHandler(db, name)),
    drive: driveHandlers(config, secret),
    tickets: ticketHandlers(db, config, { downloads, uploads }),
    audit: auditHandlers(db, config, downloads),
    views: viewHandlers(db),
    find: findHandlers(db),
    file: fileHandlers(db, config, uploads, endReplaced),
    batches: batchHandlers(db, config, { downloads, uploads }),
    inbox: inboxHandlers(db, config, uploads),
  }
}

type EndpointTable = { readonly [name: string]: Endpoint | EndpointTable }
type HandlerTable = { readonly [name: string]: Handler | HandlerTable }
const isEndpoint = (row: Endpoint | EndpointTable): row is Endpoint => typeof row.route === 'string'

/** Every row of the endpoints table with its handler. Throws an Error for a row without one. */
const endpointHandlers = (rows: EndpointTable, handlers: HandlerTable): [Endpoint, Handler][] =>
  Object.entries(rows).flatMap(([name, row]): [Endpoint, Handler][] => {
    const handler = handlers[name]
    if (isEndpoint(row) && typeof handler === 'function') return [[row, handler]]
    if (!isEndpoint(row) && typeof handler === 'object') return endpointHandlers(row, handler)
    throw new Error(`The endpoint ${name} has no handler`)
  })

/**
 * A handler that begins when it is its user's turn, or its address's without a session. Reports wait for
 * turns of their own, and so do imports once their file has come. The connection of what may take long may be
 * silent until it is answered; that of an upload only once its file has come. An address is preceded by a
 * blank, so that a user who is called like it shares no turns with it.
 */
const inTurn = (endpoint: Endpoint, handler: Handler, limitCalls: Limiter): Handler => {
  const { upload, ownTurn } = endpoint
  const run: Handler = (call) => {
    if (ownTurn || upload) return handler(call)
    const request = call as Call
    const { address, reply } = request
    const caller = request.caller as Call['caller'] | undefined
    const signal = abortOnDisconnect(reply, 'The call was cancelled')
    return caller
      ? inCallersTurn(limitCalls, request, (now) => handler({ ...call, caller: now }), { signal })
      : limitCalls(() => handler(call), { user: ` ${address}`, signal })
  }
  if (upload || !mayTakeLong(endpoint)) return run
  return (call) => withoutSocketTimeout((call as Call).reply, async () => run(call))
}

/** The messages of the entities' own for faults of a body, by the id of its schema. */
const messagesBySchema = Object.fromEntries(Object.values(entities).map((it) => [it.schema.$id, it.messages]))

function addRoute(
  app: FastifyInstance,
  endpoint: Endpoint,
  handler: Handler,
  onRequest: onRequestAsyncHookHandler,
) {
  const [method, url] = endpoint.route.split(' ') as [HTTPMethods, string]
  const status = endpoint.status ?? 200
  const { $id } = (endpoint.body ?? {}) as { $id?: string }
  const names: BodyNames = {
    schema: endpoint.body as BodyNames['schema'],
    messages: $id ? messagesBySchema[$id.replace(/\.(create|update)$/, '')] : undefined,
  }
  app.route({
    method,
    url,
    schema: routeSchema(endpoint),
    config: { names, endpoint } as object,
    onRequest,
    preParsing: refusesEncodings(endpoint),
    preValidation: refusesForms(endpoint),
    handler: async (request, reply) => {
      // `authorize` and the schemas of the route have checked these.
      const { params, query, body: sent } = request as unknown as Parameters<Handler>[0]
      const { caller, authorizeAgain, isBodyAwaited } = request as unknown as Authorized
      // While the body was awaited the session may have ended, or a right may have been taken (session 6).
      const isLate = isBodyAwaited && !endpoint.upload
      const answer = await handler({
        caller: isLate ? await authorizeAgain() : caller,
        authorizeAgain,
        address: addressOf(request),
        params,
        query,
        body: sent,
        request,
        reply,
      })
      if (!endpoint.download && !endpoint.long) reply.code(status)
      return status === 204 ? undefined : answer
    },
  })
}
