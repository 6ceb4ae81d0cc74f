import { cleanup, render, screen } from '@testing-library/react'
import { useSelector } from '@xstate/react'
import { expect, test } from 'vitest'
import { createActor, fromPromise, waitFor } from 'xstate'
import { bulkMachine, type BulkDone } from '../../../machines/bulk.machine.ts'
import type { BulkPreview, BulkRequest } from '../../../schemas/api/bulk/bulk.ts'
import { merchant } from '../../../schemas/entities/merchant.ts'
import { BulkDialog } from '../../../src/features/bulk/BulkDialog.tsx'
import { manager } from '../entity/entityScreen.tsx'
import { newUser } from '../newUser.ts'
import { fakeSession } from '../sessionContext.tsx'

const preview = { fingerprint: '0', changes: [], morechanges: 0, refusals: [], morerefused: 0 }
/** Two merchants of which one would change unless another count is given; a change is never done. */
const begin = (changed = 1, operation: 'set' | 'reassign' | 'remove' = 'set') => {
  const answer: BulkPreview = { ...preview, changed, unchanged: 0, refused: 0 }
  const machine = bulkMachine.provide({
    actors: {
      preview: fromPromise<BulkPreview, BulkRequest>(async () => answer),
      commit: fromPromise<BulkDone, { request: BulkRequest; fingerprint: string }>(
        () => new Promise(() => {}),
      ),
    },
  })
  const actor = createActor(machine).start()
  const records = [1, 2].map((id) => ({ id, version: 1 }))
  actor.send({ type: 'rows', records })
  actor.send({ type: 'select', records })
  actor.send({ type: 'begin', operation })
  return actor
}
type Actor = ReturnType<typeof begin>
const Dialog = ({ actor, fields }: { actor: Actor; fields: readonly string[] }) => (
  <BulkDialog
    entity={merchant}
    bulk={{ operations: { fields, reassign: 'status', remove: true }, viewer: manager }}
    snapshot={useSelector(actor, (state) => state)}
    send={actor.send}
    count={2}
    searchRecords={async () => []}
  />
)
const both: readonly string[] = ['status', 'notes']
const draw = (actor: Actor, { fields = both, person = fakeSession() } = {}) =>
  render(person.drawnFor(<Dialog {...{ actor, fields }} />))
const field = (name: string) => screen.findByRole('textbox', { name })
const button = (name: string | RegExp) => screen.getByRole('button', { name })

test('what was typed when the session ended is offered for the same operation alone, while its field may be set', async () => {
  const offered = async (fields: readonly string[], operation?: 'reassign') => {
    draw(begin(1, operation), { fields })
    await screen.findByRole('button', { name: 'Preview' })
    const count = screen.queryAllByText('Restore what you typed?').length
    cleanup()
    return count
  }
  const person = fakeSession()
  draw(begin(), { person })
  await newUser().type(await field('Status'), 'Live')
  person.end()
  cleanup()
  expect(await offered(['notes'])).toBe(0)
  expect(await offered(both, 'reassign')).toBe(0)
  expect(await offered(both)).toBe(1)
})

test('what was typed when the session ended is offered no more once another value was previewed', async () => {
  const person = fakeSession()
  draw(begin(), { person })
  await newUser().type(await field('Status'), 'Live')
  person.end()
  cleanup()
  const actor = begin()
  draw(actor)
  expect(await screen.findByText('Restore what you typed?')).toBeVisible()
  await newUser().type(await field('Status'), 'New')
  await newUser().click(button('Preview'))
  await waitFor(actor, (state) => state.matches('previewed'))
  cleanup()
  draw(begin())
  await screen.findByRole('button', { name: 'Preview' })
  expect(screen.queryByText('Restore what you typed?')).toBeNull()
})

test('what was typed into a field is kept while another one is looked at', async () => {
  draw(begin())
  const choose = (name: string) => newUser().selectOptions(screen.getByLabelText('Field'), name)
  await newUser().type(await field('Status'), 'Live')
  await choose('Notes')
  await newUser().type(await field('Notes'), 'Called')
  await choose('Status')
  expect(await field('Status')).toHaveValue('Live')
})

test.each([
  [0, 'Change 0 merchants', true],
  [1, 'Change 1 merchant', false],
])('of %i records that would change the button %s is closed: %s', async (changed, name, isClosed) => {
  const actor = begin(changed)
  actor.send({ type: 'preview', values: { status: 'Live' } })
  await waitFor(actor, (state) => state.matches('previewed'))
  draw(actor)
  expect(button(name).matches(':disabled')).toBe(isClosed)
})

test.each([
  ['set', ['Cancel', 'Back', 'Change 1 merchant']],
  ['reassign', ['Cancel', 'Back', 'Change 1 merchant']],
  ['remove', ['Cancel', 'Delete 1 merchant']],
] as const)('the preview of the operation %s offers %j', async (operation, offered) => {
  const actor = begin(1, operation)
  if (operation !== 'remove') actor.send({ type: 'preview', values: { status: 'Live' } })
  await waitFor(actor, (state) => state.matches('previewed'))
  draw(actor)
  const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent)
  expect(buttons.filter((text) => text !== '')).toEqual(offered)
})

test('while a change is made it can neither be left nor gone back from', async () => {
  const actor = begin()
  actor.send({ type: 'preview', values: { status: 'Live' } })
  await waitFor(actor, (state) => state.matches('previewed'))
  draw(actor)
  const names = ['Cancel', 'Back']
  expect(names.map((name) => button(name).matches(':disabled'))).toEqual([false, false])
  await newUser().click(button('Change 1 merchant'))
  expect(names.map((name) => button(name).matches(':disabled'))).toEqual([true, true])
})
