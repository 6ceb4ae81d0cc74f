import { afterAll, beforeAll, expect, test } from 'vitest'
import { sortableFields } from '../../../schemas/entities/entity.ts'
import { entities } from '../../../schemas/entities/index.ts'
import { oracles } from '../../rights/all.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let admin: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  admin = await portal.login('admin')
  await portal.db.query(
    'update master_agent set percentageequipmentcommissionreceived = id * 7 % 11, amountequipmentcommissionreceived = id * 7 % 13',
  )
})
afterAll(() => portal.close())

/** Records that refer to no agent, and to no merchant, beside those that do. */
beforeAll(async () => {
  await portal.db.query('update equipment set merchantid = null where id % 3 = 0')
  await portal.db.query(
    'update equipment set masteragentid = null where id % 3 = 1 and merchantid is not null',
  )
})

/** Makes a record where the demo data have none. */
beforeAll(async () => {
  for (const { oracle } of oracles) {
    const path = `/api/v1/${oracle.it.name}`
    if ((await admin.call('GET', path)).body.total_length === 0)
      await admin.call('POST', path, oracle.draft(1, 2))
  }
})

const collate = new Intl.Collator('en').compare
/** Databases differ in whether letters or their cases come first. */
const inOrder = (one: unknown, other: unknown) =>
  one === other ||
  (typeof one === 'string'
    ? one < String(other) || collate(one, String(other)) < 0
    : Number(one) < Number(other))

test.each(
  Object.values(entities).flatMap((it) => sortableFields(it).map((field) => ({ it, field, name: it.title }))),
)('$name: by $field, both ways, what is empty last', async ({ it, field }) => {
  const { to, show } = it.schema.properties[field]!
  const sorted = async (sort: string): Promise<unknown[]> => {
    const { status, body } = await admin.call('GET', `/api/v1/${it.name}?size=100&sort=${sort}`)
    expect(status).toBe(200)
    expect(body.data).toHaveLength(Math.min(body.total_length, 100))
    const keys = body.data.map(
      (row: Record<string, unknown> & { labels: Record<string, string> }) =>
        (to && !show ? row.labels[field] : row[field]) ?? null,
    )
    const end = keys.indexOf(null)
    expect(end < 0 ? [] : keys.slice(end).filter((key: unknown) => key !== null)).toEqual([])
    return end < 0 ? keys : keys.slice(0, end)
  }
  const [up, down] = [await sorted(field), await sorted(`-${field}`)]
  expect(up.length).toBeGreaterThan(0)
  for (const [at, key] of up.slice(1).entries())
    expect(inOrder(up[at], key), `${String(up[at])} before ${String(key)}`).toBe(true)
  for (const [at, key] of down.slice(1).entries())
    expect(inOrder(key, down[at]), `${String(key)} after ${String(down[at])}`).toBe(true)
})

test.each([
  [199, ['b', 'a']],
  [200, ['b', 'a']],
  [201, ['a', 'b']],
])('long texts that differ in character %i are in the order of their first 200: %j', async (place, order) => {
  const text = (last: string) => `${'x'.repeat(place - 1)}${last}`
  await portal.db.query('update merchant set notes = $1, sales_rep = $2 where id = 1', [
    text('z'),
    'sorted a',
  ])
  await portal.db.query('update merchant set notes = $1, sales_rep = $2 where id = 2', [
    text('y'),
    'sorted b',
  ])
  const { body } = await admin.call('GET', '/api/v1/merchant?search=sorted&sort=notes')
  const found = body.data.map(({ sales_rep: rep }: { sales_rep: string }) => rep.replace('sorted ', ''))
  expect(found).toEqual(order)
})

test('the statements of processors come with the newest month first, unless another order is chosen', async () => {
  await portal.db.query(
    `insert into processor_statement (processor, month, nofile)
      values ('Old', '2019-02-01', true), ('Older', '2019-01-01', true), ('Less old', '2019-03-01', true)`,
  )
  const monthsIn = async (sort: string): Promise<string[]> => {
    const { body } = await admin.call('GET', `/api/v1/processorstatement?size=100${sort}`)
    return body.data.map(({ month }: { month: string }) => month)
  }
  const months = await monthsIn('')
  expect(months.slice(-3)).toEqual(['2019-03', '2019-02', '2019-01'])
  expect(months).toEqual(months.toSorted().toReversed())
  expect(await monthsIn('&sort=month')).toEqual(months.toReversed())
})
