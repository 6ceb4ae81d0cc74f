import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from './auth.ts'
import type { Endpoint, endpoints } from '../schemas/endpoints.ts'

/** What a handler is given: already authenticated, allowed and validated. */
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

// A handler says what it was given; the endpoints table has already checked it.
// oxlint-disable-next-line no-explicit-any
export type Handler = (call: Call<any, any, any>) => Promise<unknown>

/** One handler for every row of the endpoints table: a missing one does not compile. */
export type Handlers<T = typeof endpoints> = T extends Endpoint ? Handler : { [K in keyof T]: Handlers<T[K]> }
