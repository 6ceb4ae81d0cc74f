import { cleanup, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AskView } from '../../../src/features/views/AskView.tsx'
import { newUser } from '../newUser.ts'
import { fakeSession } from '../sessionContext.tsx'

const draw = (search: string, person = fakeSession()) => {
  const named: [name: string, isShared: boolean][] = []
  const onName = (name: string, isShared: boolean) => void named.push([name, isShared])
  render(person.drawnFor(<AskView busy={false} onCancel={() => {}} {...{ search, onName }} />))
  return named
}
const nameField = () => screen.findByRole('textbox', { name: /^Name/ })
const save = () => newUser().click(screen.getByRole('button', { name: 'Save' }))

test.each([
  ['  ', false, []],
  ['Late', false, [['Late', false]]],
  ['Late', true, [['Late', true]]],
])('a view is named %j and shared (%s): %j is sent', async (name, isShared, sent) => {
  const named = draw('status=x')
  await newUser().type(await nameField(), name)
  if (isShared) await newUser().click(screen.getByRole('checkbox', { name: 'Shared' }))
  await save()
  expect(named).toEqual(sent)
  expect(screen.queryAllByText('Name is required')).toHaveLength(sent.length === 0 ? 1 : 0)
})

test('a name that was typed when the session ended is offered for the view of the same search alone', async () => {
  const person = fakeSession()
  draw('status=x', person)
  await newUser().type(await nameField(), 'Late')
  person.end()
  cleanup()
  for (const [search, count] of [
    ['status=y', 0],
    ['status=x', 1],
  ] as const) {
    draw(search)
    await nameField()
    expect(screen.queryAllByText('Restore what you typed?')).toHaveLength(count)
    cleanup()
  }
})
