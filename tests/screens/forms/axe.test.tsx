import { act, screen } from '@testing-library/react'
import axe from 'axe-core'
import { expect, test } from 'vitest'
import { drawForm, viewerWith } from './form.tsx'

const row = {
  id: 7,
  version: 3,
  name: 'Old',
  agent: 1,
  merchant: 5,
  owner: 2,
  paid: true,
  day: 86_400,
  lines: [{ id: 1, amount: 2, remark: 'x' }],
  labels: { agent: 'A', merchant: 'M' },
}
const states: Record<string, () => Promise<unknown>> = {
  'an empty form': async () => drawForm(),
  'a filled form': async () => drawForm({ row }),
  'a form with errors': async () => drawForm().save(),
  "a form with the server's sentences": async () => {
    const { change } = drawForm({ row })
    act(() => change({ faults: { name: 'This name is taken', 'lines.0.remark': 'Too short' } }))
  },
  'a form with disabled fields': async () => drawForm({ row, viewer: viewerWith() }),
  'a form being saved': async () => drawForm({ row, busy: true }),
  'an open picker': async () => {
    const { user } = drawForm({ row })
    await user.click(screen.getByRole('combobox', { name: 'Agent' }))
    await screen.findByText('3 found')
    await user.keyboard('{ArrowDown}')
  },
}

test.each(Object.entries(states))(
  '%s has nothing that stands in the way of a screen reader',
  async (_, reach) => {
    await reach()
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    })
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)])).toEqual([])
  },
)
