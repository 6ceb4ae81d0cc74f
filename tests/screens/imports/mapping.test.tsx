import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { imports } from '../../../schemas/imports/imports.ts'
import type { Mapping, MappingProposal, SavedMapping } from '../../../schemas/imports/mapping/mapping.ts'
import { Failure } from '../../../src/api/failure.ts'
import { newUser } from '../newUser.ts'
import { fakeSession } from '../sessionContext.tsx'
import { cellsOf, draw, expectClean, press } from './importScreen.tsx'

const heading = ['Ref', 'Shop', 'Gross', 'Fees', 'Dues']
const samples = [
  ['12', '13'],
  ['First', 'Second'],
  ['$10.10', '(2.00)'],
  ['0.1', 'x'],
  ['0.2', '1'],
]
const of = (name: string, sheet = '') => ({ sheet, name, sign: 1 as const })
const proposal: MappingProposal = {
  fingerprint: 'f'.repeat(64),
  sheets: [
    {
      name: '',
      row: 1,
      lines: 2,
      columns: heading.map((name, at) => ({ name, samples: samples[at]! })),
      idColumn: 'Ref',
      starts: [
        { row: 1, text: heading.join(' · ') },
        { row: 2, text: '12 · First' },
      ],
    },
  ],
  mapping: {
    sheets: [{ name: '', heading }],
    fields: { xmid: { columns: [of('Ref')] }, income: { columns: [of('Gross')] } },
  },
  reasons: { xmid: 'shape', income: 'name' },
  difference: null,
}
/** The same fingerprint: capitals do not count (mapping 4). */
const renamed = {
  ...proposal,
  sheets: [
    { ...proposal.sheets[0]!, columns: heading.map((name) => ({ name: name.toUpperCase(), samples: [] })) },
  ],
  mapping: { sheets: [{ name: '', heading: heading.map((name) => name.toUpperCase()) }], fields: {} },
}
const rows = 'The first rows as they are read'
const sent = ({ edge }: ReturnType<typeof draw>) => edge.uploads.at(-1)!.input.answers.mapping as Mapping

/** A file is asked about. */
const asked = async (mapping: MappingProposal = proposal, person = fakeSession()) => {
  const drawn = draw(imports.compdata, { person })
  await drawn.choose('Iris_Oct2026.csv')
  await press('Preview')
  drawn.edge.uploads[0]!.refuse(new Failure(409, 'No heading was found', { code: 'asks', asks: { mapping } }))
  await screen.findByRole('button', { name: /Use these columns|Accept/ })
  return drawn
}
const pick = (label: string, option: string) => newUser().selectOptions(screen.getByLabelText(label), option)

describe('the columns of a file', () => {
  it('are shown with their samples, why they were proposed, what no field takes, and the first rows', async () => {
    const { container } = await asked()
    const mid = within(screen.getByRole('group', { name: 'MID' }))
    expect(mid.getByText('12 · 13')).toBeVisible()
    expect(mid.getByText('Proposed by its values: please check')).toBeVisible()
    expect(document.querySelector('optgroup')).toBeNull()
    expect(screen.getByText('Columns that no field takes: Shop, Fees, Dues.')).toBeVisible()
    expect(cellsOf(rows)).toEqual([
      ['12', '10.10'],
      ['13', '-2.00'],
    ])
    await expectClean(container)
  })

  it('are those of another row once it is chosen as the heading, by keys alone', async () => {
    const drawn = await asked()
    const user = newUser()
    const again = screen.getByRole('button', { name: 'Read with this heading' })
    expect(again).toBeDisabled()
    await user.selectOptions(screen.getByLabelText('Heading'), 'Row 2: 12 · First')
    expect(again).toBeEnabled()
    screen.getByLabelText('Heading').focus()
    await user.tab()
    await user.keyboard('{Enter}')
    expect(drawn.edge.uploads.at(-1)!.input.answers).toEqual({ headings: [{ sheet: '', row: 2 }] })
    const [sheet] = proposal.sheets
    const chosen = { ...sheet!, row: 2, columns: [{ name: 'Twelve', samples: ['13', ''] }] }
    const mapping = { sheets: [{ name: '', heading: ['Twelve'] }], fields: {} }
    drawn.edge.uploads.at(-1)!.refuse(
      new Failure(409, 'Choose', {
        code: 'asks',
        asks: { mapping: { ...proposal, sheets: [chosen], mapping, reasons: {} } },
      }),
    )
    await waitFor(() => expect(screen.getByLabelText('Heading')).toHaveValue('2'))
    expect(screen.getByText('Columns that no field takes: Twelve.')).toBeVisible()
  })

  it('are added up, taken away, filled with zeros, and given one value; they are sent as chosen', async () => {
    const drawn = await asked()
    await pick('Column of Expenses', 'Fees')
    await press('Add a column to Expenses')
    // The first column that no field takes.
    expect(screen.getByLabelText('Column 2 of Expenses')).toHaveDisplayValue('Shop')
    await pick('Column 2 of Expenses', 'Dues')
    await pick('Sign of column 2 of expenses', '−')
    await newUser().type(screen.getByLabelText('Digits of MID'), '4')
    await press('Show 6 more fields')
    await pick('Column of Processor', 'One value for all rows…')
    expect(screen.getByRole('button', { name: 'Use these columns' })).toBeDisabled()
    expect(screen.getByText('Processor needs the value for all rows.')).toBeVisible()
    await newUser().type(screen.getByLabelText('Processor, value for all rows'), 'Iris')
    expect(cellsOf(rows)).toEqual([
      ['0012', 'Iris', '10.10', '-0.1'],
      ['0013', 'Iris', '-2.00', 'Fees is not an amount'],
    ])
    await press('Use these columns')
    expect(sent(drawn)).toEqual({
      sheets: proposal.mapping.sheets,
      fields: {
        xmid: { columns: [of('Ref')], pad: 4 },
        income: { columns: [of('Gross')] },
        expense: { columns: [of('Fees'), { ...of('Dues'), sign: -1 }] },
        processor: { constant: 'Iris' },
      },
    })
  })

  it('are named with their fields where two fields take one, which can be sent', async () => {
    const drawn = await asked()
    expect(screen.queryByText(/taken more than once/)).toBeNull()
    await pick('Column of Sales Amount', 'Gross')
    const note = 'Gross is taken more than once: for Sales Amount and Income.'
    expect(screen.getByText(note)).toBeVisible()
    expect(screen.getByText(note).closest('[role=status]')).not.toBeNull()
    await pick('Column of Expenses', 'Gross')
    expect(
      screen.getByText('Gross is taken more than once: for Sales Amount, Income and Expenses.'),
    ).toBeVisible()
    await pick('Column of Expenses', 'Not in the file')
    await press('Use these columns')
    expect(sent(drawn).fields).toMatchObject({
      sales: { columns: [of('Gross')] },
      income: { columns: [of('Gross')] },
    })
  })

  it('of a month, of the id and of dates cannot be one value for all rows', async () => {
    await asked()
    await press('Show 6 more fields')
    const choicesOf = (label: string) =>
      within(screen.getByLabelText(label))
        .getAllByRole('option')
        .map((option) => option.textContent)
    expect(choicesOf('Column of DBA')).toContain('One value for all rows…')
    expect(choicesOf('Column of Month')).not.toContain('One value for all rows…')
    expect(choicesOf('Column of MID')).not.toContain('One value for all rows…')
    // A further column of a sum cannot be one either, though the first one can.
    expect(choicesOf('Column of Expenses')).toContain('One value for all rows…')
    await pick('Column of Expenses', 'Fees')
    await press('Add a column to Expenses')
    expect(choicesOf('Column 2 of Expenses')).not.toContain('One value for all rows…')
  })

  it('say why they were proposed until another one is chosen', async () => {
    await asked()
    await pick('Column of MID', 'Shop')
    expect(screen.queryByText(/^Proposed by its values/)).toBeNull()
    await pick('Column of MID', 'Ref')
    await press('Show 6 more fields')
    await pick('Column of DBA', 'Shop')
    // A text has no digits to be filled up.
    expect([screen.queryByLabelText('Digits of MID'), screen.queryByLabelText('Digits of DBA')]).toEqual([
      expect.anything(),
      null,
    ])
  })

  it.each([
    ['0', null, '12'],
    ['1', 1, '12'],
    ['3', 3, '012'],
    ['32', 32, '12'.padStart(32, '0')],
    ['33', null, '12'],
    ['2.5', null, '12'],
  ])('of numbers are filled with zeros to 1 to 32 digits: %s is %s, so %s', async (typed, digits, filled) => {
    await asked()
    const field = screen.getByLabelText('Digits of MID')
    fireEvent.change(field, { target: { value: typed } })
    expect(field).toHaveValue(digits)
    expect(cellsOf(rows)[0]![0]).toBe(filled)
  })

  it('without a value in the first rows say so', async () => {
    const [sheet] = proposal.sheets
    const columns = sheet!.columns.map((column) => ({ ...column, samples: ['', ''] }))
    await asked({ ...proposal, sheets: [{ ...sheet!, columns }] })
    expect(screen.getAllByText('No value in the first rows')).toHaveLength(2)
  })

  it('of another file are those proposed for it, and not what was chosen for the file before', async () => {
    const drawn = await asked()
    await pick('Column of Expenses', 'Dues')
    await press('Use these columns')
    drawn.edge.uploads.at(-1)!.refuse(new Error('away'))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Submit' })).toBeEnabled())
    await drawn.choose('Other_Oct2026.csv')
    await press('Preview')
    const other = { ...proposal, fingerprint: 'e'.repeat(64) }
    drawn.edge.uploads.at(-1)!.refuse(new Failure(409, 'No', { code: 'asks', asks: { mapping: other } }))
    expect(await screen.findByLabelText('Column of Expenses')).toHaveDisplayValue('Not in the file')
  })

  it('of several sheets are merged by the id in the preview, and a sheet can be left out', async () => {
    const costs = {
      name: 'Costs',
      row: 1,
      lines: 1,
      columns: [
        { name: 'Account', samples: ['13'] },
        { name: 'Fee', samples: ['0.75'] },
      ],
      idColumn: 'Account',
      starts: [{ row: 1, text: 'Account · Fee' }],
    }
    const volume = { ...proposal.sheets[0]!, name: 'Volume' }
    const drawn = await asked({
      ...proposal,
      sheets: [volume, costs],
      mapping: {
        sheets: [
          { name: 'Volume', heading },
          { name: 'Costs', heading: ['Account', 'Fee'] },
        ],
        fields: {
          xmid: { columns: [of('Ref', 'Volume'), of('Account', 'Costs')] },
          income: { columns: [of('Gross', 'Volume')] },
          expense: { columns: [of('Fee', 'Costs')] },
        },
      },
    })
    expect(cellsOf(rows)).toEqual([
      ['12', '10.10', ''],
      ['13', '-2.00', '0.75'],
    ])
    await newUser().click(screen.getByRole('checkbox', { name: 'Costs (1 row)' }))
    expect(screen.getByRole('checkbox', { name: 'Volume (2 rows)' })).toBeDisabled()
    await press('Use these columns')
    expect(sent(drawn).sheets.map(({ name }) => name)).toEqual(['Volume'])
    expect(Object.keys(sent(drawn).fields)).toEqual(['xmid', 'income'])
  })

  it.each([
    ['by the name of the id of the first sheet', 'REF.', 'Account', 'REF.'],
    ['by what its names and values say', 'Code', 'Account', 'Account'],
    ['and by nothing where nothing looks like an id', 'Code', null, null],
  ])('of a sheet that is ticked have its id %s', async (_, other, idColumn, taken) => {
    const names = [other, 'Account', 'Fee']
    const costs = {
      ...proposal.sheets[0]!,
      name: 'Costs',
      columns: names.map((name) => ({ name, samples: ['13'] })),
      idColumn,
    }
    const volume = { ...proposal.sheets[0]!, name: 'Volume' }
    const drawn = await asked({
      ...proposal,
      sheets: [volume, costs],
      mapping: {
        sheets: [{ name: 'Volume', heading }],
        fields: { xmid: { columns: [of('Ref', 'Volume')] }, income: { columns: [of('Gross', 'Volume')] } },
      },
    })
    await newUser().click(screen.getByRole('checkbox', { name: 'Costs (2 rows)' }))
    const use = screen.getByRole<HTMLButtonElement>('button', { name: 'Use these columns' })
    expect(use.disabled).toBe(taken === null)
    if (taken === null) return
    await press('Use these columns')
    expect(sent(drawn).fields['xmid']).toEqual({ columns: [of('Ref', 'Volume'), of(taken, 'Costs')] })
  })

  it.each([
    ['while they are chosen', false, proposal],
    ['while the file is sent with them', true, proposal],
    [
      'while they are chosen, where the heading has changed',
      false,
      {
        ...proposal,
        difference: { processor: 'Iris', renamed: [], moved: ['Dues'], missing: [], added: [] },
      },
    ],
  ])('are offered again when the session ends %s', async (_, isSent, again) => {
    const person = fakeSession()
    const { unmount } = await asked(proposal, person)
    await pick('Column of Expenses', 'Fees')
    if (isSent) await press('Use these columns')
    person.end()
    unmount()
    const drawn = await asked(again)
    await press('Restore')
    expect(screen.getByLabelText('Column of Expenses')).toHaveDisplayValue('Fees')
    expect(screen.queryByText('Restore what you typed?')).toBeNull()
    await press('Use these columns')
    expect(sent(drawn).fields['expense']).toEqual({ columns: [of('Fees')] })
    expect(sessionStorage).toHaveLength(0)
  })

  it.each([
    ['were left by Cancel', () => press('Cancel'), proposal],
    ['are of a file whose heading is written otherwise', async () => {}, renamed],
  ])('are not offered again when they %s', async (_, leave, again) => {
    const person = fakeSession()
    const { unmount } = await asked(proposal, person)
    await pick('Column of Expenses', 'Fees')
    await leave()
    person.end()
    unmount()
    await asked(again)
    expect(screen.queryByText('Restore what you typed?')).toBeNull()
  })

  it('can be chosen again after a preview, beginning with what was chosen', async () => {
    const drawn = await asked()
    await pick('Column of Expenses', 'Dues')
    await press('Use these columns')
    drawn.edge.uploads[1]!.refuse(new Failure(422, 'Row 2', { refused: { rows: [], more: 1 } }))
    await waitFor(() => screen.getByRole('button', { name: 'Choose the columns again' }))
    await press('Choose the columns again')
    expect(drawn.edge.uploads[2]!.input).toMatchObject({ answers: {}, job: { purpose: 'preview' } })
    drawn.edge.uploads[2]!.refuse(new Failure(409, 'No', { code: 'asks', asks: { mapping: proposal } }))
    expect(await screen.findByLabelText('Column of Expenses')).toHaveDisplayValue('Dues')
  })
})

describe('saved mappings', () => {
  const saved: SavedMapping[] = [
    { id: 4, processor: 'Iris', columns: ['Ref', 'Gross'], username: 'ann', at: 1_777_896_000 },
  ]

  it('are not mentioned while there are none', async () => {
    draw(imports.compdata)
    await screen.findByRole('region', { name: 'Imported files' })
    expect(screen.queryByRole('region', { name: 'Saved mappings' })).toBeNull()
  })

  it('are looked for again after a file was imported, which may have saved one', async () => {
    const { edge, choose } = draw(imports.compdata)
    await choose('Iris_May2026.csv')
    await press('Submit')
    edge.mappings = saved
    const source = { month: '2026-05', processor: 'Iris', day: null }
    const figures = { inserted: 1, updated: 0, unchanged: 0, totals: {}, warnings: [], ignored: [] }
    await act(async () => edge.uploads[0]?.answer({ source, ...figures }))
    expect(await screen.findByRole('region', { name: 'Saved mappings' })).toBeVisible()
  })

  it('have the focus on Delete again when the question is left', async () => {
    draw(imports.compdata, { mappings: saved })
    await screen.findByRole('region', { name: 'Saved mappings' })
    await press('Delete the mapping of Iris')
    await press('Keep it')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    const opener = screen.getByRole('button', { name: 'Delete the mapping of Iris' })
    await waitFor(() => expect(opener).toHaveFocus())
  })

  it('have the focus on their table when one of them was deleted', async () => {
    const other = { ...saved[0]!, id: 5, processor: 'Zenith' }
    const { edge } = draw(imports.compdata, { mappings: [...saved, other] })
    await screen.findByRole('region', { name: 'Saved mappings' })
    await press('Delete the mapping of Iris')
    await press('Delete the mapping')
    edge.mappings = [other]
    await act(async () => edge.removals[0]!.answer(null))
    await waitFor(() => expect(screen.getByRole('region', { name: 'Mappings' })).toHaveFocus())
    expect(cellsOf('Mappings')).toHaveLength(1)
  })

  it('are listed, and deleted after a question', async () => {
    const { edge, container } = draw(imports.compdata, { mappings: saved })
    const region = await screen.findByRole('region', { name: 'Saved mappings' })
    expect(cellsOf('Mappings')).toEqual([['Iris', 'Ref, Gross', expect.stringMatching(/ by ann$/), 'Delete']])
    await expectClean(container)
    await press('Delete the mapping of Iris')
    expect(edge.removals).toEqual([])
    await press('Delete the mapping')
    expect(edge.removals[0]!.input.subject).toMatchObject({ id: 4 })
    edge.mappings = []
    edge.removals[0]!.answer(null)
    await waitFor(() => expect(region).not.toBeInTheDocument())
  })
})
