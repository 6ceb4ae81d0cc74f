import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reportGroups, type ReportResult, type ReportRow } from '../../../../schemas/api/reports.ts'
import { permissions } from '../../../../schemas/permissions.ts'
import { catalogue } from '../../../../server/reports/catalogue.ts'
import { payRun } from '../../../money/book.ts'
import { merchantId } from '../../../records.ts'
import type { SignedIn } from '../../../testPortal.ts'
import { epoch, ledger, type Ledger, publish } from '../ledger.ts'

let portal: Ledger
let admin: SignedIn
/** Belongs to North: sees North and East below it. */
let north: SignedIn
beforeAll(async () => {
  portal = await ledger()
  admin = portal.admin
  north = await portal.as('north')
  for (const month of ['2026-08', '2026-09']) await publish(admin, month)
})
afterAll(() => portal.close())

const run = async (who: SignedIn, id: string, inputs: object = {}): Promise<ReportResult> => {
  const { status, body } = await who.call('POST', `/api/v1/report/${id}`, inputs)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

describe('a report of the catalogue', () => {
  test.each(catalogue)(
    '$name has a group, a sentence, and a figure and sections that are columns of it',
    (report) => {
      const names = report.columns.map(({ name }) => name)
      expect(reportGroups).toContain(report.group)
      expect(report.description).toMatch(/^[A-Z].{10,100}\.$/)
      expect(report.figure.words).toMatch(/^[A-Z]/)
      expect(names).toEqual(expect.arrayContaining([...(report.sections ?? [])]))
      const column = report.columns.find(({ name }) => name === report.figure.column)
      if (report.figure.column !== null)
        expect(['sum', 'function']).toContain(
          typeof column?.total === 'function' ? 'function' : column?.total,
        )
      expect(report.sections ?? []).not.toContain(report.figure.column)
    },
  )

  test('is offered with its group and sentence', async () => {
    const { body } = await admin.call('GET', '/api/v1/report')
    expect(
      body.data.map(({ id, group, description }: Record<string, unknown>) => [id, group, description]).sort(),
    ).toEqual(catalogue.map(({ id, group, description }) => [id, group, description]).sort())
  })
})

describe('the figure', () => {
  test('is the total of its column', async () => {
    const { figure, totals } = await run(admin, 'residual-summary', { month: '2026-09' })
    expect(figure).toEqual({
      words: 'Payable',
      value: totals!['payable'],
      datatype: 'money',
      column: 'payable',
    })
    // 150.99 of September, and what August carries to North: 8.00 + 24.00
    expect(figure!.value).toBe(182.99)
  })

  test('is the number of rows where no column is named', async () => {
    const { figure, data } = await run(admin, 'month-checklist', { month: '2026-09' })
    expect(figure).toEqual({ words: 'Findings', value: data.length, datatype: 'count' })
  })
})

const linked = ({ columns, data }: ReportResult, name: string) => {
  const link = columns.find((column) => column.name === name)!.link!
  return data.map((row) => [row[name], row[link] ?? null])
}

describe('names of merchants and master agents', () => {
  test('are links to their records', async () => {
    const statement = await run(admin, 'agent-residual-statement', { month: '2026-09', agent: '2' })
    const cinder = `/manage/merchants?open=${await merchantId(portal.db, '401234567890')}`
    expect(linked(statement, 'description')).toEqual([
      ['Cinder Diner', cinder],
      ['East', '/manage/agents?open=3'],
      ['T1 SN-1 through East', null],
      ['Carried forward from August 2026', null],
    ])
    const profit = await run(admin, 'merchant-profitability', { month: '2026-09' })
    expect(linked(profit, 'dba')).toContainEqual(['Cinder Diner', cinder])
    expect(linked(profit, 'agent')).toContainEqual(['MA0005 - South', '/manage/agents?open=5'])
  })

  test('are none where there is no such record', async () => {
    const mids = await run(admin, 'missing-unmatched-mids', { month: '2026-09' })
    expect(linked(mids, 'dba')).toContainEqual(['in the file', null])
  })

  test('are links in their own branch alone, also for a person who is shown more by reports_admin', async () => {
    await portal.db.query('update portal_user set permissions = $1 where username = $2', [
      [...permissions],
      'north',
    ])
    const wide = await run(north, 'residual-summary', { month: '2026-09' })
    expect(linked(wide, 'name').map(([name, path]) => [name, path !== null])).toEqual([
      ['House', false],
      ['North', true],
      ['East', true],
      ['Wést & Co', false],
      ['South', false],
      ['MIDs that are not in the portfolio', false],
    ])
    await portal.db.query(`update portal_user set permissions = '{}' where username = 'north'`)
  })

  test('lead where a person may go: each path answers the record', async () => {
    const profit = await run(north, 'merchant-profitability', { month: '2026-09' })
    const paths = linked(profit, 'dba').map(([, path]) => String(path))
    expect(paths.length).toBeGreaterThan(1)
    for (const path of paths) {
      const { status } = await north.call('GET', `/api/v1/merchant/${path.split('=')[1]}`)
      expect([path, status]).toEqual([path, 200])
    }
  })
})

describe('Equipment Outstanding of a terminal in which another branch has a part', () => {
  const add = (serial: string, agent: number | null, merchantid: number | null, requested: string | null) =>
    portal.db.query(
      `insert into equipment (model, serialnumber, masteragentid, merchantid, cost, soldfor, paidsofar,
          paymentterms, requestedpaperworkdate)
        values ('T9', $1, $2, $3, 11, 777, 111, 'Net 99', $4)`,
      [serial, agent, merchantid, requested && epoch(requested)],
    )
  const rowsOf = async (who: SignedIn) => {
    const { data, totals } = await run(who, 'equipment-outstanding', { asof: '10/31/2026' })
    const row = (serial: string) => data.find(({ serialnumber }) => serialnumber === serial) ?? null
    return { row, totals: totals as ReportRow }
  }
  beforeAll(async () => {
    const [own, foreign] = [
      await merchantId(portal.db, '401234567890'),
      await merchantId(portal.db, '40123456789'),
    ]
    await add('SN-A', 2, foreign, '2026-09-01')
    await add('SN-B', 4, own, '2026-09-01')
    await add('SN-C', 2, foreign, null)
    await add('SN-D', 2, own, null)
  })

  test('shows a branch neither name, id nor price of the other side', async () => {
    const { row, totals } = await rowsOf(north)
    const nothing = { soldfor: null, paidsofar: null, balance: null, paymentterms: null }
    expect(row('SN-A')).toMatchObject({ ...nothing, xmid: null, dba: null, agent: 'MA0002 - North' })
    expect(row('SN-B')).toMatchObject({ ...nothing, xmid: '401234567890', dba: 'Cinder Diner', agent: null })
    expect(totals['soldfor']).toBe(777)
    expect(totals['balance']).toBe(666)
    const csv = await north.call('POST', '/api/v1/report/equipment-outstanding/export?format=csv', {
      asof: '10/31/2026',
    })
    const text = JSON.stringify([csv.body, await run(north, 'equipment-outstanding', { asof: '10/31/2026' })])
    for (const word of ['40123456789"', '40123456789,', 'Dapple', 'MA0004', 'Wést'])
      expect([word, text.includes(word)]).toEqual([word, false])
  })

  test('does not show by its row alone that it is not paid whole', async () => {
    const { row } = await rowsOf(north)
    expect(row('SN-C')).toBeNull()
    expect(row('SN-D')).toMatchObject({ soldfor: 777, paidsofar: 111, balance: 666, paymentterms: 'Net 99' })
  })

  test('shows all to a person who sees both sides', async () => {
    const { row } = await rowsOf(admin)
    expect(row('SN-A')).toMatchObject({
      xmid: '40123456789',
      dba: 'Dapple Garage',
      soldfor: 777,
      balance: 666,
    })
    expect(row('SN-B')).toMatchObject({ agent: 'MA0004 - Wést & Co', paymentterms: 'Net 99' })
    expect(row('SN-C')).toMatchObject({ soldfor: 777 })
  })
})

test('a locked month names a merchant that left the branch, without a link for a person who does not see it any more', async () => {
  await portal.db.query(`update merchant set masteragentid = 4 where xmid = '401234567890'`)
  const path = `/manage/merchants?open=${await merchantId(portal.db, '401234567890')}`
  for (const [report, inputs] of [
    ['merchant-profitability', { month: '2026-09' }],
    ['merchant-by-month', { merchant: '401234567890' }],
  ] as const) {
    const names = async (who: SignedIn) => linked(await run(who, report, inputs), 'dba')
    expect(await names(north)).toContainEqual(['Cinder Diner', null])
    expect(await names(admin)).toContainEqual(['Cinder Diner', path])
  }
})

test('the months of a merchant lead to its terminals and tickets, for a person who sees the merchant', async () => {
  const linksOf = async (who: SignedIn, merchant: string) =>
    (await run(who, 'merchant-by-month', { merchant })).links
  const xmid = '401234567890'
  expect(await linksOf(admin, xmid)).toEqual([
    {
      text: 'Equipment',
      path: `/manage/equipment?filter=merchantid:${await merchantId(portal.db, xmid)}`,
    },
    { text: 'Tickets', path: `/tickets?search=${xmid}` },
    {
      text: 'New Ticket',
      path: `/tickets?search=${xmid}&subject=${xmid}+-+Cinder+Diner&open=new`,
    },
  ])
  // That of another branch.
  expect(await linksOf(north, '40123456789')).toEqual([])
  expect(await linksOf(admin, '999')).toEqual([])
})

describe('a figure or a number', () => {
  const statementOf = (month: string, agent: number) =>
    `/reporting?report=agent-residual-statement&month=${month}&agent=${agent}&run=1`
  const monthsOf = (xmid: string) => `/reporting?report=merchant-by-month&merchant=${xmid}&run=1`
  beforeAll(() => payRun(portal.db, '2026-09-01', '2026-10-12'))
  const days = { from: '10/01/2026', to: '10/31/2026' }

  /** Each column that leads to a report, with all its cells as the administrator sees them. */
  const links: [
    report: string,
    inputs: object,
    column: string,
    cells: [ReportRow[string], string | null][],
  ][] = [
    [
      'residual-summary',
      { month: '2026-09' },
      'due',
      [
        [0, statementOf('2026-09', 1)],
        [94.47, statementOf('2026-09', 3)],
      ],
    ],
    [
      'agent-residual-statement',
      { month: '2026-09', agent: '2' },
      'xmid',
      [
        ['401234567890', monthsOf('401234567890')],
        [null, null],
      ],
    ],
    [
      'merchant-by-month',
      { merchant: '401234567890' },
      'month',
      [
        ['2026-09', statementOf('2026-09', 2)],
        ['2026-08', statementOf('2026-08', 2)],
      ],
    ],
    ['carry-forward', { month: '2026-09' }, 'month', [['2026-08', statementOf('2026-08', 2)]]],
    [
      'ach-payout',
      { month: '2026-09' },
      'statements',
      [
        ['MA0002', statementOf('2026-09', 2)],
        ['MA0004, MA0005', null],
      ],
    ],
    [
      'payout-history',
      days,
      'statements',
      [
        ['MA0002', statementOf('2026-09', 2)],
        ['MA0004, MA0005', null],
      ],
    ],
  ]

  test('of Agent 1099 Totals leads from what was paid to the payments of that payee and year', async () => {
    const totals = await run(admin, 'agent-1099-totals', { year: 2026 })
    for (const [at, row] of totals.data.entries()) {
      const path = `/reporting?report=payout-history&from=2026-01-01&to=2026-12-31&payee=${[2, 4][at]}&run=1`
      expect(row.payments).toBe(path)
      const inputs = { from: '01/01/2026', to: '12/31/2026', payee: [2, 4][at] }
      const history = await run(admin, 'payout-history', inputs)
      expect(history.totals!.amount).toBe(row.paid)
    }
    expect(totals.data).toHaveLength(2)
  })

  test.each(links)(
    'of %s %j leads from %s to the report it comes from',
    async (report, inputs, column, cells) => {
      const found = linked(await run(admin, report, inputs), column)
      for (const cell of cells) expect(found).toContainEqual(cell)
    },
  )

  test('leads a branch to reports that it may run, whatever stands there', async () => {
    for (const [report, inputs, column] of links) {
      const paths = linked(await run(north, report, inputs), column).flatMap(([, path]) => path ?? [])
      for (const path of new Set(paths)) {
        const {
          report: id,
          run: _,
          ...named
        } = Object.fromEntries(new URL(String(path), 'http://x').searchParams)
        expect((await run(north, id!, named)).data, String(path)).not.toEqual([])
      }
    }
  })

  test('leads a branch to no statement of a month that is open again', async () => {
    await portal.db.query(
      `update month_lock set reopened_at = now(), reopened_by = 'x', reason = 'x' where month = '2026-08-01'`,
    )
    const carried = async (who: SignedIn) =>
      linked(await run(who, 'carry-forward', { month: '2026-09' }), 'month')
    expect(await carried(admin)).toContainEqual(['2026-08', statementOf('2026-08', 2)])
    expect(await carried(north)).toContainEqual(['2026-08', null])
    await portal.db.query(
      `update month_lock set reopened_at = null, reopened_by = null, reason = null where month = '2026-08-01'`,
    )
  })
})
