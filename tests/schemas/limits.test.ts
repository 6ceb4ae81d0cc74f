import { describe, expect, test } from 'vitest'
import { bulkEntities } from '../../schemas/api/bulk/bulk.ts'
import { endpoints } from '../../schemas/api/endpoints.ts'
import { differenceKinds } from '../../schemas/api/months/differences.ts'
import { varianceKinds } from '../../schemas/api/months/variance.ts'
import { masterAgent } from '../../schemas/entities/masterAgent.ts'
import { hasUnseen, idFault, isEmail } from '../../schemas/fields.ts'
import { tinvalidation } from '../../schemas/imports/compliance.ts'
import { bodyCheck } from '../../server/http/schemas.ts'

type Leaf = Record<string, unknown> & { type?: unknown; kind?: string }
type Place = { at: string; leaf: Leaf }

/**
 * The leaves below a schema and the objects in it, each with its place: 'POST /api/v1/user body.username'.
 */
function partsOf(at: string, schema: Leaf): { leaves: Place[]; objects: Place[] } {
  const below = Object.entries((schema['properties'] ?? {}) as Record<string, Leaf>)
  const items = schema['items'] as Leaf | undefined
  const rest = schema['additionalProperties']
  const parts = [
    ...below.map(([name, leaf]) => partsOf(`${at}.${name}`, leaf)),
    ...(items ? [partsOf(`${at}[]`, items)] : []),
    ...(typeof rest === 'object' ? [partsOf(`${at}.*`, rest as Leaf)] : []),
  ]
  const own = [{ at, leaf: schema }]
  return {
    leaves: [...(below.length === 0 ? own : []), ...parts.flatMap(({ leaves }) => leaves)],
    objects: [...(below.length > 0 ? own : []), ...parts.flatMap(({ objects }) => objects)],
  }
}
const sent = (table: object): { leaves: Place[]; objects: Place[] }[] =>
  Object.values(table).flatMap((row: Record<string, unknown>) =>
    typeof row['route'] === 'string'
      ? ['body', 'query'].flatMap((part) =>
          row[part] ? [partsOf(`${row['route'] as string} ${part}`, row[part] as Leaf)] : [],
        )
      : sent(row),
  )
const all = sent(endpoints)
const leaves = all.flatMap((one) => one.leaves)
const objects = all.flatMap((one) => one.objects)

/** Whether the server takes this value of a field. */
const takes = (leaf: Leaf, value: unknown): boolean => {
  try {
    bodyCheck({ type: 'object', properties: { it: leaf } } as Parameters<typeof bodyCheck>[0])({ it: value })
    return true
  } catch {
    return false
  }
}
type Values = { good: unknown[]; bad: unknown[] }
const verdicts = (leaf: Leaf, { good, bad }: Values) => ({
  good: good.filter((value) => takes(leaf, value)),
  bad: bad.filter((value) => !takes(leaf, value)),
})

const x = (length: number) => 'x'.repeat(length)
/** A text of so many characters, not of one more; of `least` at least, and then not of blanks alone. */
const text = (most: number, least = 0, isBlankRefused = least > 0): Values => ({
  good: [
    x(most),
    x(most - 1),
    ...(least > 0 ? [x(least)] : ['']),
    ...(isBlankRefused ? [] : [' '.repeat(most)]),
  ],
  bad: [x(most + 1), ...(least > 0 ? ['', x(least - 1)] : []), ...(isBlankRefused ? [' '.repeat(most)] : [])],
})
const whole = (least: number, most: number): Values => ({
  good: [least, least + 1, most - 1, most],
  bad: [least - 1, most + 1, least + 0.5],
})
const decimal = (least: number, most: number, step: number): Values => ({
  good: [least, least + step, most - step, most],
  bad: [least - step, most + step, least + step / 10],
})
const oneOf = (...good: unknown[]): Values => ({
  good,
  bad: typeof good[0] === 'number' ? [0.5, 9_999, -1] : ['none', '', `${String(good[0])} `, x(3)],
})
/** What may not stand before or behind a text that a pattern describes whole. */
const around = (good: string[], bad: string[]): Values => ({
  good,
  bad: [...bad, ...good.flatMap((it) => [`§${it}`, `${it}§`, `${it}\n`, ` ${it}`, `${it} `, `${it}${it}`])],
})
const monthPart = ['-00', '-13', '-1', '-010', '/01', '']
const entityMonth = around(
  ['2000-01', '2026-09', '2026-10', '2026-12', '2099-12'],
  [...monthPart.map((part) => `2026${part}`), '1999-12', '2100-01', '26-01', '20260-01'],
)
const days = around(
  [
    '2026-01-01',
    '2026-10-09',
    '2026-12-10',
    '2000-01-29',
    '2099-01-29',
    '2026-01-30',
    '2026-01-31',
    '2028-02-29',
  ],
  [
    '1999-12-31',
    '2100-01-01',
    '0001-01-29',
    '2026-13-01',
    '2026-00-01',
    '2026-01-00',
    '2026-01-32',
    '2026-01-40',
    '2026-02-29',
    '2028-02-30',
    '2026-04-31',
    '2026-1-01',
    '2026-01-1',
    '26-01-01',
    '2026-01-01x',
  ],
)
const emails = around(
  ['a@b.co', `${x(64)}@b.co`, `a@${x(63)}.co`, `a@b.${x(63)}`, "o'neil+x@a-b.example.com"],
  [
    '',
    'a',
    'a@',
    '@b.co',
    'a@b',
    `${x(65)}@b.co`,
    `a@${x(64)}.co`,
    'a@-b.co',
    'a@b-.co',
    'a..b@c.co',
    '.a@b.co',
  ],
)
const money = 999_999_999_999
const reason = text(1_000, 1)

const bulkRecords: Values = {
  good: [1, 9_999, 10_000].map((length) => Array.from({ length }, () => ({ id: 1, version: 1 }))),
  bad: [[], Array.from({ length: 10_001 }, () => ({ id: 1, version: 1 }))],
}
/** Fields of which there is one in every list, upload, report … (constants 10, api 5). */
const everywhere: [RegExp, Values][] = [
  [/^GET \S+ query\.page$/, whole(1, 10_000_000)],
  [
    /^GET (?!\S+\/ids)\S+ query\.size$/,
    { good: [10, 25, 50, 100], bad: [0, 9, 11, 24, 26, 49, 51, 99, 101] },
  ],
  [/^GET \S+\/ids query\.size$/, whole(1, 100)],
  [/^GET \S+ query\.search$/, text(200)],
  [/^GET \S+ query\.sort$/, text(60)],
  [/^GET \S+ query\.filter$/, text(1000)],
  [/^GET \S+ query\.columns$/, text(1000)],
  [/^GET \/api\/v1\/(?!audit)\w+\/export query\.format$/, oneOf('csv', 'xlsx')],
  [/^GET \/api\/v1\/find query\.q$/, text(100)],
  [/^(GET|DELETE) \S+ query\.id$/, whole(1, 2_147_483_647)],
  [/^POST \/api\/v1\/file\/\w+ query\.(dryrun|again)$/, { good: [0, 1], bad: [2, -1] }],
  [
    /^POST \/api\/v1\/(file\/\w+|report\/:type(\/export)?) query\.job$/,
    around(['3f2504e0-4f89-41d3-9a0c-0305e82c3301'], ['', '3f2504e0-4f89-41d3-9a0c-0305e82c330']),
  ],
  [/^POST \/api\/v1\/report\/:type(\/export|\/publish)? body\.\*$/, text(200)],
  [/^P(OS|U)T \/api\/v1\/(adjustment|processorstatement)\S* body\.(values\.)?month$/, entityMonth],
  [/^P(OS|U)T \/api\/v1\/masteragent\S* body\.ratesfrom$/, entityMonth],
  [/\/bulk(\/preview)? body\.records$/, bulkRecords],
  [/\/bulk(\/preview)? body\.records\[\]\.(id|version)$/, whole(1, 2_147_483_647)],
  [/\/bulk(\/preview)? body\.found\.search$/, text(200)],
  [/\/bulk(\/preview)? body\.found\.filter$/, text(1000)],
  [/\/bulk(\/preview)? body\.remove$/, { good: [true], bad: [false, 1, 'true'] }],
  [
    /\/bulk body\.fingerprint$/,
    around(['0123456789abcdef'.repeat(4)], ['', 'a'.repeat(63), 'A'.repeat(64), 'g'.repeat(64)]),
  ],
  [/^DELETE \S+ body\.version$/, { good: [1, 2], bad: [0, -1, 1.5, '1'] }],
  // What the portal answers in a record and takes no change of.
  [/ body(\.bankpending\.fields\[\]|\.author)$/, { good: [], bad: [] }],
]

/** The filters of the audit, as the list and the download take them. */
const auditFilterRows = (at: string): Record<string, Values> => ({
  [`${at}.person`]: text(200, 1, false),
  [`${at}.record`]: oneOf('merchant', 'user', 'month', 'import', 'drive file', 'call'),
  [`${at}.recordid`]: text(200, 1, false),
  [`${at}.kind`]: oneOf('create', 'denied', 'failedlogin', 'export'),
  [`${at}.from`]: calendarDays,
  [`${at}.to`]: calendarDays,
})
/** What is answered about a file of the inbox. */
const inboxAnswerRows = (at: string): Record<string, Values> => ({
  [`${at}.month`]: around(
    ['1970-01', '2026-10', '2026-12', '9999-12'],
    [...monthPart.map((part) => `2026${part}`), '1969-12', '10000-01', '26-01'],
  ),
  [`${at}.processor`]: text(60, 1),
  [`${at}.accepted`]: {
    good: [[], ['x'], Array.from({ length: 50 }, () => 'x')],
    bad: [Array.from({ length: 51 }, () => 'x')],
  },
  [`${at}.accepted[]`]: text(60, 1, false),
  [`${at}.kind`]: oneOf('compdata', 'merchant', 'dailyvolume'),
  [`${at}.date`]: calendarDays,
  [`${at}.headings`]: {
    good: [0, 1, 50].map((length) => listOf(length, { sheet: '', row: 1 })),
    bad: [listOf(51, { sheet: '', row: 1 })],
  },
  [`${at}.headings[].sheet`]: text(120),
  [`${at}.headings[].row`]: whole(1, 1_048_576),
  ...mappingRows(`${at}.mapping`),
})
const listOf = (length: number, item: unknown) => Array.from({ length }, () => item)
/** How a file with headings of its own is read. */
const mappingRows = (at: string): Record<string, Values> => ({
  [`${at}.sheets`]: {
    good: [1, 50].map((length) => listOf(length, { name: '', heading: ['MID'] })),
    bad: [0, 51].map((length) => listOf(length, { name: '', heading: ['MID'] })),
  },
  [`${at}.sheets[].name`]: text(120),
  [`${at}.sheets[].heading`]: {
    good: [listOf(1, 'x'), listOf(16_384, 'x')],
    bad: [[], listOf(16_385, 'x')],
  },
  [`${at}.sheets[].heading[]`]: text(120),
  [`${at}.fields.*.columns`]: {
    good: [1, 50].map((length) => listOf(length, { sheet: '', name: 'MID', sign: 1 })),
    bad: [0, 51].map((length) => listOf(length, { sheet: '', name: 'MID', sign: 1 })),
  },
  [`${at}.fields.*.columns[].sheet`]: text(120),
  [`${at}.fields.*.columns[].name`]: text(120),
  [`${at}.fields.*.columns[].sign`]: { good: [1, -1], bad: [0, 2, 1.5] },
  [`${at}.fields.*.pad`]: whole(1, 32),
  [`${at}.fields.*.constant`]: text(200, 1, false),
})
const calendarDays: Values = {
  good: ['2026-02-28', '2028-02-29', '2026-12-31'],
  bad: ['2026-02-29', '2026-2-28', '2026-13-01', '2026-00-01', '02/28/2026', '', 'x'],
}

/** Everything else that a call takes and that has limits, but the records' own fields. */
const single: Record<string, Values> = {
  'PUT /api/v1/login body.username': text(200, 1, false),
  'PUT /api/v1/login body.password': text(1_000, 1, false),
  'PUT /api/v1/user/me body.password': text(1_000, 1, false),
  'PUT /api/v1/reauthenticate body.password': text(1_000, 1, false),
  'POST /api/v1/report/:type/export query.sort': text(100),
  'POST /api/v1/report/:type/export query.format': oneOf('xlsx', 'csv', 'nacha'),
  'POST /api/v1/report/:type/unlock body.month': around(
    ['2000-01', '2026-09', '2026-10', '2026-12', '2099-12'],
    [...monthPart.map((part) => `2026${part}`), '026-01', '20260-01'],
  ),
  'POST /api/v1/report/:type/unlock body.reason': reason,
  'POST /api/v1/report/:type/publish body.waive': text(1_000),
  'POST /api/v1/month/:month/lock body.waive': reason,
  'POST /api/v1/month/:month/waive body.kind': text(100, 1, false),
  'POST /api/v1/month/:month/waive body.key': text(500, 1, false),
  'POST /api/v1/month/:month/waive body.reason': reason,
  'POST /api/v1/adjustment/:id/accept body.version': { good: [1, 2], bad: [0, -1, 1.5] },
  'POST /api/v1/adjustment/:id/refuse body.reason': text(1_000, 3),
  'POST /api/v1/month/:month/reopen body.reason': reason,
  'GET /api/v1/month/:month/variance query.by': oneOf('processor', 'agent', 'merchant'),
  'GET /api/v1/month/:month/variance query.against': oneOf('last', 'year'),
  'GET /api/v1/month/:month/variance query.kind': {
    good: ['', ...Object.keys(varianceKinds)],
    bad: ['none', 'New', 'new '],
  },
  'GET /api/v1/month/:month/variance/file query.by': oneOf('processor', 'agent', 'merchant'),
  'GET /api/v1/month/:month/variance/file query.against': oneOf('last', 'year'),
  'GET /api/v1/month/:month/variance/file query.kind': {
    good: ['', ...Object.keys(varianceKinds)],
    bad: ['none', 'New', 'new '],
  },
  'GET /api/v1/month/:month/missing query.dismissed': { good: [0, 1], bad: [2, -1] },
  'GET /api/v1/month/:month/missing/file query.dismissed': { good: [0, 1], bad: [2, -1] },
  'POST /api/v1/month/:month/missing/dismiss body.xmid': text(32, 1, false),
  'POST /api/v1/month/:month/missing/dismiss body.reason': reason,
  'GET /api/v1/file/:kind/history query.batch': whole(1, 2_147_483_647),
  'GET /api/v1/month/:month/differences query.kind': {
    good: ['', ...Object.keys(differenceKinds)],
    bad: ['none', 'agent', 'agent-rate '],
  },
  'POST /api/v1/month/:month/takeover body.keys': {
    good: [1, 999, 1000].map((length) => Array.from({ length }, () => 'x')),
    bad: [[], Array.from({ length: 1001 }, () => 'x')],
  },
  'POST /api/v1/month/:month/takeover body.keys[]': text(200, 1, false),
  'POST /api/v1/month/:month/approve body.hash': text(100, 1, false),
  'POST /api/v1/month/:month/release body.hash': text(100, 1, false),
  'POST /api/v1/month/:month/release body.how': oneOf('file', 'other'),
  'POST /api/v1/month/:month/release body.date': days,
  'POST /api/v1/tc/accept body.id': whole(1, 2_147_483_647),
  'POST /api/v1/month/:month/hold body.masteragentid': whole(1, 2_147_483_647),
  'POST /api/v1/month/:month/hold body.reason': reason,
  'POST /api/v1/month/:month/unhold body.masteragentid': whole(1, 2_147_483_647),
  'POST /api/v1/month/:month/unhold body.reason': reason,
  'POST /api/v1/ledger/returnfile body.text': text(900_000),
  'POST /api/v1/month/:month/return body.trace': text(15, 1, false),
  'POST /api/v1/month/:month/return body.payment': whole(1, 2_147_483_647),
  'POST /api/v1/month/:month/return body.code': text(100, 1),
  'POST /api/v1/month/:month/return body.date': days,
  'POST /api/v1/month/:month/return body.amount': decimal(0.01, money, 0.01),
  'POST /api/v1/month/:month/release/:id/return body.code': text(100, 1),
  'POST /api/v1/month/:month/release/:id/return body.date': days,
  'POST /api/v1/user/requestemailverification body.email': emails,
  'POST /api/v1/user/verifyemail body.email': emails,
  'POST /api/v1/user/verifyemail body.otp': around(
    ['000000', '123456', '999999'],
    ['', '12345', '1234567', '12345a', '１２３４５６'],
  ),
  'POST /api/v1/masteragent/:id/bank/confirm body.how': text(1_000, 3),
  'POST /api/v1/masteragent/:id/bank/confirm body.version': { good: [1, 2], bad: [0, -1, 1.5] },
  'POST /api/v1/masteragent/:id/bank/reject body.reason': text(1_000, 3),
  'POST /api/v1/masteragent/:id/hold body.reason': text(1_000, 1),
  'POST /api/v1/masteragent/:id/unhold body.reason': text(1_000, 1),
  'PUT /api/v1/ticket/:id body.statusid': { good: [1, 2, 3, 4], bad: [0, 5, 1.5, null] },
  'GET /api/v1/file/:kind/template query.format': oneOf('csv', 'xlsx'),
  'GET /api/v1/inbox query.month': entityMonth,
  'GET /api/v1/ledger query.month': entityMonth,
  'GET /api/v1/inbox query.ended': { good: [0, 1], bad: [2, -1] },
  ...inboxAnswerRows('POST /api/v1/inbox/:id/check body.answers'),
  ...inboxAnswerRows('POST /api/v1/inbox/:id/import body.answers'),
  ...auditFilterRows('GET /api/v1/audit query'),
  ...auditFilterRows('GET /api/v1/audit/export query'),
  'GET /api/v1/view query.list': oneOf('merchant', 'user', 'tc', 'audit'),
  'GET /api/v1/view/count query.list': oneOf('merchant', 'user', 'tc', 'audit'),
  'POST /api/v1/view body.list': oneOf('merchant', 'user', 'tc', 'audit'),
  'POST /api/v1/view body.name': text(60, 1),
  'POST /api/v1/view body.search': text(6_000),
  'GET /api/v1/audit/export query.format': oneOf('csv', 'xlsx'),
}

/** The fields of records by their kind, and those that differ from their kind. */
const recordPath = /^P(OS|U)T \/api\/v1\/(\w+)(\/:id|\/bulk(?:\/preview)?)? body\.(?:values\.)?(.+)$/
const choices: Values = { good: [1, 2, null], bad: [0, 4, 1.5, '1'] }
const kinds: Record<string, Values> = {
  reference: whole(1, 2_147_483_647),
  seconds: { good: [0, 1, 253_402_214_399, 253_402_214_400, null], bad: [-1, 253_402_214_401, 1.5] },
  percent: { good: [0, 0.0001, 99.9999, 100, null], bad: [-0.0001, 100.0001, 0.000_01] },
  dollars: { good: [0, 0.01, money - 1, money], bad: [-0.01, money + 1, 0.001] },
  flag: { good: [true, false], bad: [0, 'true', null] },
}
const fields: Record<string, Values> = {
  'masteragent.parentid': whole(0, 2_147_483_647),
  'masteragent.taxtypeid': { ...choices, bad: [...choices.bad, 3] },
  'masteragent.isbankaccounttypechecking': { good: [true, false], bad: [null, 0, 1, 'x'] },
  'masteragent.isbankaccounttypebusiness': { good: [true, false], bad: [null, 0, 1, 'x'] },
  'masteragent.collectionSubscriptions': {
    good: [[], Array(99).fill({ amount: 1, notes: 'x' }), Array(100).fill({ amount: 1, notes: 'x' })],
    bad: [Array(101).fill({ amount: 1, notes: 'x' })],
  },
  'masteragent.collectionSubscriptions[].id': whole(1, 2_147_483_647),
  'masteragent.collectionSubscriptions[].amount': decimal(-999_999_999, 999_999_999, 0.01),
  'masteragent.collectionSubscriptions[].notes': text(1_000, 1),
  'equipment.equipmentownertypeid': { ...choices, good: [...choices.good, 3] },
  'merchant.accountstatus': { good: [1, 2, 3], bad: [0, 4, 1.5, null] },
  'processor.expected': { good: [1, 2, 3], bad: [0, 4, 1.5, null] },
  'processor.since': { good: [null, ...entityMonth.good], bad: ['', ...entityMonth.bad] },
  'adjustment.amount': decimal(-999_999_999, 999_999_999, 0.01),
  'processorstatement.statednet': decimal(-money, money, 0.01),
  // A secret of the record's own rules, tried by the tests of passwords.
  'user.password': text(128),
  'user.confirm_password': text(128),
}

const limited = (leaf: Leaf) =>
  leaf['readOnly'] !== true &&
  Object.keys(leaf).some((key) =>
    /^(pattern|format|enum|oneOf|multipleOf|(min|max)(imum|Length|Items)|kind)$/.test(key),
  )
/** Texts of records have a table of their own: tests/server/limits/fields.test.ts. */
const isRecordText = ({ at, leaf }: Place) => recordPath.test(at) && /^(text|textarea)$/.test(leaf.kind ?? '')

function rowFor({ at, leaf }: Place): Values | undefined {
  const shared = everywhere.find(([pattern]) => pattern.test(at))?.[1]
  const [, , entity, , field] = recordPath.exec(at) ?? []
  return shared ?? single[at] ?? fields[`${entity}.${field}`] ?? (entity ? kinds[leaf.kind ?? ''] : undefined)
}
const rows = leaves.filter((place) => limited(place.leaf) && !isRecordText(place))

describe('a field that a call takes', () => {
  test('has a row in the tables if it has a limit, and no row is left over', () => {
    expect(rows.filter((place) => !rowFor(place)).map(({ at }) => at)).toEqual([])
    const places = rows.map(({ at }) => at)
    expect(Object.keys(single).filter((at) => !places.includes(at))).toEqual([])
  })

  const tried = rows.filter(rowFor).map((place) => [place.at, place] as const)
  test.each(tried)('%s takes its least and its most, and nothing beyond', (_, place) => {
    const values = rowFor(place)!
    expect(verdicts(place.leaf, values)).toEqual(values)
  })
})

/** Which fields a mapping needs. */
const neededOfMapping = (at: string): Record<string, string> => ({
  [at]: 'sheets fields',
  [`${at}.sheets[]`]: 'name heading',
  [`${at}.fields.*.columns[]`]: 'sheet name sign',
})
/** Which fields chosen headings need. */
const neededOfHeadings = (at: string): Record<string, string> => ({ [`${at}[]`]: 'sheet row' })
/** Which fields a call needs; every other can be left out. */
const needed: Record<string, string> = {
  ...Object.fromEntries(
    Object.keys(bulkEntities).flatMap((name) => [
      [`POST /api/v1/${name}/bulk body`, 'fingerprint'],
      [`POST /api/v1/${name}/bulk body.records[]`, 'id version'],
      [`POST /api/v1/${name}/bulk/preview body.records[]`, 'id version'],
    ]),
  ),
  'GET /api/v1/find query': 'q',
  ...neededOfMapping('POST /api/v1/inbox/:id/check body.answers.mapping'),
  ...neededOfMapping('POST /api/v1/inbox/:id/import body.answers.mapping'),
  ...neededOfHeadings('POST /api/v1/inbox/:id/check body.answers.headings'),
  ...neededOfHeadings('POST /api/v1/inbox/:id/import body.answers.headings'),
  'PUT /api/v1/login body': 'username password',
  'POST /api/v1/report/:type/unlock body': 'month reason',
  'POST /api/v1/month/:month/waive body': 'kind reason',
  'POST /api/v1/adjustment/:id/refuse body': 'reason',
  'POST /api/v1/month/:month/missing/dismiss body': 'xmid reason',
  'POST /api/v1/month/:month/reopen body': 'reason',
  'POST /api/v1/month/:month/takeover body': 'keys',
  'POST /api/v1/month/:month/approve body': 'hash',
  'POST /api/v1/month/:month/release body': 'hash how',
  'POST /api/v1/month/:month/hold body': 'masteragentid reason',
  'POST /api/v1/month/:month/unhold body': 'masteragentid reason',
  'POST /api/v1/month/:month/return body': 'code date',
  'POST /api/v1/month/:month/release/:id/return body': 'code date',
  'POST /api/v1/ledger/returnfile body': 'text commit',
  'POST /api/v1/user/requestemailverification body': 'email',
  'POST /api/v1/user/verifyemail body': 'email otp',
  'POST /api/v1/masteragent body': 'name parentid',
  'POST /api/v1/masteragent body.collectionSubscriptions[]': 'amount notes',
  'PUT /api/v1/masteragent/:id body.collectionSubscriptions[]': 'amount notes',
  'POST /api/v1/equipment body': 'model serialnumber',
  'POST /api/v1/merchant body': 'xmid dba masteragentid',
  'POST /api/v1/adjustment body': 'month amount reason',
  'POST /api/v1/processor body': 'name',
  'POST /api/v1/processorstatement body': 'processor month',
  'POST /api/v1/user body': 'username masteragentid password confirm_password',
  'POST /api/v1/tc body': 'tctext',
  'POST /api/v1/masteragent/:id/bank/confirm body': 'how',
  'POST /api/v1/masteragent/:id/bank/reject body': 'reason',
  'POST /api/v1/masteragent/:id/hold body': 'reason',
  'POST /api/v1/masteragent/:id/unhold body': 'reason',
  'DELETE /api/v1/ticket/:id/attachment query': 'id',
  'PUT /api/v1/user/me body': 'password',
  'PUT /api/v1/reauthenticate body': 'password',
  'POST /api/v1/view body': 'list name shared search',
  'GET /api/v1/view query': 'list',
  'GET /api/v1/view/count query': 'list',
}

describe('what a call takes', () => {
  // The values of a report's inputs are named by the report.
  const open = objects.filter(
    ({ leaf }) => leaf['readOnly'] !== true && typeof leaf['additionalProperties'] !== 'object',
  )

  test.each(open.map(({ at, leaf }) => [at, leaf] as const))('%s: no field beyond its own', (_, leaf) => {
    expect([leaf['type']].flat()).toContain('object')
    const names = Object.keys(leaf['properties'] as object)
    const others = { type: 'object', additionalProperties: leaf['additionalProperties'], properties: {} }
    expect(names.length).toBeGreaterThan(0)
    expect(() => bodyCheck(others as Parameters<typeof bodyCheck>[0])({ stranger: 1 })).toThrow()
  })

  test('needs exactly the fields of the table', () => {
    const found = open.map(({ at, leaf }) => [
      at,
      ((leaf['required'] ?? []) as string[]).toSorted().join(' '),
    ])
    expect(Object.fromEntries(found.filter(([, names]) => names !== ''))).toEqual(
      Object.fromEntries(
        Object.entries(needed).map(([at, names]) => [at, names.split(' ').toSorted().join(' ')]),
      ),
    )
  })
})

describe('an address', () => {
  test.each([
    [253, true],
    [254, true],
    [255, false],
  ])('of %i characters is one: %s', (length, verdict) => {
    const domain = `${`${x(60)}.`.repeat(3)}co`
    expect(isEmail(`${x(64)}@${x(length - 66 - domain.length)}.${domain}`)).toBe(verdict)
  })
})

describe('an id', () => {
  const digits = 'holds full-width signs or digits of another script; write 0 to 9 and A to Z'
  test.each([
    ['4001', null],
    ['\uff01', digits],
    ['\uff10', digits],
    ['\uff5e', digits],
    ['\uff61', null],
    ['\u0660', digits],
    ['4\u200b1', 'holds a character that cannot be seen'],
    ['4 1', null],
    [' 41', 'may neither begin nor end with a space'],
    ['41 ', 'may neither begin nor end with a space'],
    ['41\u00a0', 'may neither begin nor end with a space'],
  ])('%j: %j', (id, fault) => expect(idFault(id)).toBe(fault))
})

describe('a character that cannot be seen', () => {
  const signs =
    '\0 \t \n \x7f \u0085 \u00ad \u200b \u202e \u2028 \u2029 \ud800 \ue000 \u{e0041} \u115f \ufe0f \u0378'
  test.each(signs.split(' ').map((sign) => [sign.codePointAt(0)!.toString(16), sign]))(
    'U+%s is one',
    (_, sign) => expect(hasUnseen(`a${sign}b`)).toBe(true),
  )

  test.each([' ', '\u00a0', '\u3000', 'é', 'e\u0301', '漢', '😀', '\ufffd'])('%j is none', (sign) =>
    expect(hasUnseen(`a${sign}b`)).toBe(false),
  )
})

describe('a line of the IRS result, which has no heading', () => {
  const line = ['1', '123456789', 'Shop', '4001', '3']
  test.each<[string, number, Values]>([
    ['type', 0, { good: ['', '1', '2', '3'], bad: ['0', '4', '11', 'x', '1x', 'x1'] }],
    [
      'TIN',
      1,
      {
        good: ['', '1', '1'.repeat(10), '1'.repeat(11), 'XXX-XX-1234', 'xxxxx6789', '*****6789'],
        bad: ['1'.repeat(12), '12345678 9', 'A23456789', '123456789A'],
      },
    ],
    ['name', 2, { good: ['S', 'Shop & Co'], bad: [''] }],
    ['account', 3, { good: ['1', '40-01'], bad: ['', '40 01', ' 4001', '4001 '] }],
    ['code', 4, { good: ['0', '1', '7', '8'], bad: ['', '9', '00', '80', 'x', '8x', 'x8'] }],
  ])('is known by its %s', (_, at, { good, bad }) => {
    const { cellPatterns } = tinvalidation.withoutHeading!
    const isKnown = (value: unknown) =>
      cellPatterns.every((pattern, cell) => pattern.test(cell === at ? String(value) : line[cell]!))
    expect({ good: good.filter(isKnown), bad: bad.filter((value) => !isKnown(value)) }).toEqual({ good, bad })
  })
})

describe('the bank data of a master agent', () => {
  const digits = (length: number) => '1234567890'.repeat(2).slice(0, length)
  test.each<[string, Values]>([
    [
      'routingnumber',
      around(['021000021', '091000019'], ['021000022', '02100002', '0210000210', '02100002a']),
    ],
    [
      'bankaccountnumber',
      { good: [digits(4), digits(5), digits(17)], bad: [digits(3), digits(18), '§1234', '1234§', '12-34'] },
    ],
    [
      'taxid',
      around(
        ['123456789', '123-45-6789', '12-3456789'],
        [
          '12345678',
          '1234567890',
          '1234-56-7890',
          '12-45-6789',
          '123-456-7890',
          '123-4-5678',
          '123-45-67890',
          '123-45-678',
          '123-4567890',
          '1-23456789',
          '12-34567890',
          '12-345678',
        ],
      ),
    ],
  ])('%s is taken whole or not at all', (field, { good, bad }) => {
    const isTaken = (value: unknown) => !(field in masterAgent.check!({ [field]: value }))
    expect({ good: good.filter(isTaken), bad: bad.filter((value) => !isTaken(value)) }).toEqual({ good, bad })
  })
})

describe('a cell that is a number for two offices and means another thing in each', () => {
  const { ambiguous } = tinvalidation.columns.find(({ head }) => head === 'TIN Type')!
  test.each([
    ['1', true],
    ['2', true],
    ['12', false],
    ['x1', false],
    ['1x', false],
    ['', false],
  ])('%j: %s', (text, verdict) => expect(ambiguous!.pattern.test(text)).toBe(verdict))
})
