import { screen, waitFor, within } from '@testing-library/dom'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { equipment } from '../../schemas/entities/equipment.ts'
import { entities } from '../../schemas/entities/index.ts'
import { masterAgent } from '../../schemas/entities/masterAgent.ts'
import { merchant } from '../../schemas/entities/merchant.ts'
import { terms } from '../../schemas/entities/terms.ts'
import { user as users } from '../../schemas/entities/user.ts'
import { permissions, permissionWords, type Permission } from '../../schemas/permissions.ts'
import { userId } from '../records.ts'
import { openTestPortal, type TestPortal } from '../testPortal.ts'
import { formOf, openAs } from './screens.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal()
}, 60_000)
afterAll(() => portal.close())

const editUser = async (who: 'admin' | readonly Permission[], username = 'newcomer') => {
  const tab = await openAs(portal, who, `/users?open=${await userId(portal.db, username)}`)
  return { ...tab, form: await formOf(users) }
}

describe('the passwords of an existing user', () => {
  test('are ten asterisks and disabled; Change Password opens them empty, and a second press restores them', async () => {
    const { user, form } = await editUser('admin')
    const fields = () => ['Password', 'Confirm Password'].map((label) => form.getByLabelText(label))
    const shut = () =>
      fields().forEach((field) => {
        expect(field).toBeDisabled()
        expect(field).toHaveValue('')
        expect(field).toHaveAttribute('placeholder', '**********')
      })
    shut()
    await user.click(form.getByRole('button', { name: 'Change Password' }))
    fields().forEach((field) => {
      expect(field).toBeEnabled()
      expect(field).toHaveValue('')
      expect(field).not.toHaveAttribute('placeholder', '**********')
    })
    await user.type(fields()[0]!, 'a new phrase')
    await user.click(form.getByRole('button', { name: 'Change Password' }))
    await expect.poll(() => fields()[0]).toHaveValue('')
    shut()
    await user.click(form.getByRole('button', { name: 'Cancel' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  })

  test('the user name is read-only', async () => {
    const { form } = await editUser('admin')
    expect(form.getByLabelText('Username')).toBeDisabled()
    expect(form.getByLabelText('Username')).toHaveValue('newcomer')
  })
})

/** The words of a permission; administrators also read its name. */
const boxName = (who: 'admin' | readonly Permission[], name: Permission) =>
  who === 'admin' ? `${permissionWords[name]} ${name}` : permissionWords[name]

describe('the permission checkboxes', () => {
  test('are shown for existing users only', async () => {
    await openAs(portal, 'admin', '/users?open=new')
    const form = await formOf(users)
    expect(form.queryByRole('checkbox', { name: /Manage users/ })).toBeNull()
    expect(form.getByLabelText('Password')).toBeEnabled()
    expect(form.queryByRole('button', { name: 'Change Password' })).toBeNull()
  })

  const all: Permission[] = [...permissions]
  test.each<[string, 'admin' | Permission[], readonly Permission[]]>([
    ['an administrator', 'admin', all],
    ['manage_users alone', ['manage_users'], []],
    [
      'manage_users and all others but manage_permissions',
      all.filter((name) => name !== 'manage_permissions'),
      [],
    ],
    [
      'manage_users and manage_permissions',
      ['manage_users', 'manage_permissions'],
      ['manage_permissions', 'manage_users'],
    ],
    ['everything', all, all],
    ...all
      .filter((name) => !['manage_users', 'manage_permissions'].includes(name))
      .map((lacked): [string, Permission[], Permission[]] => {
        const held = all.filter((name) => name !== lacked)
        return [`all but ${lacked}`, held, held]
      }),
  ])(
    'with %s can be ticked where the viewer may grant the permission, with manage_permissions',
    async (_, who, open) => {
      const { form } = await editUser(who)
      const enabled = permissions.filter(
        (name) => !(form.getByRole('checkbox', { name: boxName(who, name) }) as HTMLInputElement).disabled,
      )
      expect(enabled).toEqual(open)
      expect(form.queryAllByRole('checkbox', { name: 'Administrator' })).toHaveLength(who === 'admin' ? 1 : 0)
    },
  )
})

describe('the record of an administrator', () => {
  test('shows its twelve permissions ticked and disabled, and manage_tickets enabled', async () => {
    const { form } = await editUser('admin', 'admin')
    const boxes = permissions.map((name) => {
      const box = form.getByRole('checkbox', { name: boxName('admin', name) }) as HTMLInputElement
      return [name, box.checked, box.disabled]
    })
    expect(boxes).toEqual(
      permissions.map((name) => [name, name !== 'manage_tickets', name !== 'manage_tickets']),
    )
    expect(form.getByRole('checkbox', { name: /^Lock reports/ })).toHaveAccessibleDescription(
      'An administrator holds what is ticked and closed here by the flag',
    )
  })

  test('of another user shows the permissions that were given as soon as the flag is cleared', async () => {
    const store = (admin: boolean, given: string) =>
      portal.db.query(
        "update portal_user set admin = $1, permissions = $2::text[] where username = 'newcomer'",
        [admin, given],
      )
    await store(true, '{manage_permissions}')
    const { user, form } = await editUser('admin')
    const box = () => form.getByRole('checkbox', { name: /^Lock reports/ })
    expect(box()).toBeChecked()
    expect(form.queryByText(/gives nothing without/)).toBeNull()
    await user.click(form.getByRole('checkbox', { name: 'Administrator' }))
    await expect.poll(box).not.toBeChecked()
    expect(box()).toBeEnabled()
    expect(form.getByText('“Change permissions” gives nothing without “Manage users”')).toBeVisible()
    await store(false, '{}')
  })

  test('opened by its own user offers neither Delete nor the flag, and says why', async () => {
    const { form } = await editUser('admin', 'admin')
    expect(form.getByRole('button', { name: 'Delete' })).toBeDisabled()
    expect(form.getByRole('button', { name: 'Delete' })).toHaveAccessibleDescription(
      'You cannot delete your own user',
    )
    expect(form.getByRole('checkbox', { name: 'Administrator' })).toBeDisabled()
    expect(form.getByText('You cannot take the administrator right from yourself')).toBeVisible()
  })
})

describe('a user whom the viewer may not change', () => {
  const shown = ({ form }: Awaited<ReturnType<typeof editUser>>) => ({
    buttons: ['Save', 'Delete', 'Change Password', 'Cancel'].filter((name) =>
      form.queryByRole('button', { name }),
    ),
    open: permissions.filter(
      (name) => !(form.getByRole('checkbox', { name: boxName([], name) }) as HTMLInputElement).disabled,
    ),
  })
  test('who is an administrator is shown to staff read-only, with one reason', async () => {
    const tab = await editUser(['manage_users', 'manage_permissions', 'create_users'], 'admin')
    expect(shown(tab)).toEqual({ buttons: [], open: [] })
    expect(tab.form.getAllByText('Only an administrator may change an administrator')).toHaveLength(1)
    expect(tab.form.getByLabelText('Master Agent')).toHaveAccessibleDescription(
      'Only an administrator may change an administrator',
    )
  })

  test('who holds more than the viewer is shown read-only, with the permissions that the viewer lacks', async () => {
    await portal.db.query(
      `update portal_user set permissions = '{manage_users,delete_merchants}' where username = 'newcomer'`,
    )
    const tab = await editUser(['manage_users', 'manage_permissions'])
    expect(shown(tab)).toEqual({ buttons: [], open: [] })
    expect(tab.form.getAllByText('This user holds more than you do: “Delete merchants”')).toHaveLength(1)
    await portal.db.query(`update portal_user set permissions = '{}' where username = 'newcomer'`)
  })

  test('can be changed as soon as the viewer holds the same permissions', async () => {
    await portal.db.query(`update portal_user set permissions = '{manage_users}' where username = 'newcomer'`)
    const tab = await editUser(['manage_users', 'manage_permissions'])
    expect(shown(tab)).toEqual({
      buttons: ['Save', 'Delete', 'Change Password', 'Cancel'],
      open: ['manage_permissions', 'manage_users'],
    })
    await portal.db.query(`update portal_user set permissions = '{}' where username = 'newcomer'`)
  })
})

test('the fields of a user stand in the order username, password, confirm password, master agent', async () => {
  await openAs(portal, 'admin', '/users?open=new')
  const form = await formOf(users)
  const fields = ['Username', 'Password', 'Confirm Password', 'Master Agent'].map((label) =>
    form.getByLabelText(label),
  )
  const inOrder = [...document.querySelectorAll('input')].filter((input) => fields.includes(input))
  expect(inOrder).toEqual(fields)
})

test('the master agent of a user is chosen as id - name, after Select an Option', async () => {
  const { user } = await openAs(portal, 'admin', '/users?open=new')
  const form = await formOf(users)
  const field = form.getByLabelText('Master Agent')
  expect(field).toHaveAttribute('placeholder', 'Select an Option')
  await user.click(field)
  const [first] = await portal.db.query<{ name: string }>('select name from master_agent where id = 1')
  expect((await form.findAllByRole('option'))[0]).toHaveTextContent(`1 - ${first!.name}`)
})

test('with create_users alone there is Create and no list', async () => {
  const { user } = await openAs(portal, ['create_users'], '/users')
  const create = await screen.findByRole('button', { name: 'Create' })
  expect(screen.queryByRole('table')).toBeNull()
  await user.click(create)
  const form = await formOf(users)
  for (const [label, text] of [
    ['Username', 'made'],
    ['Password', 'correct horse battery'],
    ['Confirm Password', 'correct horse battery'],
  ] as const)
    await user.type(form.getByLabelText(label), text)
  await user.click(form.getByLabelText('Master Agent'))
  await user.click((await form.findAllByRole('option'))[0]!)
  await user.click(form.getByRole('button', { name: 'Save' }))
  await expect.poll(() => screen.queryByRole('dialog'), { timeout: 8_000 }).toBeNull()
  expect(await userId(portal.db, 'made')).toBeGreaterThan(0)
})

test('the parent of a master agent may be 0 - None (top level)', async () => {
  const { user } = await openAs(portal, 'admin', '/manage/agents?open=new')
  const form = await formOf(masterAgent)
  await user.click(form.getByLabelText('Parent'))
  await user.click(await form.findByRole('option', { name: '0 - None (top level)' }))
  expect(form.getByLabelText('Parent')).toHaveValue('0 - None (top level)')
  await user.type(form.getByLabelText('Name'), 'Top')
  await user.click(form.getByRole('button', { name: 'Save' }))
  await expect.poll(() => screen.queryByRole('dialog'), { timeout: 8_000 }).toBeNull()
  expect(await portal.db.query(`select parentid from master_agent where name = 'Top'`)).toEqual([
    { parentid: null },
  ])
})

test('a person who may only edit commissions sees masked numbers, which a save does not change', async () => {
  const [before] = await portal.db.query<{ bankaccountnumber: Buffer }>(
    'select bankaccountnumber, taxid from master_agent where id = 2',
  )
  const { user } = await openAs(portal, ['edit_commission'], '/manage/agents?open=2')
  const form = await formOf(masterAgent)
  for (const label of ['Bank Account #', 'Tax Id']) {
    expect((form.getByLabelText(label) as HTMLInputElement).value).toMatch(/^\*{5}\d{4}$/)
    expect(form.getByLabelText(label)).toBeDisabled()
  }
  await user.clear(form.getByLabelText('Amount Commission Received'))
  await user.type(form.getByLabelText('Amount Commission Received'), '3.25')
  await user.click(form.getByRole('button', { name: 'Save' }))
  await expect.poll(() => screen.queryByRole('dialog'), { timeout: 8_000 }).toBeNull()
  const [after] = await portal.db.query<Record<string, unknown>>(
    'select bankaccountnumber, taxid, amountcommissionreceived from master_agent where id = 2',
  )
  expect(after).toEqual({ ...before, amountcommissionreceived: 3.25 })
})

test('equipment: the merchant is chosen as merchant id - dba, the owner may be none, the paid status is read-only', async () => {
  const [shop] = await portal.db.query<{ xmid: string; dba: string }>(
    'select xmid, dba from merchant order by xmid limit 1',
  )
  const { user } = await openAs(portal, 'admin', '/manage/equipment?open=new')
  const form = await formOf(equipment)
  const owner = form.getByLabelText('Equipment Owner')
  expect(
    within(owner)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['PPS', 'Master Agent', 'Merchant', 'None'])
  expect(form.getByLabelText('Paid Status')).toBeDisabled()
  await user.type(form.getByLabelText('Merchant'), shop!.xmid)
  expect(
    (await form.findAllByRole('option', { name: `${shop!.xmid} - ${shop!.dba}` })).length,
  ).toBeGreaterThan(0)
})

describe('the terms', () => {
  test('are read-only: there is no Save and no Delete', async () => {
    await openAs(portal, 'admin', '/terms?open=1')
    const form = await formOf(terms)
    expect(form.getByLabelText('Text')).toHaveAttribute('readonly')
    expect(form.queryByRole('button', { name: 'Save' })).toBeNull()
    expect(form.queryByRole('button', { name: 'Delete' })).toBeNull()
  })

  test('are created in a text area of ten rows', async () => {
    await openAs(portal, 'admin', '/terms?open=new')
    expect((await formOf(terms)).getByLabelText('Text')).toHaveAttribute('rows', '10')
  })

  test('list who accepted, when and from where, and export the users who have not', async () => {
    const { user } = await openAs(portal, 'admin', '/terms')
    const opener = await screen.findByRole('button', { name: /^Acceptance by User/ })
    await user.click(opener)
    await within(await screen.findByRole('dialog')).findAllByRole('columnheader')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(opener).toHaveFocus())
    await user.click(opener)
    const dialog = within(await screen.findByRole('dialog'))
    expect((await dialog.findAllByRole('columnheader')).map((head) => head.textContent)).toEqual([
      'User ID',
      'Accepted Time',
      'IP Address',
    ])
    const [first] = await portal.db.query<{ day: string }>(
      `select to_char(min(acceptancedate) at time zone 'utc', 'FMMM/FMDD/YYYY') as day from terms_acceptance`,
    )
    expect([...dialog.getAllByRole('row')[1]!.children].map((cell) => cell.textContent)).toEqual([
      `${await userId(portal.db, 'admin')} - admin`,
      first!.day,
      '127.0.0.1',
    ])
    const absent = dialog.getAllByRole('listitem').map((item) => item.textContent)
    expect(absent).toContain(`${await userId(portal.db, 'newcomer')} - newcomer`)
    const link = dialog.getByRole('button', { name: /^Export/ })
    expect(link).toHaveAttribute('download')
    expect(decodeURIComponent(link.getAttribute('href')!)).toContain(
      `${await userId(portal.db, 'newcomer')},newcomer`,
    )
  })
})

describe('the form of a merchant that was in files of locked months before it was known', () => {
  const inFiles = async (months: readonly string[]) => {
    const [{ id, xmid } = { id: 0, xmid: '' }] = await portal.db.query<{ id: number; xmid: string }>(
      'select id, xmid from merchant order by id limit 1',
    )
    await portal.db.query('delete from adjustment where latexmid = $1', [xmid])
    for (const month of months)
      await portal.db.query(
        `insert into adjustment (masteragentid, month, amount, reason, author, latexmid, lateprocessor, latemonth)
          values (2, '2090-01-01', 5, 'Late', 'portal', $1, 'Acme', $2)`,
        [xmid, month],
      )
    return { id, xmid }
  }

  test.each<[what: string, months: string[], who: 'admin' | Permission[], sentence: string | null]>([
    [
      'one month, to who sees adjustments',
      ['2089-01-01'],
      ['manage_merchants', 'lock_reports'],
      'was in a file of',
    ],
    ['two months, to an administrator', ['2089-01-01', '2089-02-01'], 'admin', 'was in 2 files of'],
    ['two months, to who does not see adjustments', ['2089-01-01', '2089-02-01'], ['manage_merchants'], null],
    ['no month', [], 'admin', null],
  ])('says so, with what is proposed: %s', async (_, months, who, sentence) => {
    const { id, xmid } = await inFiles(months)
    await openAs(portal, who, `${merchant.path}?open=${id}`)
    const form = await formOf(merchant)
    if (sentence === null) return expect(form.queryByRole('note', { name: 'Late MID' })).toBeNull()
    const note = await form.findByRole('note', { name: 'Late MID' })
    expect(note).toHaveTextContent(`This MID ${sentence} locked months before it was known.`)
    expect(within(note).getByRole('link')).toHaveAttribute('href', `/manage/adjustments?search=${xmid}`)
  })
})

/** Creates records of the kinds that are not in the demo data. */
const unseeded: Record<string, object> = {
  adjustment: { month: '2090-01', amount: 5, reason: 'R', masteragentid: 7 },
  processor: { name: 'Unused' },
  processorstatement: { processor: 'Acme', month: '2090-01', statednet: 5 },
}

test.each([
  ['masteragent', 'Are you sure you want to delete this master agent?'],
  ['equipment', 'Are you sure you want to delete this equipment?'],
  ['merchant', 'Are you sure you want to delete this merchant?'],
  ['user', 'Are you sure you want to delete this user?'],
  ['adjustment', 'Are you sure you want to delete this adjustment?'],
  ['processor', 'Are you sure you want to delete this processor?'],
  ['processorstatement', 'Are you sure you want to delete this processor statement?'],
])('of a %s the dialog asks: %s', async (name, question) => {
  const it = entities[name]!
  const fresh = unseeded[name]
  if (fresh) await (await portal.login('admin')).call('POST', `/api/v1/${name}`, fresh)
  const [{ id } = { id: 0 }] = await portal.db.query<{ id: number }>(`select max(id) as id from ${it.table}`)
  const { user } = await openAs(portal, 'admin', `${it.path}?open=${id}`)
  await user.click((await formOf(it)).getByRole('button', { name: 'Delete' }))
  const asked = within(await screen.findByRole('alertdialog', { name: question }))
  expect(
    asked
      .getAllByRole('button')
      .map((button) => button.textContent)
      .filter(Boolean),
  ).toEqual(['Delete', 'Cancel'])
  await user.click(asked.getByRole('button', { name: 'Cancel' }))
  expect(await portal.db.query(`select id from ${it.table} where id = $1`, [id])).toHaveLength(1)
})
