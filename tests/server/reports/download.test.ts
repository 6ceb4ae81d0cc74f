import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyError } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toHttpError } from '../../../server/http/answerError.ts'
import type { Caller } from '../../../server/http/call.ts'
import { createDownloads } from '../../../server/jobs/downloads.ts'
import { catalogue } from '../../../server/reports/catalogue.ts'
import { writeInReadTransaction } from '../../../server/reports/files/sheetFile.ts'
import type { SignedIn } from '../../testPortal.ts'
import { csvText, plain, readCsv, readSheets, sheetValue, table } from './exports.ts'
import { epoch, ledger, type Ledger, publish } from './ledger.ts'
import { inputsOf as inputsOfReport } from './reading/inputs.ts'

let portal: Ledger
let admin: SignedIn
beforeAll(async () => {
  portal = await ledger()
  const { db } = portal
  admin = portal.admin
  await db.query(
    `insert into chargeback (xmid, casenumber, filedate, amount, batchid) values ('0012345678901', 'C', $1, 5, 1)`,
    [epoch('2026-09-05')],
  )
  await db.query(
    `insert into tin_validation (xmid, code, tinstatus, notice, noticedate, batchid) values ('0012345678901', 3, 'Mismatch', 1, $1, 1)`,
    [epoch('2026-09-05')],
  )
  await db.query(`insert into terms (tctext) values ('Be good.')`)
  await db.query(
    `insert into terms_acceptance (termsid, userid, ipaddress) select t.id, u.id, '' from terms t, portal_user u where username = 'admin'`,
  )
  for (const month of ['2026-08', '2026-09']) await publish(admin, month)
})
afterAll(() => portal.close())

const inputsOf = (id: string) => inputsOfReport(id, { agent: '3', newer: 2 })
const download = (id: string, format: string, inputs = inputsOf(id)) =>
  portal.app.inject({
    method: 'POST',
    url: `/api/v1/report/${id}/export${format && `?format=${format}`}`,
    payload: inputs,
    headers: {
      authorization: `Bearer ${admin.token}`,
      cookie: `XSRF-TOKEN=${admin.cookie}`,
      'x-xsrf-token': admin.cookie,
    },
  })

describe.each(catalogue.map(({ id }) => id).filter((id) => id !== 'export-log'))('the file of %s', (id) => {
  test('holds the figures of the screen in their order, and the totals', async () => {
    const { body } = await admin.call('POST', `/api/v1/report/${id}`, inputsOf(id))
    const heads = body.columns.map((column: { displayname: string }) => column.displayname)
    const csv = readCsv((await download(id, 'csv')).body)
    expect(csv[0]).toEqual(heads)
    expect(csv.slice(1)).toEqual(table(body.columns, body.data, body.totals, csvText))
    const [[, rows], about] = (await readSheets((await download(id, 'xlsx')).rawPayload)) as [
      [string, unknown[][]],
      [string, unknown[][]],
    ]
    expect(rows[0]).toEqual(heads)
    const width = (row: unknown[]) => Array.from({ length: heads.length }, (_, index) => plain(row[index]))
    expect(rows.slice(1).map(width)).toEqual(table(body.columns, body.data, body.totals, sheetValue))
    expect(about[0]).toBe('About')
    expect(about[1][0]).toEqual(['Report', catalogue.find((it) => it.id === id)!.name])
    const aboutHeads = about[1].map(([head]) => head)
    if (body.lock)
      expect(about[1]).toEqual(
        expect.arrayContaining([
          ['Locked', `Version ${body.lock.version} by ${body.lock.username}`],
          ['Hash', body.lock.hash],
        ]),
      )
    else
      expect(about[1]).toContainEqual([
        'Generated',
        expect.stringMatching(/^\d\d\/\d\d\/\d{4} \d\d:\d\d UTC$/),
      ])
    expect(aboutHeads.includes('Generated')).toBe(body.lock === null)
  })
})

test.each([
  ['agent-residual-statement', '', 'Agent Residual Statement 2026-09 MA0003.xlsx'],
  ['residual-summary', 'csv', 'Residual Summary by Agent 2026-09.csv'],
  ['attrition', 'xlsx', 'Attrition 2026-08-01 2030-12-31.xlsx'],
  ['agent-1099-totals', 'csv', 'Agent 1099 Totals 2026.csv'],
])('the file of %s is named after report and time', async (id, format, name) => {
  const { headers } = await download(id, format)
  expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`)
})

test('every file is written down, in the export log and in the audit', async () => {
  const { rawPayload } = await download('residual-summary', 'csv')
  // Whether it was complete is known when the last byte has left.
  const last = async () =>
    (await admin.call('POST', '/api/v1/report/export-log', inputsOf('export-log'))).body.data[0]
  await expect.poll(last).toMatchObject({
    username: 'admin',
    report: 'residual-summary',
    inputs: 'month 2026-09',
    format: 'csv',
    month: '2026-09',
    lockversion: 1,
    rows: 6,
    bytes: rawPayload.length,
    result: 'Complete',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const [auditEntry] = await portal.db.query(
    `select username, entity, entityid, after from audit where action = 'export' order by id desc limit 1`,
  )
  expect(auditEntry).toEqual({
    username: 'admin',
    entity: 'report',
    entityid: 'residual-summary',
    after: { format: 'csv', month: '2026-09' },
  })
})

test('a file that cannot be written down is not sent, and nothing of it is left', async () => {
  const log = 'alter table report_export'
  await portal.db.query(`${log} add constraint nothing check (report <> 'residual-summary') not valid`)
  expect((await download('residual-summary', 'csv')).statusCode).toBe(500)
  expect(await readdir(join(portal.config.dataDir, 'tmp'))).toEqual([])
  await portal.db.query(`${log} drop constraint nothing`)
})

test('nothing is left of a file when the transaction that read it fails at its end', async () => {
  const { signal } = new AbortController()
  const caller = { username: 'admin' } as Caller
  const options = { signal, seconds: 5, requester: { caller, authorizeAgain: async () => caller } }
  const chunks = async function* () {
    yield 'one row'
  }
  const written = writeInReadTransaction(portal.db, options, async (tx) => {
    const [backend] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
    const file = await createDownloads(portal.config).write('admin', chunks(), signal)
    await portal.db.query('select pg_terminate_backend($1, 5000)', [backend!.pid])
    return { file, name: 'Rows.csv', format: 'csv' as const }
  })
  const error = await written.catch((reason: unknown) => reason)
  // Which end of the connection is noticed first differs, and with it the error.
  expect(toHttpError(error as FastifyError, {})).toMatchObject({ status: 503 })
  expect(await readdir(join(portal.config.dataDir, 'tmp'))).toEqual([])
})

test('what was refused is not written down as taken', async () => {
  const count = async () =>
    (await portal.db.query<{ n: number }>('select count(*) as n from report_export'))[0]!.n
  const before = await count()
  expect((await download('residual-summary', 'csv', { month: '1999-01' })).statusCode).toBe(422)
  expect((await download('residual-summary', 'pdf')).statusCode).toBe(400)
  const bankFile = await download('residual-summary', 'nacha')
  expect([bankFile.statusCode, bankFile.json().error]).toEqual([
    422,
    'Residual Summary by Agent has no file of the format nacha',
  ])
  expect(await count()).toBe(before)
})
