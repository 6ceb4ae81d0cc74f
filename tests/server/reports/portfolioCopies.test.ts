import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MonthLock } from '../../../server/money/months.ts'
import { spanNotes } from '../../../server/reports/engine/lockedSpan.ts'
import type { SignedIn } from '../../testPortal.ts'
import { emptyPortfolio } from '../variance/oracle.ts'
import { answered, epoch, ledger, type Ledger, publish, takeOverAll } from './ledger.ts'

let portal: Ledger
let admin: SignedIn
let north: SignedIn
const sql = (text: string, values: unknown[] = []) => portal.db.query(text, values)

type Kind = 'portfolio-summary' | 'attrition'
const kinds: Kind[] = ['portfolio-summary', 'attrition']
const columns: Record<Kind, string[]> = {
  'portfolio-summary': [
    'displayid',
    'name',
    'active',
    'fresh',
    'closed',
    'volume',
    'txns',
    'ticket',
    'income',
    'net',
    'sales',
    'bps',
  ],
  attrition: [
    'displayid',
    'name',
    'base',
    'lost',
    'accounts',
    'sales0',
    'sales1',
    'volume',
    'txns0',
    'txns1',
    'transactions',
    'net0',
    'net1',
    'residual',
  ],
}
const spans = {
  august: { from: '08/01/2026', to: '08/31/2026' },
  september: { from: '09/01/2026', to: '09/30/2026' },
  both: { from: '08/01/2026', to: '09/30/2026' },
}
const run = async (kind: Kind, span: object, who = admin) => {
  const { rows, totals, body } = await answered(who, kind, span, columns[kind])
  return { figures: { rows, totals }, notes: body.notes as string[], lock: body.lock }
}
const everyFigure = async () =>
  Promise.all(
    kinds.flatMap((kind) => Object.values(spans).map((span) => run(kind, span).then((it) => it.figures))),
  )
/** Answered by today's records, because it is not of whole months. */
const today = { from: '08/01/2026', to: '09/29/2026' }
const todaysFigures = () => Promise.all(kinds.map((kind) => run(kind, today).then((it) => it.figures)))

let before: Awaited<ReturnType<typeof everyFigure>>
beforeAll(async () => {
  portal = await ledger()
  admin = portal.admin
  north = await portal.as('north')
  await sql(
    `insert into daily_volume (volumedate, xmid, salescount, salesamount, netamount, batchid) values
      ('2026-07-31', '0012345678901', 1, 1, 1, 1), ('2026-08-01', '0012345678901', 2, 50, 50, 1),
      ('2026-08-31', '40123456789', 3, 60.5, 60.5, 1), ('2026-09-01', '0012345678901', 4, 80, 79.99, 1),
      ('2026-09-30', '401234567890', 5, 90, 90, 1), ('2026-10-01', '401234567890', 6, 7, 7, 1)`,
  )
  await sql(`update merchant set date_closed = $1, accountstatus = 3 where xmid = '401234567897777'`, [
    epoch('2026-08-31'),
  ])
  await sql(`update merchant set date_added = $1 where xmid = '40123456789'`, [epoch('2026-09-30')])
  await sql(`update merchant set date_closed = $1 where xmid = '401234567896666'`, [epoch('2026-09-01')])
  await sql(
    `insert into merchant (xmid, dba, masteragentid, accountstatus, date_added) values ('N-1', '', 5, 2, $1)`,
    [epoch('2026-09-01')],
  )
  // Active again: its Date Closed is that of former.
  await sql(`update merchant set date_closed = $1, accountstatus = 2 where xmid = '0012345678901'`, [
    epoch('2026-05-31'),
  ])
  before = await everyFigure()
  for (const month of ['2026-08', '2026-09']) expect((await publish(admin, month)).status).toBe(200)
})
afterAll(() => portal.close())

describe('Portfolio Summary and Attrition of whole locked months', () => {
  test('are the figures that they were before the lock', async () => {
    expect(await everyFigure()).toEqual(before)
    // Two months, both reports, and the totals of both.
    expect(before.flatMap(({ rows }) => rows).length).toBeGreaterThan(15)
  })

  test('count by hand who was there, who was lost and who joined', async () => {
    const figures = async (span: object) =>
      (await run('attrition', span)).figures.rows.map((row) => row.slice(0, 4))
    // Gable of North was closed on the last day of August, Fennel of West on the first of September.
    expect(await figures(spans.august)).toEqual([
      ['MA0002', 'North', 2, 1],
      ['MA0003', 'East', 2, 0],
      ['MA0004', 'Wést & Co', 1, 0],
    ])
    // Ember of South joined in August, N-1 on the first of September and Dapple of West on its last day.
    expect(await figures(spans.september)).toEqual([
      ['MA0002', 'North', 1, 0],
      ['MA0003', 'East', 2, 0],
      ['MA0004', 'Wést & Co', 1, 1],
      ['MA0005', 'South', 1, 0],
    ])
    expect(await figures(spans.both)).toEqual([
      ['MA0002', 'North', 2, 1],
      ['MA0003', 'East', 2, 0],
      ['MA0004', 'Wést & Co', 1, 1],
    ])
    const summary = await run('portfolio-summary', spans.september)
    expect(summary.figures.rows.map((row) => [row[0], ...row.slice(2, 7)])).toEqual([
      ['MA0002', 1, 0, 0, 90, 5],
      ['MA0003', 2, 0, 0, 79.99, 4],
      ['MA0004', 1, 1, 1, 0, 0],
      ['MA0005', 2, 1, 0, 0, 0],
    ])
  })

  test('carry the lock of one month, and name the locks of several', async () => {
    for (const kind of kinds) {
      expect((await run(kind, spans.september)).lock).toMatchObject({ month: '2026-09', version: 1 })
      const both = await run(kind, spans.both)
      expect(both.lock).toBeNull()
      expect(both.notes).toContain('Read from the locks of August 2026 and September 2026.')
      expect(both.notes).toContain('The figures add up to the control totals of the locks.')
    }
  })

  test.each(['september', 'both'] as const)('say of when the active merchants of %s are', async (span) => {
    expect((await run('portfolio-summary', spans[span])).notes).toContain(
      'Active counts the merchants as they were when September 2026 was locked.',
    )
  })

  test('show a branch its own agents, with the agents of the locks', async () => {
    for (const kind of kinds) {
      const all = (await run(kind, spans.both)).figures.rows
      await sql('update master_agent set parentid = 1 where id = 3')
      const own = await run(kind, spans.both, north)
      await sql('update master_agent set parentid = 2 where id = 3')
      expect(own.figures.rows).toEqual(all.filter(([agent]) => agent === 'MA0002'))
      expect((await run(kind, spans.both, north)).figures.rows).toEqual(
        all.filter(([agent]) => agent === 'MA0002' || agent === 'MA0003'),
      )
    }
  })
})

test.each<[string[], string[]]>([
  [[], []],
  [['2026-08-01'], []],
  [['2026-08-01', '2026-09-01'], ['Read from the locks of August 2026 and September 2026.']],
  [['2026-07-01', '2026-08-01', '2026-09-01'], ['Read from the locks of July 2026 to September 2026.']],
])('of the locks of %j a report says %j', (months, notes) => {
  const locks = months.map((month) => ({ month }) as MonthLock)
  expect(spanNotes({ locks, notes: [] })).toEqual(notes)
})

describe('figures of today are shown, with the reason, when', () => {
  const whole =
    "Locked months are read from their copies where the span is of whole months: these are today's figures."
  const open = "Not every month of the span is locked: these are today's figures."
  const firstNoteOf = async (kind: Kind, from: string, to: string) => {
    const { notes, lock } = await run(kind, { from, to })
    const told = notes.filter((note) => [whole, open].includes(note))
    const read = notes.filter((note) => note.includes('control totals'))
    expect(told.length + read.length).toBeLessThan(2)
    return { note: told[0] ?? (read[0] ? 'copies' : 'none'), version: lock?.version ?? null }
  }
  test.each<[string, string, string, number | null]>([
    ['08/01/2026', '09/29/2026', whole, null],
    ['08/01/2026', '09/30/2026', 'copies', null],
    ['08/01/2026', '10/01/2026', whole, null],
    ['08/02/2026', '09/30/2026', whole, null],
    ['07/31/2026', '09/30/2026', whole, null],
    ['07/01/2026', '09/30/2026', open, null],
    ['08/01/2026', '10/31/2026', open, null],
    ['09/01/2026', '09/30/2026', 'copies', 1],
    ['10/01/2026', '10/31/2026', 'none', null],
    ['07/01/2026', '07/31/2026', 'none', null],
  ])('the span is %s to %s: %s', async (from, to, note, version) => {
    for (const kind of kinds) expect(await firstNoteOf(kind, from, to)).toEqual({ note, version })
  })

  test('a month was locked before the portal kept portfolio counts', async () => {
    const sentence = async (span: object) =>
      (await run('attrition', span)).notes.find((note) => note.includes('portfolio counts'))
    await sql(`update month_lock set copies = 2 where month = '2026-08-01'`)
    await sql(`update merchant set masteragentid = 5 where masteragentid = 3`)
    expect(await sentence(spans.august)).toBe(
      "August 2026 was locked before the portal kept portfolio counts: these are today's figures.",
    )
    expect(await sentence(spans.september)).toBeUndefined()
    for (const kind of kinds) {
      const { figures, lock } = await run(kind, spans.both)
      expect(lock).toBeNull()
      expect(figures.rows.map(([agent]) => agent)).not.toContain('MA0003')
    }
    await sql('update month_lock set copies = 2')
    expect(await sentence(spans.both)).toBe(
      "September 2026 and months before it were locked before the portal kept portfolio counts: these are today's figures.",
    )
    await sql('update month_lock set copies = 3')
    await sql(`update merchant set masteragentid = 3 where xmid in ('0012345678901', '4012345678902345')`)
    expect(await everyFigure()).toEqual(before)
  })
})

describe('the control totals of a lock', () => {
  const tell = async (kind: Kind, span: object, who = admin) =>
    (await run(kind, span, who)).notes.filter((note) => note.includes('control totals'))
  /** Does something with a row that is added to the copies of September, and takes it away again. */
  const withRow = async (row: Record<string, unknown>, work: () => Promise<void>) => {
    const values = {
      merchants: 0,
      active: 0,
      fresh: 0,
      closed: 0,
      volume: 0,
      txncount: 0,
      income: 0,
      net: 0,
      sales: 0,
    }
    const whole = { masteragentid: 77, stayed: [], lost: [], joined: [], ...values, ...row }
    await sql(
      `insert into locked_portfolio select * from jsonb_populate_record(null::locked_portfolio,
        $1::jsonb || jsonb_build_object('lockid', (select id from month_lock where month = '2026-09-01')))`,
      [JSON.stringify(whole)],
    )
    await work().finally(async () => {
      await sql('alter table locked_portfolio disable trigger locked_portfolio_final')
      await sql('delete from locked_portfolio where masteragentid = 77')
      await sql('alter table locked_portfolio enable trigger locked_portfolio_final')
    })
  }
  const agree = ['The figures add up to the control totals of the lock.']
  test.each<[object, string]>([
    [{ merchants: 1 }, 'merchants 9 instead of 8'],
    [{ volume: 0.01 }, 'volume $170.00 instead of $169.99'],
    [{ txncount: 1 }, 'transactions 10 instead of 9'],
    [{ income: 0.01 }, 'income $532.01 instead of $532.00'],
    [{ net: -0.01 }, 'net $381.04 instead of $381.05'],
    [{ sales: 1 }, 'residual sales $5,978.00 instead of $5,977.00'],
  ])('are compared with what the kept rows add up to: with %j more it says %s', async (row, figures) => {
    expect(await tell('portfolio-summary', spans.september)).toEqual(agree)
    await withRow(row as Record<string, unknown>, async () => {
      const sentence = 'The figures of September 2026 do not add up to the control totals of its lock'
      for (const kind of kinds)
        expect(await tell(kind, spans.september)).toEqual([`${sentence}: ${figures}.`])
      expect(await tell('portfolio-summary', spans.both)).toEqual([`${sentence}: ${figures}.`])
      // A branch is told no figure of others.
      expect(await tell('portfolio-summary', spans.september, north)).toEqual([`${sentence}.`])
      expect(await tell('portfolio-summary', spans.august)).toEqual(agree)
    })
  })
  test.each(['stayed', 'lost', 'joined'])(
    'count the ids of accounts in %s, which Attrition compares',
    async (part) => {
      expect(await tell('attrition', spans.september)).toEqual(agree)
      await withRow({ [part]: ['9'] }, async () =>
        expect(await tell('attrition', spans.september)).toEqual([
          'The figures of September 2026 do not add up to the control totals of its lock: accounts 8 instead of 7.',
        ]),
      )
    },
  )
})

test('a month that was opened again is computed from the records of today, and from the copies of its next lock', async () => {
  const { lock } = await run('portfolio-summary', spans.september)
  expect(lock).toMatchObject({ version: 1 })
  await sql(`update merchant set masteragentid = 5 where masteragentid = 3`)
  const unlock = { month: '2026-09', reason: 'A late file' }
  expect((await admin.call('POST', '/api/v1/report/residual-summary/unlock', unlock)).status).toBe(200)
  const agents = async () =>
    (await run('portfolio-summary', spans.september)).figures.rows.map(([agent]) => agent)
  expect(await agents()).toEqual(['MA0002', 'MA0004', 'MA0005'])
  expect((await run('portfolio-summary', spans.september)).lock).toBeNull()
  await sql(`update master_agent set name = 'Zest' where id = 4`)
  await sql(`update merchant set date_added = $1 where xmid = '0012345678901'`, [epoch('2026-09-10')])
  await takeOverAll(admin, '2026-09')
  expect((await publish(admin, '2026-09')).body).toMatchObject({ version: 2 })
  await sql(`update merchant set masteragentid = 3 where masteragentid = 5`)
  expect(await agents()).toEqual(['MA0002', 'MA0004', 'MA0005'])
  expect((await run('portfolio-summary', spans.september)).lock).toMatchObject({ version: 2 })
  // An agent has the name of the newest lock, and an account whose Date Added moved is not lost.
  expect((await run('attrition', spans.both)).figures.rows.map((row) => row.slice(0, 4))).toEqual([
    ['MA0002', 'North', 2, 1],
    ['MA0003', 'East', 2, 0],
    ['MA0004', 'Zest', 1, 1],
  ])
  // A month before the renaming has the names of its own lock, whatever a later one says.
  for (const kind of kinds)
    expect((await run(kind, spans.august)).figures.rows.map((row) => row.slice(0, 2))).toContainEqual([
      'MA0004',
      'Wést & Co',
    ])
})

/** Each change stays; it is compared with what was before it. */
test.each<[string, string]>([
  ['a merchant moves', `update merchant set masteragentid = 5 where masteragentid = 3`],
  [
    'a merchant is closed',
    `update merchant set accountstatus = 3, date_closed = ${epoch('2026-08-10')} where masteragentid = 2`,
  ],
  [
    'a merchant is added with an older date',
    `update merchant set date_added = ${epoch('2026-08-15')} where masteragentid = 2`,
  ],
  ['daily volume is taken away', `delete from daily_volume where volumedate < '2026-09-29'`],
  [
    'a residual is corrected',
    `update residual set income = income + 5, net = net + 5, sales = 1, txncount = 1`,
  ],
  ['an agent is renamed', `update master_agent set name = 'Renamed ' || id`],
  ['merchants are deleted', `delete from merchant where masteragentid = 2`],
])(
  'Portfolio Summary and Attrition of locked months stay when %s, which changes those of today',
  async (_, change) => {
    const [locked, open] = [await everyFigure(), await todaysFigures()]
    await sql(change)
    expect(await everyFigure()).toEqual(locked)
    expect(await todaysFigures()).not.toEqual(open)
  },
)

describe('a month that was locked without any merchant, with a file of an unknown MID', () => {
  let empty: Ledger
  beforeAll(async () => {
    empty = await ledger()
    await emptyPortfolio(empty.db)
    await empty.db.query(
      `insert into residual (month, processor, xmid, income, net, batchid)
        values ('2026-08-01', 'Aurora', 'X-900', 10, 10, 1)`,
    )
    const locked = await publish(empty.admin, '2026-08')
    expect(locked.status, JSON.stringify(locked.body)).toBe(200)
  })
  afterAll(() => empty.close())

  test.each(kinds)('adds up to its control totals in %s', async (kind) => {
    const { notes } = await run(kind, spans.august, empty.admin)
    expect(notes).toContain('The figures add up to the control totals of the lock.')
  })
})
