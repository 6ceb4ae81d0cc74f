import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createActor, fromPromise, waitFor } from 'xstate'
import { inboxMachine, type InboxTask } from '../../../machines/inbox/inbox.machine.ts'
import { InboxProgress } from '../../../src/features/inbox/InboxProgress.tsx'

const tasks: Record<InboxTask['name'], (filename: string) => InboxTask> = {
  add: (filename) => ({ name: 'add', filename, content: null }),
  check: (filename) => ({ name: 'check', filename, id: 1 }),
  import: (filename) => ({ name: 'import', filename, id: 1, answers: {}, again: false }),
  dismiss: (filename) => ({ name: 'dismiss', filename, id: 1 }),
}
/** The tasks are done but for those of the files `fails`, which fail, and `stays`, which never end. */
const work = (...begun: InboxTask[]) => {
  const machine = inboxMachine.provide({
    actors: {
      work: fromPromise<unknown, { task: InboxTask | null }>(async ({ input: { task } }) => {
        if (task?.filename === 'fails') throw new Error('It is empty')
        if (task?.filename === 'stays') await new Promise(() => {})
      }),
    },
  })
  const actor = createActor(machine).start()
  actor.send({ type: 'begin', tasks: begun })
  return actor
}
const draw = (actor: ReturnType<typeof work>) =>
  render(<InboxProgress snapshot={actor.getSnapshot()} send={actor.send} />)
const statusText = () => screen.getByRole('status').textContent

test.each([
  ['add', 'Adding', 'added'],
  ['check', 'Checking', 'checked'],
  ['import', 'Importing', 'imported'],
  ['dismiss', 'Dismissing', 'dismissed'],
] as const)(
  'of a file of the task %s it is said: %s, and afterwards that it was %s',
  async (name, doing, done) => {
    draw(work(tasks[name]('stays')))
    expect(screen.getByText(name === 'add' ? `${doing}: stays, 0 %` : `${doing}: stays`)).toBeVisible()
    expect(statusText()).toBe('')
    const actor = work(...['a.csv', 'b.csv'].map(tasks[name]))
    await waitFor(actor, (state) => state.matches('idle'))
    draw(actor)
    expect(screen.getByText(`2 files were ${done}.`)).toBeVisible()
  },
)

test.each([
  [99.4, 'Adding: stays, 99 %'],
  [100, 'Adding: stays'],
])('of a file of which %s percent are sent it is said: %s', (percent, text) => {
  const actor = work(tasks.add('stays'))
  actor.send({ type: 'progress', percent })
  draw(actor)
  expect(screen.getByText(text)).toBeVisible()
})

test('what failed is not counted as done, and is put away once nothing is under way', async () => {
  const actor = work(tasks.check('a.csv'), tasks.check('fails'))
  await waitFor(actor, (state) => state.matches('idle'))
  const { unmount } = draw(actor)
  expect(statusText()).toBe('a.csv was checked.fails: It is emptyPut away')
  unmount()
  const other = work(tasks.check('a.csv'), tasks.check('fails'), tasks.check('stays'))
  await waitFor(other, (state) => state.context.task?.filename === 'stays')
  draw(other)
  expect(screen.getByText('Checking 3 of 3: stays')).toBeVisible()
  expect(statusText()).toBe('fails: It is empty')
})
