import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, test } from 'vitest'
import { permissions } from '../../../schemas/permissions.ts'
import { viewerWith } from '../forms/form.tsx'
import { buttons, draw, input, monthInput, typeOf } from './reportScreen.tsx'

const offers = ['Lock Report', 'Unlock Report']
const of = (admin: boolean, lock: boolean) => ({
  ...viewerWith(
    ...(lock ? (['lock_reports'] as const) : permissions.filter((name) => name !== 'lock_reports')),
  ),
  admin,
})

describe('Lock Report and Unlock Report', () => {
  // lock_reports, administrator, state of the selected option -> what is offered (months 4)
  const table: [lock: boolean, admin: boolean, state: string | undefined | null, ...string[]][] = [
    false,
    true,
  ].flatMap((lock) =>
    [false, true].flatMap((admin) =>
      ([null, undefined, 'Open', 'Reopened', 'Imported', 'Locked'] as const).map(
        (state): [boolean, boolean, string | undefined | null, ...string[]] => {
          if (state === null) return [lock, admin, state]
          if (state === 'Locked') return [lock, admin, state, ...(admin ? ['Unlock Report'] : [])]
          return [lock, admin, state, ...(lock ? ['Lock Report'] : [])]
        },
      ),
    ),
  )
  test.each(table)(
    'with lock_reports %s, as an administrator %s, of a month that is %s: %s',
    async (lock, admin, state, ...offered) => {
      const { choose, user } = draw({
        types: [typeOf('Statement', monthInput(state ?? undefined))],
        viewer: of(admin, lock),
      })
      await choose('Statement')
      const month = await screen.findByRole('combobox', { name: 'Month' })
      if (state !== null) await user.selectOptions(month, within(month).getAllByRole('option')[1]!)
      await waitFor(() => expect(offers.filter((name) => buttons(name).length > 0)).toEqual(offered))
      expect(buttons('Generate Report')).toEqual([state === null ? 'disabled' : 'enabled'])
    },
  )

  it('are not offered for a report without a month', async () => {
    const { choose } = draw({
      types: [typeOf('Portfolio', input('Date', 'From', { isrequired: false }))],
      viewer: of(true, true),
    })
    await choose('Portfolio')
    await waitFor(() => expect(buttons('Generate Report')).toEqual(['enabled']))
    expect(offers.flatMap(buttons)).toEqual([])
  })

  it('locks after a question that names the month, loads the types again and keeps the choice', async () => {
    const { choose, user, calls } = draw({
      types: [typeOf('Statement', monthInput('Open'), input('Text', 'City'))],
      viewer: of(false, true),
    })
    await choose('Statement')
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Month' }), 'Month 12 (Open)')
    const lock = async () => user.click(await screen.findByRole('button', { name: 'Lock Report' }))
    await lock()
    const asked = await screen.findByRole('alertdialog', { name: /^Lock Month 12\? People are paid by it/ })
    await user.click(within(asked).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(calls.lock).toEqual([])
    const before = calls.types
    await lock()
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Lock' }))
    expect(await screen.findByText('Month 12 is locked: version 1, hash 0123456789ab.')).toBeVisible()
    expect(calls.lock).toHaveLength(1)
    expect(calls.types).toBe(before + 1)
    expect(screen.getByLabelText('Report')).toHaveDisplayValue('Statement')
    expect(screen.getByRole('combobox', { name: 'Month' })).toHaveDisplayValue('Month 12 (Open)')
  })

  it('unlocks with a reason, which is required', async () => {
    const { choose, user, calls } = draw({
      types: [typeOf('Statement', monthInput('Locked'))],
      viewer: of(true, false),
    })
    await choose('Statement')
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Month' }), 'Month 12 (Locked)')
    await user.click(await screen.findByRole('button', { name: 'Unlock Report' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Unlock Report' }))
    const reason = await dialog.findByLabelText('Reason')
    await user.type(reason, '  ')
    await user.click(dialog.getByRole('button', { name: 'Unlock' }))
    expect(await dialog.findByText('Reason is required')).toBeVisible()
    expect(calls.unlock).toEqual([])
    await user.type(reason, 'A correction')
    await user.click(dialog.getByRole('button', { name: 'Unlock' }))
    expect(await screen.findByText('Month 12 is unlocked. Version 1 is kept.')).toBeVisible()
    expect(calls.unlock).toMatchObject([{ values: { month: '2026-12' }, reason: '  A correction' }])
  })
})
