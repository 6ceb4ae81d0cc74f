import { render, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fromPromise } from 'xstate'
import { decisionMachine, type DecisionSubject } from '../../../machines/decision.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import type { OpenSession } from '../../../schemas/api/accounts/openSessions.ts'
import { SessionList } from '../../../src/features/sessions/SessionList.tsx'
import { newUser } from '../newUser.ts'

const begun = Date.UTC(2026, 9, 5, 15) / 1000
const session = (id: number, more: Partial<OpenSession> = {}): OpenSession => ({
  id,
  device: 'Firefox on Windows',
  address: `192.0.2.${id}`,
  begun,
  lastused: begun + 3_600,
  current: false,
  ...more,
})
const current = session(1, { device: 'Chrome on macOS', current: true })

/** Shows a list whose loads are answered in turn, null being a failure; tells what was ended. */
const show = (answers: (OpenSession[] | null)[], ends: (() => Promise<void>)[] = []) => {
  const ended: (DecisionSubject | null)[] = []
  const machinesOf = () => ({
    list: loadMachine.provide({
      actors: {
        load: fromPromise<unknown>(async () => {
          const answer = answers.shift()
          if (!answer) throw new Error('no answer')
          return answer
        }),
      },
    }),
    end: decisionMachine.provide({
      actors: {
        decide: fromPromise<unknown, { subject: DecisionSubject | null; text: string }>(async ({ input }) => {
          ended.push(input.subject)
          await ends.shift()?.()
        }),
      },
    }),
  })
  render(<SessionList user={7} machinesOf={machinesOf} />)
  return { user: newUser(), ended }
}
const rows = async () =>
  (await screen.findAllByRole('row')).slice(1).map((row) =>
    within(row)
      .getAllByRole('cell')
      .map((it) => it.textContent),
  )

test('every session has device, address and times, the one in use no button', async () => {
  show([[current, session(2)]])
  const [own, other] = await rows()
  expect([own![0], own![1], own![4]]).toEqual(['Chrome on macOS', '192.0.2.1', 'This session'])
  expect([other![0], other![1], other![4]]).toEqual(['Firefox on Windows', '192.0.2.2', 'End'])
  expect(other![2]).toMatch(/2026/)
  expect(other![3]).not.toBe(other![2])
  expect(screen.queryByRole('button', { name: 'End all others' })).toBeNull()
})

test('one is ended after a question, and the list is read again', async () => {
  const { user, ended } = show([
    [current, session(2), session(3)],
    [current, session(3)],
  ])
  await user.click(
    await screen.findByRole('button', { name: 'End the session of Firefox on Windows from 192.0.2.2' }),
  )
  const question = await screen.findByRole('alertdialog', {
    name: 'End the session of Firefox on Windows from 192.0.2.2?',
  })
  expect(ended).toEqual([])
  await user.click(within(question).getByRole('button', { name: 'End' }))
  await waitFor(() => expect(screen.queryByText('192.0.2.2')).toBeNull())
  expect(ended).toMatchObject([{ name: 'session', id: 2 }])
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await waitFor(() => expect(screen.getByRole('region', { name: 'Sessions' })).toHaveFocus())
})

test('nothing is ended when the question is cancelled, and it stays open when ending fails', async () => {
  const fail = async () => {
    throw new Error('no answer')
  }
  const { user, ended } = show([[current, session(2)]], [fail])
  const ask = async () => {
    await user.click(await screen.findByRole('button', { name: /^End the session/ }))
    return screen.findByRole('alertdialog')
  }
  await user.click(within(await ask()).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await waitFor(() => expect(screen.getByRole('button', { name: /^End the session/ })).toHaveFocus())
  expect(ended).toEqual([])
  await user.click(within(await ask()).getByRole('button', { name: 'End' }))
  await waitFor(() => expect(ended).toHaveLength(1))
  expect(screen.getByRole('alertdialog')).toBeVisible()
})

test('a session is ended once: while that is on its way the button does nothing', async () => {
  const { user, ended } = show([[current, session(2)]], [() => new Promise(() => {})])
  await user.click(await screen.findByRole('button', { name: /^End the session/ }))
  const end = within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'End' })
  await user.click(end)
  await waitFor(() => expect(end).toHaveAttribute('aria-disabled', 'true'))
  await user.click(end)
  expect(ended).toHaveLength(1)
})

test.each([
  ['End all others', [current, session(2), session(3)], [current]],
  ['End all', [session(2), session(3)], []],
])('%s ends the others at once', async (text, before, after) => {
  const { user, ended } = show([before, after])
  await user.click(await screen.findByRole('button', { name: text }))
  const question = await screen.findByRole('alertdialog', { name: `${text}?` })
  await user.click(within(question).getByRole('button', { name: 'End' }))
  await waitFor(() => expect(screen.queryByText('192.0.2.3')).toBeNull())
  expect(ended).toMatchObject([{ name: 'all' }])
  if (after.length === 0) expect(screen.getByText('This user has no open session.')).toBeVisible()
})

test('a list that could not be loaded says so, and is loaded again', async () => {
  const { user } = show([null, [current]])
  expect(await screen.findByRole('alert')).toHaveTextContent('The sessions could not be loaded.')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await rows()).toHaveLength(1)
})
