import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BodyOf, PathParams, QueryOf, ReplyOf } from '../../schemas/api/callTypes.ts'
import type { Endpoint } from '../../schemas/api/endpoint.ts'
import type { endpoints } from '../../schemas/api/endpoints.ts'
import type { Viewer } from '../../schemas/permissions.ts'

/** What a handler is given: authenticated, authorized and validated. */
export type Call<Params = object, Query = object, Body = unknown> = {
  /** Present unless the endpoint allows 'anyone'. */
  caller: Caller
  /**
   * The caller by the session and the rights of now, for work that begins long after the call did. Throws an
   * HttpError (401, 403, 428). Present where `caller` is.
   */
  authorizeAgain: () => Promise<Caller>
  /** The IP address of the caller. */
  address: string
  params: Params
  query: Query
  body: Body
  request: FastifyRequest
  reply: FastifyReply
}

/** The call of one endpoint: its types are those of its route and schemas. */
export type CallOf<E extends Endpoint> = Call<PathParams<E>, QueryOf<E>, BodyOf<E>>

/** The bytes of a file, or the reply that has been sent with them. */
type FileAnswer = FastifyReply | Buffer | Readable
type Answer<E extends Endpoint> = E extends { download: true }
  ? FileAnswer | (E extends { reply: object } ? ReplyOf<E> : never)
  : E extends { long: true }
    ? FastifyReply
    : ReplyOf<E>
export type HandlerOf<E extends Endpoint> = (call: CallOf<E>) => Promise<Answer<E>>

/** One handler for every row of a table: a missing one, or one of another call, does not compile. */
export type Handlers<T = typeof endpoints> = T extends Endpoint
  ? HandlerOf<T>
  : { [K in keyof T]: Handlers<T[K]> }

/** Any handler. `Handlers` has made sure that it takes the call of its endpoint. */
export type Handler = (call: Call<never, never, never>) => Promise<unknown>

/**
 * The signed-in user of a call: the viewer of the rules and what only the server knows. `scope` holds the ids
 * of the master agents whose rows it may see, null for all (permissions 4).
 */
export type Caller = Viewer & {
  userid: number
  email: string | null
  scope: number[] | null
  /** The own master agent and all above it, empty without one (agents 13). */
  chain: number[]
  tcAccepted: boolean
  tokenHash: Buffer
}
