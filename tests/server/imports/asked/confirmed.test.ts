import { describe, expect, test, vi } from 'vitest'
import type { Preview } from '../../../../schemas/imports/imports.ts'
import { empty, sharedImportDatabase } from '../../../files/importDatabase.ts'
import { csvOf, type Rows } from '../../../files/workbooks.ts'

vi.setConfig({ testTimeout: 60_000 })

const it = sharedImportDatabase(async (db) => {
  await empty(db)
  await db.query('truncate processor_statement')
  await db.query(`insert into processor (name) values ('Aurora'), ('Borealis') on conflict do nothing`)
  await db.query(
    `insert into merchant (xmid, dba, masteragentid, processor) values ('1', 'One', 2, 'Aurora')`,
  )
})
const may = 'Aurora_May2025.csv'
const heads: Rows[number] = ['MID', 'Income']
/** Rows of `net` dollars each, the merchants numbered from 1. */
const rowsOf = (count: number, net = '10'): Rows =>
  Array.from({ length: count }, (_, at) => [String(at + 1), net])
const file = (...rows: Rows) => csvOf([heads, ...rows])
const accepting = (...accepted: string[]) => ({ answers: { accepted } })
const count = async () => (await it.db.query('select 1 from residual')).length
const preview = async (name: string, content: string, more = {}) =>
  (await it.imports('compdata', name, content, { dryrun: true, ...more })) as Preview

describe('rows that a corrected file takes away', () => {
  const sentence = (rows: string, verbs: string, net: string) =>
    `${rows} that an earlier file of Aurora for May 2025 had ${verbs}, with a net of ${net}`

  test.each<[number, number, boolean]>([
    // Of 100 rows of the same net.
    [100, 1, false],
    [100, 2, true],
    [100, 3, true],
    // Of 50 and 51 rows one is 2 % and less.
    [51, 1, false],
    [50, 1, true],
    [49, 1, true],
  ])('of %i rows %i go: it is asked about: %s', async (all, gone, isAsked) => {
    await it.imports('compdata', may, file(...rowsOf(all)))
    const corrected = file(...rowsOf(all - gone))
    const warning = sentence(
      gone === 1 ? '1 row' : `${gone} rows`,
      gone === 1 ? 'is not in this one and goes' : 'are not in this one and go',
      `$${gone * 10}.00`,
    )
    const { warnings, questions } = await preview(may, corrected)
    expect(warnings.includes(warning)).toBe(!isAsked)
    const percent = Math.round((gone / all) * 1000) / 10
    const question = {
      key: 'taken-away',
      text: `${warning}: ${percent} % of its rows, ${percent} % of its net`,
    }
    expect(questions).toEqual(isAsked ? [question] : [])
    if (isAsked) {
      expect(await it.refuses('compdata', may, corrected)).toMatchObject({
        status: 409,
        code: 'asks',
        refused: `${question.text}. Nothing was stored.`,
        asks: { questions: [question] },
      })
      expect(await it.refuses('compdata', may, corrected, accepting('gap'))).toMatchObject({ status: 409 })
      expect(await count()).toBe(all)
    }
    const stored = await it.imports('compdata', may, corrected, isAsked ? accepting('taken-away') : {})
    expect(stored.warnings).toContain(warning)
    expect(await count()).toBe(all - gone)
  })

  /** One of 100 rows goes, whose share of the net of all is 1.99, 2 and 2.01 %. */
  test.each<[string, string, string | null]>([
    ['1.99', '98.01', null],
    ['2.00', '98.00', '1 % of its rows, 2 % of its net'],
    ['2.01', '97.99', '1 % of its rows, 2 % of its net'],
    ['-2.00', '-98.00', '1 % of its rows, 2 % of its net'],
    ['-1.99', '-98.01', null],
    ['-2.00', '98.00', '1 % of its rows, 2.1 % of its net'],
    ['2.00', '-2.00', '1 % of its rows'],
  ])('a row with a net of %s goes and %s stays: it is asked about with %j', async (gone, rest, shares) => {
    const others = rowsOf(98, '0').map(([mid], at) => [String(Number(mid) + 2), at === 0 ? rest : '0'])
    await it.imports('compdata', may, file(['1', gone], ['2', '0'], ...others))
    const { questions } = await preview(may, file(['2', '0'], ...others))
    expect(questions).toEqual(
      shares === null ? [] : [{ key: 'taken-away', text: expect.stringMatching(new RegExp(`: ${shares}$`)) }],
    )
  })

  test.each([
    [51, false],
    [50, true],
  ])('one without a net of %i goes: it is asked about by its share of the rows: %s', async (all, isAsked) => {
    const [, ...others] = rowsOf(all)
    await it.imports('compdata', may, file(['1', '0'], ...others))
    const { questions } = await preview(may, file(...others))
    expect(questions.map(({ key }) => key)).toEqual(isAsked ? ['taken-away'] : [])
  })

  test('are none where the file adds and changes alone', async () => {
    await it.imports('compdata', may, file(...rowsOf(2)))
    expect((await preview(may, file(...rowsOf(3, '11')))).questions).toEqual([])
  })

  test('are those of the same month and processor', async () => {
    await it.imports('compdata', may, file(...rowsOf(5)))
    await it.imports('compdata', 'Aurora_June2025.csv', file(['9', '1']))
    await it.imports('compdata', 'Borealis_May2025.csv', file(['9', '2']), {
      answers: { processor: 'Borealis', newprocessor: true },
    })
    expect(await count()).toBe(7)
  })

  test('count after the faults, which are refused whatever is accepted', async () => {
    await it.imports('compdata', may, file(...rowsOf(5)))
    const faulty = file(['1', 'x'])
    expect(await it.refuses('compdata', may, faulty, accepting('taken-away'))).toMatchObject({ status: 422 })
    expect(await preview(may, faulty)).toMatchObject({ rejected: 1, questions: [{ key: 'taken-away' }] })
  })
})

describe('a month after a gap', () => {
  const name = (month: string) => `Aurora_${month}2025.csv`
  const keys = async (month: string) => (await preview(name(month), file(['1', '5']))).questions
  test.each<[string, string | null]>([
    ['May', null],
    ['June', null],
    ['July', 'June 2025 is missing'],
    ['August', 'June 2025 to July 2025 are missing'],
    ['April', null],
  ])('May is there and %s comes: %s', async (month, missing) => {
    await it.imports('compdata', may, file(['1', '5']))
    const text =
      missing && `This file of Aurora is of ${month} 2025, and the newest one before of May 2025: ${missing}`
    expect(await keys(month)).toEqual(text === null ? [] : [{ key: 'gap', text }])
    if (text === null) return
    expect(await it.refuses('compdata', name(month), file(['1', '6']))).toMatchObject({
      status: 409,
      code: 'asks',
      refused: `${text}. Nothing was stored.`,
    })
    expect(await count()).toBe(1)
    expect(await it.imports('compdata', name(month), file(['1', '6']), accepting('gap'))).toMatchObject({
      inserted: 1,
    })
  })
  test('is not asked about for the first file of a processor, nor for a month before the newest one', async () => {
    expect(await keys('July')).toEqual([])
    await it.imports('compdata', name('July'), file(['1', '5']))
    await it.imports('compdata', may, file(['1', '6']))
    expect(await keys('June')).toEqual([])
  })
  test('is of each processor alone', async () => {
    await it.imports('compdata', may, file(['1', '5']))
    await it.imports('compdata', 'Borealis_June2025.csv', file(['1', '6']), {
      answers: { processor: 'Borealis', newprocessor: true },
    })
    expect(await keys('July')).toHaveLength(1)
    expect((await preview('Borealis_July2025.csv', file(['1', '5']))).questions).toEqual([])
  })
  test('is closed by the note that a month has no file', async () => {
    await it.imports('compdata', may, file(['1', '5']))
    const note = (month: string, processor = 'Aurora') =>
      it.db.query(
        `insert into processor_statement (processor, month, statednet, note, nofile)
          values ($2, $1, null, '', true)`,
        [month, processor],
      )
    await note('2025-06-01', 'Borealis')
    expect(await keys('July')).toHaveLength(1)
    await note('2025-06-01')
    // A statement of the processor with its total is no such note.
    await it.db.query(`update processor_statement set nofile = false, statednet = 5`)
    expect(await keys('July')).toHaveLength(1)
    await it.db.query(`update processor_statement set nofile = true, statednet = null`)
    expect(await keys('July')).toEqual([])
    expect(await keys('August')).toMatchObject([{ text: expect.stringMatching(/July 2025 is missing$/) }])
  })
  test('is asked together with the rows that go, and both are accepted at once', async () => {
    await it.imports('compdata', name('July'), file(['1', '5'], ['2', '5']))
    await it.imports('compdata', name('September'), file(['1', '5']), accepting('gap'))
    await it.db.query(`delete from residual where month = '2025-09-01'`)
    await it.db.query(`update residual set month = '2025-09-01' where xmid = '2'`)
    await it.db.query(`update residual set month = '2025-06-01' where xmid = '1'`)
    // September has a row of its own and nothing between it and June.
    expect((await preview(name('September'), file(['1', '5']))).questions.map(({ key }) => key)).toEqual([
      'taken-away',
    ])
    expect(await it.refuses('compdata', name('November'), file(['1', '6']))).toMatchObject({
      asks: { questions: [{ key: 'gap' }] },
    })
  })
})

describe('a month that is later than the current one', () => {
  /** In UTC-5 October ends five hours later. */
  test.each<[string, string, string, boolean]>([
    ['2025-10-31T12:00:00Z', 'UTC', 'October 2025', true],
    ['2025-10-31T23:59:59Z', 'UTC', 'November 2025', false],
    ['2025-11-01T00:00:00Z', 'UTC', 'November 2025', true],
    ['2025-11-01T03:59:59Z', 'America/New_York', 'November 2025', false],
    ['2025-11-01T04:00:00Z', 'America/New_York', 'November 2025', true],
    ['2025-12-31T23:59:59Z', 'UTC', 'January 2026', false],
    ['2025-10-31T12:00:00Z', 'UTC', 'January 2026', false],
  ])('is refused: at %s in %s a file of %s is taken: %s', async (now, timeZone, month, isTaken) => {
    const more = { now: new Date(now), config: { timeZone } }
    const name = `Aurora ${month}.csv`
    if (isTaken) {
      expect(await it.imports('compdata', name, file(['1', '5']), more)).toMatchObject({ inserted: 1 })
      return
    }
    for (const dryrun of [true, false]) {
      const refusal = await it.refuses('compdata', name, file(['1', '5']), { ...more, dryrun })
      expect(refusal).toMatchObject({
        status: 422,
        refused: expect.stringMatching(
          new RegExp(`^The file is of ${month}, which is later than the current month, `),
        ),
      })
    }
    expect(await count()).toBe(0)
  })
  test('is said together with the faults of its rows, and before its processor is asked for', async () => {
    expect(await it.refuses('compdata', 'Aurora_Dec2026.csv', file(['1', 'x']))).toMatchObject({
      status: 422,
      refused: expect.stringMatching(/later than the current month/),
      rows: [{ row: 2, column: 'Income' }],
    })
    expect(await it.refuses('compdata', 'Dec2026.csv', file(['1', '5']))).toMatchObject({
      status: 422,
      refused: expect.stringMatching(/later than the current month/),
    })
  })
})

describe('a merchant in several rows of compensation data', () => {
  const all = ['MID', 'DBA', 'Transactions', 'Sales Amount', 'Income', 'Expenses', '%', 'Agent Net', 'BPS']
  const stored = () =>
    it.db.query(`select xmid, dba, txncount, sales, income, expense, net, sourcepercent, sourceagentnet, extra
      from residual order by xmid`)
  test('is one, whose counts and amounts are added up and whose texts are those of the first row', async () => {
    const content = csvOf([
      all,
      ['1', 'First', '2', '10.10', '5.05', '1', '50%', '2', '12'],
      ['2', 'Other', '1', '1', '1', '', '', '', ''],
      ['1', 'Second', '3', '20.20', '6.06', '2', '50%', '', '13'],
      ['1', 'Third', '', '0.01', '-1', '', '50%', '3', ''],
    ])
    const warning = '1 merchant stands in several rows, whose amounts are added up: 1'
    expect((await preview(may, content)).warnings).toContain(warning)
    const reply = await it.imports('compdata', may, content)
    expect(reply).toMatchObject({
      inserted: 2,
      updated: 0,
      unchanged: 0,
      totals: { rows: 2, sales: 31.31, income: 11.11, expense: 3, net: 8.11 },
    })
    expect(reply.warnings).toContain(warning)
    expect(await stored()).toEqual([
      {
        xmid: '1',
        dba: 'First',
        txncount: 5,
        sales: 30.31,
        income: 10.11,
        expense: 3,
        net: 7.11,
        sourcepercent: 50,
        sourceagentnet: 5,
        extra: { BPS: '12' },
      },
      expect.objectContaining({ xmid: '2', net: 1, sourcepercent: null, sourceagentnet: null }),
    ])
    expect(await it.imports('compdata', may, content, { again: true })).toMatchObject({ unchanged: 2 })
  })
  test('has no percentage where its rows differ in it', async () => {
    await it.imports(
      'compdata',
      may,
      csvOf([all, ['1', '', '', '', '1', '', '50%', '', ''], ['1', '', '', '', '1', '', '40%', '', '']]),
    )
    expect(await stored()).toMatchObject([{ sourcepercent: null, income: 2 }])
  })
  test.each([5, 6])('is named where there are %i of them', async (several) => {
    const mids = rowsOf(several).map(([mid, net]): Rows[number] => [String(10 - Number(mid)), net!])
    const { warnings } = await it.imports('compdata', may, file(...mids, ...mids))
    expect(warnings).toContain(
      `${several} merchants stand in several rows, whose amounts are added up: 9, 8, 7, 6, 5${several > 5 ? ' …' : ''}`,
    )
  })
  test('is compared by its sum with the total of the file', async () => {
    expect(await it.refuses('compdata', may, file(['1', '5'], ['1', '6'], ['Total', '10']))).toMatchObject({
      rows: [{ row: 4, column: 'Income' }],
    })
    expect(await it.imports('compdata', may, file(['1', '5'], ['1', '6'], ['Total', '11']))).toMatchObject({
      inserted: 1,
    })
  })
  const amount = (income: string): Rows[number] => ['1', '', '', '', income, '', '', '', '']
  const count = (transactions: string): Rows[number] => ['1', '', transactions, '', '1', '', '', '', '']
  test.each<[string, Rows[number], Rows[number], boolean]>([
    ['an amount', amount('999999999999.98'), amount('0.01'), true],
    ['an amount', amount('999999999999.99'), amount('0.01'), false],
    ['an amount', amount('-999999999999.98'), amount('-0.01'), true],
    ['an amount', amount('-999999999999.99'), amount('-0.01'), false],
    ['a count', count('2147483646'), count('1'), true],
    ['a count', count('2147483647'), count('1'), false],
  ])('may come to no more than %s may be: %j and %j', async (_, first, second, isTaken) => {
    const content = csvOf([all, first, second])
    if (isTaken) expect(await it.imports('compdata', may, content)).toMatchObject({ inserted: 1 })
    else
      expect(await it.refuses('compdata', may, content)).toMatchObject({
        status: 422,
        rows: [
          {
            row: 2,
            message: 'MID 1 stands in several rows, whose amounts add up to more than an amount may be',
          },
        ],
      })
  })
})
