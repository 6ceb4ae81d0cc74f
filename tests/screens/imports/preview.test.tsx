import { act, render, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { Imported, Preview } from '../../../machines/upload.machine.ts'
import { noSource } from '../../../schemas/imports/answers.ts'
import { imports } from '../../../schemas/imports/imports.ts'
import { FigureList, LastImport, Remarks } from '../../../src/features/imports/ImportFigures.tsx'
import { WorkProgress } from '../../../src/features/imports/WorkProgress.tsx'
import { button, cellsOf, draw, expectClean, press, statusMessage } from './importScreen.tsx'

const preview: Preview = {
  source: noSource,
  inserted: 1200,
  updated: 3,
  unchanged: 5,
  rejected: 0,
  rows: [],
  more: 0,
  totals: { rows: 1208, 'Sales Amount': 98765.4 },
  warnings: ['2 rows carry another date than the one chosen'],
  ignored: ['Lane'],
  differences: [
    { row: 3, key: '4001', column: 'DBA', before: 'Old Shop', after: 'New Shop' },
    { row: 4, key: '4002', column: 'MCC', before: '', after: '5411' },
  ],
  questions: [],
  repeated: null,
}

const previewed = async (given: Partial<Preview> = {}) => {
  const screenOf = draw(imports.merchant)
  await screenOf.choose('merchants.csv')
  await press('Preview')
  expect(screenOf.edge.uploads[0]?.input.job?.purpose).toBe('preview')
  await act(async () => screenOf.edge.uploads[0]?.answer({ ...preview, ...given }))
  return screenOf
}
const figures = () =>
  screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent])

describe('a preview', () => {
  test.each([
    [1, 0],
    [2, 1],
  ])('of two values of one row, with %i rows that change, says %i times how many', async (updated, times) => {
    const [first] = preview.differences
    await previewed({ updated, differences: [first!, { ...first!, column: 'MCC' }] })
    expect(screen.queryAllByText(/rows would change in all/)).toHaveLength(times)
  })
  test.each([
    [1, 'The first value that would change'],
    [2, 'The first 2 values that would change'],
  ])('of %i differences has the heading: %s', async (count, name) => {
    await previewed({ differences: preview.differences.slice(0, count) })
    expect(screen.getByRole('heading', { name })).toBeVisible()
  })
  test('names the processor and the month of the file, which holds nothing yet that the month could show', async () => {
    await previewed({ source: { month: '2026-10', processor: 'Iris', day: null } })
    expect(screen.getByText('Iris, October 2026')).toBeVisible()
    expect(screen.queryByRole('link', { name: 'October 2026' })).toBeNull()
  })
  test('says the one thing that an import would ask', async () => {
    await previewed({ questions: [{ key: 'gap', text: 'August 2026 is missing' }] })
    expect(screen.getByText('August 2026 is missing')).toBeVisible()
  })
  test('says what an import would ask to be confirmed', async () => {
    const { container } = await previewed({
      questions: [
        { key: 'gap', text: 'August 2026 is missing' },
        { key: 'taken-away', text: '3 rows go' },
      ],
    })
    expect(screen.getByText('The import asks to confirm')).toBeVisible()
    expect(screen.getByText('August 2026 is missing')).toBeVisible()
    expect(screen.getByText('3 rows go')).toBeVisible()
    await expectClean(container)
  })
  test('shows what differs in a file of which no row is rejected', async () => {
    await previewed({
      rows: [{ row: 9, column: 'Net', value: '5', message: 'The total of Net is 5.00' }],
    })
    expect(screen.getByRole('heading', { name: 'What differs in the file' })).toBeVisible()
    expect(cellsOf('Faults')).toEqual([['9', 'Net', '5', 'The total of Net is 5.00']])
    expect(button('Download fix file')).toBeNull()
  })
  test('shows counts, control totals, the first differences, warnings and unused columns, and keeps the file', async () => {
    const { container } = await previewed()
    expect(screen.getByText('Nothing is stored yet.')).toBeVisible()
    expect(figures()).toEqual([
      ['New', '1,200'],
      ['Changed', '3'],
      ['Unchanged', '5'],
      ['Rejected', '0'],
      ['Rows', '1,208'],
      ['Sales Amount', '$98,765.40'],
    ])
    expect(cellsOf('Differences')).toEqual([
      ['3', '4001', 'DBA', 'Old Shop', 'New Shop'],
      ['4', '4002', 'MCC', 'blank', '5411'],
    ])
    expect(screen.getByText('3 rows would change in all.')).toBeVisible()
    expect(screen.getByText('2 rows carry another date than the one chosen')).toBeVisible()
    expect(screen.getByText('Columns that were not used: Lane')).toBeVisible()
    expect(statusMessage()).toHaveTextContent('Preview: New 1,200, Changed 3, Unchanged 5, Rejected 0')
    expect(screen.getByRole('textbox', { name: 'File name' })).toHaveValue('merchants.csv')
    expect([button('Submit') !== null, button('Preview'), button('Clear') !== null]).toEqual([
      true,
      null,
      true,
    ])
    expect(button('Download fix file')).toBeNull()
    await expectClean(container)
  })

  test('lists every row error and how many there are besides, and offers the rejected rows as a file', async () => {
    const rows = [
      { row: 9, column: 'Master Agent', value: 'Nobody', message: 'Master Agent Nobody is not known' },
    ]
    const { container, edge } = await previewed({ rejected: 2, rows, more: 1 })
    expect(cellsOf('Faults')).toEqual([['9', 'Master Agent', 'Nobody', 'Master Agent Nobody is not known']])
    expect(screen.getByText('and 1 more')).toBeVisible()
    await press('Download fix file')
    expect(edge.fixes).toHaveLength(1)
    expect(edge.forms.at(-1)).toMatchObject({ file: { name: 'merchants.csv' } })
    await expectClean(container)
  })

  test('shows who imported the same file before', async () => {
    await previewed({ repeated: { username: 'ann', importedat: 1_777_896_000, subject: null } })
    expect(screen.getByRole('alert')).toHaveTextContent(/imported before by ann on May 4, 2026/)
    expect(button('Import anyway')).toBeEnabled()
  })

  test('is followed by Submit, which sends the same file to be imported', async () => {
    const { edge } = await previewed()
    await press('Submit')
    expect(edge.uploads[1]?.input).toMatchObject({
      file: { name: 'merchants.csv' },
      job: { purpose: 'import' },
    })
    expect(screen.queryByRole('region', { name: 'Preview' })).toBeNull()
  })

  test('goes away with Clear', async () => {
    await previewed()
    await press('Clear')
    expect(screen.queryByRole('region', { name: 'Preview' })).toBeNull()
    expect(button('Submit')).toBeNull()
  })
})

describe('what a file holds', () => {
  test.each([
    [0, 0],
    [1, 0],
    [0, 1],
    [2, 2],
  ])('%i warnings and %i unused columns are all shown, and of none nothing is', (warned, unused) => {
    const warnings = ['One.', 'Two.'].slice(0, warned)
    const ignored = ['Lane', 'Fee'].slice(0, unused)
    const { container } = render(<Remarks warnings={warnings} ignored={ignored} />)
    expect(screen.queryAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(warnings)
    expect(container.textContent).toBe(
      warnings.join('') + (unused > 0 ? `Columns that were not used: ${ignored.join(', ')}` : ''),
    )
    expect(container.childElementCount).toBe(Math.min(1, warned) + Math.min(1, unused))
  })

  test.each([
    [{ rows: 0 }, '0 rows read: 1 added, 0 changed, 0 as they were.'],
    [{ rows: 1 }, '1 row read: 1 added, 0 changed, 0 as they were.'],
    [{ rows: 1200 }, '1,200 rows read: 1 added, 0 changed, 0 as they were.'],
    [{}, '1 added, 0 changed, 0 as they were.'],
  ])('of which the totals are %j is said after the import as: %s', (totals, text) => {
    const { source } = preview
    const imported = { source, inserted: 1, updated: 0, unchanged: 0, totals, warnings: [], ignored: [] }
    render(<LastImport imported={imported as unknown as Imported} />)
    expect(screen.getByText(text)).toBeVisible()
  })

  test.each([
    [false, 'Storing the rows, 1,200 of 4,800 rows'],
    [true, 'Comparing with what is stored, 1,200 of 4,800 rows'],
  ])('is stored, or for a preview (%s) compared: %s', (isPreview, text) => {
    render(<WorkProgress work={{ phase: 'storing', done: 1200, total: 4800 }} isPreview={isPreview} />)
    expect(screen.getByText(text)).toBeVisible()
  })

  test.each([
    [4800, '100'],
    [4801, '100'],
    [1200, '25'],
  ])('has a bar of which %i of 4,800 rows are %s percent', (done, percent) => {
    render(<WorkProgress work={{ phase: 'storing', done, total: 4800 }} />)
    expect(screen.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('aria-valuenow', percent)
  })

  test.each([0, 1, 2])('%i figures are all shown, and of none nothing is', (count) => {
    const given = [
      ['Rows', '7'],
      ['Sales', '$1.00'],
    ].slice(0, count) as [string, string][]
    const { container } = render(<FigureList figures={given} />)
    expect(screen.queryAllByRole('term').map(({ textContent }) => textContent)).toEqual(
      given.map(([name]) => name),
    )
    expect(container.childElementCount).toBe(Math.min(1, count))
  })
})
