import { render, screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { AskText } from '../../../src/forms/dialogs/AskText.tsx'
import { newUser } from '../newUser.ts'
import { fakeSession } from '../sessionContext.tsx'

const given = { title: 'Reopen', text: 'Reopen', intent: 'primary', label: 'Reason' } as const

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
    render(
      <AskText
        {...given}
        draftId={null}
        busy={busy}
        minLength={1}
        maxLength={10}
        onCancel={onCancel}
        onText={() => {}}
      />,
    )
    const field = await screen.findByRole('textbox', { name: 'Reason' })
    field.focus()
    await close()
    expect(onCancel).toHaveBeenCalledTimes(busy ? 0 : 1)
  },
)

test('the button that sends keeps the focus while it is busy, and sends nothing then', async () => {
  const onText = vi.fn<(text: string) => void>()
  const dialog = (busy: boolean) => (
    <AskText
      {...given}
      draftId={null}
      busy={busy}
      minLength={1}
      maxLength={10}
      onCancel={() => {}}
      onText={onText}
    />
  )
  const { rerender } = render(dialog(false))
  await newUser().type(await screen.findByRole('textbox', { name: 'Reason' }), 'Why')
  const send = screen.getByRole('button', { name: 'Reopen' })
  await newUser().click(send)
  rerender(dialog(true))
  expect(send).toHaveFocus()
  await newUser().click(send)
  rerender(dialog(false))
  expect(send).toHaveFocus()
  expect(onText.mock.calls).toEqual([['Why']])
})

test.each([
  ['ab', 0, 'Reason needs at least 3 characters'],
  // Too short, and blank: one of both is said.
  ['  ', 0, 'Reason needs at least 3 characters'],
  ['abc', 1, ''],
  ['   ', 0, 'Reason is required'],
  ['1234567890', 1, ''],
  ['123456789😀', 1, ''],
  ['1234567890😀', 0, 'Reason may have at most 10 characters'],
])('a dialog that asks for 3 to 10 characters takes %j %i times and says %j', async (typed, times, said) => {
  const onText = vi.fn<(text: string) => void>()
  const limits = { minLength: 3, maxLength: 10 }
  render(<AskText {...given} {...limits} draftId={null} busy={false} onCancel={() => {}} onText={onText} />)
  await newUser().type(await screen.findByRole('textbox', { name: 'Reason' }), typed)
  await newUser().click(screen.getByRole('button', { name: 'Reopen' }))
  expect(onText.mock.calls).toEqual(Array.from({ length: times }, () => [typed]))
  expect(screen.getByRole('textbox', { name: 'Reason' })).toHaveAccessibleDescription(said)
})

describe('what was typed in a dialog that asks', () => {
  const ask = async (person: ReturnType<typeof fakeSession>, about = 3) => {
    const onText = vi.fn<(text: string) => void>()
    const dialog = (
      <AskText
        {...given}
        draftId={['hold', about]}
        busy={false}
        minLength={1}
        maxLength={99}
        {...{ onText }}
        onCancel={() => {}}
      />
    )
    const { unmount } = render(person.drawnFor(dialog))
    return { field: await screen.findByRole('textbox', { name: 'Reason' }), onText, unmount }
  }
  /** Types a reason, and leaves the dialog as the end of the session does it, or otherwise. */
  const leave = async (hasEnded: boolean, isSent = false) => {
    const person = fakeSession()
    const { field, unmount } = await ask(person)
    await newUser().type(field, 'Their bank asks')
    if (isSent) await newUser().click(screen.getByRole('button', { name: 'Reopen' }))
    if (hasEnded) person.end()
    unmount()
  }
  const offer = () => screen.queryByText('Restore what you typed?')

  test.each([
    ['while it was open', false],
    ['while it was sent', true],
  ])('is offered to the same user in the same question after the session ended %s', async (_, isSent) => {
    await leave(true, isSent)
    const { field, onText } = await ask(fakeSession())
    expect(offer()).toBeVisible()
    expect(field).toHaveValue('')
    await newUser().click(screen.getByRole('button', { name: 'Restore' }))
    const restored = screen.getByRole('textbox', { name: 'Reason' })
    expect(restored).toHaveValue('Their bank asks')
    expect(restored).toHaveFocus()
    expect(offer()).toBeNull()
    await newUser().click(screen.getByRole('button', { name: 'Reopen' }))
    expect(onText).toHaveBeenCalledWith('Their bank asks')
    expect(sessionStorage).toHaveLength(0)
  })

  test.each([
    ['to another user', true, 'bob', 3],
    ['in a question about something else', true, 'ann', 4],
    ['when it was left while the session lasts', false, 'ann', 3],
  ])('is not offered %s', async (_, hasEnded, username, about) => {
    await leave(hasEnded)
    await ask(fakeSession(username), about)
    expect(offer()).toBeNull()
  })

  test('and removed again is no draft', async () => {
    const person = fakeSession()
    const { field, unmount } = await ask(person)
    await newUser().type(field, 'x')
    await newUser().clear(field)
    person.end()
    unmount()
    expect(sessionStorage).toHaveLength(0)
  })

  test('is stored as a draft again when the session ends again after it was restored', async () => {
    await leave(true)
    const person = fakeSession()
    const { unmount } = await ask(person)
    await newUser().click(screen.getByRole('button', { name: 'Restore' }))
    person.end()
    unmount()
    await ask(fakeSession())
    expect(offer()).toBeVisible()
  })

  test.each([
    ['it is not wanted', 'Forget it'],
    ['something else was sent', 'Reopen'],
  ])('is offered no more once %s', async (_, button) => {
    await leave(true)
    const { field } = await ask(fakeSession())
    await newUser().type(field, 'Another one')
    await newUser().click(screen.getByRole('button', { name: button }))
    expect(offer()).toBeNull()
    expect(sessionStorage).toHaveLength(0)
  })
})
