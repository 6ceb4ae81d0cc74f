import type { Area, Contender } from '../case.ts'
import { least, most } from '../case.ts'
import { randomId } from '../data.ts'
import {
  bareCalling,
  directusCalling,
  plainCalling,
  portalCalling,
  preparedCalling,
  type Environment,
} from '../environment.ts'
import { callJson } from '../http.ts'
import { calling, inFlight } from '../measure.ts'
import { measurePgbench } from '../peers/pgbench.ts'
import { listAddress, plainMerchants } from '../plainSql.ts'

const readOne = `
  select t.*, a.displayid || ' - ' || a.name as agent
  from merchant t join master_agent a on a.id = t.masteragentid where t.id = $1`
/** No rule, no audit, and no version either, by which the portal would refuse its next save of the record. */
const updateOne = 'update merchant set notes = $2 where id = $1 returning *'

/** As many records as each lane saves, spread over all of them. */
const savedPerLane = 50
const savedId = (size: number, lane: number, n: number) =>
  1 + Math.floor((size * (lane + inFlight * n)) / (inFlight * savedPerLane))
const anySavedId = (size: number, lane: number) => savedId(size, lane, randomId(savedPerLane) - 1)
const noteNow = () => `Called at ${Math.random()}`

/** Saves notes of records, each lane those of its own, as a person does who has them open. */
function savingByPortal(it: Environment): Contender {
  const versions = new Map<number, number>()
  const keep = (answer: Buffer) => {
    const { id, version } = JSON.parse(answer.toString()) as { id: number; version: number }
    versions.set(id, version)
  }
  const saving = calling('portal', [it.pids.portal, it.pids.postgres], async (lane) => {
    const id = anySavedId(it.size, lane)
    const body = JSON.stringify({ version: versions.get(id), notes: noteNow() })
    keep(await it.call('admin', `/api/v1/merchant/${id}`, { method: 'PUT', body }))
  })
  /** Reads them, so that the saves alone are measured. */
  async function prepare() {
    if (versions.size > 0) return
    for (let lane = 0; lane < inFlight; lane += 1)
      for (let n = 0; n < savedPerLane; n += 1)
        keep(await it.call('admin', `/api/v1/merchant/${savedId(it.size, lane, n)}`))
  }
  return { ...saving, prepare }
}

async function savingPlainly(it: Environment): Promise<Contender> {
  const url = `${it.plain.address}/run/save`
  const headers = { 'content-type': 'application/json' }
  await callJson(`${it.plain.address}/statements/save`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ rows: updateOne }),
  })
  return calling('plain', [it.pids.plain, it.pids.postgres], (lane) => {
    const values = [anySavedId(it.size, lane), noteNow()]
    return callJson(url, { method: 'PUT', headers, body: JSON.stringify({ values }) })
  })
}

/** Calls of each kind beside the same work without rules, and beside none. */
export const calls: Area = {
  name: 'Calls',
  where: 'each',
  cases: [
    {
      name: 'read one record',
      goals: [most('cpu', 2, { of: 'plain' })],
      async contenders(it) {
        const name = 'read one record'
        const values = () => [randomId(it.size)]
        return [
          portalCalling(it, 'admin', () => `/api/v1/merchant/${randomId(it.size)}`),
          await plainCalling(it, name, { rows: readOne }, values),
          preparedCalling(it, name, readOne, values),
          ...measurePgbench(it, readOne.replace('$1', ':id'), `\\set id random(1, ${it.size})\n`),
          await bareCalling(it, name, 'admin', '/api/v1/merchant/1'),
          ...directusCalling(it, () => `/items/merchant/${randomId(it.size)}`),
        ]
      },
    },
    {
      name: 'page 1 beside a page without a count',
      goals: [most('cpu', 1.5, { of: 'plain' })],
      async contenders(it) {
        const name = 'page 1 beside a page without a count'
        const { statement, values } = plainMerchants({}, false)
        return [
          portalCalling(it, 'admin', () => listAddress({})),
          await plainCalling(it, name, statement, values),
          preparedCalling(it, name, statement.rows, values),
          ...measurePgbench(it, statement.rows),
          await bareCalling(it, name, 'admin', listAddress({})),
        ]
      },
    },
    {
      name: 'save one field, with rules, version and audit',
      goals: [most('cpu', 2, { of: 'plain' }), least('rate', 0.5, { of: 'plain' })],
      contenders: async (it) => [
        savingByPortal(it),
        await savingPlainly(it),
        ...directusCalling(
          it,
          () => `/items/merchant/${randomId(it.size)}`,
          () => ({ method: 'PATCH', body: JSON.stringify({ notes: noteNow() }) }),
        ),
      ],
    },
    {
      name: 'Home chart',
      goals: [most('cpu', 5)],
      async contenders(it) {
        const sums = `select volumedate, sum(netamount) as amount from daily_volume
          group by volumedate order by volumedate desc limit 30`
        return [
          portalCalling(it, 'admin', () => '/api/v1/profit'),
          await plainCalling(it, 'Home chart', { rows: sums }, () => []),
        ]
      },
    },
    {
      name: 'Home chart of a branch',
      goals: [most('cpu', 5)],
      contenders: (it) => [portalCalling(it, 'branch', () => '/api/v1/profit')],
    },
    {
      name: '100 agents',
      goals: [most('cpu', 5)],
      async contenders(it) {
        const statement = 'select * from master_agent order by id limit 100'
        return [
          portalCalling(it, 'admin', () => '/api/v1/masteragent?size=100'),
          await plainCalling(it, '100 agents', { rows: statement }, () => []),
        ]
      },
    },
    {
      name: '100 agents by their merchants',
      goals: [most('cpu', 5)],
      async contenders(it) {
        const statement = `select a.*, m.n from master_agent a
          left join (select masteragentid, count(*) as n from merchant where accountstatus = 2
            group by masteragentid) m on m.masteragentid = a.id
          order by m.n desc nulls last, a.id limit 100`
        return [
          portalCalling(it, 'admin', () => '/api/v1/masteragent?size=100&sort=-activemerchantcount'),
          await plainCalling(it, '100 agents by their merchants', { rows: statement }, () => []),
        ]
      },
    },
  ],
}
