import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../schemas/api/endpoint.ts'
import type { endpoints } from '../../schemas/api/endpoints.ts'
import type { Viewer } from '../../schemas/permissions.ts'

/** What a handler is given: authenticated, authorized and validated. */
export type Call<P = Record<string, string>, Q = Record<string, unknown>, B = Record<string, unknown>> = {
  /** Present unless the endpoint allows 'anyone'. */
  caller: Caller
  address: string
  params: P
  query: Q
  body: B
  request: FastifyRequest
  reply: FastifyReply
}

// A handler declares the types of its own call; the schemas of the endpoints table have checked them.
// oxlint-disable-next-line no-explicit-any
export type Handler = (call: Call<any, any, any>) => Promise<unknown>

/** One handler for every row of the endpoints table: a missing one does not compile. */
export type Handlers<T = typeof endpoints> = T extends Endpoint ? Handler : { [K in keyof T]: Handlers<T[K]> }

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
