import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, test } from 'vitest'
import {
  chosenMonth,
  describeValues,
  initialValues,
  reportSchema,
  reportUiSchema,
  requestBody,
} from '../../../src/forms/reportInputs.ts'
import { runtimeValidator } from '../../../src/forms/runtimeValidator.ts'
import { buttons, draw, input, monthInput, typeOf } from './reportScreen.tsx'

const agents = [
  { id: '1', displayname: 'MA0001 - North' },
  { id: '2', displayname: 'MA0002 - South' },
]
const every = typeOf(
  'Every Kind',
  input('Text', 'City'),
  input('Int', 'Days'),
  input('Date', 'From'),
  input('Query', 'Agent', { constraints: agents }),
  monthInput('Open', 'Locked', undefined),
)

test.each([
  [{ month: '2026-11', agent: '2026-12' }, 'Month 11'],
  [{ agent: '1' }, undefined],
])('of the values %j the month is %s', (values, name) => {
  expect(chosenMonth({ report: every, values })?.displayname).toBe(name)
})

test('an input that holds nothing is not sent', () => {
  const values = { city: '', days: null, from: undefined, agent: '2', month: '2026-11' }
  expect(requestBody({ report: every, values })).toEqual({ agent: '2', month: '2026-11' })
})

test.each([
  ['Query3', ['Month 12 (Open)', 'Month 11']],
  ['Query', ['Month 12', 'Month 11']],
] as const)('the options of an input of the kind %s are named %j', (datatype, names) => {
  const month = { ...monthInput('Open', undefined), datatype }
  expect(
    reportUiSchema(typeOf('One', month), { day: null, searchedChoice: null })['month']['ui:enumNames'],
  ).toEqual(names)
})

/** Agents numbered from 1, of which the seventh is 'South'. */
const agentsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: String(at + 1),
    displayname: `MA${String(at + 1).padStart(4, '0')} - ${at === 6 ? 'South' : 'North'} Sales`,
  }))
const drawAgents = async (count: number, isrequired = true) => {
  const report = typeOf('One', input('Query', 'Agent', { constraints: agentsOf(count), isrequired }))
  const drawn = draw({ types: [report] })
  await drawn.choose('One')
  return { ...drawn, agent: await screen.findByRole('combobox', { name: /^Agent/ }) }
}
const listed = () => within(screen.getByRole('listbox')).getAllByRole('option')

describe('an input of many options', () => {
  it.each([
    [100, 'select'],
    [101, 'input'],
  ])('with %i of them is a %s', async (count, tag) => {
    const { agent } = await drawAgents(count)
    expect(agent.tagName.toLowerCase()).toBe(tag)
  })

  it('is found by any words of its name and taken by Enter; Generate is enabled with it', async () => {
    const { agent, user, calls } = await drawAgents(101)
    expect(buttons('Generate Report')).toEqual(['disabled'])
    await user.click(agent)
    await user.keyboard('sales SOU')
    expect(listed().map(({ textContent }) => textContent)).toEqual(['MA0007 - South Sales'])
    await user.keyboard('{Enter}')
    expect(agent).toHaveDisplayValue('MA0007 - South Sales')
    await waitFor(() => expect(buttons('Generate Report')).toEqual(['enabled']))
    await user.click(screen.getByRole('button', { name: 'Generate Report' }))
    await waitFor(() => expect(calls.generate.map(({ values }) => values)).toEqual([{ agent: '7' }]))
  })

  it.each([
    ['M', 100, 'The first 100: type to narrow the list'],
    ['North', 100, '100 found'],
    ['MA00', 99, '99 found'],
  ])('of which 101 are there lists for %j no more than %i and says %j', async (typed, shown, text) => {
    const { agent, user } = await drawAgents(101)
    await user.click(agent)
    await user.paste(typed)
    expect(listed()).toHaveLength(shown)
    expect(screen.getByText(text)).toBeVisible()
  })

  it('says that nothing was found, and keeps what was chosen before', async () => {
    const { agent, user } = await drawAgents(101)
    await user.click(agent)
    await user.keyboard('MA0031{Enter}')
    await user.click(agent)
    await user.keyboard('west')
    expect(screen.getByText("Nothing found for 'west'")).toBeVisible()
    await user.keyboard('{Escape}')
    expect(agent).toHaveDisplayValue('MA0031 - North Sales')
  })

  it.each([
    [true, 0],
    [false, 1],
  ])('can be emptied where it is not required (required: %s)', async (isrequired, clearButtons) => {
    const { agent, user, calls } = await drawAgents(101, isrequired)
    await user.click(agent)
    await user.keyboard('MA0031{Enter}')
    const clear = screen.queryAllByRole('button', { name: 'Clear Agent' })
    expect(clear).toHaveLength(clearButtons)
    if (!clear[0]) return
    await user.click(clear[0])
    expect(agent).toHaveDisplayValue('')
    await user.click(screen.getByRole('button', { name: 'Generate Report' }))
    await waitFor(() => expect(calls.generate).toHaveLength(1))
    expect(requestBody(calls.generate[0]!)).toEqual({})
  })
})

describe('the types of report', () => {
  it('are sorted by name, whatever the order they come in', async () => {
    draw({ types: [typeOf('Portfolio'), typeOf('attrition'), typeOf('Chargebacks')] })
    const list = await screen.findByLabelText<HTMLSelectElement>('Report')
    expect([...list.options].map(({ text }) => text)).toEqual([
      'Select an Option',
      'attrition',
      'Chargebacks',
      'Portfolio',
    ])
    expect(buttons('Generate Report')).toEqual([])
  })

  it('are read again by Try again where they could not be loaded', async () => {
    const { user } = draw({ types: [typeOf('Portfolio')], isAway: true })
    await screen.findByText('The reports could not be loaded')
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByLabelText('Report')).toBeVisible()
  })

  it('are looked up in the help once one is chosen', async () => {
    const { choose } = draw({ types: [typeOf('Portfolio')] })
    expect(await screen.findByRole('button', { name: 'Help' })).toBeVisible()
    await choose('Portfolio')
    expect(screen.getByRole('button', { name: 'Help: Portfolio' })).toBeVisible()
  })

  it('are said to be none where there are none for the viewer', async () => {
    draw({ types: [] })
    expect(await screen.findByText('There are no reports for you')).toBeVisible()
  })
})

describe('the inputs of the chosen report', () => {
  it('stand in one group, and a report without inputs has no empty one', async () => {
    const { choose } = draw({ types: [every, typeOf('One', input('Int', 'Days')), typeOf('Nothing')] })
    const groups = () => document.querySelectorAll('.form-group-of-fields')
    await choose('Every Kind')
    expect(groups()).toHaveLength(1)
    await choose('One')
    expect(await screen.findByLabelText('Days')).toBeVisible()
    expect(groups()).toHaveLength(1)
    await choose('Nothing')
    expect(await screen.findByRole('button', { name: 'Generate Report' })).toBeEnabled()
    expect(groups()).toHaveLength(0)
  })

  it('are one of each kind, nothing is chosen beforehand, and Query3 shows the state in parentheses', async () => {
    const { choose } = draw({ types: [every] })
    await choose('Every Kind')
    const optionsOf = (name: string) =>
      [...screen.getByRole<HTMLSelectElement>('combobox', { name }).options].map(({ text }) => text)
    expect(screen.getByLabelText('City')).toHaveValue('')
    expect(screen.getByLabelText('Days')).toHaveAttribute('inputmode', 'numeric')
    expect(screen.getByLabelText('From')).toHaveAttribute('type', 'date')
    expect(optionsOf('Agent')).toEqual(['Select an Option', 'MA0001 - North', 'MA0002 - South'])
    expect(optionsOf('Month')).toEqual([
      'Select an Option',
      'Month 12 (Open)',
      'Month 11 (Locked)',
      'Month 10',
    ])
  })

  it('say what is required once they were edited, and keep Generate and Download disabled until all is there', async () => {
    const { choose, user, calls } = draw({ types: [every] })
    await choose('Every Kind')
    expect(screen.queryByText(/is required/)).toBeNull()
    await user.type(screen.getByLabelText('City'), 'x')
    await user.clear(screen.getByLabelText('City'))
    expect(await screen.findByText('City is required')).toBeVisible()
    await user.type(screen.getByLabelText('Days'), '12a')
    expect(await screen.findByText('Days must be a whole number')).toBeVisible()
    expect(screen.queryByText('Month is required')).toBeNull()
    expect([buttons('Generate Report'), buttons('Download Report')]).toEqual([['disabled'], ['disabled']])
    await user.clear(screen.getByLabelText('Days'))
    await user.type(screen.getByLabelText('Days'), '30')
    await user.type(screen.getByLabelText('City'), 'Leeds')
    await user.type(screen.getByLabelText('From'), '2026-03-09')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Agent' }), '1')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Month' }), 'Month 11 (Locked)')
    await waitFor(() =>
      expect([buttons('Generate Report'), buttons('Download Report')]).toEqual([['enabled'], ['enabled']]),
    )
    await user.selectOptions(screen.getByRole('combobox', { name: 'Format' }), '.csv')
    await user.click(screen.getByRole('button', { name: 'Download Report' }))
    const values = { city: 'Leeds', days: 30, from: '2026-03-09', agent: '2', month: '2026-11' }
    await waitFor(() => expect(calls.download).toEqual([{ report: every, values, format: 'csv', sort: '' }]))
  })

  it('of another report are not sent where they do not fit, and nobody can choose no report again', async () => {
    const city = { isrequired: false }
    const { choose, user, calls } = draw({
      types: [
        typeOf('A', input('Text', 'City', city)),
        typeOf('B', input('Query', 'City', { ...city, constraints: agents })),
      ],
    })
    await choose('A')
    const { options } = screen.getByLabelText<HTMLSelectElement>('Report')
    expect([...options].map(({ text }) => text)).toEqual(['A', 'B'])
    await user.type(await screen.findByLabelText('City'), 'Leeds')
    await choose('B')
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'City' })).toBeVisible())
    await waitFor(() => expect(buttons('Generate Report')).toEqual(['enabled']))
    await user.click(screen.getByRole('button', { name: 'Generate Report' }))
    await waitFor(() => expect(calls.generate).toHaveLength(1))
    expect(calls.generate[0]!.values['city']).toBeUndefined()
  })

  it('keep what was filled in when another report has the same, and are enough at once when nothing is needed', async () => {
    const { choose, user } = draw({
      types: [
        typeOf('A', monthInput('Open')),
        typeOf('B', monthInput('Open'), input('Text', 'City', { isrequired: false })),
        typeOf('C'),
      ],
    })
    await choose('A')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Month' }), 'Month 12 (Open)')
    await choose('B')
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: 'Month' })).toHaveDisplayValue('Month 12 (Open)'),
    )
    await waitFor(() => expect(buttons('Generate Report')).toEqual(['enabled']))
    await choose('C')
    await waitFor(() => expect(buttons('Generate Report')).toEqual(['enabled']))
    await choose('A')
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: 'Month' })).toHaveDisplayValue('Month 12 (Open)'),
    )
  })

  test.each([
    ['a day as MM/DD/YYYY, of no zone', { from: '2026-03-09' }, { from: '03/09/2026' }],
    ['what is empty not at all', { city: '', days: undefined, from: '' }, {}],
    [
      'a number as a number, an option by its id',
      { days: 0, agent: '2', month: '2026-11' },
      { days: 0, agent: '2', month: '2026-11' },
    ],
    ['nothing of another report', { other: 'x' }, {}],
  ])('are sent: %s', (_, values, body) => expect(requestBody({ report: every, values })).toEqual(body))

  test('are named above a result, a day as it is written in the country', () => {
    expect(
      describeValues({ report: every, values: { city: 'Leeds', from: '2026-03-09', agent: '2' } }),
    ).toEqual([
      ['City', 'Leeds'],
      ['From', '03/09/2026'],
      ['Agent', 'MA0002 - South'],
    ])
  })

  test('of another report are taken over where they fit', () => {
    expect(
      initialValues(every, { city: 3, days: '3', agent: '9', month: '2026-12', from: '2026-01-01' }),
    ).toEqual({
      month: '2026-12',
      from: '2026-01-01',
    })
  })
})

describe('the validator of a schema known at run time', () => {
  const schema = reportSchema(every) as object
  const good = { city: 'Leeds', days: 30, from: '2026-02-28', agent: '1', month: '2026-12' }
  test.each([
    ['what is right', {}, []],
    ['a missing input', { month: undefined }, ['.month required']],
    ['a blank text', { city: ' ' }, ['.city pattern']],
    ['an empty text', { city: '' }, ['.city minLength', '.city pattern']],
    ['200 letters, whatever their script', { city: '\u{1F4C4}'.repeat(200) }, []],
    ['201 letters', { city: 'x'.repeat(201) }, ['.city maxLength']],
    ['a fraction', { days: 1.5 }, ['.days type']],
    ['a word for a number', { days: '12a' }, ['.days type']],
    ['a day that is none', { from: '2026-02-29' }, ['.from format']],
    ['half a day', { from: '2026-02' }, ['.from format']],
    ['an option nobody offered', { agent: '3' }, ['.agent enum']],
  ])('judges %s', (_, change, wrong) => {
    const { errors = [] } = runtimeValidator.rawValidation<{ property: string; name: string }>(schema, {
      ...good,
      ...change,
    })
    expect(errors.map(({ property, name }) => `${property} ${name}`)).toEqual(wrong)
    expect(runtimeValidator.isValid(schema, { ...good, ...change }, schema)).toBe(wrong.length === 0)
  })
})

describe('a report that waits for its turn', () => {
  const noInputs = typeOf('User Access')
  test.each([
    ['Generate Report', [3], 'Waiting, 3 before you'],
    ['Generate Report', [1, 0], 'Waiting, you are next'],
    ['Generate Report', [0, null], 'Generating the report'],
    ['Download Report', [1_200], 'Waiting, 1,200 before you'],
    ['Download Report', [1, null], 'Preparing the download'],
  ])('%s, told %j, says "%s", and can be cancelled', async (name, places, words) => {
    const { choose, user } = draw({ types: [noInputs], places })
    await choose('User Access')
    await waitFor(() => expect(buttons(name)).toEqual(['enabled']))
    await user.click(screen.getByRole('button', { name }))
    expect(await screen.findByText(words)).toBeVisible()
    expect(screen.getByLabelText('Report')).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByText(words)).toBeNull()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Generate Report' })).toHaveFocus())
  })
})

test('the focus stays where it was put while a report was generated', async () => {
  const { choose, user } = draw({ types: [typeOf('User Access')], places: [3] })
  await choose('User Access')
  await waitFor(() => expect(buttons('Generate Report')).toEqual(['enabled']))
  await user.click(screen.getByRole('button', { name: 'Generate Report' }))
  const cancel = await screen.findByRole('button', { name: 'Cancel' })
  const format = screen.getByLabelText('Format')
  format.focus()
  fireEvent.click(cancel)
  await waitFor(() => expect(buttons('Generate Report')).toEqual(['enabled']))
  await act(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  expect(format).toHaveFocus()
})

test('the format of a download is one of the report, also where that is not .xlsx', async () => {
  const { choose, calls, user } = draw({ types: [{ ...typeOf('Plain'), formats: ['csv' as const] }] })
  await choose('Plain')
  await waitFor(() => expect(buttons('Download Report')).toEqual(['enabled']))
  await user.click(screen.getByRole('button', { name: 'Download Report' }))
  expect(calls.download).toMatchObject([{ format: 'csv' }])
})

test('the formats of a report are named', async () => {
  const formats = ['xlsx' as const, 'csv' as const, 'nacha' as const]
  const { choose } = draw({ types: [{ ...typeOf('Payouts'), formats }] })
  await choose('Payouts')
  const { options } = screen.getByLabelText<HTMLSelectElement>('Format')
  expect([...options].map(({ text }) => text)).toEqual(['.xlsx', '.csv', 'NACHA'])
})

test.each([
  [9_007_199_254_740_991, true],
  [9_007_199_254_740_992, false],
  [-9_007_199_254_740_991, true],
  [1.5, false],
  ['1', false],
])('that an input for a whole number takes %j is %s', (value, isRight) => {
  expect(runtimeValidator.isValid({ type: 'integer' }, value, {})).toBe(isRight)
})
