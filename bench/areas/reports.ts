import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify'
import pg from 'pg'
import QueryStream from 'pg-query-stream'
import type { Area, Contender } from '../case.ts'
import { most } from '../case.ts'
import { mostEquipment } from '../data.ts'
import { plainCalling, portalCalling, type Environment } from '../environment.ts'
import { sampleWaits, sampleGrowth, sampleOnce } from '../measure.ts'

/** The rows of the report of terminals, without who may see what of them. */
const equipment = `
  select e.serialnumber, e.model, e.licensingkey, m.xmid, m.dba, a.displayid || ' - ' || a.name as agent,
    e.equipmentownertypeid, e.soldfor, e.paidsofar, e.soldfor - e.paidsofar as balance, e.paymentterms,
    e.requestedpaperworkdate, 1 as age, 'x' as paperwork
  from equipment e left join merchant m on m.id = e.merchantid
    left join master_agent a on a.id = e.masteragentid
  where e.soldfor > e.paidsofar order by balance desc, e.id`

const path = '/api/v1/report/equipment-outstanding'
const runReport = (it: Environment) =>
  it.call('admin', path, { method: 'POST', body: '{}', isDiscarded: true })
/** A short call of another person, whose waits beside a report are measured. */
const shortCall = (it: Environment) => () => it.call('branch', '/api/v1/portal')

/** The same call while nothing else goes on. */
export const alone = (it: Environment): Contender => ({
  name: 'alone',
  sample: (millis) =>
    sampleWaits(shortCall(it), () => new Promise((done) => setTimeout(done, Math.max(200, millis)))),
})

const rowsOf = ({ size }: Environment) => Math.min(size, mostEquipment)

const exportBy = (it: Environment, format: string): Contender => ({
  name: 'portal',
  sample: () =>
    sampleOnce(
      [it.pids.portal, it.pids.postgres],
      () => it.call('admin', `${path}/export?format=${format}`, { method: 'POST', body: '{}' }),
      rowsOf(it),
    ),
})

/** The same rows as CSV by a stream of the query, without limits, progress or audit. */
const streamed = (it: Environment): Contender => ({
  name: 'stream',
  sample: () =>
    sampleOnce(
      ['self', it.pids.postgres],
      async () => {
        const client = new pg.Client({ connectionString: it.url })
        await client.connect()
        const rows = client.query(new QueryStream(equipment, [], { batchSize: 1000 }))
        const output = new Writable({ write: (_, __, done) => done() })
        await pipeline(rows, stringify({ header: true }), output)
        await client.end()
      },
      rowsOf(it),
    ),
})

const dryRun = async (it: Environment) => {
  const form = new FormData()
  const text = 'XMID,DBA,Master Agent\nDRY1,Shop,MA0002\n'
  form.append('dry.csv', new Blob([text]), 'dry.csv')
  const { headers } = await it.signedIn('admin')
  const { 'content-type': _, ...others } = headers
  const answer = await fetch(`${it.portal.address}/api/v1/file/merchant?dryrun=1`, {
    method: 'POST',
    headers: others,
    body: form,
  })
  if (!answer.ok) throw new Error(`the dry run failed: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}

/** Reports of many rows on the screen and as files, and what others wait meanwhile. */
export const reports: Area = {
  name: 'Reports',
  where: 'each',
  cases: [
    {
      name: 'report of 100,000 rows on screen',
      goals: [],
      contenders: async (it) => [
        portalCalling(
          it,
          'admin',
          () => path,
          () => ({ method: 'POST', body: '{}' }),
        ),
        await plainCalling(it, 'report', { rows: equipment }, () => []),
      ],
    },
    {
      name: 'report of 100,000 rows, what others wait',
      goals: [most('wait', 50)],
      contenders: (it) => [
        { name: 'portal', sample: () => sampleWaits(shortCall(it), () => runReport(it)) },
        alone(it),
      ],
    },
    {
      name: 'report of 100,000 rows, memory',
      goals: [most('growth', 50)],
      contenders: (it) => [
        { name: 'portal', sample: () => sampleGrowth(it.pids.portal, () => runReport(it)) },
      ],
    },
    {
      name: 'report of 100,000 rows as .csv',
      goals: [],
      contenders: (it) => [exportBy(it, 'csv'), streamed(it)],
    },
    {
      name: 'report of 100,000 rows as .xlsx',
      goals: [],
      contenders: (it) => [exportBy(it, 'xlsx'), streamed(it)],
    },
    {
      name: 'a reader of a file starts, what others wait',
      goals: [most('wait', 20)],
      contenders: (it) => [
        { name: 'portal', sample: () => sampleWaits(shortCall(it), () => dryRun(it)) },
        alone(it),
      ],
    },
  ],
}
