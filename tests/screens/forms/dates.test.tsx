import { render, screen, within } from '@testing-library/react'
import { Settings } from 'luxon'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { processor } from '../../../schemas/entities/processor.ts'
import { EntityForm } from '../../../src/forms/EntityForm.tsx'
import { dayOf, secondsOf } from '../../../src/forms/seconds.ts'
import { newUser } from '../newUser.ts'
import { drawForm, inDialog, viewerWith } from './form.tsx'

const zone = process.env.TZ
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
  Settings.defaultZone = 'system'
  vi.useRealTimers()
})

describe.each([
  ['America/Los_Angeles', 480],
  ['Pacific/Auckland', -780],
  ['UTC', 0],
])('dates are UTC calendar dates, whatever the zone of the browser: %s', (name, minutesWest) => {
  test('the test runs in this zone', () => {
    process.env.TZ = name
    expect(new Date(2026, 0, 2).getTimezoneOffset()).toBe(minutesWest)
  })
  test.each([
    ['2026-01-02', 1_767_312_000],
    ['1970-01-02', 86_400],
    ['2024-02-29', 1_709_164_800],
    ['2026-03-08', 1_772_928_000],
    ['2026-09-27', 1_790_467_200],
    ['9999-12-31', 253_402_214_400],
  ])('%s is %i', (day, seconds) => {
    process.env.TZ = name
    expect(secondsOf(day)).toBe(seconds)
    expect(dayOf(seconds)).toBe(day)
  })
  test('a date is shown as stored, and opening and saving never moves it', async () => {
    process.env.TZ = name
    const { user, save, onSave } = drawForm({
      row: { id: 1, version: 1, name: 'A', agent: 1, day: 1_767_312_000, labels: { agent: 'A' } },
    })
    expect(screen.getByLabelText('Day')).toHaveDisplayValue('2026-01-02')
    await user.clear(screen.getByLabelText('Day'))
    await user.type(screen.getByLabelText('Day'), '2026-01-02')
    await save()
    expect(onSave).toHaveBeenLastCalledWith({ version: 1 })
    await user.clear(screen.getByLabelText('Day'))
    await user.type(screen.getByLabelText('Day'), '2026-01-03')
    await save()
    expect(onSave).toHaveBeenLastCalledWith({ version: 1, day: 1_767_398_400 })
  })
})

describe('0 and null are both empty', () => {
  test.each([0, null, undefined, 8_640_000_000_001, Number.NaN])('%s is no day', (seconds) =>
    expect(dayOf(seconds)).toBe(''),
  )
  test.each(['', '2026-1-2', '2026-02-30', 'x', '12026-01-01'])('%j is no day', (day) =>
    expect(secondsOf(day)).toBeNull(),
  )
})

// Half past seven in the evening of New Year's Eve in New York.
test.each([
  ['America/New_York', 'January 2027', 'January 2024'],
  ['UTC', 'February 2027', 'February 2024'],
])('in %s the months offered begin with the one after the current one there', (name, first, last) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2027, 0, 1, 0, 30) })
  Settings.defaultZone = name
  drawForm()
  const months = within(screen.getByLabelText('Period')).getAllByRole('option')
  expect(months).toHaveLength(38)
  expect([months[1]?.textContent, months.at(-1)?.textContent]).toEqual([first, last])
})

test.each([
  ['2024-02', 38, 'February 2024'],
  ['2024-01', 39, 'January 2024'],
  ['2019-02', 39, 'February 2019'],
])(
  'a record of the month %s is offered %i choices, the last of them %s, which is chosen',
  (period, count, last) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2027, 0, 1, 0, 30) })
    Settings.defaultZone = 'UTC'
    drawForm({ row: { id: 7, version: 1, name: 'A', agent: 1, period } })
    const field = screen.getByLabelText('Period')
    const months = within(field).getAllByRole('option')
    expect(months).toHaveLength(count)
    expect([months[1], months[37], months.at(-1)].map((it) => it?.textContent)).toEqual([
      'February 2027',
      'February 2024',
      last,
    ])
    expect(field).toHaveDisplayValue(last)
  },
)

test('a month that may be none is taken away by choosing None', async () => {
  const onSave = vi.fn()
  const row = { id: 7, version: 1, name: 'Aurora', othernames: '', expected: 1, since: '2026-01' }
  const props = { row, faults: {}, busy: false, searchRecords: async () => [], onChange() {}, formId: 'it' }
  render(
    inDialog(
      <EntityForm {...props} entity={processor} viewer={viewerWith('lock_reports')} onSave={onSave} />,
    ),
  )
  const user = newUser()
  await user.selectOptions(await screen.findByLabelText('Expected Since'), 'None')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(onSave).toHaveBeenCalledExactlyOnceWith({ version: 1, since: null })
})
