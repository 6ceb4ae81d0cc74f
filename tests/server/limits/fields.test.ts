import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entities } from '../../../schemas/entities/index.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let admin: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  // Administrators lack none of the rights that these fields need.
  admin = await portal.login('admin')
})
afterAll(() => portal.close())

/**
 * Constants 10: how many characters each text may have. Texts that are not named here fail the test below.
 */
const longest: Record<string, Record<string, number>> = {
  merchant: {
    ...of(
      200,
      'dba businesstype product dbaaddress dbacity dbastate legaladdress legalcity legalstate status',
    ),
    ...of(200, 'sales_rep tinstatus tinstatusdescription'),
    ...of(20, 'dbazip legalzip'),
    xmid: 32,
    notes: 4_000,
  },
  masteragent: {
    ...of(200, 'name businessname'),
    notes: 4_000,
    bankaccountnumber: 20,
    taxid: 20,
    routingnumber: 9,
  },
  equipment: { ...of(200, 'model licensingkey trackingnumber paymentterms'), serialnumber: 60 },
  user: { username: 60, password: 128, confirm_password: 128 },
  adjustment: { reason: 200 },
  processor: { name: 60, othernames: 2_000 },
  processorstatement: { processor: 60, note: 1_000 },
  tc: { tctext: 200_000 },
}
function of(most: number, names: string) {
  return Object.fromEntries(names.split(' ').map((name) => [name, most]))
}

/** The fields a new record is refused for, when all these are sent; what else it lacks is left out. */
async function faults(entity: string, body: Record<string, unknown>): Promise<string[]> {
  const answer = await admin.call('POST', `/api/v1/${entity}`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(422)
  return Object.keys(answer.body.fields)
    .filter((field) => field in body && body[field] !== undefined)
    .sort()
}
/** Every required reference is left out, so that nothing is ever stored. */
const texts = (entity: string, more: number) =>
  Object.fromEntries(
    Object.entries(longest[entity]!).map(([field, most]) => [field, text(field, most + more)]),
  )
/** Beside the texts: what a record lacks to be stored, or cannot hold although its length is right. */
const unfit: Record<string, Record<string, unknown>> = {
  // Nine ones fail the check of a routing number.
  masteragent: { routingnumber: undefined },
  equipment: { model: '' },
  adjustment: { month: '' },
  // A line of the other names may not be as long as all of them.
  processor: { name: '' },
  processorstatement: { month: '' },
}
/** Not the same letter all along, which no password may be; counted as people count, not as UTF-16 does. */
const text = (field: string, length: number) =>
  /password/.test(field)
    ? 'tall green lanterns over the quiet bay '.repeat(5).slice(0, length - 1) + 'x'
    : field === 'notes'
      ? '🙂'.repeat(length)
      : /number|taxid/.test(field) && field !== 'serialnumber' && field !== 'trackingnumber'
        ? '1'.repeat(length)
        : 'x'.repeat(length)

describe('texts', () => {
  test('of every entity stand in the table of limits', () => {
    const known = Object.values(entities).map((it) => [
      it.name,
      Object.entries(it.schema.properties)
        .filter(([, { type, kind, readOnly }]) => type === 'string' && kind !== 'month' && !readOnly)
        .map(([field]) => field)
        .sort(),
    ])
    expect(Object.fromEntries(known)).toEqual(
      Object.fromEntries(Object.entries(longest).map(([name, fields]) => [name, Object.keys(fields).sort()])),
    )
  })

  test.each(Object.keys(longest))(
    'of %s may be as long as the table says, and not a character longer',
    async (name) => {
      const tooLong = await faults(name, texts(name, 1))
      expect(tooLong).toEqual(Object.keys(longest[name]!).sort())
      for (const shorter of [0, -1])
        if (name !== 'tc')
          expect(await faults(name, { ...texts(name, shorter), ...unfit[name] })).toEqual(
            Object.keys(unfit[name] ?? {}).filter((field) => unfit[name]![field] !== undefined),
          )
    },
  )
})

const terms = (length: number) => admin.call('POST', '/api/v1/tc', { tctext: 'x'.repeat(length) })
test('the text of the terms may have 200,000 characters', async () => {
  expect((await terms(200_000)).status).toBe(201)
  await portal.db.query('delete from terms where id > 1')
})

describe('numbers', () => {
  const most = 999_999_999_999
  /** Entity, field, values that are taken, values that are refused. */
  test.each<[string, string, number[], number[]]>([
    ['equipment', 'cost', [0, 0.01, most - 1, most], [-0.01, most + 1, 0.001, 1.005]],
    ['equipment', 'soldfor', [0, 0.01, most - 1, most], [-0.01, most + 1, 0.001, 1.005]],
    ['equipment', 'paidsofar', [0, 0.01, most - 1, most], [-0.01, most + 1, 0.001, 1.005]],
    ['equipment', 'requestedpaperworkdate', [0, 86_400, 253_402_214_400], [-1, 253_402_214_401]],
    ['masteragent', 'percentagecommissionreceived', [0, 0.0001, 99.9999, 100], [-0.0001, 100.0001, 0.00001]],
    ['masteragent', 'percentageequipmentcommissionreceived', [0, 0.0001, 100], [-0.0001, 100.0001, 0.00001]],
    ['masteragent', 'amountcommissionreceived', [0, 0.01, most], [-0.01, most + 1, 0.001]],
    ['masteragent', 'amountequipmentcommissionreceived', [0, 0.01, most], [-0.01, most + 1, 0.001]],
    ['merchant', 'date_added', [0, 86_400, 253_402_214_400], [-1, 253_402_214_401]],
    ['adjustment', 'amount', [-999_999_999, -0.01, 0.01, 999_999_999], [-1e9, 1e9, 0.001]],
    ['processorstatement', 'statednet', [-most, 0, most], [-most - 1, most + 1, 0.001]],
  ])('%s: %s takes %j and refuses %j', async (entity, field, good, bad) => {
    for (const value of good) expect([value, await faults(entity, { [field]: value })]).toEqual([value, []])
    for (const value of bad)
      expect([value, await faults(entity, { [field]: value })]).toEqual([value, [field]])
  })

  test('four places of a percentage and two of an amount are kept', async () => {
    const rates = { percentagecommissionreceived: 33.3333, amountcommissionreceived: 999_999_999_999 }
    const { status, body } = await admin.call('POST', '/api/v1/masteragent', {
      name: 'Edge',
      parentid: 0,
      ...rates,
    })
    expect([status, body]).toEqual([201, expect.objectContaining(rates)])
    const terminal = {
      model: 'T',
      serialnumber: 'EDGE',
      cost: 0.01,
      soldfor: 999_999_999_999,
      paidsofar: 999_999_999_999,
    }
    expect((await admin.call('POST', '/api/v1/equipment', terminal)).body).toMatchObject({
      ...terminal,
      paidstatus: true,
    })
  })
})

describe('a list', () => {
  const status = async (query: string) => (await admin.call('GET', `/api/v1/merchant?${query}`)).status
  test.each<[string, number]>([
    ['page=0', 400],
    ['page=1', 200],
    ['page=2', 200],
    ['page=9999999', 200],
    ['page=10000000', 200],
    ['page=10000001', 400],
    ...[10, 25, 50, 100].flatMap((size): [string, number][] => [
      [`size=${size - 1}`, 400],
      [`size=${size}`, 200],
      [`size=${size + 1}`, 400],
    ]),
    [`search=${'x'.repeat(199)}`, 200],
    [`search=${'x'.repeat(200)}`, 200],
    [`search=${'x'.repeat(201)}`, 400],
  ])('asked with %s answers %i', async (query, expected) => expect(await status(query)).toBe(expected))

  test('shows as many rows as its size and no more', async () => {
    for (const size of [10, 25, 50, 100])
      expect((await admin.call('GET', `/api/v1/merchant?size=${size}`)).body.data).toHaveLength(size)
  })

  test.each<[string, number, number]>([
    ['', 200, 20],
    ['?size=1', 200, 1],
    ['?size=99', 200, 99],
    ['?size=100', 200, 100],
    ['?size=101', 400, 0],
    ['?size=0', 400, 0],
  ])('of ids asked with %j answers %i and %i records', async (query, code, length) => {
    const answer = await admin.call('GET', `/api/v1/merchant/ids${query}`)
    expect(answer.status).toBe(code)
    if (code === 200) expect(answer.body.data ?? answer.body).toHaveLength(length)
  })
})
