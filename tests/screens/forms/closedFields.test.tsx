import { render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  effectivePermissions,
  noPermissions,
  type Permission,
  type Viewer,
} from '../../../schemas/permissions.ts'
import { EntityForm, type EntityFormProps } from '../../../src/forms/EntityForm.tsx'
import { oracles } from '../../rights/all.ts'
import { openTo, shownTo, type Oracle, type Person } from '../../rights/oracle.ts'
import { newUser } from '../newUser.ts'

// React writes its warnings to console.error, such as the one about an input whose value is null.
beforeEach(() => void vi.spyOn(console, 'error'))
afterEach(() => {
  const warnings = vi.mocked(console.error).mock.calls
  vi.restoreAllMocks()
  expect(warnings).toEqual([])
})

/** Every set of the permissions that matter to this entity, and an administrator. */
const peopleFor = ({ relevant }: Oracle): Person[] => [
  ...Array.from({ length: 2 ** relevant.length }, (_, bits) => ({
    admin: false,
    given: relevant.filter((_, at): boolean => (bits & (1 << at)) !== 0),
  })),
  { admin: true, given: [] },
]

const cases = oracles.flatMap(({ name, oracle }) =>
  peopleFor(oracle).flatMap((person) => {
    const who = person.admin ? 'an administrator' : person.given.join(' and ') || 'no permission'
    return [null, ...oracle.rows]
      .filter((row) => (row ? oracle.open(person) : oracle.create(person)))
      .map((row, at) => ({ name, who, what: row ? `stored record ${at}` : 'a new one', oracle, person, row }))
  }),
)

const viewerOf = ({ admin, given }: Person): Viewer => {
  const held = Object.fromEntries(given.map((name: Permission) => [name, true]))
  const permissions = effectivePermissions(admin, { ...noPermissions, ...held })
  return { username: 'ann', admin, permissions, masteragentid: null, seesall: true }
}

const draw = async (
  { it }: Oracle,
  person: Person,
  row: Record<string, unknown> | null,
  more: Partial<EntityFormProps> = {},
) => {
  const props = { faults: {}, busy: false, searchRecords: async () => [], onChange: vi.fn(), onSave: vi.fn() }
  const stored = row as EntityFormProps['row']
  render(<EntityForm entity={it} viewer={viewerOf(person)} row={stored} formId="it" {...props} {...more} />)
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
}

test.each([true, false])(
  'permissions that the flag of an administrator gives (%s) are said to be held by it, others are not',
  async (admin) => {
    const { oracle } = oracles.find(({ name }) => name === 'Manage Users')!
    const permissions = { ...noPermissions, manage_permissions: true }
    await draw(oracle, { admin: true, given: [] }, { ...oracle.rows[0]!, admin, permissions })
    const note = screen.queryByText('An administrator holds what is ticked and closed here by the flag')
    expect(note !== null).toBe(admin)
    const boxes = screen.getAllByRole<HTMLInputElement>('checkbox')
    const byFlag = boxes.filter((box) => note && box.getAttribute('aria-describedby')?.includes(note.id))
    expect(byFlag.length > 0).toBe(admin)
    expect(byFlag.every(({ checked, disabled }) => checked && disabled)).toBe(true)
    // The flag gives both.
    expect(screen.queryByText(/gives nothing without/) === null).toBe(admin)
  },
)

test('a permission of an administrator is stored with those that were given, without those of the flag', async () => {
  const { oracle } = oracles.find(({ name }) => name === 'Manage Users')!
  const given = { ...noPermissions, manage_users: true }
  const row = { ...oracle.rows[0]!, admin: true, permissions: given }
  const onValues = vi.fn<(values: Record<string, unknown>) => void>()
  await draw(oracle, { admin: true, given: ['manage_tickets'] }, row, { onValues })
  const boxes = within(screen.getByRole('group', { name: 'Permissions' })).getAllByRole('checkbox')
  const open = boxes.filter((box) => !box.hasAttribute('disabled'))
  expect(open.map((box) => box.closest('label')!.querySelector('code')?.textContent)).toEqual([
    'manage_tickets',
  ])
  await newUser().click(open[0]!)
  expect(onValues.mock.lastCall![0].permissions).toEqual({ ...given, manage_tickets: true })
})

test('permissions that are closed whoever holds them are not said to need to be held', async () => {
  const { oracle } = oracles.find(({ name }) => name === 'Manage Users')!
  await draw(oracle, { admin: false, given: ['manage_users'] }, oracle.rows[0]!)
  const boxes = within(screen.getByRole('group', { name: 'Permissions' }))
  expect(boxes.getAllByRole('checkbox').filter((box) => !box.hasAttribute('disabled'))).toEqual([])
  expect(boxes.queryByText(/^Only a permission you hold yourself/)).toBeNull()
  // Names of the code are for administrators.
  expect(document.querySelector('code')).toBeNull()
})

test.each([
  ['a new user', null, ['Username', 'Password', 'Confirm Password', 'Master Agent']],
  ['a stored one', 0, ['Username', 'Master Agent']],
])('of %s what must be filled in is marked', async (_, at, marked) => {
  const { oracle } = oracles.find(({ name }) => name === 'Manage Users')!
  const person: Person = { admin: false, given: ['manage_users', 'create_users'] }
  await draw(oracle, person, at === null ? null : oracle.rows[at]!)
  const labels = [...document.querySelectorAll('label .form-required')]
  expect(labels.map(({ textContent }) => textContent)).toEqual(marked)
})

const ownAgent = { id: 1, version: 1, name: 'North', parentid: 5, isofficeaccount: false, ownchain: true }
const ownReason = 'This is your own agent or one above it: somebody else must change it'

test.each([
  ['a paid agent', false, true],
  ['an office account', true, false],
])(
  'of the own agent that is %s, what decides its pay is closed with the reason',
  async (_, office, closed) => {
    const person = { admin: true, given: [] }
    await draw(oracles.find(({ name }) => name === 'Master Agents')!.oracle, person, {
      ...ownAgent,
      isofficeaccount: office,
    })
    const explained = [...document.querySelectorAll('[disabled]')].flatMap((control) =>
      (control.getAttribute('aria-describedby')?.split(' ') ?? []).some(
        (id) => document.getElementById(id)?.textContent.trim() === ownReason,
      )
        ? [control.id.replace('it-field_', '')]
        : [],
    )
    const pay = [
      'parentid',
      'payeeid',
      'payoninactive',
      'percentagecommissionreceived',
      'amountcommissionreceived',
      'percentageequipmentcommissionreceived',
      'amountequipmentcommissionreceived',
    ]
    expect(explained.sort()).toEqual(['isofficeaccount', ...(closed ? pay : [])].sort())
    const add = screen.queryByRole<HTMLButtonElement>('button', { name: /Add/ })
    expect(!add || add.disabled).toBe(closed)
    expect(document.getElementById('it-field_name')!.hasAttribute('disabled')).toBe(false)
  },
)

const reasons = [
  /^Needs the permission “[A-Z]\w+/,
  /^This user holds more than you do: “Change permissions”$/,
  /^Only an administrator may change an administrator$/,
  /^Only an administrator may change this$/,
  /^This cannot be changed on an existing record$/,
  /^This is worked out by the portal and cannot be changed$/,
]

/** Whether a field can be changed, and what its control says of why it cannot. */
const stateOf = (field: string) => {
  const control = document.getElementById(`it-field_${field}`)
  const all = control?.matches('fieldset') ? control.querySelectorAll('input, button') : [control!]
  const isOpen = [...all].some((one) => !one.hasAttribute('disabled') && !one.hasAttribute('readonly'))
  const texts = (control?.getAttribute('aria-describedby')?.split(' ') ?? []).map(
    (id) => document.getElementById(id)?.textContent.trim() ?? `nothing has the id ${id}`,
  )
  const isExplained = texts.some((text) => reasons.some((reason) => reason.test(text)))
  return { field, isOpen, isExplained }
}

// Closed at first where they are not closed for ever: 'Change Password' opens the two (users 3), and of the permissions those that
// the viewer lacks stay closed (users 4). A list of rows has its reason beside it.
const exceptions = (row: unknown) => [
  ...(row ? ['password', 'confirm_password', 'permissions'] : []),
  'collectionSubscriptions',
]

test.each(cases)(
  '$name: with $who, $what is closed where the rules say so, each field with its reason',
  async ({ oracle, person, row }) => {
    await draw(oracle, person, row)
    const open = openTo(oracle, person, row)
    const fields = shownTo(oracle, person, row).filter((field) => !exceptions(row).includes(field))
    expect(fields).not.toEqual([])
    expect(fields.map(stateOf)).toEqual(
      fields.map((field) => ({ field, isOpen: open.includes(field), isExplained: !open.includes(field) })),
    )
  },
)

test('an empty picker that is closed invites nobody to type, and no row of a closed list asks for anything', async () => {
  const { oracle } = oracles.find(({ name }) => name === 'Master Agents')!
  const row = { ...ownAgent, collectionSubscriptions: [{ id: 1, amount: 5, notes: 'Fee' }] }
  await draw(oracle, { admin: false, given: ['edit_commission'] }, row)
  const payee = screen.getByRole('combobox', { name: 'Payee' })
  expect(payee).toHaveAttribute('readonly')
  expect(payee).not.toHaveAttribute('placeholder')
  expect([...document.querySelectorAll('label .form-required')].map((it) => it.textContent)).toEqual([])
})

test('an empty picker that is closed among open fields invites nobody to type', async () => {
  const { oracle } = oracles.find(({ name }) => name === 'Master Agents')!
  const row = { ...ownAgent, ownchain: false }
  await draw(oracle, { admin: false, given: ['edit_commission'] }, row)
  const payee = screen.getByRole('combobox', { name: 'Payee' })
  expect(payee).toBeDisabled()
  expect(payee).not.toHaveAttribute('placeholder')
})
