import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fromPromise } from 'xstate'
import { uploadMachine, type Imported, type Sent } from '../../machines/upload.machine.ts'
import { fileName } from '../../schemas/constants.ts'
import { imports } from '../../schemas/imports.ts'
import { cleanName, nameFault } from '../../src/pages/fileName.ts'
import { ImportPage } from '../../src/pages/ImportPage.tsx'

describe('the file name', () => {
  test.each([
    ['volume.csv', null, ''],
    ['2026-01_daily volume.xlsx', null, ''],
    ['old.xls', null, ''],
    ['', 'File name is required', ''],
    ['report (1).xlsx', 'Invalid file name format', '“(” and “)” cannot be used: only letters, digits, spaces, hyphens and underscores.'],
    ['a.b.csv', 'Invalid file name format', '“.” cannot be used: only letters, digits, spaces, hyphens and underscores.'],
    ['caf\u00e9\u00a0.csv', 'Invalid file name format', '“é” and U+00A0 cannot be used: only letters, digits, spaces, hyphens and underscores.'],
    ['\u{1F4C4}.csv', 'Invalid file name format', '“\u{1F4C4}” cannot be used: only letters, digits, spaces, hyphens and underscores.'],
    ['!@#$%^.csv', 'Invalid file name format', '“!”, “@”, “#”, “$”, “%” and others cannot be used: only letters, digits, spaces, hyphens and underscores.'],
    ['VOLUME.CSV', 'Invalid file name format', 'The ending must be written in small letters: .csv'],
    ['.csv', 'Invalid file name format', 'A name before .csv is missing.'],
    ['setup.exe', 'Invalid file name format', 'The name must end with .csv, .xlsx or .xls.'],
    ['noending', 'Invalid file name format', 'The name must end with .csv, .xlsx or .xls.'],
    ['trick.csv.pdf', 'Invalid file name format', 'The name must end with .csv, .xlsx or .xls.'],
  ])('“%s”: %s %s', (name, message, detail) => expect(nameFault(name)).toEqual(message === null ? null : { message, detail }))

  test.each([
    ['report (1).xlsx', 'report 1.xlsx'],
    ['volume 2026.01.05.csv', 'volume 2026-01-05.csv'],
    ['Caf\u00e9  N\u00f6rd.CSV', 'Cafe Nord.csv'],
    ['.csv', 'file.csv'],
    ['\u4f60\u597d.xls', 'file.xls'],
    ['setup.exe', null],
  ])('“%s” is offered as “%s”', (name, cleaned) => expect(cleanName(name)).toBe(cleaned))

  test('whatever the name, the offered one may be sent, and a fault is said exactly when it may not', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('.csv', '.xlsx', '.xls', '.CSV', '.pdf', ''), (base, end) => {
        const name = `${base}${end}`
        const cleaned = cleanName(name)
        if (cleaned !== null) expect(cleaned).toMatch(fileName)
        expect(nameFault(name) === null).toBe(fileName.test(name))
      }),
    ))
})

const done: Imported = {
  inserted: 1200,
  updated: 3,
  unchanged: 0,
  totals: { rows: 1203, 'Sales Amount': 98765.4 },
  warnings: ['2 rows carry another date than the one chosen'],
  ignored: ['Lane'],
}

/** A screen whose upload waits until the test answers it. */
const draw = (it: (typeof imports)[keyof typeof imports] = imports.merchant) => {
  const calls: { sent: Sent; signal: AbortSignal; answer: (imported: Imported) => void; refuse: (error: unknown) => void; progress: (percent: number) => void }[] = []
  const upload = uploadMachine.provide({
    actors: {
      upload: fromPromise<Imported, Sent>(
        ({ input, signal, self }) =>
          new Promise((answer, refuse) => {
            calls.push({ sent: input, signal, answer, refuse, progress: (percent) => self._parent?.send({ type: 'progress', percent }) })
          }),
      ),
    },
  })
  const { container } = render(<ImportPage it={it} upload={upload} />)
  const choose = (name: string) => userEvent.upload(screen.getByLabelText('File', { exact: true }), new File(['XMID'], name), { applyAccept: false })
  return { calls, container, choose }
}
const button = (name: string) => screen.queryByRole('button', { name })
const clean = async (container: HTMLElement) => {
  const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}

describe('an import screen', () => {
  test.each(Object.values(imports))('has the title $title, its columns and a template', async (it) => {
    const { container } = draw(it)
    expect(screen.getByRole('heading', { level: 1, name: it.title })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'All columns' }))
    for (const { head, required } of it.columns) {
      const item = screen.getAllByRole('listitem').find((one) => one.textContent?.replace(' required', '') === head)
      expect(item?.textContent?.endsWith(' required')).toBe(required === true)
    }
    const template = screen.getByRole('link', { name: 'Template (CSV)' })
    expect(template.getAttribute('download')).toMatch(fileName)
    const text = decodeURIComponent(template.getAttribute('href')?.split(',').slice(1).join(',') ?? '')
    expect(text).toBe(`${it.columns.map(({ head }) => head).join(',')}\r\n`)
    await clean(container)
  })

  test('offers Submit and Clear once a file is chosen', async () => {
    const { choose, container } = draw()
    expect(screen.getByLabelText('File')).toHaveAttribute('accept', '.csv,.xlsx,.xls')
    expect([button('Submit'), button('Clear')]).toEqual([null, null])
    expect(screen.getByRole('textbox', { name: 'File name' })).toHaveAttribute('readonly')
    await choose('merchants.csv')
    expect(screen.getByRole('textbox', { name: 'File name' })).toHaveValue('merchants.csv')
    expect(button('Submit')).toBeEnabled()
    await clean(container)
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
    expect(screen.getByRole('textbox', { name: 'File name' })).toHaveValue('')
    expect([button('Submit'), button('Clear')]).toEqual([null, null])
  })

  test('Submit is disabled while the name is invalid, and one click takes the cleaned name', async () => {
    const { choose, calls, container } = draw()
    await choose('report (1).xlsx')
    expect(screen.getByText('Invalid file name format')).toBeVisible()
    expect(button('Submit')).toBeDisabled()
    expect(screen.getByRole('textbox', { name: 'File name' })).toBeInvalid()
    await clean(container)
    await userEvent.click(screen.getByRole('button', { name: 'Use “report 1.xlsx”' }))
    expect(screen.queryByText('Invalid file name format')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }))
    expect(calls[0]?.sent).toMatchObject({ kind: 'merchant', date: null, file: { name: 'report 1.xlsx' } })
  })

  test("'File name is required' when the browser's dialog was closed without a choice", () => {
    draw()
    act(() => void screen.getByLabelText('File').dispatchEvent(new Event('cancel', { bubbles: true })))
    expect(screen.getByText('File name is required')).toBeVisible()
  })

  test('takes a dropped file', () => {
    draw()
    fireEvent.drop(screen.getByText('or drop it here (.csv, .xlsx, .xls)'), { dataTransfer: { files: [new File([''], 'dropped.csv')] } })
    expect(screen.getByRole('textbox', { name: 'File name' })).toHaveValue('dropped.csv')
  })

  test('Import Daily Volume needs a date, shown as month, day and year', async () => {
    const { choose, calls, container } = draw(imports.dailyvolume)
    await choose('volume.csv')
    expect(button('Submit')).toBeDisabled()
    expect(screen.getByText('Date is required')).toBeVisible()
    const field = screen.getByRole('textbox', { name: 'Date (required)' })
    expect(field).toHaveAttribute('readonly')
    await userEvent.click(screen.getByRole('button', { name: 'Choose the date' }))
    const native = screen.getByLabelText('Date, typed')
    expect(native).toHaveFocus()
    await userEvent.type(native, '2026-03-08')
    expect(field).toHaveValue('03/08/2026')
    await clean(container)
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }))
    expect(calls[0]?.sent).toMatchObject({ kind: 'dailyvolume', date: '2026-03-08' })
  })

  test('no other import asks for a date', () => {
    draw(imports.merchant)
    expect(button('Choose the date')).toBeNull()
  })

  test('shows a spinner and the percent while uploading, and Cancel gives the file back', async () => {
    const { choose, calls, container } = draw()
    await choose('merchants.csv')
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }))
    expect([button('Submit'), button('Clear')]).toEqual([null, null])
    expect(button('Select File')).toBeDisabled()
    act(() => calls[0]?.progress(42))
    expect(screen.getByText('Uploading, 42 %')).toBeVisible()
    await clean(container)
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(calls[0]?.signal.aborted).toBe(true)
    expect(button('Submit')).toBeEnabled()
  })

  test('does not offer to cancel what is already sent', async () => {
    const { choose, calls } = draw()
    await choose('merchants.csv')
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }))
    act(() => calls[0]?.progress(100))
    expect(screen.getByText('Checking and storing the rows')).toBeVisible()
    expect(button('Cancel')).toBeNull()
  })

  describe('on success', () => {
    beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
    afterEach(() => void vi.useRealTimers())

    test("'Data Imported Successfully' shows for 5 seconds and the file is cleared; the figures stay", async () => {
      const { choose, calls, container } = draw()
      await choose('merchants.csv')
      await userEvent.click(screen.getByRole('button', { name: 'Submit' }))
      await act(async () => calls[0]?.answer(done))
      expect(screen.getByRole('status')).toHaveTextContent('Data Imported Successfully')
      expect(screen.getByRole('textbox', { name: 'File name' })).toHaveValue('')
      await act(() => vi.advanceTimersByTimeAsync(4_500))
      expect(screen.getByRole('status')).toHaveTextContent('Data Imported Successfully')
      await act(() => vi.advanceTimersByTimeAsync(500))
      expect(screen.getByRole('status')).toBeEmptyDOMElement()
      expect(screen.getByText('1,203 rows read: 1,200 added, 3 changed, 0 as they were.')).toBeVisible()
      expect(screen.getByText('$98,765.40')).toBeVisible()
      expect(screen.getByText(done.warnings[0]!)).toBeVisible()
      expect(screen.getByText('Columns that were not used: Lane')).toBeVisible()
      vi.useRealTimers()
      await clean(container)
    })
  })

  test('axe finds no violation while the message shows', async () => {
    const { choose, calls, container } = draw()
    await choose('merchants.csv')
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }))
    await act(async () => calls[0]?.answer(done))
    expect(screen.getByText('Data Imported Successfully')).toBeVisible()
    await clean(container)
  })

  test('a refused file is listed fault by fault, and stays chosen', async () => {
    const { choose, calls, container } = draw()
    await choose('merchants.csv')
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }))
    const rows = [
      { row: 4, column: 'XMID', value: '1.23E+15', message: 'open the file as text' },
      { row: null, column: 'DBA', value: '', message: 'The column is missing' },
    ]
    await act(async () => calls[0]?.refuse({ status: 422, refused: { rows, more: 1234 } }))
    const faults = within(screen.getByRole('region', { name: 'What is wrong in the file' }))
    expect(faults.getAllByRole('row').slice(1).map((row) => within(row).getAllByRole('cell').map((one) => one.textContent))).toEqual([
      ['4', 'XMID', '1.23E+15', 'open the file as text'],
      ['', 'DBA', '', 'The column is missing'],
    ])
    expect(faults.getByText('and 1,234 more')).toBeVisible()
    expect(button('Submit')).toBeEnabled()
    await clean(container)
    await choose('corrected.csv')
    await waitFor(() => expect(screen.queryByText('Nothing was imported')).toBeNull())
  })

  test('a failure without a list ends the loading and keeps the screen', async () => {
    const { choose, calls } = draw()
    await choose('merchants.csv')
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }))
    await act(async () => calls[0]?.refuse(new Error('away')))
    expect(screen.getByRole('textbox', { name: 'File name' })).toHaveValue('merchants.csv')
    expect(button('Submit')).toBeEnabled()
    expect(screen.queryByText('Nothing was imported')).toBeNull()
  })
})
