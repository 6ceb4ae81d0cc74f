import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, test } from 'vitest'
import { catalogue } from '../../../server/reports/catalogue.ts'
import { readAddress, reservedParameters, writeAddress } from '../../../src/features/reports/address.ts'
import { readAddressValues } from '../../../src/features/reports/addressValues.ts'
import { viewerWith } from '../forms/form.tsx'
import { column, draw, input, monthInput, resultOf, typeOf } from './reportScreen.tsx'

const statement = typeOf(
  'Statement',
  monthInput('Open', 'Locked'),
  input('Int', 'Days', { isrequired: false }),
  input('Date', 'From', { isrequired: false }),
  input('Text', 'City', { isrequired: false }),
)
const types = [statement, typeOf('Users')]
const result = resultOf(
  [column('name', 'text'), { ...column('bank', 'id'), unsortable: true }],
  [{ name: 'b' }, { name: 'a' }, { name: 'c' }],
)
const names = () => screen.getAllByRole('rowheader').map((it) => it.textContent)
const open = (at: string) => draw({ types, result, at })
const generate = async (user: ReturnType<typeof draw>['user']) => {
  const button = screen.getByRole('button', { name: 'Generate Report' })
  await waitFor(() => expect(button).toBeEnabled())
  await user.click(button)
}

describe('what a person does', () => {
  it('is written into the address: report, inputs, that it was generated, and the sort', async () => {
    const { choose, user, address } = open('/reporting')
    await choose('Statement')
    await waitFor(() => expect(address()).toBe('/reporting?report=statement'))
    await user.selectOptions(screen.getByLabelText(/^Month/), 'Month 11 (Locked)')
    await user.type(screen.getByLabelText('Days'), '30')
    await waitFor(() => expect(address()).toBe('/reporting?report=statement&month=2026-11&days=30'))
    await generate(user)
    await screen.findByRole('table')
    expect(address()).toBe('/reporting?report=statement&month=2026-11&days=30&run=1')
    await user.click(within(screen.getByRole('columnheader', { name: 'NAME' })).getByRole('button'))
    expect(names()).toEqual(['a', 'b', 'c'])
    expect(address()).toBe('/reporting?report=statement&month=2026-11&days=30&sort=name&run=1')
  })

  it('is undone by Back: the result before is generated again, then no report is chosen', async () => {
    const { choose, user, address, navigate, calls } = open('/reporting')
    await choose('Statement')
    await user.selectOptions(screen.getByLabelText(/^Month/), 'Month 11 (Locked)')
    await generate(user)
    await screen.findByRole('table')
    await user.selectOptions(screen.getByLabelText(/^Month/), 'Month 12 (Open)')
    await waitFor(() => expect(address()).toBe('/reporting?report=statement&month=2026-12'))
    await navigate(-1)
    await waitFor(() => expect(calls.generate).toHaveLength(2))
    expect(calls.generate[1]?.values).toEqual({ month: '2026-11' })
    expect(await screen.findByRole('table')).toBeVisible()
    expect(screen.getByLabelText(/^Month/)).toHaveDisplayValue('Month 11 (Locked)')
    expect(screen.queryByText(/Generate the report again/)).toBeNull()
    await navigate(-1)
    await waitFor(() => expect(screen.getByLabelText('Report')).toHaveDisplayValue('Select an Option'))
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.getByRole('heading', { name: 'Portfolio' })).toBeVisible()
  })

  it('takes the mark of a generated report away when it is cancelled', async () => {
    const { choose, user, address } = draw({ types, result, places: [3] })
    await choose('Users')
    await generate(user)
    await waitFor(() => expect(address()).toBe('/reporting?report=users&run=1'))
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(address()).toBe('/reporting?report=users'))
  })

  it('keeps the mark of a generated report when the question before a lock is left', async () => {
    const { user, address } = draw({
      types: [typeOf('Statement', monthInput('Open'))],
      result,
      viewer: viewerWith('lock_reports'),
      at: '/reporting?report=statement&month=2026-12&run=1',
    })
    await screen.findByRole('table')
    await user.click(screen.getByRole('button', { name: 'Lock Report' }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(address()).toBe('/reporting?report=statement&month=2026-12&run=1')
  })

  it('sends the sort of the screen with a download', async () => {
    const { user, calls } = open('/reporting?report=users&sort=-name&run=1')
    await screen.findByRole('table')
    expect(names()).toEqual(['c', 'b', 'a'])
    await user.click(screen.getByRole('button', { name: 'Download Report' }))
    await waitFor(() => expect(calls.download).toMatchObject([{ format: 'xlsx', sort: '-name' }]))
  })
})

describe('an address that somebody opens', () => {
  it('chooses the report, fills in its inputs and generates it, sorted', async () => {
    const { calls, address } = open(
      '/reporting?report=statement&month=2026-12&days=7&from=2026-03-09&city=Leeds&sort=name&run=1',
    )
    expect(await screen.findByRole('table')).toBeVisible()
    expect(calls.generate.map(({ values }) => values)).toEqual([
      { month: '2026-12', days: 7, from: '2026-03-09', city: 'Leeds' },
    ])
    expect(names()).toEqual(['a', 'b', 'c'])
    expect(address()).toContain('&run=1')
  })

  it('without the mark fills in the inputs and generates nothing', async () => {
    const { calls } = open('/reporting?report=statement&month=2026-12')
    await waitFor(() => expect(screen.getByLabelText(/^Month/)).toHaveDisplayValue('Month 12 (Open)'))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Generate Report' })).toBeEnabled())
    expect(calls.generate).toEqual([])
  })

  it.each([
    ['report=nothing&run=1', 'You can run no report named “nothing”.'],
    [`report=${'x'.repeat(61)}`, `You can run no report named “${'x'.repeat(60)}”.`],
    [
      'report=statement&month=2031-01&run=1',
      'Month must be one of the offered values; the address has “2031-01”.',
    ],
    ['report=statement&month=2026-12&days=x&run=1', 'Days must be a whole number; the address has “x”.'],
    [
      'report=statement&month=2026-12&from=02/30/2026&run=1',
      'From must be a date as YYYY-MM-DD; the address has “02/30/2026”.',
    ],
    [
      `report=statement&month=2026-12&days=${'x'.repeat(61)}&run=1`,
      `Days must be a whole number; the address has “${'x'.repeat(60)}”.`,
    ],
    ['report=statement&month=2026-12&town=x&run=1', 'town is no input of Statement; the address has “x”.'],
    ['report=statement&run=1', 'Month is required.'],
  ])('as ?%s says what is wrong and generates nothing', async (search, sentence) => {
    const { calls } = open(`/reporting?${search}`)
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(calls.generate).toEqual([])
    expect(screen.getByRole('heading', { name: 'Reporting' })).toBeVisible()
  })

  it.each(['other', '-bank', '--name'])(
    'sorted by %s says that the rows cannot be, and shows them as they came',
    async (sort) => {
      open(`/reporting?report=users&sort=${sort}&run=1`)
      expect(await screen.findByText(`The rows cannot be sorted by “${sort}”.`)).toBeVisible()
      expect(names()).toEqual(['b', 'a', 'c'])
    },
  )

  it('is followed also when the screen is already there, and a sentence goes with the next choice', async () => {
    const { navigate, choose, calls } = open('/reporting?report=nothing')
    expect(await screen.findByText(/You can run no report/)).toBeVisible()
    await choose('Users')
    await waitFor(() => expect(screen.queryByText(/You can run no report/)).toBeNull())
    await navigate('/reporting?report=statement&month=2026-11&run=1')
    await waitFor(() => expect(calls.generate).toMatchObject([{ values: { month: '2026-11' } }]))
  })
})

describe('the parameters of an address', () => {
  test('are read as they were written', () => {
    const values = { month: '2026-12', days: 0, from: '2026-02-28', city: 'a&b=c d+é' }
    const address = readAddress(writeAddress(statement, values, { sort: '-name', isRun: true }))
    expect(address).toMatchObject({ report: 'statement', sort: '-name', isRun: true })
    expect(readAddressValues(statement, address.parameters)).toEqual({ values, faults: [] })
  })

  test.each([
    ['days', '999999999', true],
    ['days', '1000000000', false],
    ['days', '-1', false],
    ['from', '2028-02-29', true],
    ['from', '2026-02-29', false],
    ['city', 'x'.repeat(200), true],
    ['city', 'x'.repeat(201), false],
    ['month', '2026-10', false],
  ])('of %s as %s are a value: %s', (name, text, isValue) => {
    expect(readAddressValues(statement, { [name]: text }).faults.length === 0).toBe(isValue)
  })

  test('that are no inputs have names that no input of the catalogue has', () => {
    const inputs = catalogue.flatMap((report) => Object.keys(report.inputs))
    expect(inputs.filter((name) => (reservedParameters as readonly string[]).includes(name))).toEqual([])
  })
})
