import { cleanup, render, screen, waitFor as waitForUi } from '@testing-library/react'
import { useSelector } from '@xstate/react'
import { expect, test } from 'vitest'
import { createActor, fromPromise, waitFor } from 'xstate'
import { bulkMachine, type BulkDone } from '../../../machines/bulk.machine.ts'
import type { BulkPreview, BulkRequest } from '../../../schemas/api/bulk/bulk.ts'
import type { Entity } from '../../../schemas/entities/entity.ts'
import { masterAgent } from '../../../schemas/entities/masterAgent.ts'
import { merchant } from '../../../schemas/entities/merchant.ts'
import { BulkDialog } from '../../../src/features/bulk/BulkDialog.tsx'
import { manager } from '../entity/entityScreen.tsx'
import { newUser } from '../newUser.ts'
import { fakeSession } from '../sessionContext.tsx'

const preview = { fingerprint: '0', changes: [], morechanges: 0, refusals: [], morerefused: 0 }
/**
 * Two merchants of which one would change unless another count is given; a change is never done. `fields` are
 * the messages with which the preview is refused.
 */
const begin = (
  changed = 1,
  operation: 'set' | 'reassign' | 'remove' = 'set',
  fields?: Record<string, string>,
) => {
  const answer: BulkPreview = { ...preview, changed, unchanged: 0, refused: 0 }
  const machine = bulkMachine.provide({
    actors: {
      preview: fromPromise<BulkPreview, BulkRequest>(async () => {
        if (fields) throw Object.assign(new Error('It is refused'), { fields })
        return answer
      }),
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
type DialogProps = { actor: Actor; fields: readonly string[]; entity?: Entity }
const Dialog = ({ actor, fields, entity = merchant }: DialogProps) => (
  <BulkDialog
    entity={entity}
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

test.each(['set', 'reassign'] as const)(
  'a value that is refused for the operation %s is told why at its field, which keeps it',
  async (operation) => {
    draw(begin(1, operation, { 'values.status': 'Status is not one of ours' }))
    await newUser().type(await field('Status'), 'Live')
    await newUser().click(button('Preview'))
    expect(await screen.findByText('Status is not one of ours')).toBeVisible()
    expect(await field('Status')).toHaveAccessibleDescription('Status is not one of ours')
    expect(await field('Status')).toHaveValue('Live')
  },
)

test.each<[name: string, typed: string, value: unknown, entity: Entity]>([
  ['status', 'Live', '', merchant],
  ['amountcommissionreceived', '5', null, masterAgent],
  ['percentagecommissionreceived', '5', null, masterAgent],
])('a value of %s that was typed as %s and removed again is sent as %j', async (...row) => {
  const [name, typed, value, entity] = row
  const actor = begin()
  render(fakeSession().drawnFor(<Dialog {...{ actor, entity }} fields={[name]} />))
  const shown = await field(String(entity.schema.properties[name]!.title))
  await newUser().type(shown, typed)
  await newUser().clear(shown)
  await newUser().click(button('Preview'))
  await waitFor(actor, (state) => state.matches('previewed'))
  expect(actor.getSnapshot().context.request.values).toEqual({ [name]: value })
})

test.each([
  ['set', 'Field'],
  ['reassign', 'Status'],
] as const)('of the operation %s the first field, %s, has the focus at first', async (operation, name) => {
  draw(begin(1, operation))
  await field('Status')
  await waitForUi(() => expect(screen.getByLabelText(name)).toHaveFocus())
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
