import { render, screen } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { noChanges } from '../../../src/parts/unsaved/discard.ts'
import { draftKey, readStoredDraft, storeDraft } from '../../../src/parts/unsaved/draftStorage.ts'
import { deleteDraftsOfOthers } from '../../../src/parts/unsaved/otherDrafts.ts'
import { DraftForm } from '../../../src/parts/unsaved/Unsaved.tsx'

test('a draft is offered where the form was sent before it was drawn, until it is sent again', () => {
  onTestFinished(() => sessionStorage.clear())
  sessionStorage.setItem(draftKey('ann', 'total'), JSON.stringify({ statednet: 5 }))
  const formWith = (isSent: boolean) => (
    <DraftForm
      username="ann"
      form={['total']}
      typed={null}
      onRestore={() => {}}
      isSent={isSent}
      changes={{ current: { ...noChanges } }}
    />
  )
  const { rerender } = render(formWith(true))
  const offered = () => screen.queryByText('Restore what you typed?') !== null
  expect(offered()).toBe(true)
  rerender(formWith(false))
  expect(offered()).toBe(true)
  rerender(formWith(true))
  expect(offered()).toBe(false)
  expect(sessionStorage).toHaveLength(0)
})

test.each<[username: string | undefined, left: string[]]>([
  ['ann', ['ann']],
  ['anna', ['anna']],
  [undefined, ['ann', 'anna', 'bob']],
])('of the drafts in a tab in which %s signed in these are left: %j', (username, left) => {
  onTestFinished(() => sessionStorage.clear())
  const people = ['ann', 'anna', 'bob']
  for (const name of people) storeDraft(draftKey(name, 'total'), { statednet: 5 })
  sessionStorage.setItem('scrolled', '7')
  deleteDraftsOfOthers(username)
  expect(people.filter((name) => readStoredDraft(draftKey(name, 'total')))).toEqual(left)
  expect(sessionStorage.getItem('scrolled')).toBe('7')
})

test.each(['', '7', 'null', '[1]', '{"a":'])('what is stored as %j is no draft', (text) => {
  onTestFinished(() => sessionStorage.clear())
  sessionStorage.setItem('draft', text)
  expect(readStoredDraft('draft')).toBeNull()
})

test('a form in which nothing is typed leaves no draft', () => {
  storeDraft('draft', {})
  expect(sessionStorage).toHaveLength(0)
})
