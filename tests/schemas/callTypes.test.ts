import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Downloaded } from '../../machines/download.machine.ts'
import type { PathParams, QueryOf, ReplyOf, SentQuery } from '../../schemas/api/callTypes.ts'
import type { Endpoint } from '../../schemas/api/endpoint.ts'
import { endpoints } from '../../schemas/api/endpoints.ts'
import {
  arrayOf,
  integer,
  objectOf,
  oneOf,
  orNull,
  stringOrNull,
  type ShapeOf,
} from '../../schemas/shapes.ts'
import type { HandlerOf, Handlers } from '../../server/http/call.ts'
import type { Call } from '../../src/api/http.ts'

/*
 * Checked by the compiler: a line below `@ts-expect-error` that compiles is an error of `npm run check`. What
 * the calls are made of is read by the tests themselves.
 */
const { months, tickets, reports, email, drive, decisions, file } = endpoints
const params = { month: '2026-10' }
const paths: string[] = []
/** A call that notes its route and never ends. */
const call = ((endpoint: Endpoint) => {
  paths.push(endpoint.route)
  return new Promise(() => {})
}) as Call
const sent = (...calls: (() => unknown)[]) => {
  paths.length = 0
  for (const send of calls) send()
  return paths
}

describe('a call of the client compiles', () => {
  test('with the parameters of its path alone', () => {
    const routes = sent(
      () => call(months.payout, { params }),
      () => call(months.list),
      // @ts-expect-error: no options, and the path has a parameter
      () => call(months.payout),
      // @ts-expect-error: no parameters
      () => call(months.payout, {}),
      // @ts-expect-error: a parameter of another name
      () => call(months.payout, { params: { moth: '2026-10' } }),
      // @ts-expect-error: one of two parameters
      () => call(months.file, { params }),
      // @ts-expect-error: the path has none
      () => call(months.list, { params }),
    )
    expect(routes.every((route) => /month/.test(route))).toBe(true)
  })

  test('with a query of its fields, where those with a default can be left out', () => {
    sent(
      () => call(tickets.list),
      () => call(tickets.list, { query: { search: 'a', size: 25 } }),
      // @ts-expect-error: a misspelt field
      () => call(tickets.list, { query: { serach: 'a' } }),
      // @ts-expect-error: a size that is not offered
      () => call(tickets.list, { query: { size: 11 } }),
      // @ts-expect-error: the id is required
      () => call(tickets.detach, { params: { id: 1 } }),
      // @ts-expect-error: this call has no query
      () => call(months.payout, { params, query: { page: 1 } }),
    )
    expectTypeOf<SentQuery<typeof tickets.list>['page']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<QueryOf<typeof tickets.list>['page']>().toEqualTypeOf<number>()
  })

  test('with a body of its fields', () => {
    sent(
      () => call(email.request, { body: { email: 'a@b.co' } }),
      // @ts-expect-error: no body
      () => call(email.request),
      // @ts-expect-error: a misspelt field
      () => call(email.request, { body: { mail: 'a@b.co' } }),
      // @ts-expect-error: a field of another type
      () => call(email.request, { body: { email: 1 } }),
      // @ts-expect-error: a text that is not one of the enumeration
      () => call(months.release, { params, body: { hash: 'x', how: 'cash' } }),
      // @ts-expect-error: a field that the body does not have
      () => call(months.approve, { params, body: { hash: 'x', note: 'y' } }),
      // @ts-expect-error: this call has no body
      () => call(months.payout, { params, body: {} }),
      // @ts-expect-error: an upload is a form
      () => call(file.merchant, { body: { file: 'x' } }),
    )
    expect(paths).toHaveLength(8)
  })

  test('and resolves to its reply', () => {
    const typed = () => call(months.payout, { params })
    expectTypeOf<Awaited<ReturnType<typeof typed>>['state']>().toEqualTypeOf<
      'open' | 'locked' | 'approved' | 'released' | 'settled'
    >()
    const download = () => call(drive.file, { params: { id: 'x' } })
    expectTypeOf<Awaited<ReturnType<typeof download>>>().toEqualTypeOf<Downloaded>()
    const nothing = () => call(tickets.remove, { params: { id: 1 } })
    expectTypeOf<Awaited<ReturnType<typeof nothing>>>().toEqualTypeOf<void>()
    // @ts-expect-error: the reply has no such field
    sent(() => typed().then(({ lockdby }) => lockdby as unknown))
    expect(paths).toEqual([months.payout.route])
  })
})

describe('a handler compiles', () => {
  const summary = { month: '2026-10', state: 'open', version: 0 } as const
  test('with the reply of its endpoint alone', () => {
    const handlers: HandlerOf<typeof months.list>[] = [
      async () => ({ work: null, data: [summary] }),
      // @ts-expect-error: a field is missing
      async () => ({ work: null, data: [{ month: '2026-10', state: 'open' as const }] }),
      // @ts-expect-error: a field has another name
      async () => ({ work: null, data: [{ ...summary, state: undefined, stat: 'open' as const }] }),
      // @ts-expect-error: a field has another type
      async () => ({ work: null, data: [{ ...summary, version: '0' }] }),
      // @ts-expect-error: a text that is not one of the enumeration
      async () => ({ work: null, data: [{ ...summary, state: 'shut' as const }] }),
      // @ts-expect-error: a row instead of the page
      async () => summary,
      // @ts-expect-error: null where the schema has none
      async () => ({ work: null, data: [{ ...summary, month: null }] }),
    ]
    expect(handlers).toHaveLength(7)
  })

  test('with the parameters, the query and the body of its endpoint alone', () => {
    const downloads: HandlerOf<typeof months.file>[] = [
      async ({ params: { id }, reply }) => reply.send(id),
      // @ts-expect-error: the path has no such parameter
      async ({ params: { it }, reply }) => reply.send(it),
      // @ts-expect-error: a file is no object
      async () => ({ file: 'x' }),
    ]
    const changes: HandlerOf<typeof tickets.detach>[] = [
      async ({ query }) => void query.id.toFixed(),
      // @ts-expect-error: the query has no such field
      async ({ query }) => void query.file,
      // @ts-expect-error: a number
      async ({ query }) => void query.id.trim(),
    ]
    const waives: HandlerOf<typeof reports.unlock>[] = [
      // @ts-expect-error: the body has no such field
      async ({ body }) => ({ month: body.mouth, version: 1, hash: '', username: '', lockedat: 0 }),
    ]
    const decides: HandlerOf<typeof decisions.adjustment.refuse>[] = [
      // @ts-expect-error: the handler itself checks this body, which is unknown until then
      async ({ body }) => ({ id: 1, version: 1, reason: body.reason as unknown }),
    ]
    expect([downloads, changes, waives, decides].map(({ length }) => length)).toEqual([3, 3, 1, 1])
  })

  test('only with the handlers of all its calls', () => {
    const certain: Omit<Handlers['home'], 'profit'> = {
      own: async () => ({ statement: null, months: [], account: 'known', tickets: { total: 0, newest: [] } }),
      portal: async () => ({ links: [], store: null, training: null, widget: null, backup: null }),
    }
    // @ts-expect-error: the profit has no handler
    const home: Handlers['home'] = certain
    expect(Object.keys(home)).toEqual(['own', 'portal'])
  })
})

describe('the type of a route', () => {
  const names = (table: object): [route: string, names: string[]][] =>
    Object.values(table).flatMap((row: { route?: string }) =>
      typeof row.route === 'string'
        ? [[row.route, [...row.route.matchAll(/:(\w+)/g)].map(([, name]) => name!)] as [string, string[]]]
        : names(row),
    )

  test('names each of its parameters, as the server reads them', () => {
    expectTypeOf<PathParams<typeof months.list>>().toEqualTypeOf<Record<never, string>>()
    expectTypeOf<PathParams<typeof months.file>>().toEqualTypeOf<{ month: string; id: string }>()
    expectTypeOf<keyof PathParams<typeof endpoints.batches.progress>>().toEqualTypeOf<'kind' | 'job'>()
    expectTypeOf<keyof PathParams<(typeof endpoints.entities)[string]['update']>>().toEqualTypeOf<'id'>()
    expectTypeOf<keyof PathParams<(typeof endpoints.entities)[string]['list']>>().toEqualTypeOf<never>()
    expect(new Map(names(endpoints)).get(months.file.route)).toEqual(['month', 'id'])
    expect(new Map(names(endpoints)).get(endpoints.batches.progress.route)).toEqual(['kind', 'job'])
  })
})

describe('the type of a schema', () => {
  const schema = objectOf(
    { id: integer, how: oneOf('file', 'other'), note: stringOrNull, rows: arrayOf(orNull(objectOf({}))) },
    'note',
  )
  test('has its required fields, and those that may be absent as such', () => {
    expectTypeOf<ShapeOf<typeof schema>>().toEqualTypeOf<{
      id: number
      how: 'file' | 'other'
      note?: string | null
      rows: (Record<never, never> | null)[]
    }>()
    expect(schema.required).toEqual(['id', 'how', 'rows'])
  })

  test('of a 204 is nothing', () => {
    expectTypeOf<ReplyOf<typeof email.verify>>().toEqualTypeOf<void>()
    expect(email.verify).not.toHaveProperty('reply')
  })
})
