import { act, render, screen, waitFor as waitForUi } from '@testing-library/react'
import { useSelector } from '@xstate/react'
import { expect, test } from 'vitest'
import { createActor, fromPromise, waitFor } from 'xstate'
import { bulkMachine, type BulkDone } from '../../../machines/bulk.machine.ts'
import { listMachine, type ListResult } from '../../../machines/list.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import { undoMachine } from '../../../machines/undo.machine.ts'
import type { BulkChange, BulkRequest, BulkPreview } from '../../../schemas/api/bulk/bulk.ts'
import type { ListQuery } from '../../../schemas/api/paging.ts'
import { merchant } from '../../../schemas/entities/merchant.ts'
import { BulkBar } from '../../../src/features/bulk/BulkBar.tsx'
import { BulkHistory } from '../../../src/features/bulk/BulkHistory.tsx'
import { BulkTools } from '../../../src/features/bulk/BulkTools.tsx'
import type { RowSelection } from '../../../src/parts/table/Checks.tsx'
import { manager } from '../entity/entityScreen.tsx'
import { newUser } from '../newUser.ts'

const machines = { bulk: bulkMachine, history: loadMachine, undo: undoMachine }
const page = [1, 2].map((id) => ({ id, version: 1 }))
const actorWith = (done: BulkDone, undone: Promise<unknown> = Promise.resolve()) => {
  const preview = { fingerprint: '0', changed: done.changed } as BulkPreview
  const machine = bulkMachine.provide({
    actors: {
      preview: fromPromise<BulkPreview, BulkRequest>(async () => preview),
      commit: fromPromise<BulkDone, { request: BulkRequest; fingerprint: string }>(async () => done),
      undo: fromPromise<unknown, { id: number }>(() => undone),
    },
  })
  const actor = createActor(machine).start()
  actor.send({ type: 'rows', records: page })
  actor.send({ type: 'select', records: page })
  return actor
}
type Actor = ReturnType<typeof actorWith>
const bar = (actor: Actor, count: number, total: number) => (
  <BulkBar
    entity={merchant}
    operations={{ fields: ['status'], reassign: null, remove: true }}
    snapshot={actor.getSnapshot()}
    send={actor.send}
    {...{ count, total, machines }}
    onReload={() => {}}
  />
)
const draw = (actor: Actor, count: number, total: number) => render(bar(actor, count, total))

test.each([
  [2, []],
  [3, ['Select all 3 found']],
])('with a selected page of two, of %i records that are found all are offered: %j', (total, offered) => {
  draw(actorWith({ id: 1, changed: 2, unchanged: 0, refused: 0 }), 2, total)
  const buttons = screen.queryAllByRole('button', { name: /^Select all / })
  expect(buttons.map(({ textContent }) => textContent)).toEqual(offered)
})

test('all that are found are not offered with a page that has no records', () => {
  const actor = actorWith({ id: 1, changed: 2, unchanged: 0, refused: 0 })
  actor.send({ type: 'rows', records: [] })
  draw(actor, 2, 3)
  expect(screen.queryByRole('button', { name: /^Select all / })).toBeNull()
})

test.each([
  [0, '2 merchants deleted.'],
  [1, '2 merchants deleted, 1 refused.'],
  [1200, '2 merchants deleted, 1,200 refused.'],
])('what was done says how many were refused, of %i', async (refused, text) => {
  const actor = actorWith({ id: 1, changed: 2, unchanged: 0, refused })
  actor.send({ type: 'begin', operation: 'remove' })
  await waitFor(actor, (state) => state.matches('previewed'))
  actor.send({ type: 'commit' })
  await waitFor(actor, (state) => state.matches('done'))
  draw(actor, 0, 2)
  expect(screen.getByText(text)).toBeVisible()
})

test.each([
  [false, '2 selected'],
  [true, 'All 1,200 found are selected'],
])('it is said what is selected, of all that is found: %s', (isAll, text) => {
  const actor = actorWith({ id: 1, changed: 2, unchanged: 0, refused: 0 })
  if (isAll) actor.send({ type: 'selectAll' })
  draw(actor, isAll ? 1200 : 2, 1200)
  expect(screen.getByText(text)).toBeVisible()
})

test('what is undone is said so without Undo, and it cannot be closed before', async () => {
  const done = { id: 1, changed: 1, unchanged: 0, refused: 0 }
  const close = () => screen.getByRole('button', { name: 'Close what was changed' })
  let undo = () => {}
  const actor = actorWith(done, new Promise<void>((resolve) => (undo = resolve)))
  actor.send({ type: 'begin', operation: 'remove' })
  await waitFor(actor, (state) => state.matches('previewed'))
  actor.send({ type: 'commit' })
  await waitFor(actor, (state) => state.matches('done'))
  actor.send({ type: 'undo' })
  const { unmount } = draw(actor, 0, 2)
  expect(close()).toBeDisabled()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeDisabled()
  undo()
  await waitFor(actor, (state) => state.matches('undone'))
  unmount()
  draw(actor, 0, 2)
  expect(screen.getByText('1 merchant deleted. It is undone.')).toBeVisible()
  expect(close()).toBeEnabled()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('the dialog of changes keeps the focus while what is selected changes behind it', async () => {
  const actor = actorWith({ id: 1, changed: 2, unchanged: 0, refused: 0 })
  const { rerender } = draw(actor, 2, 3)
  await newUser().click(screen.getByRole('button', { name: 'Changes' }))
  const [close] = await screen.findAllByRole('button', { name: 'Close' })
  close!.focus()
  rerender(bar(actor, 1, 3))
  expect(screen.getByText('1 selected')).toBeVisible()
  expect(close).toHaveFocus()
})

test('the rows of a list can be selected once they are those of the list that is asked for', async () => {
  const selections: RowSelection[] = []
  let answer: (result: ListResult) => void = () => {}
  const list = createActor(
    listMachine.provide({
      actors: {
        load: fromPromise<ListResult, ListQuery>(() => new Promise((resolve) => (answer = resolve))),
      },
    }),
  ).start()
  const ask = (wanted: number) =>
    list.send({ type: 'query', query: { page: wanted, size: 10, search: '', sort: '', filter: '' } })
  ask(1)
  const Tools = () => (
    <BulkTools
      entity={merchant}
      bulk={{ operations: { fields: ['status'], reassign: null, remove: true }, viewer: manager }}
      list={useSelector(list, (state) => state)}
      foundBy={{ search: '', filter: '' }}
      searchRecords={undefined}
      machines={machines}
      onReload={() => {}}
      onSelection={(selection) => selections.push(selection)}
    />
  )
  const { unmount } = render(<Tools />)
  const isReady = () => selections.at(-1)!.isReady
  expect(isReady()).toBe(false)
  await act(async () => answer({ data: page, total_length: 12 }))
  expect(isReady()).toBe(true)
  act(() => ask(2))
  expect(isReady()).toBe(false)
  await act(async () => answer({ data: page, total_length: 12 }))
  expect(isReady()).toBe(true)
  unmount()
  expect(isReady()).toBe(false)
})

const action: BulkChange = {
  id: 1,
  at: 1_794_000_000,
  username: 'ann',
  operation: 'set',
  values: [{ title: 'Status', text: 'Live' }],
  changed: 1,
  unchanged: 0,
  refused: 0,
  state: 'done',
  undo: { allowed: true, reason: null },
  undoneby: null,
  undoneat: null,
}
const drawHistory = async (given: Partial<BulkChange> = {}, total = 1, onReload = () => {}) => {
  const answer = { data: [{ ...action, ...given }], total_length: total }
  const history = loadMachine.provide({ actors: { load: fromPromise<unknown>(async () => answer) } })
  const undo = undoMachine.provide({
    actors: { undo: fromPromise<unknown, { id: number | null }>(async () => {}) },
  })
  render(
    <BulkHistory
      entity={merchant}
      machines={{ ...machines, history, undo }}
      onReload={onReload}
      onClose={() => {}}
    />,
  )
  await screen.findByRole('table')
}

test.each<[given: Partial<BulkChange>, cells: string[]]>([
  [{}, ['Status: Live', '1', 'Undo']],
  [{ changed: 1200, refused: 1 }, ['Status: Live', '1,2001 refused', 'Undo']],
  [{ operation: 'delete', values: [] }, ['Deleted', '1', 'Undo']],
  [
    { values: [{ title: 'Status', text: '' }, ...action.values] },
    ['Status: (empty), Status: Live', '1', 'Undo'],
  ],
  [{ state: 'undone' }, ['Status: Live', '1', 'Undoneby somebody']],
  [{ state: 'undone', undoneby: 'bob' }, ['Status: Live', '1', 'Undoneby bob']],
])('the change %j stands in the history as %j', async (given, cells) => {
  await drawHistory(given)
  expect(
    screen
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)
      .slice(1),
  ).toEqual(cells)
})

test.each([
  [true, null, ''],
  [false, 'It was changed since.', 'Cannot be undone: It was changed since.'],
])('Undo of a change is open: %s, and says why not: %s', async (allowed, reason, description) => {
  await drawHistory({ undo: { allowed, reason } })
  const undo = screen.getByRole('button', { name: /^Undo the change of / })
  expect(undo.matches(':disabled')).toBe(!allowed)
  expect(undo).toHaveAccessibleDescription(description)
  expect(document.querySelector('time')).toHaveAttribute('datetime', '2026-11-06T21:20:00.000Z')
})

test('before it is undone it is asked of how many records and by whom the change was', async () => {
  await drawHistory({ changed: 2, refused: 3, username: 'bob' })
  await newUser().click(screen.getByRole('button', { name: /^Undo the change/ }))
  expect(await screen.findByText(/^Undo this change of 2 merchants by bob on /)).toBeVisible()
})

test('the list is read again once a change was undone, and not before', async () => {
  let reloads = 0
  await drawHistory({}, 1, () => (reloads += 1))
  await newUser().click(screen.getByRole('button', { name: /^Undo the change of / }))
  const confirm = await screen.findByRole('button', { name: 'Undo the change' })
  expect(reloads).toBe(0)
  await newUser().click(confirm)
  await waitForUi(() => expect(reloads).toBe(1))
})

test.each([
  [1, []],
  [2, ['The latest 1 of 2 are shown.']],
])('the history of %i changes, of which one is shown, says so: %j', async (total, said) => {
  await drawHistory({}, total)
  expect(screen.getByText('Status: Live')).toBeVisible()
  expect(screen.queryAllByText(/^The latest /).map(({ textContent }) => textContent)).toEqual(said)
})
