import { render, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, describe, expect, test } from 'vitest'
import { fromPromise } from 'xstate'
import { loadMachine } from '../../../machines/load.machine.ts'
import type { Draft } from '../../../machines/modal.machine.ts'
import type { AgentRates } from '../../../schemas/api/agentRates.ts'
import { masterAgent, rateFields } from '../../../schemas/entities/masterAgent.ts'
import type { Permission } from '../../../schemas/permissions.ts'
import { LateNotice } from '../../../src/features/entity/record/LateNotice.tsx'
import { RecordRates } from '../../../src/features/entity/record/RecordRates.tsx'
import { EntityForm } from '../../../src/forms/EntityForm.tsx'
import { newUser } from '../newUser.ts'
import { viewerWith } from './entityScreen.tsx'

const changedat = Date.UTC(2026, 9, 5, 15) / 1000
const rates: AgentRates = {
  data: [
    {
      field: 'amountcommissionreceived',
      from: '2026-11',
      value: 1_234.5,
      username: 'cleo',
      changedat,
    },
    { field: 'percentagecommissionreceived', from: '2026-10', value: 62.5, username: 'ann', changedat },
    { field: 'percentagecommissionreceived', from: null, value: null, username: 'ann', changedat },
  ],
  ratesfrom: '2026-10',
  months: ['2026-12', '2026-11', '2026-10', '2026-09'],
}
const row = {
  id: 7,
  version: 1,
  name: 'North',
  parentid: 0,
  percentagecommissionreceived: 62.5,
  amountcommissionreceived: 1_234.5,
}
const saves: Draft[] = []
const dirties: boolean[] = []
beforeEach(() => {
  saves.length = 0
  dirties.length = 0
})

const show = async ({
  answers = [rates] as (AgentRates | null)[],
  given = ['edit_commission', 'manage_master_agents'] as Permission[],
  restored = undefined as Draft | undefined,
} = {}) => {
  const left = [...answers]
  const machineOf = () =>
    loadMachine.provide({
      actors: {
        load: fromPromise<unknown>(async () => {
          const answer = left.shift()
          if (!answer) throw new Error('no answer')
          return answer
        }),
      },
    })
  render(
    <RecordRates
      id={7}
      machineOf={machineOf}
      form={(offeredMonths) => (
        <>
          <EntityForm
            entity={masterAgent}
            viewer={viewerWith(...given)}
            row={row}
            faults={{}}
            busy={false}
            searchRecords={async () => []}
            offeredMonths={offeredMonths}
            {...(restored && { restoredValues: restored })}
            onChange={(dirty) => dirties.push(dirty)}
            onSave={(draft) => saves.push(draft)}
            formId="it"
          />
          <button type="submit" form="it">
            Save
          </button>
        </>
      )}
    />,
  )
  await screen.findByLabelText('Percentage Commission Received')
}
const user = newUser()
const retype = async (label: string, text: string) => {
  const field = screen.getByLabelText(label)
  await user.clear(field)
  await user.type(field, text)
}
const fromMonth = () => screen.queryByLabelText<HTMLSelectElement>('From Month')
const save = async () => {
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saves).toHaveLength(1))
  return saves[0]
}
const rateLabels = rateFields.map((field) => [field, masterAgent.schema.properties[field].title] as const)

describe('From Month', () => {
  test.each(rateLabels)('appears with the default preselected while %s is changed', async (field, label) => {
    await show()
    expect(fromMonth()).toBeNull()
    await retype(label, '9')
    expect(fromMonth()).toHaveValue('2026-10')
    expect([...fromMonth()!.options].map(({ text }) => text)).toEqual([
      'December 2026',
      'November 2026',
      'October 2026 (default)',
      'September 2026',
    ])
    expect(screen.getByLabelText(label)).toHaveFocus()
    expect(await save()).toEqual({ version: 1, [field]: 9, ratesfrom: '2026-10' })
  })

  test('that was chosen before the session ended stays chosen, although it is no longer offered', async () => {
    await show({ restored: { percentagecommissionreceived: 70, ratesfrom: '2026-08' } })
    expect(fromMonth()).toHaveValue('2026-08')
    expect(fromMonth()!.selectedOptions[0]).toHaveTextContent('August 2026')
  })

  test('that is chosen is sent with the changed rate', async () => {
    await show()
    await retype('Percentage Commission Received', '70')
    await user.selectOptions(fromMonth()!, 'December 2026')
    expect(await save()).toEqual({ version: 1, percentagecommissionreceived: 70, ratesfrom: '2026-12' })
  })

  test('disappears when no rate is changed any more, and is then neither sent nor a change', async () => {
    await show()
    await retype('Percentage Commission Received', '70')
    await user.selectOptions(fromMonth()!, 'December 2026')
    await retype('Percentage Commission Received', '62.5')
    expect(fromMonth()).toBeNull()
    expect(dirties.at(-1)).toBe(false)
    await retype('Name', 'South')
    expect(await save()).toEqual({ version: 1, name: 'South' })
  })

  test('does not appear with a change of anything else', async () => {
    await show()
    await retype('Name', 'South')
    expect(fromMonth()).toBeNull()
    expect(await save()).toEqual({ version: 1, name: 'South' })
  })

  test('is enabled only for people who may change the rates', async () => {
    await show({ given: ['edit_commission'] })
    await retype('Amount Commission Received', '3')
    expect(fromMonth()).toBeEnabled()
    await user.selectOptions(fromMonth()!, 'September 2026')
    expect(await save()).toEqual({ version: 1, amountcommissionreceived: 3, ratesfrom: '2026-09' })
  })
})

describe('the history', () => {
  const cells = async () =>
    within(await screen.findByRole('region', { name: 'Rate History' }))
      .getAllByRole('row')
      .map((line) =>
        within(line)
          .queryAllByRole('cell')
          .map(({ textContent }) => textContent),
      )
      .slice(1)

  test('shows each rate with month, value, user and time, in the order of the answer', async () => {
    await show()
    const found = await cells()
    expect(found.map((line) => line.slice(0, 4))).toEqual([
      ['Amount Commission Received', 'November 2026', '$1,234.50', 'cleo'],
      ['Percentage Commission Received', 'October 2026', '62.5%', 'ann'],
      ['Percentage Commission Received', 'The beginning', 'None', 'ann'],
    ])
    expect(found[0]![4]).toMatch(/^Oct [56], 2026, /)
  })

  test('of an agent without changes says so', async () => {
    await show({ answers: [{ ...rates, data: [] }] })
    expect(await screen.findByText(/^No rate was changed yet/)).toBeVisible()
  })

  test('that could not be loaded leaves the form usable, and can be tried again', async () => {
    await show({ answers: [null, rates] })
    expect(await screen.findByRole('alert')).toHaveTextContent('The history could not be loaded.')
    await retype('Percentage Commission Received', '70')
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await cells()).toHaveLength(3)
    expect(screen.getByLabelText('Percentage Commission Received')).toHaveValue('70')
    expect(await save()).toEqual({ version: 1, percentagecommissionreceived: 70, ratesfrom: '2026-10' })
  })
})

test.each([
  [0, null],
  [1, 'This MID was in a file of locked months before it was known.'],
  [2, 'This MID was in 2 files of locked months before it was known.'],
])('a merchant whose MID was in %i files of locked months has the notice: %s', (latemonths, text) => {
  const row = { id: 7, version: 1, latemonths, xmid: '0012' }
  render(<LateNotice row={row} />, { wrapper: MemoryRouter })
  const note = screen.queryByRole('note', { name: 'Late MID' })
  if (text === null) return expect(note).toBeNull()
  expect(note).toHaveTextContent(text)
  expect(screen.getByRole('link')).toHaveAttribute('href', '/manage/adjustments?search=0012')
})
