import type { ShapeOf } from '../shapes.ts'
import type { Endpoint } from './endpoint.ts'

/** 'month' | 'id' of 'GET /api/v1/month/:month/release/:id/file'. */
type ParamNames<Route> = Route extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParamNames<`/${More}`>
    : Rest
  : never

/** The parameters in the path of a call; without any, an empty object. */
export type PathParams<E extends Endpoint, Value = string> = { [K in ParamNames<E['route']>]: Value }

/** The query as the handler gets it: checked, numbers as numbers, defaults filled in. */
export type QueryOf<E extends Endpoint> = E extends { query: infer Q } ? ShapeOf<Q, true> : object
/** The query as it is sent: what has a default can be left out. */
export type SentQuery<E extends Endpoint> = E extends { query: infer Q } ? ShapeOf<Q> : never

/** The JSON body of a call; an upload has none. */
export type SentBody<E extends Endpoint> = E extends { body: infer B } ? ShapeOf<B> : never
/** The body as the handler gets it: unknown where the handler checks it (api 1). */
export type BodyOf<E extends Endpoint> = E extends { bodyAfterState: true }
  ? unknown
  : E extends { body: infer B }
    ? ShapeOf<B>
    : unknown

/** The JSON answer of a call; nothing for one that answers 204. */
export type ReplyOf<E extends Endpoint> = E extends { reply: infer R } ? ShapeOf<R> : void
