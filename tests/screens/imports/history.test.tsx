import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, onTestFinished, test } from 'vitest'
import { noSource } from '../../../schemas/imports/answers.ts'
import { imports } from '../../../schemas/imports/imports.ts'
import { newUser } from '../newUser.ts'
import { batchOf, button, cellsOf, draw, expectClean, press } from './importScreen.tsx'

const ownZone = process.env['TZ']
const undoText = /^Undo the import of merchants\.csv/
const loaded = () =>
  waitFor(() =>
    expect(screen.getByRole('region', { name: 'Imported files' })).toHaveAttribute('aria-busy', 'false'),
  )
const undoOne = () => newUser().click(screen.getAllByRole('button', { name: undoText })[0]!)

describe('the history below the form', () => {
  test('shows who, when, file, SHA-256, rows, counts, sums and state of every import', async () => {
    const { container } = draw(imports.dailyvolume, {
      batches: [
        batchOf({ date: '2026-05-04', totals: { rows: 1203, sales: 1200.5 } }),
        batchOf({
          id: 6,
          filename: 'old.csv',
          date: '2026-05-03',
          state: 'undone',
          undoneby: 'bob',
          undoneat: 1_777_996_800,
        }),
      ],
    })
    await loaded()
    const [first, second] = cellsOf('Imported files')
    expect(first).toEqual([
      '05/04/2026',
      expect.stringMatching(/^May 4, 2026, .*by ann$/),
      expect.stringMatching(/^merchants\.csv01234567(Copy)?$/),
      '1,203',
      '1,200',
      '3',
      '0',
      'sales $1,200.50',
      'ImportedUndo',
    ])
    expect(second?.at(-1)).toMatch(/^Undoneby bob, May 5, 2026/)
    expect(screen.getAllByTitle(`SHA-256 ${'0123456789abcdef'.repeat(4)}`)[0]).toHaveTextContent('01234567')
    expect(
      within(screen.getByRole('region', { name: 'Imported files' })).getAllByRole('button', {
        name: /^Undo/,
      }),
    ).toHaveLength(1)
    await expectClean(container)
  })

  test('says of an import whose undoing person is gone that somebody undid it', async () => {
    draw(imports.merchant, { batches: [batchOf({ state: 'undone', undoneby: null, undoneat: null })] })
    await loaded()
    expect(cellsOf('Imported files')[0]?.at(-1)).toBe('Undoneby somebody')
  })

  test('closes Undo where it would be refused, and says why', async () => {
    const reason = 'October 2026 is locked: lena locked it on Nov 8, 2026, 3:00 PM'
    const { container } = draw(imports.merchant, {
      batches: [batchOf({ undo: { allowed: false, reason } }), batchOf({ id: 6, filename: 'old.csv' })],
    })
    await loaded()
    const closed = screen.getByRole('button', { name: undoText })
    expect(closed).toBeDisabled()
    expect(closed).toHaveAccessibleDescription(`Cannot be undone: ${reason}`)
    // Opened without a pointer, too.
    await newUser().click(screen.getByText('Why not?'))
    expect(screen.getByText(reason)).toBeVisible()
    const open = screen.getByRole('button', { name: /^Undo the import of old\.csv/ })
    expect(open).toBeEnabled()
    expect(open).not.toHaveAttribute('aria-describedby')
    await expectClean(container)
  })

  test.each([
    ['America/New_York', 'Dec 31, 2026, 7:30 PM'],
    ['UTC', 'Jan 1, 2027, 12:30 AM'],
  ])('shows when a file came in the zone of the browser, and its day as it is: %s', async (zone, moment) => {
    process.env['TZ'] = zone
    onTestFinished(() => void (process.env['TZ'] = ownZone))
    draw(imports.dailyvolume, { batches: [batchOf({ importedat: 1_798_763_400, date: '2026-12-31' })] })
    await loaded()
    const [row] = cellsOf('Imported files')
    expect(screen.getByText(moment)).toBeVisible()
    expect(row?.[0]).toBe('12/31/2026')
    const undo = screen.getByRole('button', { name: undoText })
    expect(undo.getAttribute('aria-label')?.replace('\u202f', ' ')).toBe(
      `Undo the import of merchants.csv, ${moment}`,
    )
  })

  test('has no column of days or months where a kind has none', async () => {
    draw(imports.merchant, { batches: [batchOf()] })
    await loaded()
    expect(screen.queryByRole('columnheader', { name: /Date|Month/ })).toBeNull()
  })

  test('shows processor and month of compensation data first, and the month leads to its screen', async () => {
    draw(imports.compdata, { batches: [batchOf({ processor: 'Iris', date: '2026-05' })] })
    await loaded()
    expect(screen.getByRole('columnheader', { name: 'Processor and Month' })).toBeVisible()
    expect(cellsOf('Imported files')[0]?.[0]).toBe('IrisMay 2026')
    expect(screen.getByRole('link', { name: 'May 2026' })).toHaveAttribute('href', '/month/2026-05')
  })

  test('shows grey lines while it loads', () => {
    draw(imports.merchant, { holds: true })
    expect(screen.getByRole('region', { name: 'Imported files' })).toHaveAttribute('aria-busy', 'true')
  })

  test('says that nothing was imported yet', async () => {
    const { container } = draw()
    expect(await screen.findByText('Nothing was imported here yet')).toBeVisible()
    await expectClean(container)
  })

  test.each([
    ['is there', [batchOf()], true],
    ['is not there', [], false],
  ])('says of the one import of the address that it %s', async (_, batches, isThere) => {
    draw(imports.merchant, { batches, at: '?batch=7' })
    await loaded()
    expect(await screen.findByRole('link', { name: 'Show all' })).toBeVisible()
    expect(screen.queryAllByText(/One import is shown/)).toHaveLength(isThere ? 1 : 0)
    expect(screen.queryAllByText('There is no import with this number here')).toHaveLength(isThere ? 0 : 1)
    expect(screen.queryByText('Nothing was imported here yet')).toBeNull()
  })

  test('shows all imports again by the link below the one of the address', async () => {
    const batches = [batchOf(), batchOf({ id: 6, filename: 'old.csv' })]
    const { search } = draw(imports.merchant, { batches, at: '?batch=7' })
    await loaded()
    expect(cellsOf('Imported files')).toHaveLength(1)
    await newUser().click(screen.getByRole('link', { name: 'Show all' }))
    await waitFor(() => expect(cellsOf('Imported files')).toHaveLength(2))
    expect(search()).toBe('')
    expect(screen.queryByText(/One import is shown/)).toBeNull()
  })

  test('can be loaded again after a failure', async () => {
    const { edge } = draw(imports.merchant, { fails: true, batches: [batchOf()] })
    expect(await screen.findByText('The history could not be loaded')).toBeVisible()
    expect(screen.getByRole('region', { name: 'Imported files' })).toHaveAttribute('aria-busy', 'false')
    edge.fails = false
    await press('Try again')
    await loaded()
    expect(cellsOf('Imported files')).toHaveLength(1)
  })

  test('is paged by its address', async () => {
    const { edge, search } = draw(imports.merchant, { batches: [batchOf()], total: 23 })
    await loaded()
    await newUser().click(screen.getByRole('link', { name: 'Next page' }))
    await waitFor(() => expect(edge.loads.at(-1)).toMatchObject({ page: 2, size: 10 }))
    expect(search()).toBe('?page=2')
  })

  test.each([
    [10, 0],
    [11, 1],
  ])('of %i imports has pages %i times', async (total, times) => {
    draw(imports.merchant, { batches: [batchOf()], total })
    await loaded()
    expect(screen.queryAllByRole('navigation')).toHaveLength(times)
  })

  test('has a column of days for daily volume, also before there is an import', async () => {
    draw(imports.dailyvolume)
    expect(await screen.findByText('Nothing was imported here yet')).toBeVisible()
    expect(screen.getByRole('columnheader', { name: 'Date' })).toBeVisible()
  })

  test.each([2, 3])('goes from page %i to its first after an import', async (page) => {
    const { edge, search, choose } = draw(imports.merchant, {
      batches: [batchOf()],
      total: 23,
      at: `?page=${page}`,
    })
    await loaded()
    await choose('merchants.csv')
    await press('Submit')
    await act(async () =>
      edge.uploads[0]?.answer({
        source: noSource,
        inserted: 1,
        updated: 0,
        unchanged: 0,
        totals: {},
        warnings: [],
        ignored: [],
      }),
    )
    await waitFor(() => expect(edge.loads.at(-1)).toMatchObject({ page: 1 }))
    expect(search()).toBe('')
  })
})

describe('undoing an import', () => {
  const question = () =>
    screen.findByRole('alertdialog', { name: /^Undo the import of “merchants.csv” by ann on May 4, 2026/ })

  test('is asked about, and Keep it leaves everything as it is', async () => {
    const { edge } = draw(imports.merchant, { batches: [batchOf()] })
    await loaded()
    await undoOne()
    await question()
    await press('Keep it')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await waitFor(() => expect(screen.getByRole('button', { name: undoText })).toHaveFocus())
    expect(edge.undos).toEqual([])
  })

  test.each([
    ['when it is done', (call: { answer: (it: unknown) => void }) => call.answer({})],
    ['when it is refused', (call: { refuse: (it: unknown) => void }) => call.refuse({ status: 409 })],
  ])('reads the history again %s, and the keyboard stays there', async (_, end) => {
    const { edge } = draw(imports.merchant, { batches: [batchOf()] })
    await loaded()
    await undoOne()
    await question()
    await press('Undo the import')
    expect(edge.undos[0]?.input).toEqual({ id: 7 })
    await press('Keep it')
    expect(button('Keep it')).not.toBeNull()
    const before = edge.loads.length
    await act(async () => end(edge.undos[0]!))
    await waitFor(() => expect(edge.loads.length).toBe(before + 1))
    await waitFor(() => expect(screen.getByRole('region', { name: 'Imported files' })).toHaveFocus())
  })
})
