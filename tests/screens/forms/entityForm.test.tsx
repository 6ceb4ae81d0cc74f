import { act, render, screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { merchant } from '../../../schemas/entities/merchant.ts'
import { nobody } from '../../../schemas/permissions.ts'
import { EntityForm } from '../../../src/forms/EntityForm.tsx'
import { agents, drawForm, inDialog, sample, viewerWith } from './form.tsx'

const row = {
  id: 7,
  version: 3,
  name: 'Old',
  model: 'M1',
  agent: 1,
  day: 0,
  labels: { agent: 'MA0001 - North' },
}

describe('errors show when the field is dirty or after a submit attempt', () => {
  test('a form that nobody touched shows no error', () => {
    const { container } = drawForm()
    expect(container.querySelectorAll('[aria-invalid]')).toHaveLength(0)
  })
  test('a field that was edited says what is wrong with it, the others do not', async () => {
    const { user } = drawForm()
    await user.type(screen.getByLabelText('Name'), 'A')
    await user.clear(screen.getByLabelText('Name'))
    expect(screen.getByLabelText('Name')).toHaveAccessibleDescription('Name is required')
    expect(screen.getByLabelText('Name')).toBeInvalid()
    expect(screen.queryByText('Agent is required')).toBeNull()
  })
  test('a field that was only visited says nothing', async () => {
    const { user } = drawForm()
    await user.click(screen.getByLabelText('Name'))
    await user.tab()
    expect(screen.queryByText('Name is required')).toBeNull()
  })
  test('saving an invalid form does nothing but show every error and go to the first', async () => {
    const { save, onSave } = drawForm()
    await save()
    expect(screen.getByText('Name is required')).toBeVisible()
    expect(screen.getByText('Agent is required')).toBeVisible()
    expect(screen.getByLabelText('Name')).toHaveFocus()
    expect(onSave).not.toHaveBeenCalled()
  })
  test('an attempt to save goes to the first invalid field in the order of the screen', async () => {
    const { user, save } = drawForm()
    await user.type(screen.getByLabelText('Name'), 'A')
    await user.type(screen.getByLabelText('Cost'), 'x')
    await save()
    expect(screen.getByLabelText('Cost')).toHaveFocus()
  })
  test('a field that was mended says nothing more', async () => {
    const { user, save } = drawForm()
    await save()
    await user.type(screen.getByLabelText('Name'), 'A')
    expect(screen.queryByText('Name is required')).toBeNull()
    expect(screen.getByText('Agent is required')).toBeVisible()
  })
})

describe("the server's sentences", () => {
  test('show on their fields, and the first has the focus', async () => {
    const { change } = drawForm({ row })
    act(() => change({ faults: { cost: 'Too dear', name: 'This name is taken' } }))
    expect(screen.getByLabelText('Name')).toHaveAccessibleDescription('This name is taken')
    expect(screen.getByLabelText('Cost')).toHaveAccessibleDescription('Too dear')
    expect(screen.getByLabelText('Name')).toHaveFocus()
  })
  test('go when their field is changed, and come back with the next refusal', async () => {
    const { user, save, onSave, change } = drawForm({ row })
    await user.type(screen.getByLabelText('Name'), 'er')
    await save()
    act(() => change({ faults: { name: 'This name is taken', cost: 'Too dear' } }))
    expect(screen.getByLabelText('Name')).toHaveFocus()
    await user.type(screen.getByLabelText('Name'), 's')
    expect(screen.queryByText('This name is taken')).toBeNull()
    expect(screen.getByText('Too dear')).toBeVisible()
    await save()
    expect(onSave).toHaveBeenLastCalledWith({ version: 3, name: 'Olders' })
    act(() => change({ faults: { name: 'This name is taken too' } }))
    expect(screen.getByText('This name is taken too')).toBeVisible()
  })
  test('at a field of a row goes when that field is changed, not when another one of the row is', async () => {
    const lines = [
      { id: 1, amount: 5, remark: 'One' },
      { id: 2, amount: 6, remark: 'Two' },
    ]
    const { user, change } = drawForm({ row: { ...row, lines } })
    act(() => change({ faults: { 'lines.1.amount': 'Too dear' } }))
    const amounts = screen.getAllByLabelText('Amount')
    expect(amounts[0]).toBeValid()
    expect(amounts[1]).toHaveAccessibleDescription('Too dear')
    await user.type(screen.getAllByLabelText('Remark')[1]!, 's')
    await user.type(amounts[0]!, '0')
    expect(amounts[1]).toHaveAccessibleDescription('Too dear')
    await user.type(amounts[1]!, '0')
    expect(screen.queryByText('Too dear')).toBeNull()
  })
  test('what was typed stays', async () => {
    const { user, change } = drawForm({ row })
    await user.type(screen.getByLabelText('Name'), 'er')
    act(() => change({ busy: true }))
    act(() => change({ busy: false, faults: { name: 'This name is taken' } }))
    expect(screen.getByLabelText('Name')).toHaveDisplayValue('Older')
  })
})

describe('unsaved changes', () => {
  test('a form is clean until something differs, and clean again when it is typed back', async () => {
    const { user, onChange } = drawForm({ row })
    expect(onChange).not.toHaveBeenCalled()
    await user.type(screen.getByLabelText('Name'), 'er')
    await user.type(screen.getByLabelText('Email'), 'x')
    expect(onChange.mock.calls).toEqual([[true]])
    await user.type(screen.getByLabelText('Name'), '{Backspace}{Backspace}')
    expect(onChange.mock.calls).toEqual([[true]])
    await user.clear(screen.getByLabelText('Email'))
    expect(onChange.mock.calls).toEqual([[true], [false]])
  })
  test('0 and no date are the same', async () => {
    const { user, onChange } = drawForm({ row })
    await user.type(screen.getByLabelText('Day'), '2026-01-02')
    await user.clear(screen.getByLabelText('Day'))
    expect(onChange.mock.calls).toEqual([[true], [false]])
  })
})

describe('while it is being saved', () => {
  test('nothing can be typed, the focus stays, and a second save is ignored', async () => {
    const { user, save, onSave, change, container } = drawForm({ row })
    const frame = container.querySelector('.form-frame')
    await user.click(screen.getByLabelText('Name'))
    expect(frame).toHaveAttribute('aria-busy', 'false')
    act(() => change({ busy: true }))
    expect(frame).toHaveAttribute('aria-busy', 'true')
    expect(screen.getByLabelText('Name')).toHaveFocus()
    await user.keyboard('x')
    expect(screen.getByLabelText('Name')).toHaveDisplayValue('Old')
    await save()
    expect(onSave).not.toHaveBeenCalled()
  })
})

describe('a disabled field says why, to the eye and to a screen reader', () => {
  test('a field that has a reason of its own shows it', () => {
    drawForm({ row })
    expect(screen.getByLabelText('Model')).toBeDisabled()
    expect(screen.getByLabelText('Model')).toHaveAccessibleDescription(
      'This is worked out by the portal and cannot be changed',
    )
  })
  test('a group that has one reason says it once', () => {
    drawForm({ row, viewer: viewerWith() })
    const reason = screen.getByText('Needs the permission “Manage users” or “Create users”')
    expect(reason).toBeVisible()
    for (const label of ['Email', 'Secret']) {
      expect(screen.getByLabelText(label)).toBeDisabled()
      expect(screen.getByLabelText(label)).toHaveAccessibleDescription(
        'Needs the permission “Manage users” or “Create users”',
      )
    }
  })
  test('its value is never sent, and never keeps the rest from being saved', async () => {
    const { user, save, onSave } = drawForm({ row: { ...row, email: 'x'.repeat(70) }, viewer: viewerWith() })
    await user.type(screen.getByLabelText('Name'), 'er')
    await save()
    expect(onSave).toHaveBeenCalledExactlyOnceWith({ version: 3, name: 'Older' })
  })
  test('no row of a closed list keeps the rest from being saved', async () => {
    const entity = {
      ...sample,
      access: { ...sample.access, fields: { ...sample.access.fields, lines: nobody } },
    }
    const lines = [{ id: 1, amount: 5, remark: '' }]
    const { user, save, onSave } = drawForm({ entity, row: { ...row, lines } })
    await user.type(screen.getByLabelText('Name'), 'er')
    await save()
    expect(onSave).toHaveBeenCalledExactlyOnceWith({ version: 3, name: 'Older' })
  })
})

describe('the form of a merchant', () => {
  const props = {
    entity: merchant,
    viewer: viewerWith('manage_merchants'),
    faults: {},
    busy: false,
    searchRecords: async () => agents,
    onChange: vi.fn(),
    formId: 'it',
  }
  test('opens on its first field', async () => {
    render(inDialog(<EntityForm {...props} row={null} onSave={vi.fn()} />))
    expect(await screen.findByLabelText('XMID')).toHaveFocus()
    expect(screen.getByLabelText('Account Status')).toHaveDisplayValue('Unknown')
  })
  test('on an existing merchant xmid, dba and accountstatus are disabled and the first open field has the focus', async () => {
    render(
      inDialog(
        <EntityForm
          {...props}
          row={{
            id: 1,
            version: 1,
            xmid: '1',
            dba: 'A',
            accountstatus: 2,
            masteragentid: 1,
            labels: { masteragentid: 'MA0001 - North' },
          }}
          onSave={vi.fn()}
        />,
      ),
    )
    expect(await screen.findByLabelText('Business Type')).toHaveFocus()
    for (const label of ['XMID', 'DBA', 'Account Status']) expect(screen.getByLabelText(label)).toBeDisabled()
  })
  test('a row read anew starts the form anew', async () => {
    const first = { id: 1, version: 1, product: 'Old' }
    const { rerender } = render(<EntityForm {...props} row={first} onSave={vi.fn()} />)
    expect(await screen.findByLabelText('Product')).toHaveDisplayValue('Old')
    rerender(<EntityForm {...props} row={{ ...first, version: 2, product: 'New' }} onSave={vi.fn()} />)
    expect(await screen.findByLabelText('Product')).toHaveDisplayValue('New')
  })
})
