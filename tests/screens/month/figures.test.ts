import { describe, expect, test } from 'vitest'
import type { MonthView } from '../../../machines/month.machine.ts'
import type { MonthDetail, MonthState } from '../../../schemas/api/months/months.ts'
import { barsOf } from '../../../src/features/month/MonthBars.tsx'
import { differenceOf, fileState, orderedSections, stepsOf } from '../../../src/features/month/monthSteps.ts'
import { bpsOf, formatFigure, trendFigures } from '../../../src/features/month/trendFigures.ts'
import {
  changedDrafts,
  faultyDrafts,
  readAmount,
  totalsOf,
  typedOf,
} from '../../../src/features/month/typedTotals.ts'
import { formatLocalDateTime } from '../../../src/parts/format.ts'
import {
  detailOf,
  fileOf,
  findingOf,
  monthView,
  payoutOf,
  processorOf,
  release,
  statementOf,
} from './monthData.ts'

describe('an amount as it is typed', () => {
  test.each([
    ['', null],
    ['  ', null],
    ['0', 0],
    ['12', 12],
    ['12.5', 12.5],
    ['12.50', 12.5],
    ['-12.50', -12.5],
    ['$1,234.56', 1234.56],
    ['-$20', -20],
    ['(20.00)', -20],
    ['($1,234.56)', -1234.56],
    ['999999999999', 999_999_999_999],
    ['12.505', undefined],
    ['1.234,56', undefined],
    ['12,3', undefined],
    ['1000000000000', undefined],
    ['(-20)', undefined],
    ['twelve', undefined],
    ['1e3', undefined],
    ['--1', undefined],
  ])('%j is %j', (text, amount) => expect(readAmount(text)).toBe(amount))
})

describe('what is typed', () => {
  const statements = [statementOf({ processor: 'Aurora', id: 4, version: 2, statednet: 12.5 })]
  test('stands as it is stored, with two decimals', () => {
    expect(typedOf(statements[0])).toEqual({ net: '12.50', nofile: false })
    expect(typedOf(undefined)).toEqual({ net: '', nofile: false })
    expect(typedOf(statementOf({ nofile: true }))).toEqual({ net: '', nofile: true })
  })
  test.each([
    [{ net: '12.5', nofile: false }, false],
    [{ net: '$12.50', nofile: false }, false],
    [{ net: '12.51', nofile: false }, true],
    [{ net: '', nofile: false }, true],
    [{ net: '', nofile: true }, true],
    [{ net: 'x', nofile: false }, true],
  ])('%j differs from 12.50: %s', (draft, isChanged) => {
    expect(Object.keys(changedDrafts({ Aurora: draft }, statements))).toEqual(isChanged ? ['Aurora'] : [])
  })
  test('is saved with the record and version that it changes, or as a new one', () => {
    const drafts = { Aurora: { net: '1,000', nofile: false }, Borealis: { net: '', nofile: true } }
    expect(totalsOf(drafts, statements)).toEqual([
      { processor: 'Aurora', id: 4, version: 2, statednet: 1000, nofile: false },
      { processor: 'Borealis', id: null, version: 0, statednet: null, nofile: true },
    ])
    expect(faultyDrafts({ ...drafts, Corona: { net: '1.2.3', nofile: false } })).toEqual(['Corona'])
  })
})

describe('a processor', () => {
  test.each([
    ['in', { file: 'a.csv' }, [fileOf({})], false],
    ['corrected', { file: 'a.csv' }, [fileOf({ rows: 0 }), fileOf({ batch: 2 })], false],
    ['none', { file: null }, [], true],
    ['missing', { file: null }, [], false],
    ['unexpected', { file: null, expected: false }, [], false],
  ] as const)('is %s', (state, given, files, nofile) => {
    const statements = nofile ? [statementOf({ nofile })] : []
    const other = [fileOf({ processor: 'Borealis' }), fileOf({ processor: 'Borealis', batch: 9 })]
    expect(fileState(processorOf(given), { files: [...other, ...files], statements })).toBe(state)
  })
  test.each([
    [0.3, 0.1 + 0.2, 0],
    [10, 9.99, -0.01],
    [null, 5, null],
  ])('that states %s and sent %s differs by %s', (statednet, net, difference) =>
    expect(differenceOf(processorOf({ statednet, net }))).toBe(difference),
  )
  test('without a file has no difference', () =>
    expect(differenceOf(processorOf({ file: null, statednet: 5 }))).toBeNull())
})

const texts = (view: MonthView, seesHouse = true) =>
  stepsOf(view, seesHouse).map(({ title, isDone, text }) => `${title}${isDone ? ' done' : ''}: ${text}`)
const next = (view: MonthView) => stepsOf(view, true).find(({ isDone }) => !isDone)?.title
const stated = { file: 'a.csv', net: 5, statednet: 5 }
const clean = { processors: [processorOf(stated)], files: [fileOf({})] }

describe('the steps of a month', () => {
  test('of an empty month begin with its files', () => {
    const view = monthView('open', detailOf({}))
    expect(next(view)).toBe('Files')
    expect(texts(view).slice(0, 3)).toEqual([
      'Files: None yet',
      'Totals: No file to compare',
      'Findings done: None',
    ])
  })
  test('count files, totals and findings', () => {
    const processors = [
      processorOf(stated),
      processorOf({ ...stated, processor: 'Borealis', statednet: 6 }),
      processorOf({ ...stated, processor: 'Corona', statednet: null }),
      processorOf({ processor: 'Drift', file: null }),
      processorOf({ processor: 'Ember', file: null }),
    ]
    const findings = [
      findingOf({ severity: 'stop', kind: 'missing-file' }),
      findingOf({ kind: 'stated-total' }),
      findingOf({}),
      findingOf({ waiver: { username: 'ann', at: 1, reason: 'Looked at it' } }),
      findingOf({ severity: 'note', kind: 'merchant-loss' }),
    ]
    const files = [fileOf({}), fileOf({ batch: 2 })]
    const statements = [statementOf({ processor: 'Ember', nofile: true })]
    expect(
      texts(monthView('open', detailOf({ processors, findings, files, statements }))).slice(0, 4),
    ).toEqual([
      'Files: 3 of 4 in, 1 corrected, 1 without a file',
      'Totals: 1 of 3 agree, 1 differs, 1 not typed',
      'Findings: 1 stop, 2 to waive, 1 waived, 1 noted',
      'Lock: Open',
    ])
  })
  test.each<[string, Partial<MonthDetail>]>([
    [
      'Files',
      { ...clean, processors: [...clean.processors, processorOf({ processor: 'Drift', file: null })] },
    ],
    ['Totals', { ...clean, processors: [processorOf({ ...stated, statednet: null })] }],
    [
      'Totals',
      {
        processors: [processorOf({ ...stated, statednet: 6 })],
        findings: [findingOf({ kind: 'stated-total' })],
      },
    ],
    ['Findings', { ...clean, findings: [findingOf({})] }],
    ['Lock', clean],
  ])('have %s next', (title, given) => {
    expect(next(monthView('open', detailOf(given)))).toBe(title)
  })
  test.each([
    [2, 'Findings'],
    [1, 'Totals'],
  ])('are done with the totals once each that differs is waived: of two %i', (count, title) => {
    const names = ['Aurora', 'Borealis']
    const processors = names.map((processor) => processorOf({ ...stated, processor, statednet: 6 }))
    const waiver = { username: 'ann', at: 1, reason: 'A cent' }
    const findings = names.map((name, at) =>
      findingOf({ key: `stated-total:${name}`, kind: 'stated-total', waiver: at < count ? waiver : null }),
    )
    const detail = detailOf({ ...clean, processors, findings: [...findings, findingOf({})] })
    expect(next(monthView('open', detail))).toBe(title)
  })
  test('are done with the files where every processor said that it has none', () => {
    const processors = [processorOf({ file: null })]
    const statements = [statementOf({ nofile: true })]
    const [files, totals] = texts(monthView('open', detailOf({ processors, statements })))
    expect([files, totals]).toEqual(['Files done: 0 of 0 in, 1 without a file', 'Totals: No file to compare'])
  })
  test('say of several that they differ, and of several stops that they are', () => {
    const processors = [processorOf({ statednet: 6 }), processorOf({ processor: 'Borealis', statednet: 6 })]
    const two = (given: Parameters<typeof findingOf>[0]) => [findingOf(given), findingOf(given)]
    const findings = [...two({ severity: 'stop', kind: 'missing-file' }), ...two({ kind: 'stated-total' })]
    const steps = texts(monthView('open', detailOf({ processors, findings })))
    expect(steps.slice(1, 3)).toEqual(['Totals: 0 of 2 agree, 2 differ', 'Findings: 2 stops, 2 to waive'])
  })
  test('say of the lock which version it made and who made it, and which one is worked on again', () => {
    const figures = { hash: 'a', merchants: 1, net: 1, shares: 1, house: 0, due: 1 }
    const locked = { ...figures, username: 'lena', at: 1_790_000_000 }
    const lock = (view: MonthView) => texts(view).find((text) => text.startsWith('Lock'))
    const by = `by lena, ${formatLocalDateTime(locked.at)}`
    expect(lock(monthView('locked', detailOf({ locked })))).toBe(`Lock done: Version 1, ${by}`)
    const view = monthView('open', detailOf({}))
    expect(lock({ ...view, month: { ...view.month!, version: 2 } })).toBe('Lock: Open again after version 2')
  })
  test.each([
    ['released', [0, 0], 'Returns: May come back'],
    ['released', [0.1, 0.2], 'Returns: May come back, $0.30 came back'],
    ['settled', [0, 0], 'Returns done: Settled'],
    ['settled', [12, 0], 'Returns done: Settled, $12.00 came back'],
  ] as const)(
    'of a month that is %s say what all its releases paid, of which %j came back: %s',
    (state, backs, returns) => {
      const releases = [12, 5.5].map((total, id) => ({ ...release, id, total, returnedtotal: backs[id]! }))
      const steps = texts(monthView(state, detailOf({}), payoutOf({ state, releases })))
      expect(steps.slice(-2)).toEqual(['Release done: $17.50', returns])
    },
  )
  test.each<[MonthState, string | undefined]>([
    ['locked', 'Approval'],
    ['approved', 'Release'],
    ['released', 'Returns'],
    ['settled', undefined],
  ])('of a month that is %s go on with %s, whatever its files look like', (state, title) => {
    expect(next(monthView(state, detailOf({ findings: [findingOf({})] }), payoutOf({ state })))).toBe(title)
  })
  test('name who approved the run and when, before its release and for good', () => {
    const approval = { username: 'otto', at: 1_794_000_000 }
    const release = {
      id: 1,
      version: 1,
      how: 'other' as const,
      effective: '2026-11-10',
      username: 'ann',
      at: 1_794_100_000,
      payments: 1,
      total: 12,
      returned: 0,
      returnedtotal: 0,
      cannotreturn: null,
      filename: null,
      approval,
    }
    const step = (state: MonthState, given: Parameters<typeof payoutOf>[0]) =>
      texts(monthView(state, detailOf({}), payoutOf({ state, ...given }))).find((it) => it.startsWith('Appr'))
    const named = `Approval done: By otto, ${formatLocalDateTime(approval.at)}`
    expect(step('locked', {})).toBe('Approval: $12.00 to pay')
    expect(step('approved', { approval })).toBe(named)
    for (const state of ['released', 'settled'] as const) {
      expect(step(state, { releases: [release] })).toBe(named)
      expect(step(state, { releases: [{ ...release, approval: null }] })).toBe('Approval done: ')
      const former = { ...release, approval: { username: 'former', at: 1_793_000_000 } }
      expect(step(state, { releases: [former, release] })).toBe(named)
      expect(step(state, { releases: [release, { ...former, version: 2 }] })).toBe(named)
    }
  })
  test('of a branch begin with the lock', () => {
    expect(texts(monthView('locked', detailOf({})), false).map((text) => text.split(':')[0])).toEqual([
      'Lock done',
      'Approval',
      'Release',
      'Returns',
    ])
  })
  test('bring the part of the next one to the top', () => {
    const sections = (state: MonthState, given = {}) =>
      orderedSections(stepsOf(monthView(state, detailOf(given)), true))
    expect(sections('open')).toEqual(['files', 'findings', 'lock', 'payout'])
    expect(sections('open', { ...clean, findings: [findingOf({})] })[0]).toBe('findings')
    expect(sections('locked')).toEqual(['payout', 'files', 'findings', 'lock'])
    expect(sections('settled')).toEqual(['files', 'findings', 'lock', 'payout'])
  })
})

describe('the bars of a chart', () => {
  test('share a zero line, and have none where there is no figure', () => {
    expect(barsOf([10, null, -10, 5, 0], 40)).toEqual([
      { y: 0, height: 20 },
      null,
      { y: 20, height: 20 },
      { y: 10, height: 10 },
      { y: 20, height: 1 },
    ])
    expect(barsOf([0, 0], 40)).toEqual([
      { y: 0, height: 1 },
      { y: 0, height: 1 },
    ])
  })
  test.each([
    [90.8, 10_000, 90.8],
    [-5, 1000, -50],
    [5, 0, null],
  ])('show %s of %s as %s bps', (net, volume, bps) => {
    const value = bpsOf({ net, volume })
    expect(value === null ? null : Math.round(value * 10) / 10).toBe(bps)
  })
})

test.each([
  [-1, '-1 day'],
  [0, '0 days'],
  [1, '1 day'],
  [2, '2 days'],
])('a month that was locked %i days after its end says %s', (lockedafter, text) => {
  const figure = trendFigures.find(({ title }) => title === 'Days to Lock')!
  const month = { month: '2026-10', net: 0, volume: 0, accounts: 0, lockedafter, releasedafter: null }
  expect(formatFigure(figure, month)).toBe(text)
})
