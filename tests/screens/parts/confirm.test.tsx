import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Confirm, useFocusAfterQuestion } from '../../../src/parts/Confirm.tsx'
import { useFocusBack } from '../../../src/parts/hooks/focusBack.ts'
import { newUser } from '../newUser.ts'

test.each([[['Delete', 'Cancel']], [['Reload', 'Overwrite', 'Keep editing']], [['OK']]])(
  'a question with the answers %j has the focus on the last, and Escape chooses it',
  async (texts) => {
    const given: string[] = []
    render(
      <Confirm choices={texts.map((text) => ({ text, onClick: () => void given.push(text) }))}>
        Sure?
      </Confirm>,
    )
    const last = texts.at(-1)!
    expect(screen.getByRole('alertdialog', { name: 'Sure?' })).toBeVisible()
    await waitFor(() => expect(screen.getByRole('button', { name: last })).toHaveFocus())
    await newUser().keyboard('{Escape}')
    expect(given).toEqual([last])
  },
)

test('a question stays when somebody clicks beside it, and an answer is given once', async () => {
  const given: string[] = []
  const choices = ['Delete', 'Cancel'].map((text) => ({
    text,
    loading: text === 'Delete',
    onClick: () => void given.push(text),
  }))
  render(<Confirm choices={choices}>Sure?</Confirm>)
  fireEvent.mouseDown(document.querySelector('.bp6-overlay-backdrop')!)
  await newUser().click(screen.getByRole('button', { name: 'Delete' }))
  expect(given).toEqual([])
  // So a failure gives it the focus back.
  expect(screen.getByRole('button', { name: 'Delete' })).toHaveFocus()
  await newUser().click(screen.getByRole('button', { name: 'Cancel' }))
  expect(given).toEqual(['Cancel'])
})

test.each([
  [false, 'nothing'],
  [true, 'the list'],
])(
  'after a question that is closed while its call is under way: %s, %s takes the focus',
  async (isBusy, holder) => {
    const Frame = ({ isAsked, isBusy }: { isAsked: boolean; isBusy: boolean }) => (
      <div ref={useFocusAfterQuestion(isAsked, isBusy)} tabIndex={-1} title="the list" />
    )
    const { rerender } = render(<Frame isAsked={false} isBusy={false} />)
    rerender(<Frame isAsked isBusy={false} />)
    rerender(<Frame isAsked isBusy={isBusy} />)
    rerender(<Frame isAsked={false} isBusy={false} />)
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    const { activeElement } = document
    expect(activeElement === document.body ? 'nothing' : activeElement?.getAttribute('title')).toBe(holder)
  },
)

const noChange = () => {}
test.each<[after: string, change: (asker: HTMLButtonElement) => void, holder: string]>([
  ['nothing else happened', noChange, 'Ask'],
  ['what asked was closed', (asker) => (asker.disabled = true), 'The screen'],
  ['somebody went on with another field', () => screen.getByLabelText('Field').focus(), 'Field'],
])('once a dialog is closed, and %s, the focus is in its place', async (_, change, holder) => {
  const Asked = () => {
    useFocusBack()
    return null
  }
  const page = (isAsked: boolean) => (
    <main id="main" tabIndex={-1} aria-label="The screen">
      <button aria-label="Ask" />
      <input aria-label="Field" />
      {isAsked && <Asked />}
    </main>
  )
  const { rerender } = render(page(false))
  const asker = screen.getByRole<HTMLButtonElement>('button', { name: 'Ask' })
  asker.focus()
  rerender(page(true))
  asker.blur()
  rerender(page(false))
  change(asker)
  await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
  expect(document.activeElement?.getAttribute('aria-label')).toBe(holder)
})
