import { afterEach, expect, test, vi } from 'vitest'
import { createActor, toPromise, type AnyActorLogic } from 'xstate'
import { merchant } from '../../../schemas/entities/merchant.ts'
import type { Call } from '../../../src/api/http.ts'
import { provideBulk } from '../../../src/api/provide/bulk.ts'
import { provideAudit } from '../../../src/api/provide/fetched/audit.ts'
import { provideImports } from '../../../src/api/provide/fetched/imports.ts'
import { provideMonth, providePayouts } from '../../../src/api/provide/fetched/payouts.ts'
import { readResult } from '../../../src/api/provide/fetched/reportAnswer.ts'
import { provideReports } from '../../../src/api/provide/fetched/reports.ts'
import { scripted, signedInCall } from '../../journeys/scripted.ts'

afterEach(() => void vi.restoreAllMocks())

type Machine = { implementations: { actors: Record<string, unknown> } }
/** What an actor of a provided machine sends, and what it answers. */
const run = async (
  answers: Parameters<typeof scripted>[0],
  provided: (call: Call) => unknown,
  name: string,
  input: object = {},
) => {
  const server = scripted(answers)
  const logic = (provided(signedInCall(server)) as Machine).implementations.actors[name] as AnyActorLogic
  const actor = createActor(logic, { input }).start()
  const output: unknown = await toPromise(actor).catch((error: unknown) => error)
  return { output, sent: server.calls.map(({ path, query, body }) => ({ path, query, body })) }
}

const months = (['open', 'locked', 'released', 'open', 'open'] as const).map((state, at) => ({
  month: `2026-0${9 - at}`,
  state,
  version: at === 3 ? 2 : Number(state !== 'open'),
}))
const monthAnswers = {
  'GET /api/v1/month': { body: { data: months, work: '2026-09' } },
  ...Object.fromEntries(
    months.flatMap(({ month }) =>
      ['payout', 'differences', 'release'].map((part) => [
        `GET /api/v1/month/${month}/${part}`,
        { body: { part, month } },
      ]),
    ),
  ),
  'GET /api/v1/month/2026-09': { body: { state: 'locked', version: 7 } },
}
const page = { kind: '', page: 1 }

test.each([
  ['the newest that is not open', null, months, '2026-08', ['payout']],
  ['the one that is asked for', '2026-07', months, '2026-07', ['payout']],
  ['one that was opened again with what differs', '2026-06', months, '2026-06', ['differences', 'release']],
  ['one that was never locked without a run', '2026-05', months, '2026-05', []],
  ['the oldest where all are open', null, months.slice(3), '2026-05', []],
])('Payouts shows %s: %s of a list', async (_, wanted, listed, month, parts) => {
  const answers = { ...monthAnswers, 'GET /api/v1/month': { body: { data: listed, work: null } } }
  const { output, sent } = await run(answers, (call) => providePayouts(call).month, 'view', { wanted, page })
  expect(output).toMatchObject({ month: { month }, detail: null })
  expect(sent.slice(1).map(({ path }) => path)).toEqual(parts.map((part) => `/api/v1/month/${month}/${part}`))
})

test('Month shows the one that is worked on, in the state that its detail says, which is read later', async () => {
  const { output } = await run(monthAnswers, (call) => provideMonth(call).reading, 'view', {
    wanted: null,
    page,
  })
  expect(output).toMatchObject({ month: { month: '2026-09', state: 'locked', version: 7 }, payout: null })
})

test.each([
  ['', ''],
  ['PK\0\0x\0', 'PK\ufffd\ufffdx\ufffd'],
])('a return file of %j is sent as %j', async (content, text) => {
  const { sent } = await run(
    { 'POST /api/v1/ledger/returnfile': { body: {} } },
    (call) => providePayouts(call).returnFile(new File([content], 'r.xlsx')).check,
    'load',
  )
  expect(sent.map(({ body }) => body)).toEqual([{ text, commit: false }])
})

const report = {
  id: 'r',
  inputs: [
    {
      inputname: 'month',
      displayname: 'Month',
      datatype: 'Query3',
      isrequired: true,
      constraints: [{ id: '2026-10', displayname: 'October 2026', state: 'Open' }],
    },
  ],
}
const values = { month: '2026-10' }

test.each([
  ['', { format: 'csv' }],
  ['-net', { format: 'csv', sort: '-net' }],
])('the file of a report that is sorted by %j asks for %j', async (sort, query) => {
  const input = { report, values, format: 'csv', sort }
  const answers = { 'POST /api/v1/report/r/export': { body: 'x', headers: {} } }
  // A click on the link of a file would take the page of all tests of this process to its address.
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  const { sent } = await run(answers, provideReports, 'download', input)
  const { job, ...asked } = sent[0]!.query
  expect(asked).toEqual(query)
  expect(job).toMatch(/^[0-9a-f-]{36}$/)
})

test.each([
  [null, [['report/r/publish', values]]],
  [{ reason: '', stated: {} }, [['report/r/publish', values]]],
  [
    { reason: 'Known', stated: { 'stated-total:Aurora': 'A cent' } },
    [
      ['month/2026-10/waive', { kind: 'stated-total', key: 'stated-total:Aurora', reason: 'A cent' }],
      ['report/r/publish', { ...values, waive: 'Known' }],
    ],
  ],
])('a lock of the report runner with the reasons %j sends %j', async (waivers, calls) => {
  const answers = { 'POST /api/v1/month/2026-10/waive': {}, 'POST /api/v1/report/r/publish': { body: {} } }
  const { sent } = await run(answers, provideReports, 'lock', { report, values, waivers })
  expect(sent.map(({ path, body }) => [path.replace('/api/v1/', ''), body])).toEqual(calls)
})

test('a column of a report without a heading and of an unknown kind is a text under its name', () => {
  const columns = ['a', { name: 'b', displayname: 'B', datatype: 'money' }, { name: 'c', datatype: 'other' }]
  expect(readResult({ columns } as never).columns).toEqual([
    { name: 'a', displayname: 'a', datatype: 'text' },
    { name: 'b', displayname: 'B', datatype: 'money' },
    { name: 'c', displayname: 'c', datatype: 'text' },
  ])
})

const query = { page: 2, size: 25, search: 'x', sort: '', filter: '' }
const rows = { body: { data: [], total_length: 0 } }
test.each<[what: string, route: string, provided: (call: Call) => unknown, asked: object]>([
  [
    'the audit, with its filters',
    '/api/v1/audit',
    (call) => provideAudit(call).list({ person: 'ann', from: '2026-10-01' }),
    { person: 'ann', from: '2026-10-01', page: '2', size: '25', search: 'x' },
  ],
  [
    'the history of an import',
    '/api/v1/file/merchant/history',
    (call) => provideImports(call)('merchant').history,
    { page: '2', size: '25' },
  ],
  [
    'one import alone',
    '/api/v1/file/merchant/history',
    (call) => provideImports(call)('merchant').oneBatch(12),
    { page: '2', size: '25', batch: '12' },
  ],
  [
    'the changes of many records',
    '/api/v1/merchant/bulk',
    (call) => provideBulk(call, merchant).history,
    { size: '100' },
  ],
])('%s is asked for by %s', async (_, path, provided, asked) => {
  const { sent } = await run({ [`GET ${path}`]: rows }, provided, 'load', query)
  expect(sent).toEqual([{ path, query: asked, body: undefined }])
})

test.each([
  ['reading', { phase: 'reading', done: 1, total: null }],
  ['unknown', { message: 'the job has not started or is over' }],
])('the progress of an import that is %s answers %j', async (phase, answered) => {
  const answers = { 'GET /api/v1/file/merchant/progress/j': { body: { phase, done: 1, total: null } } }
  const input = { job: { id: 'j', purpose: 'import' } }
  const { output } = await run(answers, (call) => provideImports(call)('merchant').upload, 'poll', input)
  expect(output).toMatchObject(answered)
})
