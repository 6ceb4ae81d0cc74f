import { render, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fromPromise } from 'xstate'
import { decisionMachine, type DecisionSubject } from '../../../machines/decision.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import type { ReturnFileEntry, ReturnFileReply } from '../../../schemas/api/months/months.ts'
import { ReadReturnFile } from '../../../src/features/payouts/ReturnFile.tsx'
import { newUser } from '../newUser.ts'
import { returnReply } from './returnReply.ts'

/** Chooses a return file and resolves once it is shown. Booking it ends when `booked` does, by default never. */
const choose = async (
  booked: Promise<void> = new Promise(() => {}),
  reply: ReturnFileReply = returnReply,
) => {
  const check = loadMachine.provide({ actors: { load: fromPromise<unknown>(async () => reply) } })
  const book = decisionMachine.provide({
    actors: {
      decide: fromPromise<unknown, { subject: DecisionSubject | null; text: string }>(() => booked),
    },
  })
  const { container } = render(<ReadReturnFile returnFile={() => ({ check, book })} onBooked={() => {}} />)
  const user = newUser()
  await user.upload(container.querySelector<HTMLInputElement>('input[type=file]')!, new File(['x'], 'r.txt'))
  await waitFor(() => expect(screen.queryByLabelText('Reading the file')).toBeNull())
  return user
}
const entryOf = (given: Partial<ReturnFileEntry>): ReturnFileEntry => ({
  ...returnReply.entries[0]!,
  ...given,
})
const rows = () =>
  screen.getAllByRole('row').map((row) => [...row.children].map(({ textContent }) => textContent).join('|'))
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
  expect(screen.getByRole('button', { name: /Book All/ })).toBeDisabled()
  await close()
  expect(dialogs()).toBe(1)
})

const correction = entryOf({ line: 3, kind: 'change', code: 'C01', meaning: '', amount: 7 })
test.each<[booked: string, entries: ReturnFileEntry[]]>([
  ['2 returns of $0.30', [entryOf({ amount: 0.1 }), entryOf({ line: 2, amount: 0.2 })]],
  ['1 return of $12.00 and 1 corrected account', [entryOf({}), correction]],
  ['2 corrected accounts', [correction, { ...correction, line: 4 }]],
  ['1 return of $12.00', [entryOf({}), entryOf({ line: 2, isbooked: false })]],
])('before they are booked it is said that a file holds %s of its day', async (booked, entries) => {
  await choose(undefined, { ...returnReply, entries })
  expect(
    screen.getByText(`${booked} of 03/02/2026. Returns are final: once booked they cannot be taken back.`),
  ).toBeVisible()
  const { line, code, meaning, amount } = entries.at(-1)!
  const what = meaning ? `${code} ${meaning}` : code
  expect(rows().at(-1)).toBe(
    `${line}|MA0002 - North|February 2026|$${amount.toFixed(2)}|${what}|It is due again.`,
  )
})

test.each<[what: string, given: Partial<ReturnFileReply>, said: string, lastRow: string]>([
  [
    'of which all is booked already',
    { entries: [entryOf({ isbooked: false, outcome: 'It is booked already.' })] },
    'There is nothing to book in this file.',
    '1|MA0002 - North|February 2026|$12.00|R01 Insufficient funds|It is booked already.',
  ],
  [
    'in which a line is wrong',
    { faults: [{ line: 7, message: 'The amount is another one' }] },
    'Nothing of the file can be booked while one line is wrong. Choose the right file, or ask the bank for a corrected one.',
    '7|The amount is another one',
  ],
])('a file %s says so and can be closed alone', async (_, given, said, lastRow) => {
  await choose(undefined, { ...returnReply, ...given })
  expect(screen.getByText(said)).toBeVisible()
  expect(rows().at(-1)).toBe(lastRow)
  const foot = within(document.querySelector<HTMLElement>('.bp6-dialog-footer-actions')!)
  expect(foot.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Close'])
})

test('what was booked is said until another file is chosen', async () => {
  const user = await choose(Promise.resolve())
  await user.click(screen.getByRole('button', { name: 'Book All' }))
  expect(await screen.findByText('Booked: 1 return of $12.00.')).toBeVisible()
  await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, new File(['x'], 'r.txt'))
  await screen.findByRole('button', { name: 'Book All' })
  expect(screen.queryByText('Booked: 1 return of $12.00.')).toBeNull()
})
