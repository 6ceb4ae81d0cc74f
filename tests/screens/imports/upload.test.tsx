import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { Imported } from '../../../machines/upload.machine.ts'
import { noSource, type SourceAsk } from '../../../schemas/imports/answers.ts'
import { imports, type Import } from '../../../schemas/imports/imports.ts'
import { Failure } from '../../../src/api/failure.ts'
import { newUser } from '../newUser.ts'
import { button, cellsOf, draw, expectClean, press, received, statusMessage } from './importScreen.tsx'

const done: Imported = {
  source: noSource,
  inserted: 1200,
  updated: 3,
  unchanged: 0,
  totals: { rows: 1203, 'Sales Amount': 98765.4 },
  warnings: ['2 rows carry another date than the one chosen'],
  ignored: ['Lane'],
}

/** A button that is busy has the focus still, which a disabled one loses. */
const expectBusy = (name: string) => {
  expect(button(name)).toBeEnabled()
  expect(button(name)).toHaveFocus()
  expect(button(name)).toHaveAttribute('aria-disabled', 'true')
}

describe('the screen of each kind of import', () => {
  test.each(Object.values<Import>(imports).map((it) => [it.title, it] as const))(
    '%s has its title, columns, templates and file types',
    async (title, it) => {
      const { container, edge } = draw(it)
      expect(screen.getByRole('heading', { level: 1, name: title })).toBeVisible()
      expect(screen.getByLabelText('File', { exact: true })).toHaveAttribute('accept', '.csv,.xlsx,.xls')
      expect(screen.queryAllByRole('button', { name: 'Choose the date' })).toHaveLength(it.dated ? 1 : 0)
      const others = it.columns.filter(({ required }) => !required).length
      expect(screen.getByText(new RegExp(` Another ${others} are understood, in any order\\.`))).toBeVisible()
      expect(screen.queryAllByText(/A blank cell keeps what is stored/)).toHaveLength(
        it.blankKeepsStored ? 1 : 0,
      )
      expect(button('All columns')).toHaveAttribute('aria-expanded', 'false')
      await press('All columns')
      expect(button('All columns')).toHaveAttribute('aria-expanded', 'true')
      for (const { head, required } of it.columns) {
        const item = screen
          .getAllByRole('listitem')
          .find((one) => one.textContent?.replace(' required', '') === head)
        expect(item?.textContent?.endsWith(' required')).toBe(required === true)
      }
      for (const [format, name] of [
        ['csv', 'Template (CSV)'],
        ['xlsx', 'Template (XLSX)'],
      ] as const) {
        await press(name)
        expectBusy(name)
        const call = edge.templates.at(-1)!
        expect(call.input).toEqual({ id: format })
        await act(async () => call.answer(received(format)))
      }
      expect(edge.saved).toEqual(['csv', 'xlsx'])
      await expectClean(container)
    },
  )
})

describe('an import screen', () => {
  test('offers Submit, Preview and Clear once a file is chosen', async () => {
    const { choose, container } = draw()
    expect([button('Submit'), button('Preview'), button('Clear')]).toEqual([null, null, null])
    expect(screen.getByRole('textbox', { name: 'File name' })).toHaveAttribute('readonly')
    await choose('merchants.csv')
    expect(screen.getByRole('textbox', { name: 'File name' })).toHaveValue('merchants.csv')
    // The same file can be chosen again once it was corrected.
    expect(screen.getByLabelText<HTMLInputElement>('File', { exact: true }).files).toHaveLength(0)
    expect(button('Submit')).toBeEnabled()
    expect(button('Preview')).toBeEnabled()
    await expectClean(container)
    await press('Clear')
    expect(screen.getByRole('textbox', { name: 'File name' })).toHaveValue('')
    expect([button('Submit'), button('Preview'), button('Clear')]).toEqual([null, null, null])
  })

  test('Submit is disabled while the name is invalid, and one click takes the cleaned name', async () => {
    const { choose, edge, container } = draw()
    await choose('report (1).xlsx')
    expect(screen.getByText('Invalid file name format')).toBeVisible()
    expect(button('Submit')).toBeDisabled()
    expect(button('Preview')).toBeDisabled()
    expect(screen.getByRole('textbox', { name: 'File name' })).toBeInvalid()
    expect(screen.getByRole('textbox', { name: 'File name' })).toHaveAccessibleDescription(
      /^Invalid file name format/,
    )
    await expectClean(container)
    await press('Use “report.xlsx”')
    expect(screen.queryByText('Invalid file name format')).toBeNull()
    await press('Submit')
    expect(edge.uploads[0]?.input).toMatchObject({
      kind: 'merchant',
      date: null,
      file: { name: 'report.xlsx' },
      job: { purpose: 'import' },
    })
  })

  test("'File name is required' when the browser's dialog was closed without a choice", () => {
    draw()
    act(
      () =>
        void screen
          .getByLabelText('File', { exact: true })
          .dispatchEvent(new Event('cancel', { bubbles: true })),
    )
    expect(screen.getByText('File name is required')).toBeVisible()
  })

  test('takes a dropped file', () => {
    draw()
    fireEvent.drop(screen.getByText('or drop it here (.csv, .xlsx, .xls)'), {
      dataTransfer: { files: [new File([''], 'dropped.csv')] },
    })
    expect(screen.getByRole('textbox', { name: 'File name' })).toHaveValue('dropped.csv')
  })

  test('Import Daily Volume needs a date, shown as month, day and year', async () => {
    const { choose, edge, container } = draw(imports.dailyvolume)
    expect(screen.queryByText('Date is required')).toBeNull()
    await choose('volume.csv')
    expect(button('Submit')).toBeDisabled()
    expect(screen.getByText('Date is required')).toBeVisible()
    const field = screen.getByRole('textbox', { name: 'Date' })
    expect(field).toBeInvalid()
    expect(field).toHaveAttribute('readonly')
    await press('Choose the date')
    const native = screen.getByLabelText('Date, typed')
    expect(native).toHaveFocus()
    await newUser().type(native, '2026-03-08')
    expect(field).toHaveValue('03/08/2026')
    await expectClean(container)
    await press('Submit')
    expect(edge.uploads[0]?.input).toMatchObject({ kind: 'dailyvolume', date: '2026-03-08' })
  })

  test('shows a spinner and the percent while uploading, and Cancel gives the file back', async () => {
    const { choose, edge, container } = draw()
    await choose('merchants.csv')
    await press('Submit')
    expect([button('Submit'), button('Preview'), button('Clear')]).toEqual([null, null, null])
    expect(button('Select File')).toBeDisabled()
    act(() => edge.uploads[0]?.progress(42))
    expect(screen.getByText('Uploading, 42 %')).toBeVisible()
    expect(screen.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('aria-valuenow', '42')
    await expectClean(container)
    for (const [percent, said] of [
      [33.6, 'Uploading, 34 %'],
      [99.4, 'Uploading, 99 %'],
      [100, 'Reading the file'],
    ] as const) {
      act(() => edge.uploads[0]?.progress(percent))
      expect(screen.getByText(said)).toBeVisible()
    }
    await press('Cancel')
    expect(edge.uploads[0]?.signal.aborted).toBe(true)
    expect(button('Submit')).toBeEnabled()
  })

  test.each([
    ['Submit', '/month', false],
    ['Preview', '/month', true],
    ['Submit', '/login', true],
  ])('after %s is left for %s without a question: %s', async (pressed, path, isLeft) => {
    const { choose, edge, leave } = draw()
    await choose('merchants.csv')
    await press(pressed)
    const isAsked = window.dispatchEvent(new Event('beforeunload', { cancelable: true })) === false
    expect([isAsked, await leave(path)]).toEqual([pressed === 'Submit', isLeft])
    const question = 'merchants.csv is not imported yet. Stop that and leave?'
    expect(screen.queryAllByText(question)).toHaveLength(isLeft ? 0 : 1)
    if (isLeft) return
    await press('Stay')
    expect(edge.uploads[0]?.signal.aborted).toBe(false)
    await leave(path)
    await press('Stop and leave')
    expect(edge.uploads[0]?.signal.aborted).toBe(true)
  })

  test('keeps the keyboard in the form when the pressed button goes away', async () => {
    const { choose } = draw()
    await choose('merchants.csv')
    await press('Submit')
    expect(document.activeElement).toBe(button('Cancel')?.parentElement)
    await newUser().tab()
    expect(button('Cancel')).toHaveFocus()
  })

  test('leaves the keyboard where it was put while the file was sent', async () => {
    const { choose, edge } = draw()
    await choose('merchants.csv')
    await press('Submit')
    button('All columns')!.focus()
    await act(async () => edge.uploads[0]?.refuse(new Error('away')))
    expect(button('Submit')).toBeEnabled()
    expect(button('All columns')).toHaveFocus()
  })

  describe('as time passes', () => {
    test.each([
      [{ phase: 'waiting', done: 0, total: null }, 'Waiting, you are next', null],
      [{ phase: 'waiting', done: 3, total: null }, 'Waiting, 3 before you', null],
      [{ phase: 'reading', done: 12_000, total: null }, 'Reading the file, 12,000 rows', null],
      [{ phase: 'checking', done: 0, total: 200_000 }, 'Checking the rows, 0 of 200,000 rows', '0'],
      [{ phase: 'storing', done: 50_000, total: 200_000 }, 'Storing the rows, 50,000 of 200,000 rows', '25'],
    ] as const)("shows the server's work: %j", async (work, words, value) => {
      const { choose, edge, pass } = draw()
      await choose('merchants.csv')
      await press('Submit')
      act(() => edge.uploads[0]?.progress(100))
      expect(screen.getByText('Reading the file')).toBeVisible()
      pass(499)
      expect(edge.polls).toEqual([])
      pass(1)
      expect(edge.polls[0]?.input).toEqual({ kind: 'merchant', job: edge.uploads[0]?.input.job })
      await act(async () => edge.polls[0]?.refuse(new Error('away')))
      expect(screen.getByText('Reading the file')).toBeVisible()
      pass(500)
      await act(async () => edge.polls[1]?.answer(work))
      expect(screen.getByText(words)).toBeVisible()
      if (value)
        expect(screen.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('aria-valuenow', value)
      await press('Cancel')
      expect(edge.uploads[0]?.signal.aborted).toBe(true)
    })

    test("'Data Imported Successfully' shows for 5 seconds and the file is cleared; the figures stay", async () => {
      const { choose, edge, container, pass } = draw()
      await choose('merchants.csv')
      await press('Submit')
      const before = edge.loads.length
      const source = { month: '2026-10', processor: 'Iris', day: null }
      await act(async () => edge.uploads[0]?.answer({ ...done, source }))
      expect(statusMessage()).toHaveTextContent('Data Imported Successfully')
      expect(edge.loads.length).toBe(before + 1)
      expect(screen.getByRole('textbox', { name: 'File name' })).toHaveValue('')
      pass(4_999)
      expect(statusMessage()).toHaveTextContent('Data Imported Successfully')
      pass(1)
      expect(statusMessage()).toBeEmptyDOMElement()
      expect(screen.getByText('1,203 rows read: 1,200 added, 3 changed, 0 as they were.')).toBeVisible()
      const month = screen.getByRole('link', { name: 'October 2026' })
      expect(month).toHaveAttribute('href', '/month/2026-10')
      expect(month.parentElement).toHaveTextContent('Iris, October 2026')
      expect(screen.getByText('$98,765.40')).toBeVisible()
      expect(screen.getByText(done.warnings[0]!)).toBeVisible()
      expect(screen.getByText('Columns that were not used: Lane')).toBeVisible()
      await expectClean(container)
    })
  })

  test('a refused file is listed fault by fault, stays chosen, and its rejected rows can be downloaded', async () => {
    const { choose, edge, container } = draw()
    await choose('merchants.csv')
    await press('Submit')
    const rows = [
      { row: 4, column: 'XMID', value: '1.23E+15', message: 'open the file as text' },
      { row: null, column: 'DBA', value: '', message: 'The column is missing' },
    ]
    await act(async () => edge.uploads[0]?.refuse({ status: 422, refused: { rows, more: 1234 } }))
    expect(screen.getByText('Nothing was imported')).toBeVisible()
    expect(statusMessage()).toHaveTextContent(
      'Nothing was imported. What is wrong in the file is listed below.',
    )
    expect(cellsOf('Faults')).toEqual([
      ['4', 'XMID', '1.23E+15', 'open the file as text'],
      ['', 'DBA', '', 'The column is missing'],
    ])
    expect(screen.getByText('and 1,234 more')).toBeVisible()
    expect(button('Submit')).toBeEnabled()
    await press('Download fix file')
    expectBusy('Download fix file')
    await press('Download fix file')
    expect(edge.fixes).toHaveLength(1)
    expect(edge.forms.at(-1)).toMatchObject({ kind: 'merchant', file: { name: 'merchants.csv' }, date: null })
    await act(async () => edge.fixes[0]?.answer(received('the rejected rows')))
    expect(edge.saved).toEqual(['the rejected rows'])
    await expectClean(container)
    await choose('corrected.csv')
    await waitFor(() => expect(screen.queryByText('Nothing was imported')).toBeNull())
  })

  test('the fix file of a refused file is of the day that is chosen by then', async () => {
    const { choose, edge } = draw(imports.dailyvolume)
    await choose('volume.csv')
    const day = screen.getByLabelText('Date, typed')
    fireEvent.change(day, { target: { value: '2026-03-08' } })
    await press('Submit')
    const rows = [{ row: 4, column: 'XMID', value: '1', message: 'too short' }]
    await act(async () => edge.uploads[0]?.refuse({ status: 422, refused: { rows, more: 0 } }))
    fireEvent.change(day, { target: { value: '2026-03-09' } })
    await press('Download fix file')
    expect(edge.fixes).toHaveLength(1)
    expect(edge.forms.at(-1)).toMatchObject({ file: { name: 'volume.csv' }, date: '2026-03-09' })
  })

  test.each([
    [0, ''],
    [1, 'and 1 more'],
    [2, 'and 2 more'],
  ])('a refused file with %i faults beyond those listed says %j', async (more, said) => {
    const { choose, edge } = draw()
    await choose('merchants.csv')
    await press('Submit')
    const rows = [{ row: 4, column: 'XMID', value: '1', message: 'too short' }]
    await act(async () => edge.uploads[0]?.refuse({ status: 422, refused: { rows, more } }))
    expect(cellsOf('Faults')).toEqual([['4', 'XMID', '1', 'too short']])
    expect(screen.queryByText(/^and .* more$/)?.textContent ?? '').toBe(said)
  })

  test('a failure without a list ends the loading and keeps the screen', async () => {
    const { choose, edge } = draw()
    await choose('merchants.csv')
    await press('Submit')
    await act(async () => edge.uploads[0]?.refuse(new Error('away')))
    expect(screen.getByRole('textbox', { name: 'File name' })).toHaveValue('merchants.csv')
    expect(button('Submit')).toBeEnabled()
    expect(screen.queryByText('Nothing was imported')).toBeNull()
  })

  test('a repeated file is reported with user and date, and imported anyway when asked to', async () => {
    const { choose, edge, container } = draw()
    await choose('merchants.csv')
    await press('Submit')
    await act(async () =>
      edge.uploads[0]?.refuse({
        status: 409,
        code: 'repeated',
        repeated: { username: 'ann', importedat: 1_777_896_000, subject: null },
      }),
    )
    const alert = screen.getByRole('alert')
    expect(alert).toHaveTextContent(/^The same file was imported before by ann on May 4, 2026/)
    await expectClean(container)
    await newUser().click(within(alert).getByRole('button', { name: 'Import anyway' }))
    expect(edge.uploads[1]?.input.job?.purpose).toBe('again')
    expect(edge.uploads[1]?.input.job?.id).not.toBe(edge.uploads[0]?.input.job?.id)
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('what a file does not say', () => {
  const ask = (source: Partial<SourceAsk>) =>
    new Failure(409, 'Of which?', {
      code: 'asks',
      asks: {
        source: {
          needs: ['month', 'processor'],
          month: null,
          processor: null,
          candidates: ['Iris', 'Aurora'],
          named: null,
          nearest: null,
          ...source,
        },
      },
    })
  const asked = async (source: Partial<SourceAsk>) => {
    const drawn = draw(imports.compdata)
    await drawn.choose('residuals.csv')
    await press('Submit')
    await act(async () => drawn.edge.uploads[0]?.refuse(ask(source)))
    return drawn
  }
  const list = (name: string) => screen.getByRole<HTMLSelectElement>('combobox', { name })
  const pick = (name: string, option: string) => newUser().selectOptions(list(name), option)
  const options = (name: string) => [...list(name).options].map(({ text }) => text)

  test('is asked in one panel, the similar ones first, and sent with the file', async () => {
    const { edge, container } = await asked({ named: 'Irsi', nearest: 'Iris' })
    expect(
      screen.getByText(
        'It names the processor “Irsi”, which is not known, and no month. The nearest known one is Iris.',
      ),
    ).toBeVisible()
    expect(list('Month')).toHaveFocus()
    const months = options('Month')
    const current = new Date().toLocaleDateString('en-US', { month: 'long', year: 'numeric' })
    expect([months.length, months[1]]).toEqual([37, current])
    expect(options('Processor')).toEqual([
      'Choose a processor',
      'Iris',
      'Aurora',
      'Add “Irsi” as a new processor',
    ])
    expect(button('Continue')).toBeDisabled()
    await expectClean(container)
    const month = list('Month').options[2]!
    await pick('Month', month.text)
    expect(button('Continue')).toBeDisabled()
    await pick('Processor', 'Iris')
    await press('Continue')
    expect(edge.uploads[1]?.input).toMatchObject({
      job: { purpose: 'import' },
      answers: { month: month.value, processor: 'Iris' },
    })
  })

  test('may be a new processor, whose name can be corrected but not be blank', async () => {
    const { edge, container } = await asked({
      needs: ['processor'],
      month: '2026-10',
      named: 'Irsi',
      nearest: 'Iris',
    })
    expect(screen.queryByRole('combobox', { name: 'Month' })).toBeNull()
    expect(screen.getByText(/Its month is October 2026\.$/)).toBeVisible()
    // One that is nearly a known one is not proposed.
    expect(list('Processor')).toHaveValue('')
    expect(button('Continue')).toBeDisabled()
    await pick('Processor', 'Add “Irsi” as a new processor')
    const name = screen.getByRole('textbox', { name: 'Name of the new processor' })
    expect(name).toHaveValue('Irsi')
    expect(name).toHaveAttribute('maxlength', '60')
    const warning = screen.getByText(/“Irsi” is almost the name of Iris\. If it is the same processor, /)
    expect(warning).toBeVisible()
    expect(name).toHaveAccessibleDescription(/^“Irsi” is almost the name of Iris/)
    await newUser().clear(name)
    expect(button('Continue')).toBeDisabled()
    await newUser().type(name, '  ')
    expect(button('Continue')).toBeDisabled()
    await newUser().clear(name)
    await newUser().type(name, 'Iris East')
    expect(screen.queryByText(/almost the name/)).toBeNull()
    await expectClean(container)
    await press('Continue')
    expect(edge.uploads[1]?.input.answers).toEqual({ processor: 'Iris East', newprocessor: true })
  })

  test('is proposed as a new processor where no known one is like it', async () => {
    const { edge } = await asked({ needs: ['processor'], month: '2026-10', named: 'Zenith', nearest: null })
    expect(button('Continue')).toHaveFocus()
    await press('Continue')
    expect(edge.uploads[1]?.input.answers).toEqual({ processor: 'Zenith', newprocessor: true })
  })

  test('may be chosen otherwise, and a new name is no answer then', async () => {
    const { edge } = await asked({ needs: ['processor'], month: '2026-10' })
    expect(options('Processor').at(-1)).toBe('Add a new processor')
    await pick('Processor', 'Add a new processor')
    expect(button('Continue')).toBeDisabled()
    await pick('Processor', 'Aurora')
    expect(screen.queryByRole('textbox', { name: /^Name of the new processor/ })).toBeNull()
    await press('Continue')
    expect(edge.uploads[1]?.input.answers).toMatchObject({ processor: 'Aurora' })
    expect(edge.uploads[1]?.input.answers.newprocessor).toBeUndefined()
  })
})
