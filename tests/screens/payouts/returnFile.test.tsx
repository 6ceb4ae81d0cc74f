import { render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fromPromise } from 'xstate'
import { decisionMachine, type DecisionSubject } from '../../../machines/decision.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import { ReadReturnFile } from '../../../src/features/payouts/ReturnFile.tsx'
import { newUser } from '../newUser.ts'
import { returnReply } from './returnReply.ts'

/** Chooses a return file and resolves once it is shown. Booking it ends when `booked` does, by default never. */
const choose = async (booked: Promise<void> = new Promise(() => {})) => {
  const check = loadMachine.provide({ actors: { load: fromPromise<unknown>(async () => returnReply) } })
  const book = decisionMachine.provide({
    actors: {
      decide: fromPromise<unknown, { subject: DecisionSubject | null; text: string }>(() => booked),
    },
  })
  const { container } = render(<ReadReturnFile returnFile={() => ({ check, book })} onBooked={() => {}} />)
  const user = newUser()
  await user.upload(container.querySelector<HTMLInputElement>('input[type=file]')!, new File(['x'], 'r.txt'))
  await screen.findByRole('button', { name: 'Book All' })
  return user
}
const dialogs = () => screen.queryAllByRole('dialog', { name: 'Return file r.txt' }).length
const press = (name: string) => newUser().click(screen.getByRole('button', { name }))

test.each([
  ['its Cancel', () => press('Cancel')],
  ['its cross', () => press('Close')],
  [
    'Escape',
    () => {
      screen.getByRole('button', { name: 'Close' }).focus()
      return newUser().keyboard('{Escape}')
    },
  ],
])('the dialog of a return file is closed by %s, but not while it is being booked', async (_, close) => {
  const user = await choose()
  await close()
  await waitFor(() => expect(dialogs()).toBe(0))

  await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, new File(['x'], 'r.txt'))
  await user.click(await screen.findByRole('button', { name: 'Book All' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled())
  await close()
  expect(dialogs()).toBe(1)
})

test('what was booked is said until another file is chosen', async () => {
  const user = await choose(Promise.resolve())
  await user.click(screen.getByRole('button', { name: 'Book All' }))
  expect(await screen.findByText('Booked: 1 return of $12.00.')).toBeVisible()
  await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, new File(['x'], 'r.txt'))
  await screen.findByRole('button', { name: 'Book All' })
  expect(screen.queryByText('Booked: 1 return of $12.00.')).toBeNull()
})
