import { render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fromPromise } from 'xstate'
import { decisionMachine, type DecisionSubject } from '../../../machines/decision.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import type { ReturnFileReply } from '../../../schemas/api/months/months.ts'
import { ReadReturnFile } from '../../../src/features/payouts/ReturnFile.tsx'
import { newUser } from '../newUser.ts'

const reply: ReturnFileReply = {
  committed: false,
  day: '2026-03-02',
  faults: [],
  entries: [
    {
      line: 1,
      kind: 'return',
      trace: '1',
      code: 'R01',
      meaning: 'Insufficient funds',
      masteragentid: 2,
      displayid: 'MA0002',
      name: 'North',
      month: '2026-02',
      amount: 12,
      outcome: 'It is due again.',
      isbooked: true,
    },
  ],
}
/** Chooses a return file, which is shown; what it would book is never answered unless told. */
const choose = async (booked: Promise<void> = new Promise(() => {})) => {
  const check = loadMachine.provide({ actors: { load: fromPromise<unknown>(async () => reply) } })
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
