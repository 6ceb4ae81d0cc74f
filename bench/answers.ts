import { strict as assert } from 'node:assert'
import { sortableFields } from '../schemas/entities/entity.ts'
import { merchant } from '../schemas/entities/merchant.ts'
import { absentWord, people, type Person, rareWord, xmidOf } from './data.ts'
import { scopeOf, type Environment } from './environment.ts'
import { type Asked, expectedMerchants, expectedPicks, listAddress } from './plainSql.ts'

type Listed = { data: { id: number }[]; total_length: number }
const everyone = Object.keys(people) as Person[]

/** Lists of each kind: every word, every order up and down, a filter, pages near and far. */
function probesOf(it: Environment): Asked[] {
  const sorts = sortableFields(merchant).flatMap((field) => [field, `-${field}`])
  const words = ['approved', 'an', rareWord, absentWord, xmidOf(7), 'MA0001', 'inactive', '77', '%']
  return [
    {},
    { page: Math.ceil(it.size / 20) },
    { page: Math.ceil(it.size / 10) + 1, size: 25 },
    { accountstatus: 3 },
    ...sorts.map((sort, at) => ({ sort, page: at % 3 === 0 ? 1 + Math.floor(it.size / 300) : 1 })),
    ...words.map((word) => ({ word })),
    { word: 'approved', sort: '-dba', accountstatus: 2, page: 2, size: 25 },
    { word: rareWord, sort: 'masteragentid' },
  ]
}

async function checkList(it: Environment, person: Person, asked: Asked, when: string): Promise<void> {
  const scope = await scopeOf(it.db, person)
  const word = asked.word?.replace(/[\\%_]/g, '\\$&')
  const { ids, count, values } = expectedMerchants({ ...asked, scope, ...(word && { word }) })
  const [answer, expected, [counted]] = await Promise.all([
    it.call(person, listAddress(asked)),
    it.db.query<{ id: number }>(ids, values),
    it.db.query<{ n: number }>(count, values),
  ])
  const { data, total_length } = JSON.parse(answer.toString()) as Listed
  const where = `${when}: ${person} asks ${listAddress(asked)}`
  assert.deepEqual(
    data.map(({ id }) => id),
    expected.map(({ id }) => id),
    `${where}: the ids are not those of plain SQL`,
  )
  assert.equal(total_length, counted!.n, `${where}: the total is not that of plain SQL`)
}

async function checkPicker(it: Environment, person: Person, word: string, when: string): Promise<void> {
  const scope = await scopeOf(it.db, person)
  for (const [path, table] of [
    ['merchant', 'merchant'],
    ['masteragent', 'master_agent'],
  ] as const) {
    const answer = await it.call(person, `/api/v1/${path}/ids?search=${encodeURIComponent(word)}`)
    const { data } = JSON.parse(answer.toString()) as Listed
    const expected = await it.db.query<{ id: number }>(expectedPicks(table), [word, scope])
    assert.deepEqual(
      data.map(({ id }) => id),
      expected.map(({ id }) => id),
      `${when}: ${person} looks for ${word} in ${path}: not the records of plain SQL`,
    )
  }
}

/** The days of the Home chart against their sums, for each scope. */
async function checkHome(it: Environment, person: Person, when: string): Promise<void> {
  const scope = await scopeOf(it.db, person)
  const { data } = JSON.parse((await it.call(person, '/api/v1/profit')).toString()) as {
    data: { processdate: number; amount: number }[]
  }
  const expected = await it.db.query(
    `select extract(epoch from v.volumedate::timestamp)::bigint as processdate, sum(v.netamount) as amount
      from daily_volume v left join merchant m on m.xmid = v.xmid
      where $1::int[] is null or m.masteragentid = any ($1)
      group by v.volumedate order by v.volumedate desc limit $2`,
    [scope, data.length],
  )
  assert.deepEqual(data, expected, `${when}: the Home chart of ${person} is not that of plain SQL`)
}

/**
 * Compares lists, pickers and the Home chart with plain SQL, for people of three scopes. Throws an
 * AssertionError that says what was asked. `share` of the lists is asked, another one at each time.
 */
async function compare(it: Environment, when: string, share: number): Promise<number> {
  const probes = probesOf(it).filter((_, at) => (at + when.length) % share === 0)
  for (const person of everyone) {
    for (const asked of probes) await checkList(it, person, asked, when)
    for (const word of [rareWord, absentWord, xmidOf(3), 'par']) await checkPicker(it, person, word, when)
    await checkHome(it, person, when)
  }
  return probes.length * everyone.length
}

type Stored = { id: number; version: number }
const send = async (it: Environment, method: string, path: string, body?: unknown): Promise<Stored> => {
  const answer = await it.call('admin', path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return (answer.length > 0 ? JSON.parse(answer.toString()) : {}) as Stored
}

/** Writes as people do: new records, changes of what is searched, sorted and scoped by, removed records. */
async function write(it: Environment): Promise<void> {
  const path = '/api/v1/merchant'
  const added: Stored[] = []
  for (let n = 0; n < 5; n += 1)
    added.push(
      await send(it, 'POST', path, {
        xmid: `9${String(Date.now()).slice(-9)}${n}`,
        dba: `${rareWord} ${n} new`,
        masteragentid: n % 2 === 0 ? 1 : 500,
        status: 'Approved',
      }),
    )
  const changes = [
    { notes: `Asked for ${rareWord}` },
    { status: 'Zeta' },
    { sales_rep: 'Aaron Approved' },
    { masteragentid: 500 },
    { masteragentid: 1 },
    { date_closed: 1_760_000_000 },
    { businesstype: '' },
  ]
  for (const [at, change] of changes.entries()) {
    const id = 11 + at * 13
    const { version } = await send(it, 'GET', `${path}/${id}`)
    await send(it, 'PUT', `${path}/${id}`, { version, ...change })
  }
  for (const { id } of added.slice(0, 2)) await send(it, 'DELETE', `${path}/${id}`)
}

/** 10,000 updates by another program, each in a transaction of its own, of what is searched and sorted by. */
async function updateMany(it: Environment): Promise<void> {
  const one = async (lane: number) => {
    for (let n = lane; n < 10_000; n += 4)
      await it.prepared[lane]!.query({
        name: 'update one',
        text: `update merchant set dba = 'Changed ' || $2::int, status = $3, version = version + 1,
          masteragentid = 1 + ($1::int + $2::int / 2) % 500 where id = $1`,
        values: [1 + ((n * 37) % it.size), n, n % 3 === 0 ? 'Pending' : 'Approved'],
      })
  }
  await Promise.all([0, 1, 2, 3].map(one))
}

/**
 * Compares answers with plain SQL before anything is timed: as the data is, after writes through the portal,
 * after a vacuum, and after 10,000 updates by another program. Answers how many lists were compared. Throws
 * an AssertionError for the first that differs.
 */
export async function checkAnswers(it: Environment): Promise<number> {
  const share = it.isShort || it.size > 100_000 ? 3 : 1
  let compared = await compare(it, 'As it was filled', it.size > 100_000 ? 2 : 1)
  await write(it)
  compared += await compare(it, 'After writes', share)
  await it.db.query('vacuum analyze')
  compared += await compare(it, 'After a vacuum', share)
  await updateMany(it)
  compared += await compare(it, 'After 10,000 updates', share)
  await it.db.query('vacuum analyze')
  return compared
}
