import fc from 'fast-check'
import type { Endpoint } from '../../schemas/api/endpoint.ts'
import { endpoints } from '../../schemas/api/endpoints.ts'
import { multipartBody } from './uploads.ts'
import { nastyJson, nastyText, objectLike, plausible, spoiled } from './values.ts'

/** Who makes a call: people of the demo data, and a visitor without a session. */
export const callers = ['admin', 'clerk', 'agent', 'stranger'] as const
export type FuzzedCall = {
  who: (typeof callers)[number]
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  url: string
  headers: Record<string, string>
  payload?: Buffer
}

type Table = { readonly [name: string]: Endpoint | Table }
const rowsOf = (table: Table): Endpoint[] =>
  Object.values(table).flatMap((row) =>
    typeof row.route === 'string' ? [row as Endpoint] : rowsOf(row as Table),
  )
/** Every call of the API. */
export const allEndpoints = rowsOf(endpoints as unknown as Table)

/** `encodeURIComponent` refuses half of a surrogate pair. */
const encoded = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
const split = (texts: string) => texts.split(' ')

const likelyParams: Record<string, string[]> = {
  id: split('1 2 3 7 40 900 3000'),
  month: split('2026-08 2026-09 2026-10 2026-11'),
  kind: split('merchant residual dailyvolume tin'),
  type: split('residual-summary agent-residual-statement export-log portfolio-summary dispute-ratio'),
  job: ['0b0e3f7a-5a3c-4b59-9d3e-0d5b0c1d2e3f'],
}
const likelyParam = (name: string) => fc.constantFrom(...(likelyParams[name] ?? ['1', '2', 'a']))
const nastyParam = fc.oneof(
  { weight: 3, arbitrary: nastyText.map((text) => encoded(text.slice(0, 300)) || '%20') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...split('% %ff %00 %zz %2f %e2%80 %F0%9F ..%2f.. ;a=b')),
  },
)
const path = (route: string, param: (name: string) => fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...route
        .split(' ')[1]!
        .split('/')
        .map((part) => (part.startsWith(':') ? param(part.slice(1)) : fc.constant(part))),
    )
    .map((parts) => parts.join('/'))

type Properties = Record<string, Parameters<typeof plausible>[0]>
const propertiesOf = (endpoint: Endpoint): Properties =>
  (endpoint.query as { properties?: Properties } | undefined)?.properties ?? {}
const asQuery = (pairs: readonly (readonly [string, unknown])[]) =>
  pairs.map(([name, value]) => `${encoded(name)}=${encoded(String(value))}`).join('&')

const likelyQuery = (endpoint: Endpoint): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constant(''),
    objectLike({ properties: propertiesOf(endpoint) }).map((values) => asQuery(Object.entries(values))),
  )
const malformedQueries = split('% a=% a=%ff&a=%00 && = page page=1&page=2 a[]=1 a[b]=1')
const nastyQuery = (endpoint: Endpoint): fc.Arbitrary<string> => {
  const names = Object.keys(propertiesOf(endpoint))
  const name = names.length > 0 ? fc.oneof(fc.constantFrom(...names), nastyText) : nastyText
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.array(fc.tuple(name, nastyText), { minLength: 1, maxLength: 3 }).map(asQuery),
    },
    { weight: 1, arbitrary: fc.constantFrom(...malformedQueries) },
  )
}

const headerNames = split(
  'accept accept-encoding accept-language content-type range if-range if-none-match x-forwarded-for ' +
    'x-forwarded-proto x-request-id origin referer user-agent expect authorization cookie x-xsrf-token ' +
    'prefer content-encoding constructor',
)
const headerValues = [
  ...split('application/json multipart/form-data text/plain */* bytes=0- bytes=-1 bytes=9-1 gzip br;q=9'),
  ...split('Bearer XSRF-TOKEN= XSRF-TOKEN=% ::ffff:1.2.3.4 1.2.3.4,5.6.7.8 unknown W/"1" " 100-continue'),
  'application/json; charset=utf-7',
  'multipart/form-data; boundary=',
  'Bearer x',
  'Basic YTpi',
  'multipart/form-data; boundary="\u00ff"',
]
/** The value of a header is Latin-1 without signs of control: Node refuses to send others. */
const headerText = nastyText.map((text) =>
  text
    .replace(/[^\t\x20-\x7e\xa0-\xff]/g, '')
    .trim()
    .slice(0, 2_000),
)
const nastyHeaders = fc.dictionary(
  fc.constantFrom(...headerNames),
  fc.oneof(headerText, fc.constantFrom(...headerValues)),
  { minKeys: 1, maxKeys: 2 },
)

const malformedBodies = [
  '',
  ...split('{ {"a":1,} {"a":5e-324} {"a":1e999} "\\ud800" \ufeff{} [[[[ null'),
  '{"__proto__":{"admin":true}}',
]
const nastyBody = (endpoint: Endpoint): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: spoiled(endpoint.body ?? {}).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: nastyJson.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom(...malformedBodies) },
  )
const likelyBody = (endpoint: Endpoint): fc.Arbitrary<string> =>
  plausible({ type: 'object', ...endpoint.body }).map((value) => JSON.stringify(value))

/** The parts of a call that are as nobody would send them; the others are as the table says. */
const spoiledParts = fc.oneof(
  { weight: 1, arbitrary: fc.constant<string[]>([]) },
  { weight: 6, arbitrary: fc.constantFrom('path', 'query', 'headers', 'body', 'body').map((it) => [it]) },
  { weight: 1, arbitrary: fc.subarray(['path', 'query', 'headers', 'body']) },
)

/** Calls of one endpoint. */
export function callsOf(endpoint: Endpoint): fc.Arbitrary<FuzzedCall> {
  const method = endpoint.route.split(' ')[0] as FuzzedCall['method']
  const hasBody = method === 'PUT' || method === 'POST'
  const isUpload = endpoint.upload ?? false
  const body = (isSpoiled: boolean): fc.Arbitrary<Buffer | undefined> => {
    if (!hasBody) return fc.constant(undefined)
    if (isUpload) return multipartBody(isSpoiled)
    return (isSpoiled ? nastyBody : likelyBody)(endpoint).map((text) => Buffer.from(text))
  }
  const type = isUpload ? 'multipart/form-data; boundary=cut' : 'application/json'
  return spoiledParts.chain((parts) =>
    fc
      .record({
        who: fc.constantFrom(...callers, 'admin', 'admin', 'admin', 'admin', 'admin', 'admin'),
        path: path(endpoint.route, parts.includes('path') ? () => nastyParam : likelyParam),
        query: (parts.includes('query') ? nastyQuery : likelyQuery)(endpoint),
        headers: parts.includes('headers') ? nastyHeaders : fc.constant({}),
        body: body(parts.includes('body')),
      })
      .map((it) => ({
        who: it.who as FuzzedCall['who'],
        method,
        url: it.query === '' ? it.path : `${it.path}?${it.query}`,
        headers: { ...(it.body && { 'content-type': type }), ...it.headers },
        ...(it.body && { payload: it.body }),
      })),
  )
}
