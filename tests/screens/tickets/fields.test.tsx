import { render, screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { ticketTypes } from '../../../schemas/entities/ticket.ts'
import { TicketFieldInput, type TicketValue } from '../../../src/features/tickets/TicketFieldInput.tsx'
import { newUser } from '../newUser.ts'

const draw = (value: TicketValue) => {
  const onChange = vi.fn()
  const given = { id: 'type', name: 'type', fault: undefined, disabled: false, onLeave: () => {} }
  render(<TicketFieldInput field="tickettypeid" value={value} onChange={onChange} {...given} />)
  return { onChange, user: newUser(), control: screen.getByRole('combobox', { name: /^Ticket Type/ }) }
}
const types = ticketTypes.map(({ const: id, title }) => [id, title] as const)

describe('the type of a ticket', () => {
  test.each([[null, 'Select a type'] as const, ...types])('%s is shown as %s', (value, shown) => {
    expect(draw(value).control).toHaveDisplayValue(shown)
  })

  test.each([[null, 'Select a type'] as const, ...types])(
    '%s is what choosing %s gives',
    async (value, shown) => {
      const { control, onChange, user } = draw(value === 1 ? 2 : 1)
      await user.selectOptions(control, shown)
      expect(onChange.mock.calls).toEqual([[value]])
    },
  )
})
