import { render, screen } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { noChanges } from '../../../src/parts/unsaved/discard.ts'
import { draftKey } from '../../../src/parts/unsaved/draftStorage.ts'
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
