import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { describe, expect, it, test, vi } from 'vitest'
import type { Finding } from '../../../schemas/api/months/months.ts'
import { permissions } from '../../../schemas/permissions.ts'
import { Failure } from '../../../src/api/failure.ts'
import { LockFindings } from '../../../src/features/findings/LockFindings.tsx'
import { ReportUnlock } from '../../../src/features/reports/ReportUnlock.tsx'
import { viewerWith } from '../forms/form.tsx'
import { newUser } from '../newUser.ts'
import { fakeSession } from '../sessionContext.tsx'
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
    expect(reason.tagName).toBe('TEXTAREA')
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

const finding = (kind: string, of: string, more: Partial<Finding> = {}): Finding => ({
  key: `${kind}:${of}`,
  kind,
  severity: 'warning',
  what: 'The MID is not in the portfolio',
  where: of,
  amount: null,
  link: null,
  waiver: null,
  ...more,
})
const mid = (n: number, amount: number) =>
  finding('unknown-mid', `Aurora 40${n}`, { amount, link: `/manage/merchants?search=40${n}` })
const total = finding('stated-total', 'Borealis', {
  what: 'The stated total differs from the file',
  where: 'Borealis: stated $1.01, in the file $1.00',
  amount: -0.01,
  link: '/manage/statements?open=7',
})
const held = (of: string, what: string, amount: number) => finding('hold', of, { what, amount })
const refused = (...findings: Finding[]) =>
  new Failure(409, `${findings.length} warnings are not waived`, { code: 'findings', findings })
const enough = '0123456789'

/** Somebody locks Month 12, and the first answers are refusals. */
const locking = async (...refusals: unknown[]) => {
  const drawn = draw({
    types: [typeOf('Statement', monthInput('Open'))],
    viewer: of(false, true),
    refusals,
  })
  await drawn.choose('Statement')
  await drawn.user.selectOptions(await screen.findByRole('combobox', { name: 'Month' }), 'Month 12 (Open)')
  await drawn.user.click(await screen.findByRole('button', { name: 'Lock Report' }))
  await drawn.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Lock' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Lock Report' }))
  return { ...drawn, dialog, press: (name: string) => drawn.user.click(dialog.getByRole('button', { name })) }
}
const done = 'Month 12 is locked: version 1, hash 0123456789ab.'

describe('a lock that is refused for findings', () => {
  it('shows them by kind with count and sum, each with a link to its record', async () => {
    const { dialog } = await locking(
      refused(
        mid(1, 1000.5),
        mid(2, -0.25),
        total,
        held('MA0002', 'No bank data', 12),
        held('MA0003', 'Routing number fails its check', 30),
        finding('month-not-over', 'Month 12', { what: 'The month is not over' }),
      ),
    )
    expect(dialog.getByText(/^6 warnings are not waived/)).toBeVisible()
    const groups = dialog.getAllByRole('group').map((group) => {
      const summary = group.querySelector('summary')
      return summary && [...summary.children].map((part) => part.textContent)
    })
    expect(groups.filter(Boolean)).toEqual([
      ['The MID is not in the portfolio', '2', '$1,000.25'],
      ['The stated total differs from the file', '1', '-$0.01'],
      ['What is due cannot be paid', '2', '$42.00'],
      ['The month is not over', '1'],
    ])
    expect(dialog.getByRole('link', { name: 'Aurora 402' })).toHaveAttribute(
      'href',
      '/manage/merchants?search=402',
    )
    expect(dialog.getByRole('link', { name: total.where })).toHaveAttribute(
      'href',
      '/manage/statements?open=7',
    )
    const lines = ['MA0002: No bank data', 'MA0003: Routing number fails its check']
    for (const line of lines) expect(dialog.getByText(line)).toBeInTheDocument()
    expect(dialog.getByText('Month 12').textContent).toBe('Month 12')
  })

  it.each([
    [1, /^1 warning is not waived\./],
    [2, /^2 warnings are not waived\./],
  ])('says of %i that it is, or they are, not waived', async (count, text) => {
    const { dialog } = await locking(refused(...Array.from({ length: count }, (_, n) => mid(n, 1))))
    expect(dialog.getByText(text)).toBeVisible()
  })

  it('adds up a kind without the error of adding fractions', async () => {
    const { dialog } = await locking(refused(mid(1, 0.3), mid(2, -0.1), mid(3, -0.2)))
    expect(dialog.getByText('$0.00')).toBeVisible()
  })

  it.each([
    [50, 50, false],
    [51, 50, true],
  ])('of %i of a kind lists %i, and says that there are more: %s', async (count, listed, isCut) => {
    const { dialog } = await locking(refused(...Array.from({ length: count }, (_, n) => mid(n, 1))))
    expect(dialog.getAllByRole('link', { hidden: true })).toHaveLength(listed)
    expect(dialog.queryAllByText(/ more, which /).map(({ textContent }) => textContent)).toEqual(
      isCut ? ['and 1 more, which Month Checklist lists'] : [],
    )
  })

  it('is made again with one reason for all, and one for each stated total', async () => {
    const corona = { ...total, key: 'stated-total:Corona', where: 'Corona: stated $2.00, in the file $1.00' }
    const { dialog, user, calls, press } = await locking(refused(mid(1, 5), total, corona))
    await user.type(await dialog.findByLabelText('Reason for all others'), enough)
    await user.type(dialog.getByLabelText('Reason for Borealis'), 'One cent')
    // In a field of one line, Enter would lock.
    expect(dialog.getAllByRole('textbox').map(({ tagName }) => tagName)).toEqual(Array(3).fill('TEXTAREA'))
    await press('Lock')
    expect(await dialog.findByText('Reason for Corona is required')).toBeVisible()
    expect(dialog.getByText('Reason for Borealis needs at least 10 characters')).toBeVisible()
    expect(calls.lock).toHaveLength(1)
    await user.type(dialog.getByLabelText('Reason for Borealis'), ' of rounding')
    await user.type(dialog.getByLabelText('Reason for Corona'), 'Asked the processor')
    await press('Lock')
    expect(await screen.findByText(done)).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(calls.lock.map(({ waivers }) => waivers)).toEqual([
      null,
      {
        reason: enough,
        stated: {
          'stated-total:Borealis': 'One cent of rounding',
          'stated-total:Corona': 'Asked the processor',
        },
      },
    ])
  })

  it.each([
    ['012345678', false],
    [' 012345678 ', false],
    [enough, true],
    ['01234567890', true],
  ])('with the reason %j is made again: %s', async (reason, isEnough) => {
    const { dialog, user, calls, press } = await locking(refused(mid(1, 5)))
    await waitFor(() => expect(dialog.getByLabelText('Reason')).toHaveFocus())
    await user.type(dialog.getByLabelText('Reason'), reason)
    await press('Lock')
    if (isEnough) expect(await screen.findByText(done)).toBeVisible()
    else expect(await dialog.findByText('Reason needs at least 10 characters')).toBeVisible()
    expect(calls.lock).toHaveLength(isEnough ? 2 : 1)
  })

  it.each([
    [1_000, true],
    [1_001, false],
  ])('with a reason of %i characters is made again: %s', async (length, isTaken) => {
    const { dialog, calls, press } = await locking(refused(mid(1, 5)))
    const reason = await dialog.findByLabelText('Reason')
    fireEvent.change(reason, { target: { value: 'x'.repeat(length) } })
    await press('Lock')
    if (isTaken) expect(await screen.findByText(done)).toBeVisible()
    else await waitFor(() => expect(reason).toBeInvalid())
    expect(calls.lock).toHaveLength(isTaken ? 2 : 1)
  })

  it('and refused again for a stated total asks for that alone, and sends the reason of the others again', async () => {
    const { dialog, user, calls, press } = await locking(refused(mid(1, 5)), refused(total))
    await user.type(await dialog.findByLabelText('Reason'), enough)
    await press('Lock')
    const own = await dialog.findByLabelText('Reason for Borealis')
    expect(dialog.queryByLabelText('Reason')).toBeNull()
    await user.type(own, 'One cent of rounding')
    await press('Lock')
    expect(await screen.findByText(done)).toBeVisible()
    expect(calls.lock.at(-1)!.waivers).toEqual({
      reason: enough,
      stated: { 'stated-total:Borealis': 'One cent of rounding' },
    })
  })

  it('and fails otherwise keeps the reason', async () => {
    const { dialog, user, calls, press } = await locking(refused(mid(1, 5)), new Failure(500, 'An error'))
    await user.type(await dialog.findByLabelText('Reason'), enough)
    await press('Lock')
    await waitFor(() => expect(calls.lock).toHaveLength(2))
    await waitFor(() => expect(dialog.getByLabelText('Reason')).toHaveValue(enough))
    await press('Lock')
    expect(await screen.findByText(done)).toBeVisible()
  })

  it.each([
    ['its Cancel', () => newUser().click(screen.getByRole('button', { name: 'Cancel' }))],
    ['its cross', () => newUser().click(screen.getByRole('button', { name: 'Close' }))],
    ['Escape', () => newUser().keyboard('{Escape}')],
  ])('is left by %s, but not while the lock is made again', async (_, close) => {
    const onCancel = vi.fn<() => void>()
    const given = { month: 'Month 12', findings: [mid(1, 5)], waivers: null, onWaive: () => {}, onCancel }
    const drawn = (busy: boolean) => (
      <MemoryRouter>
        <LockFindings title="Lock Report" {...given} busy={busy} />
      </MemoryRouter>
    )
    const { rerender } = render(drawn(true))
    ;(await screen.findByLabelText('Reason')).focus()
    await close()
    expect(onCancel).not.toHaveBeenCalled()
    rerender(drawn(false))
    await close()
    expect(onCancel).toHaveBeenCalledOnce()
  })

  test.each([
    ['the same figures', mid(1, 5), true],
    ['other figures', mid(1, 6), false],
  ])('keeps its reasons when the session ends, for %s', async (_, shown, isOffered) => {
    const person = fakeSession()
    const drawn = (by: typeof person, finding: Finding) => {
      const given = { month: 'Month 12', findings: [finding], waivers: null, busy: false }
      return by.drawnFor(
        <MemoryRouter>
          <LockFindings title="Lock Report" {...given} onWaive={() => {}} onCancel={() => {}} />
        </MemoryRouter>,
      )
    }
    const { unmount } = render(drawn(person, mid(1, 5)))
    await newUser().type(await screen.findByLabelText('Reason'), enough)
    person.end()
    unmount()
    render(drawn(fakeSession(), shown))
    const reason = () => screen.findByLabelText('Reason')
    expect(await reason()).toHaveValue('')
    const restore = screen.queryByRole('button', { name: 'Restore' })
    expect(restore !== null).toBe(isOffered)
    if (restore) await newUser().click(restore)
    expect(await reason()).toHaveValue(isOffered ? enough : '')
  })

  test('offers no reasons of a session that ended any more once others were sent', async () => {
    const drawn = (by: ReturnType<typeof fakeSession>) => {
      const given = { month: 'Month 12', findings: [mid(1, 5)], waivers: null, busy: false }
      return by.drawnFor(
        <MemoryRouter>
          <LockFindings title="Lock Report" {...given} onWaive={() => {}} onCancel={() => {}} />
        </MemoryRouter>,
      )
    }
    const person = fakeSession()
    const { unmount } = render(drawn(person))
    await newUser().type(await screen.findByLabelText('Reason'), enough)
    person.end()
    unmount()
    render(drawn(fakeSession()))
    expect(screen.getByText('Restore what you typed?')).toBeVisible()
    await newUser().type(await screen.findByLabelText('Reason'), 'Another reason')
    await newUser().click(screen.getByRole('button', { name: 'Lock' }))
    expect(screen.queryByText('Restore what you typed?')).toBeNull()
    expect(sessionStorage).toHaveLength(0)
  })

  it('for a stop offers no way but its link and Cancel', async () => {
    const stop = finding('missing-file', 'Corona', { severity: 'stop', link: '/import/compensation' })
    const { dialog, press } = await locking(refused(stop))
    expect(
      dialog.getByText('Month 12 cannot be locked before this is put right. It cannot be waived.'),
    ).toBeVisible()
    expect(dialog.getByRole('link', { name: 'Corona' })).toHaveAttribute('href', '/import/compensation')
    expect(dialog.queryByRole('textbox')).toBeNull()
    expect(dialog.queryByRole('button', { name: 'Lock' })).toBeNull()
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus())
    await press('Cancel')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(buttons('Lock Report')).toEqual(['enabled'])
  })
})

test('a reason to unlock that was typed when the session ended is offered for the same month alone', async () => {
  const ask = async (month: string, person = fakeSession()) => {
    const given = { busy: false, onUnlock: () => {}, onCancel: () => {} }
    render(person.drawnFor(<ReportUnlock month={month} {...given} />))
    return screen.findByLabelText(/^Reason/)
  }
  const person = fakeSession()
  await newUser().type(await ask('May 2026', person), 'A wrong file')
  person.end()
  cleanup()
  await ask('June 2026')
  expect(screen.queryByText('Restore what you typed?')).toBeNull()
  cleanup()
  await ask('May 2026')
  expect(screen.getByText('Restore what you typed?')).toBeVisible()
})
