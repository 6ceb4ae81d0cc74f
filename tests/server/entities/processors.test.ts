import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  lockProcessorNames,
  addProcessor,
  lockProcessor,
} from '../../../server/processors/knownProcessors.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { whileUncommitted } from '../../whileUncommitted.ts'

let portal: TestPortal
let staff: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  staff = await portal.login('staff')
})
afterAll(() => portal.close())

const path = '/api/v1/processor'
const make = (body: object) => staff.call('POST', path, body)
const change = ({ id, version }: { id: number; version: number }, body: object) =>
  staff.call('PUT', `${path}/${id}`, { version, ...body })
const remove = ({ id, version }: { id: number; version: number }) =>
  staff.call('DELETE', `${path}/${id}`, undefined, { 'if-match': `"${version}"` })
const named = async (name: string) =>
  (
    await portal.db.query<{ id: number; version: number }>(
      'select id, version from processor where name = $1',
      [name],
    )
  )[0]!

describe('the names of a processor', () => {
  let iris: { id: number; version: number }
  beforeEach(async () => {
    await portal.db.query(`delete from processor where name like 'Iris%' or name like 'Zenith%'`)
    iris = (await make({ name: ' Iris Pay ', othernames: 'IRS Inc\n\n  irs-inc \niris_pay\nIrisline ' })).body
  })

  test('are stored without blanks around them, and other names once each', () =>
    expect(iris).toMatchObject({
      name: 'Iris Pay',
      othernames: 'IRS Inc\nIrisline',
      expected: 1,
      since: null,
    }))

  test.each([
    [{ name: 'IRIS_pay' }, 'name', 'IRIS_pay is a name of the processor Iris Pay already'],
    [{ name: 'irs-INC' }, 'name', 'irs-INC is a name of the processor Iris Pay already'],
    [
      { name: 'Zenith', othernames: 'Zen\nirisline' },
      'othernames',
      'irisline is a name of the processor Iris Pay already',
    ],
  ])('belong to one processor alone: %j', async (body, field, message) => {
    expect(await make(body)).toMatchObject({
      status: 409,
      body: { error: message, fields: { [field]: message } },
    })
    const { body: other } = await make({ name: 'Zenith' })
    expect(await change(other, body)).toMatchObject({ status: 409, body: { fields: { [field]: message } } })
  })

  test('hold no character that cannot be seen', async () => {
    const error = 'Name holds a character that cannot be seen'
    expect(await make({ name: 'Iris\u200b Pay' })).toMatchObject({
      status: 422,
      body: { fields: { name: error } },
    })
  })

  test.each([
    [60, 'x', undefined],
    [61, 'x', `Other Names may have at most 60 characters a line: ${'x'.repeat(30)}…`],
    [60, '\u{20000}', undefined],
    [61, '\u{20000}', `Other Names may have at most 60 characters a line: ${'\u{20000}'.repeat(15)}…`],
  ])('of %i characters %s among the other names are answered with %j', async (length, character, message) => {
    const { status, body } = await make({ name: 'Zenith', othernames: `Zen\n${character.repeat(length)}` })
    expect([status, body.fields?.othernames]).toEqual([message ? 422 : 201, message])
  })

  test('are not given away while an import adds a processor of that name', async () => {
    const by = { username: 'ann', address: '' }
    const given = await whileUncommitted(
      portal.db,
      (tx) => addProcessor(tx, 'Zenith', by),
      () => change(iris, { othernames: 'zenith' }),
    )
    const message = 'zenith is a name of the processor Zenith already'
    expect(given).toMatchObject({ status: 409, body: { fields: { othernames: message } } })
  })

  test('are not taken by an import that waited while a processor was given the name', async () => {
    const by = { username: 'ann', address: '' }
    const adding = whileUncommitted(
      portal.db,
      async (tx) => {
        await lockProcessorNames(tx)
        await tx.query(`update processor set othernames = 'ZENITH' where id = $1`, [iris.id])
      },
      () => portal.db.transaction((tx) => addProcessor(tx, 'Zenith', by)),
    )
    await expect(adding).rejects.toMatchObject({
      status: 409,
      message: 'Zenith became a name of the processor Iris Pay meanwhile. Please send the file again',
    })
    expect(await named('Zenith')).toBeUndefined()
  })

  test('can be changed while nothing stands under them, and given to another one then', async () => {
    expect(await change(iris, { name: 'Iris Two', othernames: '' })).toMatchObject({ status: 200 })
    expect((await make({ name: 'Iris Pay' })).status).toBe(201)
  })
})

describe('a processor under whose name something is stored', () => {
  const add = (sql: string) => portal.db.query(sql)
  beforeEach(() =>
    add(`delete from processor where name = 'Used'; delete from merchant where processor = 'used';
    delete from processor_statement where processor = 'Used'; delete from residual where processor = 'Used'`),
  )
  const income = `insert into residual (month, processor, xmid, dba, income, expense, net, batchid)
    select '2090-01-01', 'Used', '1', '', 1, 0, 1, min(id) from import_batch`
  const statement = `insert into processor_statement (processor, month, nofile) values ('Used', '2090-01-01', true)`
  const merchant = `insert into merchant (xmid, dba, masteragentid, processor) values ('USED', 'U', 2, 'used')`
  test.each([
    ['a file', income, '1 month of income', true],
    ['two lines of a file', `${income};${income.replace("'1'", "'2'")}`, '1 month of income', true],
    ['a statement', statement, '1 statement', true],
    ['both', `${income};${statement}`, '1 month of income and 1 statement', true],
    ['a merchant', merchant, '1 merchant', false],
  ])(
    'of %s is not deleted, and is not named otherwise where money stands under the name',
    async (_, sql, what, fixed) => {
      const { body } = await make({ name: 'Used' })
      await add(sql)
      const renamed = await change(body, { name: 'Renamed' })
      if (fixed)
        expect(renamed).toMatchObject({
          status: 409,
          body: {
            error: `The name cannot be changed: ${what} stand under it. Write the new one under Other Names`,
          },
        })
      else await change(renamed.body, { name: 'Used' })
      const changed = await change(await named('Used'), { othernames: 'Renamed', expected: 3 })
      expect(changed).toMatchObject({
        status: 200,
        body: { name: 'Used', othernames: 'Renamed', expected: 3 },
      })
      expect(await remove(changed.body)).toMatchObject({
        status: 409,
        body: { error: `This processor cannot be deleted: ${what} stand under its name` },
      })
    },
  )
  test('is not deleted beside an import under its name, for which the deletion waits', async () => {
    const { body } = await make({ name: 'Used' })
    const refused = await whileUncommitted(
      portal.db,
      async (tx) => {
        await tx.query(income)
        await lockProcessor(tx, 'Used')
      },
      () => remove(body),
    )
    expect(refused).toMatchObject({
      status: 409,
      body: { error: 'This processor cannot be deleted: 1 month of income stand under its name' },
    })
  })
  test('can be deleted once nothing does', async () => {
    const { body } = await make({ name: 'Used' })
    expect((await remove(body)).status).toBe(204)
    expect(await named('Used')).toBeUndefined()
  })
})

test.each([
  ['Statement Inc', 'statement-inc'],
  ['Statement Inc', 'SI'],
  ['Nobody', 'Nobody'],
])('a statement is kept under %s when %s was typed', async (name, typed) => {
  if (!(await named('Statement Inc'))) await make({ name: 'Statement Inc', othernames: 'SI' })
  await portal.db.query(`delete from processor_statement where month = '2090-01-01'`)
  const statement = { processor: typed, month: '2090-01', nofile: true }
  const { status, body } = await staff.call('POST', '/api/v1/processorstatement', statement)
  expect([status, body.processor]).toEqual([201, name])
})

describe('a statement that was typed before its processor was known', () => {
  const typed = (processor: string, month: string) =>
    staff.call('POST', '/api/v1/processorstatement', { processor, month, statednet: 5 })
  const shown = () =>
    portal.db.query(
      `select to_char(month, 'YYYY-MM') as month, processor, version from processor_statement
        where month >= '2090-01-01' order by month, id`,
    )
  beforeEach(() =>
    portal.db.query(`delete from processor_statement where month >= '2090-01-01' or processor = 'zeta';
      delete from processor where name in ('Zeta', 'Yotta')`),
  )

  test.each<[string, (typed: string) => Promise<unknown>]>([
    ['its record', () => make({ name: 'Zeta', othernames: 'ZT' })],
    [
      'its file',
      (name) => portal.db.transaction((tx) => addProcessor(tx, name, { username: 'ann', address: '' })),
    ],
    ['another name of it', async () => change((await make({ name: 'Zeta' })).body, { othernames: 'ZT' })],
  ])('is stored under its name by %s', async (what, become) => {
    const written = what === 'another name of it' ? 'zt' : 'zeta'
    expect((await typed(written, '2090-01')).status).toBe(201)
    await become('Zeta')
    expect(await shown()).toEqual([{ month: '2090-01', processor: 'Zeta', version: 2 }])
    const [entry] = await portal.db.query(
      `select username, before, after from audit
        where entity = 'processorstatement' and action = 'update' order by id desc limit 1`,
    )
    expect(entry).toMatchObject({ before: { processor: written }, after: { processor: 'Zeta' } })
  })

  test('keeps what was typed beside another one of the month, and in a locked month', async () => {
    await typed('Yotta', '2090-01')
    await typed('zt', '2090-01')
    await typed('yotta', '2090-02')
    await portal.db.query(`insert into processor_statement (processor, month, statednet)
      select 'zeta', max(month), 5 from month_lock where reopened_at is null`)
    await make({ name: 'Yotta', othernames: 'ZT\nZeta' })
    expect(await shown()).toEqual([
      { month: '2090-01', processor: 'Yotta', version: 1 },
      { month: '2090-01', processor: 'zt', version: 1 },
      { month: '2090-02', processor: 'Yotta', version: 2 },
    ])
    expect(await portal.db.query(`select version from processor_statement where processor = 'zeta'`)).toEqual(
      [{ version: 1 }],
    )
  })

  test('is put back under the name that it has since', async () => {
    const { body } = await typed('zeta', '2090-01')
    const records = { records: [{ id: body.id, version: 1 }], remove: true }
    const bulk = '/api/v1/processorstatement/bulk'
    const { fingerprint } = (await staff.call('POST', `${bulk}/preview`, records)).body
    const { body: removed } = await staff.call('POST', bulk, { ...records, fingerprint })
    await make({ name: 'Zeta' })
    expect((await staff.call('POST', `${bulk}/${removed.id}/undo`)).status).toBe(200)
    expect(await shown()).toMatchObject([{ processor: 'Zeta' }])
  })
})

test.each([
  [{ nofile: true, statednet: 5 }, 'Stated Net must be empty when there is no file this month'],
  [{ nofile: true, statednet: 0 }, 'Stated Net must be empty when there is no file this month'],
  [{ nofile: false, statednet: null }, 'Stated Net is required, unless there is no file this month'],
  [{}, 'Stated Net is required, unless there is no file this month'],
])('a statement of %j is refused at its sum', async (given, sentence) => {
  const statement = { processor: 'Nobody', month: '2090-01', ...given }
  const { status, body } = await staff.call('POST', '/api/v1/processorstatement', statement)
  expect([status, body.fields]).toEqual([422, { statednet: sentence }])
})
