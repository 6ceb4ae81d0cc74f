import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { describe, expect, test, vi } from 'vitest'
import { fromPromise } from 'xstate'
import { ticketMachine, type AttachedFile, type TicketInput } from '../../../machines/ticket.machine.ts'
import { emptyTicket, ticketTypes } from '../../../schemas/entities/ticket.ts'
import { TicketAttachments } from '../../../src/features/tickets/TicketAttachments.tsx'
import { TicketFieldInput, type TicketValue } from '../../../src/features/tickets/TicketFieldInput.tsx'
import { TicketForm } from '../../../src/features/tickets/TicketForm.tsx'
import { noChanges } from '../../../src/parts/unsaved/discard.ts'
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

describe.each(['subject', 'description'] as const)('the field %s', (field) => {
  const drawField = (fault: string | undefined) => {
    const given = { id: field, name: field, disabled: false, onChange: () => {}, onLeave: () => {} }
    render(<TicketFieldInput field={field} value="" fault={fault} {...given} />)
    return screen.getByRole('textbox')
  }

  test('is described by its fault, and is invalid', () => {
    const control = drawField('It is required')
    expect(control).toBeInvalid()
    expect(control).toHaveAccessibleDescription(/^It is required/)
  })

  test('without a fault is described by nothing but its length', () => {
    const control = drawField(undefined)
    expect(control).toBeValid()
    expect(control).toHaveAccessibleDescription(field === 'description' ? /^0 of [\d,]+ characters$/ : '')
  })
})

test.each([
  ['agentoffice', 'off', 'text', 'false'],
  ['agentname', 'off', 'text', 'false'],
  ['email', 'email', 'email', 'true'],
  ['subject', 'off', 'text', 'true'],
] as const)('the field %s is filled in by the browser: %s', (field, kind, type, isRequired) => {
  const given = {
    id: field,
    name: field,
    fault: undefined,
    disabled: false,
    onChange: () => {},
    onLeave: () => {},
  }
  render(<TicketFieldInput field={field} value="" {...given} />)
  const control = screen.getByRole('textbox')
  expect(control).toHaveAttribute('autocomplete', kind)
  expect(control).toHaveAttribute('type', type)
  expect(control).toHaveAttribute('aria-required', isRequired)
})

test.each([true, false])(
  'files can be added and taken away, but not while the ticket is sent (%s)',
  (disabled) => {
    const files = ['a.txt', 'b.txt'].map((name) => ({ name, content: 'x', size: 1 }))
    const given = { files, refused: [], fault: undefined, onAttach: () => {}, onDetach: () => {} }
    const { container } = render(<TicketAttachments {...given} disabled={disabled} />)
    const buttons = screen.getAllByRole('button')
    expect(buttons.map((button) => button.matches(':disabled'))).toEqual([disabled, disabled, disabled])
    const posted = [...container.querySelectorAll('li input')].map((input) => input.getAttribute('name'))
    expect(posted).toEqual(['attachment_1', 'attachment_2'])
  },
)

test.each([0, 1, 2])('of %i chosen files there is a list with as many, and none without any', (count) => {
  const files = Array.from({ length: count }, (_, at) => ({
    name: `${at}.txt`,
    content: 'x',
    size: 1,
  }))
  const given = { refused: [], fault: undefined, disabled: false, onAttach: () => {}, onDetach: () => {} }
  render(<TicketAttachments files={files} {...given} />)
  expect(screen.queryAllByRole('list')).toHaveLength(count === 0 ? 0 : 1)
  expect(screen.queryAllByRole('listitem')).toHaveLength(count)
})

test('a choice of files that holds none attaches nothing, so that what was refused stays said', () => {
  const onAttach = vi.fn<(files: AttachedFile[]) => void>()
  const given = { files: [], refused: ['a.txt is too large'], fault: undefined, onDetach: () => {} }
  render(<TicketAttachments {...given} onAttach={onAttach} disabled={false} />)
  fireEvent.change(screen.getByLabelText('Files to attach'), { target: { files: [] } })
  expect(onAttach).not.toHaveBeenCalled()
})

type Form = Parameters<typeof TicketForm>[0]
type Sent = { values: TicketInput; files: AttachedFile[] }

/** Draws the form of a ticket and gives the button that sends it. */
const drawForm = (machine: Form['machine'], helpdeskForm: Form['helpdeskForm']) => {
  const given = {
    machine,
    helpdeskForm,
    username: 'ann',
    begunWith: { ...emptyTicket, email: 'ann@example.com' },
    changes: { current: { ...noChanges } },
  }
  const router = createMemoryRouter([{ path: '/', element: <TicketForm {...given} /> }])
  render(<RouterProvider router={router} />)
  return screen.getByRole('button', { name: 'Submit' })
}
const fillForm = async (user: ReturnType<typeof newUser>) => {
  await user.selectOptions(screen.getByLabelText(/^Ticket Type/), 'Other')
  await user.type(screen.getByLabelText(/^Agent Office-Merchant-Issue/), 'Silent')
  await user.type(screen.getByLabelText(/^Description/), 'It does not ring.')
}

describe.each([
  ['the portal', null],
  ['another help desk', 'https://desk.example/form'],
])('a ticket for %s', (_, url) => {
  test.each([
    ['is not sent while a field is missing', false],
    ['is sent once it is filled in', true],
  ])('%s', async (_title, isFilled) => {
    const sent = vi.fn(async () => ({ id: 7 }))
    const button = drawForm(ticketMachine.provide({ actors: { send: fromPromise(sent) } }), {
      url,
      fields: {},
    })
    const posted = vi.fn<(isPosted: boolean) => void>()
    // The page has no other help desk to post to.
    const stop = (event: Event) => {
      posted(!event.defaultPrevented)
      event.preventDefault()
    }
    window.addEventListener('submit', stop)
    const user = newUser()
    if (isFilled) await fillForm(user)
    await user.click(button)
    window.removeEventListener('submit', stop)
    const isPosted = isFilled && url !== null
    expect(posted.mock.calls).toEqual([[isPosted]])
    if (isFilled) expect(await screen.findByRole('button', { name: 'New ticket' })).toBeVisible()
    else expect(screen.getByLabelText(/^Ticket Type/)).toHaveFocus()
    expect(sent).toHaveBeenCalledTimes(isFilled && url === null ? 1 : 0)
  })
})

test('after New ticket the focus is on the first field of the form that takes its place', async () => {
  const machine = ticketMachine.provide({ actors: { send: fromPromise(async () => ({ id: 7 })) } })
  const button = drawForm(machine, { url: null, fields: {} })
  const user = newUser()
  await fillForm(user)
  await user.click(button)
  await user.click(await screen.findByRole('button', { name: 'New ticket' }))
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Agent Office' })).toHaveFocus())
})

test('a file that was taken away again can be attached anew', async () => {
  drawForm(ticketMachine, { url: null, fields: {} })
  const user = newUser()
  const file = new File(['x'], 'a.txt')
  for (const _ of [1, 2]) {
    await user.upload(screen.getByLabelText('Files to attach'), file)
    await user.click(await screen.findByRole('button', { name: 'Remove a.txt' }))
    expect(screen.queryByText('a.txt')).toBeNull()
  }
})

test('once a ticket was sent the notice has the focus, and the next one begins without its text and faults', async () => {
  const machine = ticketMachine.provide({ actors: { send: fromPromise(async () => ({ id: 7 })) } })
  const button = drawForm(machine, { url: null, fields: {} })
  const user = newUser()
  await user.type(screen.getByRole('textbox', { name: 'Agent Office' }), 'North')
  await fillForm(user)
  await user.click(button)
  expect(await screen.findByText('Ticket 7 was sent')).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent(
    /The answer comes by email to \S+@\S+\. The list below/,
  )
  expect(screen.getByRole('status').parentElement).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'New ticket' }))
  expect(screen.getByRole('textbox', { name: 'Agent Office' })).toHaveValue('North')
  expect(screen.getByLabelText(/^Ticket Type/)).toHaveDisplayValue('Select a type')
  expect(screen.getByLabelText(/^Description/)).toHaveValue('')
  expect(document.querySelectorAll('[aria-invalid=true]')).toHaveLength(0)
})

test('what the server said of a field is gone once the field was changed, also when others are changed', async () => {
  const fields = { subject: 'Say more', description: 'Say less' }
  const refuse = async (): Promise<{ id: number }> => {
    throw Object.assign(new Error('refused'), { fields })
  }
  const button = drawForm(ticketMachine.provide({ actors: { send: fromPromise(refuse) } }), {
    url: null,
    fields: {},
  })
  const user = newUser()
  await fillForm(user)
  await user.click(button)
  expect(await screen.findByText('Say more')).toBeVisible()
  await user.type(screen.getByLabelText(/^Agent Office-Merchant-Issue/), '!')
  await user.type(screen.getByLabelText(/^Description/), '!')
  expect(screen.queryByText('Say more')).toBeNull()
  expect(screen.queryByText('Say less')).toBeNull()
})

test('the characters of a description are counted as people count them', () => {
  const given = {
    id: 'd',
    name: 'd',
    fault: undefined,
    disabled: false,
    onChange: () => {},
    onLeave: () => {},
  }
  render(<TicketFieldInput field="description" value={'\u{1F4C4}a'} {...given} />)
  expect(screen.getByText(/^2 of [\d,]+ characters$/)).toBeVisible()
})

test.each([
  [99, 'Sending, 99 %'],
  [100, 'Filing the ticket'],
])('a ticket of which %i percent are sent says: %s', async (percent, text) => {
  const send = fromPromise<{ id: number }, Sent>(({ self }) => {
    self._parent?.send({ type: 'progress', percent })
    return new Promise(() => {})
  })
  const button = drawForm(ticketMachine.provide({ actors: { send } }), {
    url: null,
    fields: {},
  })
  const user = newUser()
  await fillForm(user)
  await user.click(button)
  expect(await screen.findByText(text)).toBeVisible()
})
