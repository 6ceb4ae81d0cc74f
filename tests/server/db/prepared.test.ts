import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDb, type Db } from '../../../server/db/db.ts'
import { maxPrepared, stalePlanCode, statementName } from '../../../server/db/prepared.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { statementsOf } from '../lists/statements.ts'

let portal: TestPortal
let single: Db
beforeAll(async () => {
  portal = await openTestPortal()
  single = openDb(portal.url, { max: 1 })
})
afterAll(async () => {
  await single.close()
  await portal.close()
})

const preparedNow = () => single.query<{ name: string }>('select name from pg_prepared_statements')

test('each text of a statement has one name of its own', () => {
  expect(statementName('select 1')).toBe(statementName('select 1'))
  expect(statementName('select 1')).not.toBe(statementName('select 2'))
})

test('a connection never keeps more statements than the bound', async () => {
  let most = 0
  for (let n = 0; n < maxPrepared + 20; n += 1) {
    expect(await single.prepared(`select ${n}::int + $1 as sum`, [1])).toEqual([{ sum: n + 1 }])
    if (n > maxPrepared - 3) most = Math.max(most, (await preparedNow()).length)
  }
  expect(most).toBeGreaterThan(maxPrepared - 3)
  expect(most).toBeLessThanOrEqual(maxPrepared)
  expect((await preparedNow()).length).toBeLessThan(30)
})

describe('statements of a transaction that are started at the same time', () => {
  test('run one after another, without a warning of the driver', async () => {
    const warnings: string[] = []
    const note = ({ message }: Error) => void warnings.push(message)
    process.on('warning', note)
    onTestFinished(() => void process.off('warning', note))
    const answers = await single.transaction((tx) =>
      Promise.all([
        tx.query('select 1 as n'),
        tx.prepared('select $1::int as n', [2]),
        tx.query('select 3 as n'),
      ]),
    )
    expect(answers).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]])
    await setImmediate()
    expect(warnings).toEqual([])
  })

  test('leave nothing behind when one of them fails', async () => {
    await single.query('create table asked_at_once (n int)')
    const add = 'insert into asked_at_once values (1)'
    await expect(
      single.transaction((tx) =>
        Promise.all([tx.query(add), tx.query('select 1 / 0'), tx.query(add), tx.prepared(add)]),
      ),
    ).rejects.toThrow('division by zero')
    expect(await single.query('select n from asked_at_once')).toEqual([])
  })
})

describe('after a migration of another process changed the type of a column', () => {
  const read = 'select value from changing where id = $1'
  const begin = async () => {
    await single.query('drop table if exists changing')
    await single.query('create table changing (id int, value int)')
    await single.query('insert into changing values (1, 7)')
    for (let n = 0; n < 7; n += 1) await single.prepared(read, [1])
    await portal.db.query('alter table changing alter column value type text')
  }

  test('a prepared read still answers', async () => {
    await begin()
    expect(await single.prepared(read, [1])).toEqual([{ value: '7' }])
    expect(await single.prepared(read, [1])).toEqual([{ value: '7' }])
  })

  test('a transaction ends with an error that is answered as 503, and the next one works', async () => {
    await begin()
    const work = () => single.transaction((tx) => tx.prepared(read, [1]))
    await expect(work()).rejects.toMatchObject({ code: stalePlanCode })
    expect(await work()).toEqual([{ value: '7' }])
  })

  test('a statement that was discarded is prepared again', async () => {
    await begin()
    await single.prepared(read, [1])
    await single.query('deallocate all')
    expect(await single.prepared(read, [1])).toEqual([{ value: '7' }])
  })
})

describe('on the paths where people wait', () => {
  let people: SignedIn[]
  beforeAll(async () => {
    people = [await portal.login('admin'), await portal.login('agent'), await portal.login('clerk')]
    for (const who of people) await who.call('GET', '/api/v1/merchant')
  })

  test.each([
    ['/api/v1/merchant', 3],
    ['/api/v1/merchant?page=2', 3],
    ['/api/v1/merchant?sort=dba', 4],
    ['/api/v1/merchant?sort=-date_closed', 4],
    ['/api/v1/merchant?sort=masteragentid&page=3', 5],
    ['/api/v1/masteragent?size=100', 3],
    ['/api/v1/equipment', 3],
    ['/api/v1/merchant/ids', 3],
    ['/api/v1/merchant/ids?search=bakery', 4],
    ['/api/v1/merchant/ids?search=zzznothing', 4],
    ['/api/v1/masteragent/ids', 2],
    ['/api/v1/profit', 2],
  ])('%s sends no more than %i statements, all prepared', async (path, most) => {
    for (const who of people) {
      const sent = await statementsOf(() => who.call('GET', path))
      expect(sent.filter(({ name }) => name === undefined)).toEqual([])
      expect(sent.length).toBeLessThanOrEqual(most)
    }
  })

  test('a record is read with two prepared statements, and saved with nine at most', async () => {
    const [admin] = people as [SignedIn]
    const { body: list } = await admin.call('GET', '/api/v1/merchant')
    const path = `/api/v1/merchant/${list.data[0].id}`
    const read = await statementsOf(() => admin.call('GET', path))
    expect(read.map(({ name }) => name !== undefined)).toEqual([true, true])
    const { body: row } = await admin.call('GET', path)
    const saved = await statementsOf(() => admin.call('PUT', path, { version: row.version, notes: 'Called' }))
    expect(saved.filter(({ name }) => name === undefined)).toEqual([])
    expect(saved.length).toBeLessThanOrEqual(9)
  })
})
