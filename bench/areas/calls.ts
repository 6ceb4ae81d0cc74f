import type { Area, Contender } from '../case.ts'
import { least, most } from '../case.ts'
import { callJson } from '../http.ts'
import { calling } from '../measure.ts'
import { measurePgbench } from '../peers/pgbench.ts'
import { listAddress, plainMerchants } from '../plainSql.ts'
import {
  bareCalling,
  directusCalling,
  plainCalling,
  portalCalling,
  preparedCalling,
  type World,
} from '../world.ts'

const anyOf = (count: number) => 1 + Math.floor(Math.random() * count)
const readOne = `
  select t.*, a.displayid || ' - ' || a.name as agent
  from merchant t join master_agent a on a.id = t.masteragentid where t.id = $1`
/** No rule, no audit, and no version either, by which the portal would refuse its next save of the record. */
const updateOne = 'update merchant set notes = $2 where id = $1 returning *'

/** The versions of the records that were read or saved, by id. */
type Stored = { id: number; version: number }

/** Saves notes of records, each lane those of its own, as a person does who has them open. */
function savingByPortal(it: World): Contender {
  const records = new Map<number, Stored>()
  return calling('portal', [it.pids.portal, it.pids.postgres], async (lane) => {
    const id = lane + 1 + 4 * (anyOf(Math.floor(it.size / 4)) - 1)
    const read = async () =>
      JSON.parse((await it.call('admin', `/api/v1/merchant/${id}`)).toString()) as Stored
    const { version } = records.get(id) ?? (await read())
    const body = JSON.stringify({ version, notes: `Called at ${Math.random()}` })
    const saved = await it.call('admin', `/api/v1/merchant/${id}`, { method: 'PUT', body })
    records.set(id, JSON.parse(saved.toString()) as Stored)
  })
}

async function savingPlainly(it: World): Promise<Contender> {
  const url = `${it.plain.address}/run/save`
  const headers = { 'content-type': 'application/json' }
  await callJson(`${it.plain.address}/statements/save`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ rows: updateOne }),
  })
  return calling('plain', [it.pids.plain, it.pids.postgres], () => {
    const values = [anyOf(it.size), `Called at ${Math.random()}`]
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
        const values = () => [anyOf(it.size)]
        return [
          portalCalling(it, 'admin', () => `/api/v1/merchant/${anyOf(it.size)}`),
          await plainCalling(it, name, { rows: readOne }, values),
          preparedCalling(it, name, readOne, values),
          ...measurePgbench(it, readOne.replace('$1', ':id'), `\\set id random(1, ${it.size})\n`),
          await bareCalling(it, name, 'admin', '/api/v1/merchant/1'),
          ...directusCalling(it, () => `/items/merchant/${anyOf(it.size)}`),
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
          () => `/items/merchant/${anyOf(it.size)}`,
          () => ({ method: 'PATCH', body: JSON.stringify({ notes: `Called at ${Math.random()}` }) }),
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
