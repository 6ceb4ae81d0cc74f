import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { formatUsDate } from '../../../schemas/dates.ts'
import { writeNote } from '../../../server/backup/notes.ts'
import { addBankDays, nextBankDay } from '../../../server/money/bankDays.ts'
import { lockMonthIn, reopenMonthIn } from '../../../server/money/lock.ts'
import { releaseRun } from '../../../server/payouts/release.ts'
import type { FileFault } from '../../../server/payouts/returns/returnFile.ts'
import { testSecret } from '../../setup/postgres.ts'
import { whileUncommitted } from '../../whileUncommitted.ts'
import { checkNacha } from './files/nacha.ts'
import { returnFileOf } from './files/returnFiles.ts'
import { accountOf, payoutPortal, type PayoutPortal } from './payoutPortal.ts'

let portal: PayoutPortal
afterEach(() => portal.close())
const month = '2026-01'
const today = () => new Date().toISOString().slice(0, 10)
const post = (who: 'ann' | 'bob' | 'admin' | 'carl', step: string, body: object) =>
  portal.call(who, 'POST', `/api/v1/month/${month}/${step}`, body)

async function makeApproved(settings: object = {}) {
  const made = await payoutPortal(4, settings)
  await made.earn(2, month, 50)
  // A hundred times as much is 6406.999… as the computer multiplies.
  await made.earn(3, month, 64.07)
  await made.lock(month)
  return { made, hash: await made.approve(month) }
}

/** A portal with an approved run, stopped, for copies. */
let origin: Awaited<ReturnType<typeof makeApproved>>
beforeAll(async () => {
  origin = await makeApproved()
  await origin.made.stop()
})
afterAll(() => origin.made.close())

async function approved(settings?: object) {
  const { made, hash } = settings ? await makeApproved(settings) : origin
  portal = settings ? made : await payoutPortal(4, {}, made)
  return hash
}

describe('a release by bank file', () => {
  test('answers the approved run, companies and persons in batches of their own, and writes it into the ledger', async () => {
    const hash = await approved()
    const { status, body, headers } = await post('ann', 'release', { hash, how: 'file' })
    expect(status, JSON.stringify(body)).toBe(200)
    expect([headers['content-disposition'], headers['content-type']]).toEqual([
      'attachment; filename="ACH Payout 2026-01 A.ach"',
      'text/plain; charset=us-ascii',
    ])
    const file = checkNacha(body)
    expect(file.header).toMatchObject({ origin: '1234567890', modifier: 'A', bank: 'FIRST EXAMPLE BANK' })
    const entry = { code: '22', routing: '021000021' }
    expect(
      file.batches.map(({ kind, service, description, entries }) => ({
        kind,
        service,
        description,
        entries,
      })),
    ).toEqual([
      {
        kind: 'CCD',
        service: '220',
        description: 'RESIDUALS',
        entries: [
          {
            ...entry,
            account: accountOf(2),
            cents: 5000,
            id: 'MA0002',
            name: 'AGENT 2',
            trace: await portal.trace(month, 2),
          },
        ],
      },
      {
        kind: 'PPD',
        service: '220',
        description: 'PAYROLL',
        entries: [
          {
            ...entry,
            account: accountOf(3),
            cents: 6407,
            id: 'MA0003',
            name: 'AGENT 3',
            trace: await portal.trace(month, 3),
          },
        ],
      },
    ])
    expect(file.batches[0]!.effective).toBe(nextBankDay(today()).replaceAll('-', '').slice(2))
    const [{ after }] = (await portal.db.query(`select after from audit where action = 'release'`)) as [
      { after: unknown },
    ]
    expect(after).toEqual({
      version: 1,
      how: 'file',
      effective: nextBankDay(today()),
      payments: 2,
      total: 114.07,
      sha256: createHash('sha256').update(body).digest('hex'),
    })
    const { body: ledger } = await portal.call('ann', 'GET', '/api/v1/ledger')
    expect(
      ledger.data.map((it: Record<string, unknown>) => [it.masteragentid, it.amount, it.how, it.effective]),
    ).toEqual([
      [3, 64.07, 'file', nextBankDay(today())],
      [2, 50, 'file', nextBankDay(today())],
    ])
    for (const name of ['agent 3', 'ÁGENT 3', 'A\u0301gent 3']) {
      const named = await portal.call('ann', 'GET', `/api/v1/ledger?search=${encodeURIComponent(name)}`)
      expect(named.body.data.map((it: Record<string, unknown>) => it.masteragentid)).toEqual([3])
    }
    for (const sign of ['', '-']) {
      const sorted = async (column: string) =>
        portal.call('ann', 'GET', `/api/v1/ledger?sort=${sign}${column}`)
      for (const column of ['month', 'effective', 'account', 'how', 'trace', 'returned', 'statements'])
        expect((await sorted(column)).body.data, column).toHaveLength(2)
      for (const column of ['payee', 'amount'])
        expect(
          (await sorted(column)).body.data.map((it: { masteragentid: number }) => it.masteragentid),
        ).toEqual(sign ? [3, 2] : [2, 3])
      for (const column of ['other', 'constructor', '-'])
        expect(await sorted(column)).toMatchObject({
          status: 400,
          body: { error: expect.stringMatching(/^sort must be one of payee, month, amount, /) },
        })
    }
    expect((await portal.entries(month)).map(({ released, payable }) => [released, payable])).toEqual([
      [50, 0],
      [64.07, 0],
    ])
  })

  test('can be taken again, byte for byte, here and from the report, and each time is in the audit', async () => {
    const hash = await approved()
    expect(
      (await portal.call('ann', 'POST', '/api/v1/report/ach-payout/export?format=nacha', { month })).body
        .error,
    ).toBe('No bank file was released for January 2026: release it on Payouts')
    const { body: file } = await post('ann', 'release', { hash, how: 'file' })
    const { body } = await portal.call('ann', 'GET', `/api/v1/month/${month}/payout`)
    const { id } = body.releases[0]
    expect(body.releases[0].approval).toEqual({ username: 'bob', at: expect.any(Number) })
    const again = await portal.call('bob', 'GET', `/api/v1/month/${month}/release/${id}/file`)
    expect(again.body).toBe(file)
    const exported = await portal.call('bob', 'POST', '/api/v1/report/ach-payout/export?format=nacha', {
      month,
    })
    expect(exported.body).toBe(file)
    // What was released stays there when the bank is configured no more.
    Object.assign(portal.config, { ach: null })
    const later = await portal.call('bob', 'POST', '/api/v1/report/ach-payout/export?format=nacha', { month })
    expect(later.body).toBe(file)
    const taken = await portal.db.query(
      `select username from audit where action = 'export' and entity = 'payout' order by id`,
    )
    expect(taken).toEqual(Array.from({ length: 3 }, () => ({ username: 'bob' })))
    const carl = await portal.call('carl', 'GET', `/api/v1/month/${month}/release/${id}/file`)
    expect(carl.status).toBe(403)
    for (const path of [`${month}/release/99`, `2026-02/release/${id}`]) {
      const none = await portal.call('bob', 'GET', `/api/v1/month/${path}/file`)
      expect([path, none.status, none.body.error]).toEqual([path, 404, expect.stringMatching(/bank file/)])
    }
  })

  test('that was damaged is not sent, and the refusal says what helps', async () => {
    const hash = await approved()
    await post('ann', 'release', { hash, how: 'file' })
    await portal.db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query('update payout_release set file = set_byte(file, 30, 255 - get_byte(file, 30))')
    })
    const [{ id }] = (await portal.db.query('select id from payout_release')) as [{ id: number }]
    const again = await portal.call('bob', 'GET', `/api/v1/month/${month}/release/${id}/file`)
    expect([again.status, again.body.error]).toEqual([
      422,
      'The bank file ACH Payout 2026-01 A.ach was damaged and cannot be read: restore a backup',
    ])
    expect(await portal.db.query(`select from audit where action = 'export' and entity = 'payout'`)).toEqual(
      [],
    )
  })

  test('pays the others while one account is bad, and what it holds later, in a file with the next letter, which the report sends', async () => {
    portal = await payoutPortal(4)
    await portal.db.query(`update master_agent set routingnumber = '021000022' where id = 3`)
    await portal.earn(2, month, 50)
    await portal.earn(3, month, 60)
    await portal.lock(month)
    expect((await portal.entries(month))[1]).toMatchObject({
      payable: 0,
      hold: 'Routing number fails its check',
    })
    const first = await post('ann', 'release', { hash: await portal.approve(month), how: 'file' })
    expect(
      checkNacha(first.body).batches.flatMap(({ entries }) => entries.map(({ cents }) => cents)),
    ).toEqual([5000])
    const taken = async (of: string, format: string) =>
      (
        await portal.call('bob', 'POST', `/api/v1/report/ach-payout/export?format=${format}`, {
          month: of,
        })
      ).body
    expect(await taken(month, 'nacha')).toBe(first.body)
    const { body: agent } = await portal.call('admin', 'GET', '/api/v1/masteragent/3')
    const entered = await portal.call('admin', 'PUT', '/api/v1/masteragent/3', {
      version: agent.version,
      routingnumber: '021000021',
    })
    expect((await portal.entries(month))[1]!.hold).toBe('Bank account changed by admin and not confirmed')
    const confirmed = await portal.call('bob', 'POST', '/api/v1/masteragent/3/bank/confirm', {
      how: 'Called back',
      version: entered.body.version,
    })
    expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(200)
    expect((await portal.entries(month))[1]).toMatchObject({ payable: 60, hold: null })
    const second = await post('ann', 'release', { hash: await portal.approve(month), how: 'file' })
    expect(second.headers['content-disposition']).toBe('attachment; filename="ACH Payout 2026-01 B.ach"')
    expect(
      checkNacha(second.body).batches.flatMap(({ entries }) => entries.map(({ cents }) => cents)),
    ).toEqual([6000])
    const next = '2026-02'
    await portal.earn(2, next, 70)
    await portal.lock(next)
    const third = await portal.call('ann', 'POST', `/api/v1/month/${next}/release`, {
      hash: await portal.approve(next),
      how: 'file',
    })
    expect(third.status, JSON.stringify(third.body)).toBe(200)
    await taken(month, 'csv')
    expect(await taken(month, 'nacha')).toBe(second.body)
    expect(await taken(next, 'nacha')).toBe(third.body)
    expect(await taken(month, 'nacha')).toBe(second.body)
    // Letters differ among the files of a day, copies are those of one file.
    const exports = await portal.db.query(
      `select format, month::text as month, modifier, copy from report_export order by id`,
    )
    expect(exports.map((row) => Object.values(row))).toEqual([
      ['nacha', '2026-01-01', 'A', 1],
      ['csv', '2026-01-01', null, null],
      ['nacha', '2026-01-01', 'B', 1],
      ['nacha', '2026-02-01', 'C', 1],
      ['nacha', '2026-01-01', 'B', 2],
    ])
  })

  test('writes whole bank numbers into the file and nowhere else', async () => {
    const hash = await approved()
    await post('ann', 'release', { hash, how: 'file' })
    const shown = await portal.call('ann', 'GET', `/api/v1/month/${month}/payout`)
    const ledger = await portal.call('ann', 'GET', '/api/v1/ledger')
    const report = await portal.call('ann', 'POST', '/api/v1/report/ach-payout', { month })
    const stored = await portal.db.query(
      `select (select json_agg(a) from audit a) as audit, (select json_agg(a) from payout_approval a) as approval,
        (select json_agg(r) from payout_release r) as release, (select json_agg(p) from payout_payment p) as payment`,
    )
    for (const text of [shown.body, ledger.body, report.body, stored].map((it) => JSON.stringify(it)))
      expect([2, 3].map(accountOf).filter((account) => text.includes(account))).toEqual([])
  })

  test('needs a bank and the right to change bank data', async () => {
    const hash = await approved({ ach: null })
    expect((await post('carl', 'release', { hash, how: 'file' })).status).toBe(403)
    const answer = await post('ann', 'release', { hash, how: 'file' })
    expect([answer.status, answer.body.error]).toEqual([409, 'There is no bank for payout files: set ACH'])
    const { body } = await portal.call('ann', 'GET', `/api/v1/month/${month}/release`)
    expect(body).toMatchObject({ takesfiles: true, canfile: false })
    expect((await post('carl', 'release', { hash, how: 'other', date: '2026-03-10' })).status).toBe(200)
  })
})

test('the ledger shows a branch its own statements of a payment, and is searched and sorted by default alike for all', async () => {
  portal = await payoutPortal(4)
  await portal.db.query('update master_agent set payeeid = 2 where id in (3, 4)')
  for (const [of, date] of [
    [month, '2026-03-12'],
    ['2026-02', '2026-03-10'],
  ] as const) {
    await portal.earn(2, of, of === month ? 50 : 40)
    for (const agent of [4, 3]) await portal.earn(agent, of, agent)
    await portal.lock(of)
    const hash = await portal.approve(of)
    const paid = await portal.call('bob', 'POST', `/api/v1/month/${of}/release`, { hash, how: 'other', date })
    expect(paid.status, JSON.stringify(paid.body)).toBe(200)
  }
  const shown = async (who: 'ann' | 'branch', query = '') => {
    const { body } = await portal.call(who, 'GET', `/api/v1/ledger${query}`)
    return body.data.map((it: { month: string; amount: number; allocations: Record<string, unknown>[] }) => [
      it.month,
      it.amount,
      it.allocations.map(({ name }) => name),
    ])
  }
  const names = ['MA0002 - Agent 2', 'MA0003 - Agent 3', 'MA0004 - Agent 4']
  expect(await shown('ann')).toEqual([
    ['2026-02', 47, names],
    [month, 57, names],
  ])
  expect(await shown('branch')).toEqual([
    ['2026-02', 40, names.slice(0, 1)],
    [month, 50, names.slice(0, 1)],
  ])
  const sorted = async (by: string) => (await shown('ann', `?sort=${by}`)).map(([of]: [string]) => of)
  for (const [column, first, second] of [
    ['month', month, '2026-02'],
    ['amount', '2026-02', month],
    ['effective', '2026-02', month],
    ['trace', month, '2026-02'],
  ] as const) {
    expect([column, await sorted(column)]).toEqual([column, [first, second]])
    expect([column, await sorted(`-${column}`)]).toEqual([column, [second, first]])
  }
  // Of the same payee, paid in the same way, the newest stands first either way.
  for (const column of ['payee', 'account', 'how', '-payee', '-account', '-how'])
    expect([column, await sorted(column)]).toEqual([column, ['2026-02', month]])
  const named = '?search=%20%20january%202026%20'
  expect((await shown('ann', named)).map(([of]: [string]) => of)).toEqual([month])
  const trace = await portal.trace('2026-02', 2)
  expect((await shown('ann', `?search=${trace.slice(1)}`)).map(([of]: [string]) => of)).toEqual(['2026-02'])
  for (const sign of ['%', '_', '\\'])
    expect([sign, await shown('ann', `?search=${encodeURIComponent(sign)}`)]).toEqual([sign, []])
  const ofMonth = async (of: string) => (await shown('ann', `?month=${of}`)).map(([it]: [string]) => it)
  expect(await Promise.all(['2026-02', month, '2026-03'].map(ofMonth))).toEqual([['2026-02'], [month], []])
  const behind = await portal.call('ann', 'GET', `/api/v1/ledger${named}&page=9`)
  expect(behind.body).toEqual({ data: [], total_length: 1 })
  // By the day on which they came back, whatever code they came back with.
  for (const [of, code, date] of [
    [month, 'R02', '2026-03-20'],
    ['2026-02', 'R16', '2026-03-18'],
  ] as const) {
    const body = { trace: await portal.trace(of, 2), code, date }
    const returned = await portal.call('bob', 'POST', `/api/v1/month/${of}/return`, body)
    expect(returned.status, JSON.stringify(returned.body)).toBe(200)
  }
  expect([await sorted('returned'), await sorted('-returned')]).toEqual([
    ['2026-02', month],
    [month, '2026-02'],
  ])
})

test.each([1, 9])(
  'page %d of the ledger counts for a branch the payments of its own statements',
  async (page) => {
    const body = { hash: await approved(), how: 'other', date: '2026-03-10' }
    expect((await post('bob', 'release', body)).status).toBe(200)
    const counted = async (who: 'ann' | 'branch') =>
      (await portal.call(who, 'GET', `/api/v1/ledger?page=${page}`)).body.total_length
    expect([await counted('ann'), await counted('branch')]).toEqual([2, 1])
  },
)

describe('the releases of a month', () => {
  const read = (who: 'ann' | 'carl', of: string = month) =>
    portal.call(who, 'GET', `/api/v1/month/${of}/release`)

  test('are the same while it is locked and once it is open again, and a bank file of a former version can be taken', async () => {
    const hash = await approved()
    expect((await read('ann')).body).toEqual({ month, releases: [], takesfiles: true, canfile: true })
    const file = await post('ann', 'release', { hash, how: 'file' })
    const { body: locked } = await read('ann')
    const { body: run } = await portal.call('ann', 'GET', `/api/v1/month/${month}/payout`)
    expect(locked).toEqual({ month, releases: run.releases, takesfiles: true, canfile: true })
    expect(locked.releases).toMatchObject([
      {
        version: 1,
        how: 'file',
        username: 'ann',
        payments: 2,
        total: 114.07,
        filename: 'ACH Payout 2026-01 A.ach',
      },
    ])

    await portal.reopen(month)
    expect((await read('ann')).body).toEqual(locked)
    expect((await read('carl')).body).toEqual({ ...locked, takesfiles: false, canfile: false })
    const at = `/api/v1/month/${month}/release/${locked.releases[0].id}/file`
    expect((await portal.call('ann', 'GET', at)).body).toBe(file.body)
  })

  test('are none of a month that was never locked, and refused where there is no such month', async () => {
    await approved()
    expect((await read('ann', '2026-02')).body).toEqual({
      month: '2026-02',
      releases: [],
      takesfiles: true,
      canfile: true,
    })
    expect((await read('ann', '2026-13')).status).toBe(404)
  })
})

describe('a release', () => {
  const asAnn = { month: '2026-01-01', username: 'ann', address: '', secret: testSecret, fourEyes: true }

  test.each([
    ['2026-11-26', 'Banks do not settle on 11/26/2026: the next bank day is 11/27/2026'],
    ['2026-10-10', 'Banks do not settle on 10/10/2026: the next bank day is 10/13/2026'],
    [
      addBankDays(today(), 11),
      `Date is more than 10 bank days ahead: the last one is ${formatUsDate(addBankDays(today(), 10))}`,
    ],
    ['2025-12-31', 'Date is before January 2026, which it pays'],
    // A year that was typed wrong would be that of the tax form for good.
    ['2025-03-10', 'Date is before January 2026, which it pays'],
  ])('on %s is refused, and nothing is stored: %s', async (date, sentence) => {
    const hash = await approved()
    const { status, body } = await post('ann', 'release', { hash, how: 'other', date })
    expect([status, body.fields]).toEqual([422, { date: sentence }])
    expect(
      await portal.db.query('select 1 from payout_release union all select 1 from payout_payment'),
    ).toEqual([])
  })

  const tooEarly = 'A bank file settles on the next bank day at the earliest: 03/11/2026'
  const tooLate = 'Date is more than 10 bank days ahead: the last one is 03/24/2026'
  test.each([
    ['2026-03-07', tooEarly],
    ['2026-03-10', tooEarly],
    ['2026-03-11', null],
    ['2026-03-14', 'Banks do not settle on 03/14/2026: the next bank day is 03/16/2026'],
    ['2026-03-24', null],
    ['2026-03-25', tooLate],
    ['2026-03-28', tooLate],
  ])(
    'by file on 10 March that takes effect on %s is refused with a day on which it can: %s',
    async (date, refused) => {
      const hash = await approved()
      const now = new Date('2026-03-10T15:00:00Z')
      const released = portal.db
        .transaction((tx) =>
          releaseRun(tx, { ...asAnn, config: portal.config, now }, { hash, how: 'file', date }),
        )
        .then(
          ({ effective }) => effective,
          (error: Error) => error.message,
        )
      expect(await released).toBe(refused ?? date)
    },
  )

  /** Earlier releases of the day and of days around it, each with an approval of its own. */
  const releaseBefore = (how: 'file' | 'other', at: string) =>
    portal.db.transaction(async (tx) => {
      const [last] = await tx.query<{ id: number }>('select max(id) as id from payout_approval')
      await tx.query(
        `insert into payout_approval (lockid, hash, entries, total, username, address)
          select lockid, hash, entries, total, username, address from payout_approval where id = $1`,
        [last!.id],
      )
      await tx.query(
        `insert into payout_release (lockid, month, approvalid, how, effective, username, address, at, file)
          select lockid, '2026-01-01', id, $2, '2026-03-10', username, '', $3::timestamptz, $4
          from payout_approval where id = $1`,
        [last!.id, how, at, how === 'file' ? Buffer.from('x') : null],
      )
    })
  // Midnight in New York was at 05:00Z that day and at 04:00Z the next.
  test.each<[before: Parameters<typeof releaseBefore>[], letter: string, restored?: string]>([
    [[], 'A'],
    [[['file', '2026-03-09T15:00:00Z']], 'B', '2026-03-09T03:59:00Z'],
    [[['file', '2026-03-09T15:00:00Z']], 'S', '2026-03-09T15:00:00Z'],
    [[['file', '2026-03-09T15:00:01Z']], 'T', '2026-03-09T15:00:00Z'],
    [Array(19).fill(['file', '2026-03-09T14:00:00Z']), 'T', '2026-03-09T15:00:00Z'],
    [[['file', '2026-03-09T03:59:00Z']], 'A'],
    [[['file', '2026-03-09T04:00:00Z']], 'B'],
    [[['other', '2026-03-09T15:00:00Z']], 'A'],
    [
      [
        ['file', '2026-03-09T15:00:00Z'],
        ['other', '2026-03-09T16:00:00Z'],
        ['file', '2026-03-10T01:00:00Z'],
      ],
      'C',
    ],
  ])(
    'by file is made at the time of the portal, and after %j has the letter %s, restored %s',
    async (before, letter, restored) => {
      const hash = await approved()
      for (const args of before) await releaseBefore(...args)
      if (restored) await writeNote(portal.db, 'restore', { at: Date.parse(restored) / 1000 })
      const config = { ...portal.config, timeZone: 'America/New_York' }
      const now = new Date('2026-03-10T01:30:00Z')
      const { text, effective } = await portal.db.transaction((tx) =>
        releaseRun(tx, { ...asAnn, config, now }, { hash, how: 'file' }),
      )
      expect([text!.slice(23, 34), effective]).toEqual([`2603092130${letter}`, '2026-03-10'])
    },
  )

  test.each([
    [35, '', '9'],
    [36, '', 'these were made today'],
    [17, ' since a restore of that day', '9'],
    [18, ' since a restore of that day', 'after the restore of today its letters are used up'],
  ])('by file has the last sign of the day after %i others%s, and none after that: %s', async (...row) => {
    const [count, restore, signOrReason] = row
    const hash = await approved()
    if (restore) await writeNote(portal.db, 'restore', { at: Date.parse('2026-03-09T14:00:00Z') / 1000 })
    for (let n = 0; n < count; n++) await releaseBefore('file', '2026-03-09T15:00:00Z')
    const action = {
      ...asAnn,
      config: { ...portal.config, timeZone: 'UTC' },
      now: new Date('2026-03-09T18:00Z'),
    }
    const released = portal.db.transaction((tx) => releaseRun(tx, action, { hash, how: 'file' }))
    if (signOrReason === '9') expect((await released).text!.slice(33, 34)).toBe('9')
    else
      await expect(released).rejects.toMatchObject({
        status: 409,
        message: `A bank takes 36 files a day, and ${signOrReason}`,
      })
  })

  test('in another way may be of a day of the month that it pays', async () => {
    const hash = await approved()
    expect((await post('ann', 'release', { hash, how: 'other', date: '2026-01-02' })).status).toBe(200)
  })

  test('without a day takes effect on the bank day that the run names', async () => {
    const hash = await approved()
    const run = () => portal.call('ann', 'GET', `/api/v1/month/${month}/payout`)
    const { nextbankday } = (await run()).body
    await post('ann', 'release', { hash, how: 'other' })
    expect((await run()).body.releases[0].effective).toBe(nextbankday)
  })

  test('in another way may be of the first day of the month that it pays', async () => {
    portal = await payoutPortal(2)
    await portal.earn(2, '2025-12', 50)
    await portal.lock('2025-12')
    const body = { hash: await portal.approve('2025-12'), how: 'other', date: '2025-12-01' }
    expect((await portal.call('ann', 'POST', '/api/v1/month/2025-12/release', body)).status).toBe(200)
  })

  test('in another way leaves no file for the report to send', async () => {
    const hash = await approved()
    const last = addBankDays(today(), 10)
    expect((await post('ann', 'release', { hash, how: 'other', date: last })).status).toBe(200)
    const taken = await portal.call('bob', 'POST', '/api/v1/report/ach-payout/export?format=nacha', { month })
    expect([taken.status, taken.body.error]).toEqual([
      409,
      'No bank file was released for January 2026: release it on Payouts',
    ])
  })

  test('happens once: of two at the same moment one pays, and the other is refused with a sentence', async () => {
    const hash = await approved()
    const body = { hash, how: 'other', date: '2026-03-10' }
    const answers = await Promise.all([post('ann', 'release', body), post('bob', 'release', body)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const [sum] = await portal.db.query('select sum(amount) as paid, count(*) as rows from payout_payment')
    expect(sum).toEqual({ paid: 114.07, rows: 2 })
  })

  test('numbers its payments with seven digits, which begin again after 9999999', async () => {
    const hash = await approved()
    await portal.db.query(`select setval(pg_get_serial_sequence('payout_payment', 'id'), 9999998)`)
    expect((await post('bob', 'release', { hash, how: 'other', date: '2026-03-10' })).status).toBe(200)
    const traces = await Promise.all([2, 3].map((agent) => portal.trace(month, agent)))
    expect(traces.map((trace) => trace.slice(8)).sort()).toEqual(['0000000', '9999999'])
    expect(new Set(traces.map((trace) => trace.slice(0, 8))).size).toBe(1)
  })

  test('is awaited by a reopening of its month, which then supersedes what was paid', async () => {
    const hash = await approved()
    const action = { month: '2026-01-01', username: 'bob', address: '', secret: testSecret, fourEyes: true }
    await whileUncommitted(
      portal.db,
      (tx) =>
        releaseRun(
          tx,
          { ...action, config: portal.config, now: new Date() },
          { hash, how: 'other', date: '2026-03-10' },
        ),
      () => portal.reopen(month),
    )
    const done = await portal.db.query(
      `select action from audit where entity = 'month' and action in ('release', 'reopen') order by id`,
    )
    expect(done).toEqual([{ action: 'release' }, { action: 'reopen' }])
  })

  test('that waited for a reopening of its month is refused and pays nobody', async () => {
    const hash = await approved()
    const refused = await whileUncommitted(
      portal.db,
      (tx) => reopenMonthIn(tx, { month: '2026-01-01', username: 'ann', address: '', reason: 'A late file' }),
      () => post('bob', 'release', { hash, how: 'other', date: '2026-03-10' }),
    )
    expect([refused.status, refused.body.error]).toEqual([409, 'January 2026 is not locked'])
    expect(await portal.db.query('select from payout_payment')).toEqual([])
  })

  test('is seen by the lock of the next month, and refused beside it: what is paid is not carried, what is carried not paid', async () => {
    const hash = await approved()
    await portal.earn(2, '2026-02', 1)
    const body = { hash, how: 'other', date: '2026-03-10' } as const
    const action = { month: '2026-01-01', username: 'bob', address: '', secret: testSecret, fourEyes: true }
    const locking = await whileUncommitted(
      portal.db,
      (tx) => releaseRun(tx, { ...action, config: portal.config, now: new Date() }, body),
      () => portal.lock('2026-02').then(() => portal.entries('2026-02')),
    )
    expect(locking.map(({ id, due }) => [id, due])).toEqual([[2, 1]])
    await portal.pay('2026-02')
    await portal.earn(2, '2026-03', 9)
    await portal.lock('2026-03')
    const later = await portal.approve('2026-03')
    await portal.earn(2, '2026-04', 1)
    const release = () =>
      portal.call('ann', 'POST', '/api/v1/month/2026-03/release', { ...body, hash: later })
    const beside = await portal.db.transaction(async (tx) => {
      const action = { month: '2026-04-01', username: 'ann', address: '' }
      await lockMonthIn(tx, { ...action, waive: 'Looked at one by one' })
      return release()
    })
    expect([beside.status, beside.body.error]).toEqual([
      409,
      'April 2026 is being locked by ann. Please try again when that is done',
    ])
    const refused = await release()
    expect([refused.status, refused.body.error]).toEqual([
      409,
      'March 2026 is not approved. The approval of bob is void. MA0002 - Agent 2: $9.00 approved, now $0.00',
    ])
    expect((await portal.entries('2026-04')).map(({ id, due }) => [id, due])).toEqual([[2, 10]])
  })

  test.each(['payout_approval', 'payout_release', 'payout_payment', 'payout_allocation'])(
    'stays in %s: it cannot be changed, deleted or emptied',
    async (table) => {
      const hash = await approved()
      await post('ann', 'release', { hash, how: 'other', date: '2026-03-10' })
      for (const text of [
        `update ${table} set amount = 1`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ])
        await expect(
          portal.db.query(
            text.replace(
              'amount = 1',
              table === 'payout_approval'
                ? `hash = ''`
                : table === 'payout_release'
                  ? `username = ''`
                  : 'amount = 1',
            ),
          ),
        ).rejects.toThrow('cannot be changed or deleted')
    },
  )

  test('that took effect long ago is settled, and one of today is not', async () => {
    const hash = await approved()
    await post('ann', 'release', { hash, how: 'other', date: '2026-03-10' })
    const state = async () => {
      const { body } = await portal.call('ann', 'GET', `/api/v1/month/${month}/payout`)
      return body.state
    }
    expect(await state()).toBe('settled')
    await portal.db.query('alter table payout_release disable trigger payout_release_grows')
    await portal.db.query('update payout_release set effective = $1', [today()])
    expect(await state()).toBe('released')
    // Of two releases the newest day counts, whichever of them was made first.
    await releaseBefore('other', '2026-03-10T12:00:00Z')
    expect(await state()).toBe('released')
    await portal.db.query(
      `update payout_release set effective = case when effective = $1 then date '2026-03-10' else $1 end`,
      [today()],
    )
    expect(await state()).toBe('released')
  })

  test('is settled, and comes back at the latest, on the day of the portal', async () => {
    const hash = await approved({ timeZone: 'America/New_York' })
    await post('ann', 'release', { hash, how: 'other', date: '2026-03-10' })
    const trace = await portal.trace(month, 2)
    const told = async (now: string) => {
      vi.setSystemTime(new Date(now))
      const { body } = await portal.call('ann', 'GET', `/api/v1/month/${month}/payout`)
      const sent = { trace, code: 'R03', date: '2026-03-17', amount: 1 }
      const typed = await post('ann', 'return', sent)
      const text = returnFileOf([[{ trace, code: 'R03', cents: 5_000 }]], '260317')
      const file = await portal.call('ann', 'POST', '/api/v1/ledger/returnfile', { text, commit: false })
      return [body.state, typed.body.fields.date, file.body.faults.map((it: FileFault) => it.message)]
    }
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      // Midnight in New York is at 04:00Z; the fifth bank day after 10 March is 17 March.
      const future = 'Date is in the future'
      expect(await told('2026-03-17T03:59:59Z')).toEqual(['released', future, [future]])
      expect(await told('2026-03-17T04:00:00Z')).toEqual(['settled', undefined, []])
    } finally {
      vi.useRealTimers()
    }
  })
})
