import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MonthDetail } from '../../../schemas/api/months/months.ts'
import type { TrendMonth } from '../../../schemas/api/months/trend.ts'
import { dayInZone } from '../../../server/money/bankDays.ts'
import { readMonthTrend } from '../../../server/money/monthTrend.ts'
import { epoch, ledger, payMonth, publish, residuals, type Ledger } from '../reports/ledger.ts'

let portal: Ledger
beforeEach(async () => {
  portal = await ledger({ fourEyes: false })
})
afterEach(() => portal.close())

const sql = <T extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  portal.db.query<T>(text, values)
const detail = async (month: string, who = portal.admin): Promise<MonthDetail> => {
  const { status, body } = await who.call('GET', `/api/v1/month/${month}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const trend = async (month: string): Promise<TrendMonth[]> => {
  const { status, body } = await portal.admin.call('GET', `/api/v1/month/${month}/trend`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}
const months = async (who = portal.admin) =>
  (await who.call('GET', '/api/v1/month')).body as { data: { month: string }[]; work: string | null }
const lock = async (month: string) => expect((await publish(portal.admin, month)).status).toBe(200)
const calendar = (months: number) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1)).toISOString().slice(0, 7)
}
/** Sums of the fixture's rows of a month, in dollars; X-900 is in no portfolio. */
const summed = (month: string) => {
  const rows = residuals.filter((it) => it.month.startsWith(month))
  const sum = (field: 'net' | 'sales') =>
    rows.reduce((cents, row) => cents + Math.round(row[field] * 100), 0) / 100
  return {
    net: sum('net'),
    volume: sum('sales'),
    accounts: new Set(rows.map(({ xmid }) => xmid).filter((it) => it !== 'X-900')).size,
  }
}
const days = (from: string, to: number) => Math.floor(to / 86_400) - epoch(from) / 86_400

test('the months are answered newest first', async () => {
  await lock('2026-08')
  const answered = (await months()).data.map(({ month }) => month)
  expect(answered).toContain('2026-08')
  expect(answered).toEqual(answered.toSorted().reverse())
})

describe('the month that is worked on', () => {
  test('is the oldest with files after the newest lock, else the current one', async () => {
    expect((await months()).work).toBe('2026-08')
    await lock('2026-08')
    expect((await months()).work).toBe('2026-09')
    await lock('2026-09')
    expect((await months()).work).toBe(calendar(0))
    await portal.admin.call('POST', '/api/v1/month/2026-09/reopen', { reason: 'A late file' })
    expect((await months()).work).toBe('2026-09')
  })

  test('is the newest locked one for a branch, and none before the first lock', async () => {
    const north = await portal.as('north')
    expect(await months(north)).toEqual({ data: [], work: null })
    await lock('2026-08')
    expect(await months(north)).toMatchObject({ data: [{ month: '2026-08' }], work: '2026-08' })
  })

  test('is listed and answered before its first file, with the month before and after it', async () => {
    await sql('delete from residual')
    await sql('delete from adjustment')
    await sql('delete from equipment')
    for (const month of [calendar(-1), calendar(0), calendar(1)]) {
      expect((await months()).data.map((it) => it.month)).toContain(month)
      expect(await detail(month)).toMatchObject({ month, state: 'open', version: 0, files: [], locked: null })
    }
    const listed = async (month: string) => (await months()).data.some((it) => it.month === month)
    expect(await listed(calendar(-2))).toBe(false)
    // A later lock leaves out the month before, unless it was opened again.
    await sql(
      `insert into month_lock (month, version, hash, username, reopened_at, reopened_by, reason)
        values ($1, 1, 'x', 'x', now(), 'x', 'x')`,
      [`${calendar(0)}-01`],
    )
    expect(await listed(calendar(-1))).toBe(true)
    await sql(`insert into month_lock (month, version, hash, username) values ($1, 2, 'x', 'x')`, [
      `${calendar(0)}-01`,
    ])
    expect(await listed(calendar(-1))).toBe(false)
  })
})

describe('the files of a month', () => {
  const insertBatch = async (undone = false) => {
    const [batch] = await sql<{ id: number }>(
      `insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged,
          imported_at, fordate, processor, undone_at, undone_by) values ('compdata', 'Borealis 2.csv', '', 0, 'ben', 2, 0, 0, 0,
          to_timestamp(1790000000), '2026-09-01', 'Borealis', case when $1 then now() end, case when $1 then 'ben' end)
        returning id`,
      [undone],
    )
    return batch!.id
  }
  const first = { batch: 1, filename: 'Aurora_Sep2026.csv', username: 'x' }
  const second = { processor: 'Borealis', filename: 'Borealis 2.csv', username: 'ben' }
  const files = async () => (await detail('2026-09')).files.map(({ at: _at, ...file }) => file)

  test.each([
    ['some', `xmid = 'X-900'`, [1, 1]],
    ['all', `processor = 'Borealis'`, [2]],
    ['none', 'false', [2, 0]],
  ] as const)(
    'are told with who imported them and how many of their rows count; a later one has %s',
    async (_, which, rows) => {
      const batch = await insertBatch()
      await sql(`update residual set batchid = ${batch} where ${which}`)
      const borealis = [
        { processor: 'Borealis', ...first },
        { ...second, batch },
      ].slice(-rows.length)
      expect(await files()).toEqual([
        { processor: 'Aurora', rows: 5, ...first },
        ...borealis.map((file, index) => ({ ...file, rows: rows[index] })),
      ])
      const shown = await detail('2026-09')
      expect(shown.files.at(-1)!.at).toBe(1_790_000_000)
      expect(shown.processors.find(({ processor }) => processor === 'Borealis')!.file).toBe(
        borealis.flatMap(({ filename }, at) => (rows[at]! > 0 ? [filename] : [])).join(', '),
      )
    },
  )

  test('are not listed once they are undone, and not in another month', async () => {
    await insertBatch(true)
    expect((await files()).map(({ batch }) => batch)).toEqual([1, 1])
    const batch = await insertBatch()
    expect((await files()).map((it) => it.batch)).toEqual([1, 1, batch])
    expect((await detail('2026-08')).files.map((it) => it.batch)).toEqual([1])
  })

  test('stand beside what was typed from the statements, with the record to change', async () => {
    expect((await detail('2026-09')).statements).toEqual([
      { id: 1, version: 1, processor: 'Aurora', statednet: 363.29, nofile: false },
      { id: 2, version: 1, processor: 'Corona', statednet: null, nofile: true },
    ])
    const { processors } = await detail('2026-09')
    expect(processors.map(({ processor }) => processor)).toEqual(['Aurora', 'Borealis', 'Corona'])
  })

  test('are not sent to a branch, and neither are statements and what the lock copied', async () => {
    await lock('2026-08')
    const north = await detail('2026-08', await portal.as('north'))
    expect(north).toMatchObject({ files: [], statements: [], locked: null, findings: [] })
    expect((await detail('2026-08')).files).not.toEqual([])
    const { status } = await (await portal.as('north')).call('GET', '/api/v1/month/2026-08/trend')
    expect(status).toBe(403)
    await lock('2026-09')
    const stated = async (who = portal.admin) =>
      (await detail('2026-09', who)).processors.map((it) => [it.processor, it.statednet, it.file !== null])
    expect(await stated()).toContainEqual(['Aurora', 363.29, true])
    expect(await stated(await portal.as('north'))).toEqual([['Aurora', null, false]])
    await payMonth(portal.admin, '2026-09', '2026-10-08')
    expect(await detail('2026-09', await portal.as('north'))).toMatchObject({ state: 'settled', files: [] })
    // Five bank days after the last release, whenever the first one was.
    await sql(
      `insert into payout_release (lockid, month, approvalid, how, effective, username, address)
        select lockid, month, approvalid, 'other', current_date, username, address from payout_release`,
    )
    expect((await detail('2026-09')).state).toBe('released')
  })
})

describe('a locked month', () => {
  test('is answered with what its lock copied, which its merchants, lines and statements add up to', async () => {
    await sql(
      `insert into adjustment (masteragentid, month, amount, reason, author)
        values (1, '2026-09-01', 44, 'Of the office, which is never paid', 'x')`,
    )
    await lock('2026-08')
    await lock('2026-09')
    await sql('update residual set net = net + 1000, income = income + 1000')
    const { locked } = await detail('2026-09')
    const copies = (
      await sql<Record<string, number>>(
        `select (select count(distinct xmid)::int from locked_merchant where lockid = l.id and isknown) as merchants,
          (select sum(net) from locked_merchant where lockid = l.id) as net,
          (select sum(house) from locked_merchant where lockid = l.id) as house,
          (select sum(amount) from locked_pay where lockid = l.id) as shares,
          (select sum(due) from locked_statement where lockid = l.id and not isofficeaccount) as due
        from month_lock l where month = '2026-09-01'`,
      )
    )[0]!
    expect(locked).toMatchObject(copies)
    expect(locked).toMatchObject({ username: 'admin', net: summed('2026-09').net, merchants: 6 })
    expect(locked!.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(Math.round(locked!.net * 100)).toBe(Math.round(locked!.shares * 100 + locked!.house * 100))
  })

  test('has no such figures once it is open again', async () => {
    await lock('2026-08')
    expect((await detail('2026-08')).locked).not.toBeNull()
    await portal.admin.call('POST', '/api/v1/month/2026-08/reopen', { reason: 'A late file' })
    expect((await detail('2026-08')).locked).toBeNull()
  })
})

describe('the months before', () => {
  const open = { lockedafter: null, releasedafter: null }

  test('are compared by net, volume and accounts, open ones by their rows', async () => {
    expect(await trend('2026-09')).toEqual([
      { month: '2026-08', ...summed('2026-08'), ...open },
      { month: '2026-09', ...summed('2026-09'), ...open },
    ])
    expect((await trend('2026-08')).map(({ month }) => month)).toEqual(['2026-08'])
  })

  const september = { month: '2026-09', ...summed('2026-09'), ...open }
  const newest = async () => (await trend('2026-09')).at(-1)
  const isKept = async () =>
    (await sql<{ iskept: boolean }>(`select iskept from month_presence_state where month = '2026-09-01'`))[0]!
      .iskept
  const addRow = `insert into residual (month, processor, xmid, sales, income, net, batchid)
    values ('2026-09-01', 'Q', 'Q-1', 7, 5, 5, 1)`
  const withRow = { ...september, net: september.net + 5, volume: september.volume + 7 }

  test('have the sums of open ones written down until their files change', async () => {
    expect([await newest(), await isKept()]).toEqual([september, true])
    expect(await newest()).toEqual(september)
    await sql(addRow)
    expect(await isKept()).toBe(false)
    expect([await newest(), await isKept()]).toEqual([withRow, true])
  })

  test('are summed from the rows of a month whose files are being changed', async () => {
    await newest()
    await portal.db.transaction(async (tx) => {
      await tx.query(addRow)
      expect(await newest()).toEqual(september)
    })
    await portal.db.transaction(async (tx) => {
      await tx.query('select from month_presence_state for update')
      expect([await newest(), await isKept()]).toEqual([withRow, false])
    })
  })

  const [one, other] = [
    ...new Set(residuals.filter(({ month }) => month === '2026-09-01').map((it) => it.xmid)),
  ].filter((xmid) => xmid !== 'X-900')
  const rename = 'update merchant set xmid = $2 where xmid = $1'
  test.each<[what: string, more: number, steps: [text: string, values: unknown[]][]]>([
    ['that was removed', -1, [['delete from merchant where xmid = $1', [one]]]],
    ['that has another number', -1, [[rename, [one, 'another']]]],
    [
      'that has the number of another',
      -1,
      [
        [rename, [other, 'another']],
        [rename, [one, other]],
      ],
    ],
    ['that is new', 1, [[`insert into merchant (xmid, dba, masteragentid) values ('X-900', 'X', 2)`, []]]],
    [
      'that has a number of a file now',
      1,
      [
        [`insert into merchant (xmid, dba, masteragentid) values ('Y-900', 'Y', 2)`, []],
        [rename, ['Y-900', 'X-900']],
      ],
    ],
  ])('count the accounts of open ones by the portfolio of today: a merchant %s', async (_, more, steps) => {
    await sql('delete from equipment')
    await newest()
    for (const [text, values] of steps) await sql(text, values)
    expect(await isKept()).toBe(true)
    expect(await newest()).toEqual({ ...september, accounts: september.accounts + more })
  })

  test('count a MID of two processors once', async () => {
    await sql(
      `insert into residual (month, processor, xmid, batchid) values ('2026-08-01', 'Borealis', '0012345678901', 1)`,
    )
    expect((await trend('2026-08'))[0]!.accounts).toBe(summed('2026-08').accounts)
  })

  test('keep the figures of their lock, and say how many days after their end they were locked and paid', async () => {
    await lock('2026-08')
    await lock('2026-09')
    await payMonth(portal.admin, '2026-09', '2026-10-08')
    await sql('update residual set net = net + 1000, income = income + 1000')
    const { locked } = await detail('2026-09')
    const [paid] = await sql<{ at: number }>(
      'select extract(epoch from at)::bigint as at from payout_release',
    )
    expect(await trend('2026-09')).toEqual([
      {
        month: '2026-08',
        ...summed('2026-08'),
        lockedafter: days('2026-08-31', locked!.at),
        releasedafter: null,
      },
      {
        month: '2026-09',
        ...summed('2026-09'),
        lockedafter: days('2026-09-30', locked!.at),
        releasedafter: days('2026-09-30', paid!.at),
      },
    ])
    // Nothing is written down of a locked month, whose rows are not asked for.
    expect(await isKept()).toBe(false)
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const after = (at: number) => days('2026-09-30', epoch(dayInZone(zone, new Date(at * 1000))))
      expect((await readMonthTrend(portal.db, '2026-09-01', zone))[1]).toMatchObject({
        lockedafter: after(locked!.at),
        releasedafter: after(paid!.at),
      })
    }
  })

  test('count the days to their first release, also where others followed', async () => {
    await lock('2026-08')
    await payMonth(portal.admin, '2026-08', '2026-10-08')
    for (const at of ['2026-09-20', '2026-09-05', '2026-09-11'])
      await sql(
        `insert into payout_release (lockid, month, approvalid, how, effective, username, address, at)
          select lockid, month, approvalid, 'other', effective, username, address, $1::timestamptz
          from payout_release order by id limit 1`,
        [`${at}T12:00:00Z`],
      )
    expect(await trend('2026-08')).toMatchObject([{ month: '2026-08', releasedafter: 5 }])
  })

  test('were not released by what was paid before the portal kept a ledger', async () => {
    await lock('2026-08')
    await sql(
      `insert into payout_release (lockid, month, how, username, address)
        select id, month, 'migrated', 'portal', '' from month_lock`,
    )
    expect(await trend('2026-08')).toMatchObject([{ month: '2026-08', releasedafter: null }])
  })

  test.each([
    ['2026-07', false],
    ['2026-08', true],
  ])('are at most 24, the chosen one included: %s of 2028-07 is one of them: %s', async (month, isShown) => {
    await sql(
      `insert into residual (month, processor, xmid, net, income, batchid) values ($1, 'Aurora', 'far', 1, 1, 1),
        ('2028-07-01', 'Aurora', 'far', 1, 1, 1)`,
      [`${month}-01`],
    )
    const shown = await trend('2028-07')
    expect(shown.at(-1)!.month).toBe('2028-07')
    expect(shown.map((it) => it.month).includes(month)).toBe(isShown)
  })

  test('are answered empty where nothing is, and a month that is none is not found', async () => {
    expect(await trend('2020-01')).toEqual([])
    expect((await portal.admin.call('GET', '/api/v1/month/2026-13/trend')).status).toBe(404)
  })
})

describe('a cell of a report', () => {
  type Row = Record<string, string | null>
  const report = async (type: string, who = portal.admin) => {
    const { status, body } = await who.call('POST', `/api/v1/report/${type}`, { month: '2026-09' })
    expect(status, JSON.stringify(body)).toBe(200)
    return body as { columns: { name: string; link?: string }[]; data: Row[] }
  }
  const linksOf = async (type: string, name: string, who = portal.admin) => {
    const { columns, data } = await report(type, who)
    const { link } = columns.find((column) => column.name === name)!
    return data.map((row) => [row[name], row[link!]])
  }

  test('that names a finding leads where the finding does', async () => {
    const { findings } = await detail('2026-09')
    expect(findings.every(({ link }) => link !== null)).toBe(true)
    expect(await linksOf('month-checklist', 'where')).toEqual(
      findings.map(({ where, link }) => [where, link]),
    )
    expect(findings.find(({ kind }) => kind === 'house-income')!.link).toBe('/month/2026-09#unknown-mid')
  })

  test('that names one file leads to its import, one that names several to their month', async () => {
    const file = 'Aurora_Sep2026.csv'
    await sql(
      `insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
        values ('compdata', 'B.csv', '', 0, 'x', 0, 0, 0, 0)`,
    )
    await sql(`update residual set batchid = 2 where xmid = 'X-900'`)
    expect(await linksOf('processor-control-totals', 'files')).toEqual([
      [file, '/import/compensation?batch=1'],
      [`${file}, B.csv`, '/month/2026-09'],
      [null, null],
    ])
  })

  test.each([
    [['import_files'], '/import/compensation?batch=1', '/month/2026-09'],
    [['lock_reports'], '/month/2026-09', '/month/2026-09'],
    [['manage_users'], null, null],
  ])('leads a holder of %j to screens that they have alone', async (held, one, several) => {
    await sql(`update portal_user set permissions = $1 where username = 'office'`, [held])
    await sql(
      `insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
        values ('compdata', 'B.csv', '', 0, 'x', 0, 0, 0, 0)`,
    )
    await sql(`update residual set batchid = 2 where xmid = 'X-900'`)
    const office = await portal.as('office')
    expect((await linksOf('processor-control-totals', 'files', office)).map(([, link]) => link)).toEqual([
      one,
      several,
      null,
    ])
  })

  test('of Payout Evidence leads from a waived finding to its kind, and from the run to Payouts', async () => {
    await lock('2026-08')
    await lock('2026-09')
    await payMonth(portal.admin, '2026-09', '2026-10-08')
    const { data } = await report('payout-evidence')
    const leads = (event: string) =>
      new Set(data.filter((row) => row.event === event).map(({ link }) => link))
    expect(leads('Finding waived')).toContain('/month/2026-09#unknown-mid')
    expect(leads('Approved')).toEqual(new Set(['/payouts?month=2026-09']))
    expect(leads('Released')).toEqual(new Set(['/payouts?month=2026-09']))
    expect(leads('Locked')).toEqual(new Set([null]))
  })

  test('is text without the path in a file', async () => {
    const { body } = await portal.admin.call('POST', '/api/v1/report/month-checklist/export?format=csv', {
      month: '2026-09',
    })
    expect(String(body)).toContain('Borealis X-900')
    expect(String(body)).not.toContain('/manage/')
  })
})

describe('the history of imports', () => {
  test('answers one import alone, and nothing for one of another kind', async () => {
    await sql(
      `insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
        values ('compdata', 'B.csv', '', 0, 'x', 0, 0, 0, 0), ('merchant', 'M.csv', '', 0, 'x', 0, 0, 0, 0)`,
    )
    const files = async (query: string) => {
      const { body } = await portal.admin.call('GET', `/api/v1/file/compdata/history${query}`)
      return [body.total_length, body.data.map(({ filename }: { filename: string }) => filename)]
    }
    expect(await files('')).toEqual([2, ['B.csv', 'Aurora_Sep2026.csv']])
    expect(await files('?batch=1')).toEqual([1, ['Aurora_Sep2026.csv']])
    expect(await files('?batch=2')).toEqual([1, ['B.csv']])
    expect(await files('?batch=3')).toEqual([0, []])
  })
})
