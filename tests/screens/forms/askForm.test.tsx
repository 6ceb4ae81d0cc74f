import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AskText } from '../../../src/forms/dialogs/AskText.tsx'
import { newUser } from '../newUser.ts'

test.each([
  [false, 'its Cancel', async () => newUser().click(screen.getByRole('button', { name: 'Cancel' }))],
  [false, 'its cross', async () => newUser().click(screen.getByRole('button', { name: 'Close' }))],
  [false, 'Escape', async () => newUser().keyboard('{Escape}')],
  [true, 'its Cancel', async () => newUser().click(screen.getByRole('button', { name: 'Cancel' }))],
  [true, 'its cross', async () => newUser().click(screen.getByRole('button', { name: 'Close' }))],
  [true, 'Escape', async () => newUser().keyboard('{Escape}')],
])(
  'a dialog that asks, and is busy (%s), is closed by %s only while it is not busy',
  async (busy, _, close) => {
    const onCancel = vi.fn<() => void>()
    const given = { title: 'Reopen', text: 'Reopen', intent: 'primary', label: 'Reason' } as const
    render(
      <AskText {...given} busy={busy} minLength={1} maxLength={10} onCancel={onCancel} onText={() => {}} />,
    )
    const field = await screen.findByRole('textbox', { name: 'Reason' })
    field.focus()
    await close()
    expect(onCancel).toHaveBeenCalledTimes(busy ? 0 : 1)
  },
)
