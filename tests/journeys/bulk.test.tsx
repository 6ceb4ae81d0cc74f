import { screen, waitFor, within } from '@testing-library/dom'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entities } from '../../schemas/entities/index.ts'
import type { Permission } from '../../schemas/permissions.ts'
import { draftKey } from '../../src/parts/unsaved/draftStorage.ts'
import { openTestPortal, type TestPortal } from '../testPortal.ts'
import { signIn } from './open.ts'
import { openAs } from './screens.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal()
  const admin = await portal.login('admin')
  for (const at of [1, 2, 3])
    await admin.call('POST', '/api/v1/merchant', { xmid: `J-${at}`, dba: `Kiosk ${at}`, masteragentid: 2 })
  await portal.db.query(`update portal_user set masteragentid = 1 where username = 'clerk'`)
})
afterAll(() => portal.close())

const kiosks = '/manage/merchants?search=kiosk'
const box = (name: string) => screen.findByRole('checkbox', { name })
const ready = async (name: string) => {
  const found = await box(name)
  await waitFor(() => expect(found).toBeEnabled())
  return found
}

describe('a list has checkboxes', () => {
  test.each<[name: string, permissions: Permission[], operations: string[]]>([
    ['who manages merchants', ['manage_merchants'], ['Set a field', 'Reassign']],
    ['who deletes merchants', ['delete_merchants'], ['Delete']],
    ['who does both', ['manage_merchants', 'delete_merchants'], ['Set a field', 'Reassign', 'Delete']],
  ])('for %s, with the buttons of what they may do', async (_, permissions, operations) => {
    const { user } = await openAs(portal, permissions, kiosks)
    await user.click(await ready('Select J-1'))
    const bar = within(screen.getByRole('group', { name: 'Selected records' }))
    const names = ['Set a field', 'Reassign', 'Delete'].filter((name) => bar.queryByRole('button', { name }))
    expect(names).toEqual(operations)
  })

  test.each([
    ['processor', ['Set a field']],
    ['adjustment', ['Set a field', 'Reassign', 'Delete']],
    ['processorstatement', ['Set a field', 'Delete']],
  ])('of each %s, with its buttons, for a person who locks the months', async (name, operations) => {
    const { user } = await openAs(portal, ['lock_reports'], entities[name]!.path)
    await user.click(await ready('Select the page'))
    const bar = within(screen.getByRole('group', { name: 'Selected records' }))
    const names = ['Set a field', 'Reassign', 'Delete'].filter((it) =>
      bar.queryByRole('button', { name: it }),
    )
    expect(names).toEqual(operations)
  })

  test('for nobody who may change nothing', async () => {
    await openAs(portal, ['import_files'], kiosks)
    expect(await screen.findByRole('rowheader', { name: 'J-1' })).toBeVisible()
    expect(screen.queryByRole('checkbox')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Changes' })).toBeNull()
  })

  test('in no list whose records are changed one by one', async () => {
    await openAs(portal, 'admin', entities.tc!.path)
    expect((await screen.findAllByRole('rowheader'))[0]).toBeVisible()
    expect(screen.queryByRole('checkbox')).toBeNull()
  })

  test('that name their rows and say whether the page is selected whole, in part, or not', async () => {
    const { user } = await openAs(portal, 'admin', kiosks)
    const page = await ready('Select the page')
    expect(page).not.toBeChecked()
    await user.click(await box('Select J-2'))
    expect(page).toBePartiallyChecked()
    await user.click(page)
    expect(page).toBeChecked()
    for (const at of [1, 2, 3]) expect(await box(`Select J-${at}`)).toBeChecked()
    expect(screen.getByText('3 selected')).toHaveAttribute('role', 'status')
    // There are no more than these.
    expect(screen.queryByRole('button', { name: /^Select all/ })).toBeNull()
    await user.click(page)
    expect(page).not.toBeChecked()
    expect(screen.queryByText('3 selected')).toBeNull()
  })
})

describe('by keys alone', () => {
  test('rows are selected with j, x and k, and one is not opened by its checkbox', async () => {
    const { user, at } = await openAs(portal, 'admin', kiosks)
    await ready('Select J-1')
    await user.keyboard('jx')
    expect(await box('Select J-1')).toBeChecked()
    await user.keyboard('jx')
    expect(screen.getByText('2 selected')).toBeVisible()
    await user.keyboard('kx')
    expect(await box('Select J-1')).not.toBeChecked()
    await user.click(await box('Select J-3'))
    expect(at()).toBe('/manage/merchants?search=kiosk')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('a field is set, the message has the focus, and the change is undone from the list of changes', async () => {
    const { user } = await openAs(portal, 'admin', `${kiosks}&columns=xmid,product`)
    const held = () => portal.db.query(`select product from merchant where xmid like 'J-%' order by xmid`)
    await ready('Select J-1')
    await user.keyboard('jxjx')
    screen.getByRole('button', { name: 'Set a field' }).focus()
    await user.keyboard('{Enter}')
    const dialog = within(await screen.findByRole('dialog', { name: 'Set a field of 2 merchants' }))
    const field = dialog.getByLabelText('Field')
    await waitFor(() => expect(field).toHaveFocus())
    await user.selectOptions(field, 'Product')
    await user.type(await dialog.findByLabelText('Product'), 'Duo{Enter}')
    const summary = await dialog.findByText(/^2 merchants would be changed\./)
    await waitFor(() => expect(summary).toHaveFocus())
    dialog.getByRole('button', { name: 'Change 2 merchants' }).focus()
    await user.keyboard('{Enter}')
    const message = await screen.findByText('2 merchants changed.')
    await waitFor(() => expect(message.closest('[role=status]')).toHaveFocus())
    expect(await held()).toEqual([{ product: 'Duo' }, { product: 'Duo' }, { product: '' }])
    expect(await screen.findAllByText('Duo')).toHaveLength(2)
    const opener = screen.getByRole('button', { name: 'Changes' })
    await user.click(opener)
    const changes = within(await screen.findByRole('dialog', { name: 'Changes of merchants' }))
    expect(await changes.findByText('Product: Duo')).toBeVisible()
    const undo = changes.getByRole('button', { name: /^Undo the change of / })
    await user.click(undo)
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Keep it' }))
    await waitFor(() => expect(undo).toHaveFocus())
    await user.click(undo)
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Undo the change' }))
    await expect.poll(held).toEqual([{ product: '' }, { product: '' }, { product: '' }])
    expect(await changes.findByText('Undone')).toBeVisible()
    await waitFor(() => expect(screen.queryByText('Duo')).toBeNull())
    await user.click(changes.getByText('Close', { selector: '.bp6-dialog-footer *' }))
    await waitFor(() => expect(opener).toHaveFocus())
  })

  test('the focus is back on the button of a dialog that is left, and stays in the bar when its button goes', async () => {
    const { user } = await openAs(portal, 'admin', kiosks)
    const button = (name: string) => screen.getByRole('button', { name })
    await user.click(await ready('Select J-1'))
    for (const name of ['Set a field', 'Reassign', 'Delete']) {
      await user.click(button(name))
      const dialog = within(await screen.findByRole('dialog'))
      await user.click(dialog.getByRole('button', { name: 'Cancel' }))
      await waitFor(() => expect(button(name)).toHaveFocus())
    }
    await user.click(button('Set a field'))
    const dialog = within(await screen.findByRole('dialog'))
    await user.selectOptions(dialog.getByLabelText('Field'), 'Product')
    await user.type(await dialog.findByLabelText('Product'), 'Trio{Enter}')
    await user.click(await dialog.findByRole('button', { name: 'Change 1 merchant' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    const message = await screen.findByText(/It is undone\.$/)
    await waitFor(() => expect(message.closest('[role=status]')).toHaveFocus())
    await user.click(button('Close what was changed'))
    await waitFor(() => expect(button('Changes')).toHaveFocus())
    await user.click(await ready('Select J-1'))
    await user.click(button('Clear'))
    await waitFor(() => expect(button('Changes')).toHaveFocus())
  })

  test('a change that cannot be undone says why, and its Undo is closed', async () => {
    const admin = await portal.login('admin')
    const asked = { found: { search: 'kiosk' }, values: { notes: 'together' } }
    const { fingerprint } = (await admin.call('POST', '/api/v1/merchant/bulk/preview', asked)).body
    await admin.call('POST', '/api/v1/merchant/bulk', { ...asked, fingerprint })
    await portal.db.query(`update merchant set notes = 'alone', version = version + 1 where xmid = 'J-2'`)
    const { user } = await openAs(portal, 'admin', kiosks)
    await user.click(await screen.findByRole('button', { name: 'Changes' }))
    const changes = within(await screen.findByRole('dialog', { name: 'Changes of merchants' }))
    const [undo] = await changes.findAllByRole('button', { name: /^Undo the change of / })
    expect(undo).toBeDisabled()
    expect(undo).toHaveAccessibleDescription('Cannot be undone: J-2 - Kiosk 2 was changed since')
  })
})

describe('a value', () => {
  test('that is typed when the session ends is offered to the same user in the same list, and to nobody else', async () => {
    const { user, portal: tab, at } = await openAs(portal, 'admin', kiosks)
    const setField = async () => {
      await user.click(await ready('Select J-1'))
      await user.click(screen.getByRole('button', { name: 'Set a field' }))
      const dialog = within(await screen.findByRole('dialog', { name: 'Set a field of 1 merchant' }))
      await dialog.findByLabelText('Field')
      return dialog
    }
    const dialog = await setField()
    await user.selectOptions(dialog.getByLabelText('Field'), 'Notes')
    await user.type(await dialog.findByLabelText('Notes'), 'Moved with their shops')
    tab.session.send({ type: 'http.unauthorized' })
    await signIn({ user }, 'admin', portal.people['admin']!.password)
    await expect.poll(at).toBe(kiosks)
    const again = await setField()
    await user.click(await again.findByRole('button', { name: 'Restore' }))
    expect(again.getByLabelText('Field')).toHaveDisplayValue('Notes')
    expect(await again.findByLabelText('Notes')).toHaveValue('Moved with their shops')
    tab.session.send({ type: 'http.unauthorized' })
    await signIn({ user }, 'clerk', portal.people['clerk']!.password)
    await screen.findByRole('heading', { level: 1 })
    await waitFor(() => expect(sessionStorage).toHaveLength(0))
  })

  test('that was stored as a draft is not offered any more once another one is previewed', async () => {
    const { user } = await openAs(portal, 'admin', kiosks)
    sessionStorage.setItem(
      draftKey('admin', 'bulk', 'merchant', 'set'),
      JSON.stringify({ field: 'notes', values: { notes: 'Old' } }),
    )
    await user.click(await ready('Select J-1'))
    await user.click(screen.getByRole('button', { name: 'Set a field' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Set a field of 1 merchant' }))
    expect(await dialog.findByRole('button', { name: 'Restore' })).toBeVisible()
    await user.selectOptions(dialog.getByLabelText('Field'), 'Product')
    await user.type(await dialog.findByLabelText('Product'), 'Solo{Enter}')
    await user.click(await dialog.findByRole('button', { name: 'Back' }))
    expect(await dialog.findByLabelText('Product')).toHaveValue('Solo')
    expect(dialog.queryByRole('button', { name: 'Restore' })).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    sessionStorage.clear()
  })

  test('that may not be missing is asked for, and one that the server refuses is said at its field', async () => {
    const { user } = await openAs(portal, 'admin', kiosks)
    await user.click(await ready('Select J-1'))
    await user.click(screen.getByRole('button', { name: 'Reassign' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Reassign 1 merchant' }))
    await user.click(dialog.getByRole('button', { name: 'Preview' }))
    expect(await dialog.findByText('Master Agent ID is required')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByText('1 selected')).toBeVisible()
  })

  test('that is left empty clears the field', async () => {
    await portal.db.query(`update merchant set sales_rep = 'Kim', version = version + 1 where xmid = 'J-3'`)
    const { user } = await openAs(portal, 'admin', kiosks)
    await user.click(await ready('Select J-3'))
    await user.click(screen.getByRole('button', { name: 'Set a field' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Set a field of 1 merchant' }))
    await user.selectOptions(dialog.getByLabelText('Field'), 'Sales Rep')
    await user.click(dialog.getByRole('button', { name: 'Preview' }))
    const changes = within(await dialog.findByRole('region', { name: 'Changes' }))
    expect(changes.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
      'Sales Rep',
      'Kim',
      '(empty)',
      '1',
    ])
  })
})
