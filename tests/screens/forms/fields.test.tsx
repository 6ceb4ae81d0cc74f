import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { kinds } from '../../../schemas/fields.ts'
import { noPermissions, nobody } from '../../../schemas/permissions.ts'
import { drawForm, sample, viewerWith } from './form.tsx'

const stored = {
  id: 7,
  version: 3,
  name: 'Old',
  model: 'M1',
  notes: 'Two\nlines',
  quantity: 4,
  cost: 12.5,
  share: 0.0001,
  owner: 2,
  agent: 1,
  merchant: null,
  paid: true,
  day: 1_767_312_000,
  recorded: new Date(2026, 0, 2, 15, 4).getTime() / 1000,
  period: '2019-02',
  secret: '',
  email: 'a@b.c',
  lines: [{ id: 1, amount: 2.5, remark: 'first' }],
  above: 0,
  account: true,
  rights: { ...noPermissions, import_files: true },
  labels: { agent: 'MA0001 - North' },
}

test('the sample has every kind of field', () => {
  const used = Object.values(sample.schema.properties).map((property) => property.kind)
  expect(kinds.filter((kind) => !used.includes(kind))).toEqual([])
})

describe('a stored value is shown and, untouched, not sent', () => {
  test('each kind of field shows it in its own way', () => {
    drawForm({ row: stored })
    const shown = {
      Name: 'Old',
      Model: 'M1',
      Notes: 'Two\nlines',
      Quantity: '4',
      Cost: '12.5',
      Share: '0.0001',
      Owner: 'Master Agent',
      Agent: 'MA0001 - North',
      Merchant: '',
      Above: '0 - None (top level)',
      Account: 'Checking',
      Day: '2026-01-02',
      Recorded: 'Jan 2, 2026, 3:04 PM',
      Period: 'February 2019',
      Email: 'a@b.c',
      Amount: '2.5',
      Remark: 'first',
    }
    for (const [label, value] of Object.entries(shown))
      expect(screen.getByLabelText(label)).toHaveDisplayValue(value)
    expect(screen.getByRole('checkbox', { name: 'Paid' })).toBeChecked()
  })
  test('saving without a change sends the version alone', async () => {
    const { save, onSave } = drawForm({ row: stored })
    await save()
    expect(onSave).toHaveBeenCalledExactlyOnceWith({ version: 3 })
  })
})

describe('what is typed is sent, and only that', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['Name', 'New', { name: 'New' }],
    ['Name', '007', { name: '007' }],
    ['Notes', 'Other', { notes: 'Other' }],
    ['Notes', '', { notes: '' }],
    ['Quantity', '12', { quantity: 12 }],
    ['Quantity', '', { quantity: null }],
    ['Cost', '0.1', { cost: 0.1 }],
    ['Cost', '1234.50', { cost: 1234.5 }],
    ['Cost', '', { cost: 0 }],
    ['Share', '33.3333', { share: 33.3333 }],
    ['Share', '', { share: null }],
    ['Email', '', { email: '' }],
    ['Day', '2024-02-29', { day: 1_709_164_800 }],
    ['Day', '', { day: null }],
    ['Amount', '3', { lines: [{ id: 1, amount: 3, remark: 'first' }] }],
  ])('%s filled in with %j', async (label, text, sent) => {
    const { user, save, onSave } = drawForm({ row: stored })
    const field = screen.getByLabelText(label)
    await user.clear(field)
    if (text) await user.type(field, text)
    await save()
    expect(onSave).toHaveBeenCalledExactlyOnceWith({ version: 3, ...sent })
  })
  test.each(['$1,234.50', '1,234.5', '$1234.50'])('an amount pasted as %s is understood', async (text) => {
    const { user, save, onSave } = drawForm({ row: stored })
    const field = screen.getByLabelText('Cost')
    await user.clear(field)
    await user.click(field)
    await user.paste(text)
    await save()
    expect(onSave).toHaveBeenCalledExactlyOnceWith({ version: 3, cost: 1234.5 })
  })
  test.each(['1.234,567', '1234,567', '12 3,456', '1,234.5.6', '1,234$', '1,23', '$ten'])(
    'what is pasted as %s is no amount, and is refused as it stands',
    async (text) => {
      const { user, save, onSave } = drawForm({ row: stored })
      const field = screen.getByLabelText('Cost')
      await user.clear(field)
      await user.click(field)
      await user.paste(text)
      await save()
      expect(field).toHaveDisplayValue(text)
      expect(field).toHaveAccessibleDescription('Cost must be a number')
      expect(onSave).not.toHaveBeenCalled()
    },
  )
  test.each([
    ['PPS', 1],
    ['None', null],
  ])('the choice %s', async (option, sent) => {
    const { user, save, onSave } = drawForm({ row: stored })
    await user.selectOptions(screen.getByLabelText('Owner'), option)
    await save()
    expect(onSave).toHaveBeenCalledExactlyOnceWith({ version: 3, owner: sent })
  })
  test('a choice between two words sends a boolean', async () => {
    const { user, save, onSave } = drawForm({ row: stored })
    await user.selectOptions(screen.getByLabelText('Account'), 'Savings')
    await save()
    expect(onSave).toHaveBeenCalledExactlyOnceWith({ version: 3, account: false })
  })
  test('a changed checkbox sends its new value', async () => {
    const { user, save, onSave } = drawForm({ row: stored })
    await user.click(screen.getByRole('checkbox', { name: 'Paid' }))
    await save()
    expect(onSave).toHaveBeenCalledExactlyOnceWith({ version: 3, paid: false })
  })
  test('a password is offered to be made, not to be signed in with', async () => {
    const { user, save, onSave } = drawForm({ restoredValues: { name: 'A', agent: 1 } })
    const field = screen.getByLabelText('Secret')
    expect(field).toHaveAttribute('type', 'password')
    expect(field).toHaveAttribute('autocomplete', 'new-password')
    await user.type(field, 'horse')
    await save()
    expect(onSave).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ secret: 'horse' }))
  })
})

test('a code that is none of the choices is shown as it is', () => {
  drawForm({ row: { ...stored, owner: 9 } })
  expect(screen.getByLabelText('Owner')).toHaveDisplayValue('9')
})

test('a new record sends every field that may be written, empty as the schema has it', async () => {
  const { user, save, onSave } = drawForm()
  await user.type(screen.getByLabelText('Name'), 'A')
  await user.type(screen.getByRole('combobox', { name: 'Agent' }), 'north')
  await user.click(await screen.findByRole('option', { name: 'MA0001 - North' }))
  await save()
  expect(onSave).toHaveBeenCalledExactlyOnceWith({
    name: 'A',
    notes: '',
    quantity: null,
    cost: 0,
    share: null,
    owner: null,
    agent: 1,
    merchant: null,
    above: 0,
    account: true,
    paid: false,
    day: null,
    period: '',
    secret: '',
    email: '',
    lines: [],
  })
})

describe('permissions', () => {
  test('a permission that is held can be granted and revoked, one that is lacked cannot', async () => {
    const { user, save, onSave } = drawForm({
      row: stored,
      viewer: viewerWith('import_files', 'lock_reports', 'manage_users'),
    })
    const boxes = within(screen.getByRole('group', { name: 'Rights' })).getAllByRole('checkbox')
    expect(boxes.filter((box) => !box.hasAttribute('disabled'))).toHaveLength(3)
    expect(screen.getByLabelText('reports_admin')).toHaveAccessibleDescription(
      'Only a permission you hold yourself can be granted or revoked',
    )
    await user.click(screen.getByLabelText('import_files'))
    await user.click(screen.getByLabelText('lock_reports'))
    await save()
    expect(onSave).toHaveBeenCalledExactlyOnceWith({
      version: 3,
      rights: { ...noPermissions, lock_reports: true },
    })
  })
  test('of others, without the one that opens their records, are said to give nothing', async () => {
    const said = () => within(screen.getByRole('group', { name: 'Rights' })).getByRole('status')
    const { user } = drawForm({ row: stored, viewer: viewerWith('manage_permissions', 'manage_users') })
    const [changing, managing] = [
      screen.getByLabelText('manage_permissions'),
      screen.getByLabelText('manage_users'),
    ]
    expect(said()).toBeEmptyDOMElement()
    await user.click(managing)
    expect(said()).toBeEmptyDOMElement()
    await user.click(changing)
    expect(said()).toBeEmptyDOMElement()
    await user.click(managing)
    expect(said()).toHaveTextContent('“Change permissions” gives nothing without “Manage users”')
    await user.click(changing)
    expect(said()).toBeEmptyDOMElement()
  })
  test('what is only for existing records is not on the form of a new one', () => {
    drawForm()
    expect(screen.queryByRole('group', { name: 'Rights' })).toBeNull()
  })
  test('what is only for some is not there for others', () => {
    drawForm({ row: stored })
    expect(screen.queryByLabelText('Chief')).toBeNull()
    drawForm({ row: stored, viewer: { ...viewerWith(), admin: true }, formId: 'other' })
    expect(screen.getByLabelText('Chief')).toBeEnabled()
  })
})

describe("an entity's own check of its values", () => {
  test('speaks at the field, and keeps the form from being saved', async () => {
    const { user, save, onSave } = drawForm({ row: { ...stored, share: null } })
    await user.clear(screen.getByLabelText('Cost'))
    await user.type(screen.getByLabelText('Cost'), '101')
    await save()
    expect(screen.getByLabelText('Share')).toHaveAccessibleDescription('Share is required above $100')
    expect(screen.getByLabelText('Share')).toHaveFocus()
    expect(onSave).not.toHaveBeenCalled()
  })
  test('finds wrong what was stored so only where it is changed, as the server does', async () => {
    const { user, save, onSave } = drawForm({ row: { ...stored, cost: 101, share: null } })
    await user.type(screen.getByLabelText('Share'), '0')
    await save()
    expect(screen.getByLabelText('Share')).toHaveAccessibleDescription('Share is required above $100')
    expect(onSave).not.toHaveBeenCalled()
    await user.clear(screen.getByLabelText('Share'))
    await user.type(screen.getByLabelText('Notes'), 'x')
    await save()
    expect(onSave).toHaveBeenCalledExactlyOnceWith({ version: 3, notes: expect.stringMatching(/x$/) })
  })
  test('adds nothing to what the schema says of a field already', async () => {
    const check = () => ({ name: 'Name is taken' })
    const { save } = drawForm({ entity: { ...sample, check } })
    await save()
    expect(screen.getByLabelText('Name')).toHaveAccessibleDescription('Name is required')
  })
  test('says nothing of a field that cannot be changed here, where another one makes it wrong', async () => {
    const fields = { ...sample.access.fields, share: nobody }
    const entity = { ...sample, access: { ...sample.access, fields } }
    const { user, save, onSave } = drawForm({ entity, row: { ...stored, share: null } })
    await user.clear(screen.getByLabelText('Cost'))
    await user.type(screen.getByLabelText('Cost'), '101')
    await save()
    expect(onSave).toHaveBeenCalledExactlyOnceWith({ version: 3, cost: 101 })
  })
  test('says nothing of a field that cannot be changed here', async () => {
    const { save, onSave } = drawForm({ row: { ...stored, model: 'wrong' } })
    await save()
    expect(onSave).toHaveBeenCalledOnce()
  })
})

describe('rows of a list', () => {
  test('can be added and removed', async () => {
    const { user, save, onSave } = drawForm({ row: stored })
    const list = within(screen.getByRole('group', { name: 'Lines' }))
    await user.click(list.getByRole('button', { name: 'Add Item' }))
    // Their order means nothing.
    expect(list.queryByRole('button', { name: /^Move/ })).toBeNull()
    await user.type(list.getAllByLabelText('Remark')[1]!, 'second')
    await user.clear(list.getAllByLabelText('Amount')[1]!)
    await user.type(list.getAllByLabelText('Amount')[1]!, '9')
    await user.click(list.getAllByRole('button', { name: 'Remove' })[0]!)
    await save()
    expect(onSave).toHaveBeenCalledExactlyOnceWith({ version: 3, lines: [{ amount: 9, remark: 'second' }] })
  })
  test('are refused while something in them is missing', async () => {
    const { user, save, onSave } = drawForm({ row: stored })
    await user.click(screen.getByRole('button', { name: 'Add Item' }))
    await save()
    expect(screen.getByText('Remark is required')).toBeVisible()
    expect(screen.getAllByLabelText('Remark')[1]).toHaveFocus()
    expect(onSave).not.toHaveBeenCalled()
  })
})
