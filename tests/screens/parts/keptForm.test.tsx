import { render, screen } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { noChanges } from '../../../src/parts/unsaved/discard.tsx'
import { keptKey } from '../../../src/parts/unsaved/keptText.ts'
import { KeptForm } from '../../../src/parts/unsaved/Unsaved.tsx'

test('what is kept is offered where the form was sent before it was drawn, until it is sent again', () => {
  onTestFinished(() => sessionStorage.clear())
  sessionStorage.setItem(keptKey('ann', 'total'), JSON.stringify({ statednet: 5 }))
  const formWith = (isSent: boolean) => (
    <KeptForm
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
