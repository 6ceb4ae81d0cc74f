import { describe, expect, test } from 'vitest'
import { frozen } from '../../schemas/entity.ts'
import { merchant } from '../../schemas/merchant.ts'
import { effective, noPermissions, permissions, type Permissions, type Viewer } from '../../schemas/permissions.ts'
import { uiSchemaOf } from '../../src/forms/uiSchema.ts'

/** Every way to hold or lack the 13 permissions, as an administrator and as anybody else. */
const viewers = [false, true].flatMap((admin) =>
  Array.from({ length: 2 ** permissions.length }, (_, bits): Viewer => {
    const given = Object.fromEntries(permissions.map((name, at) => [name, (bits & (1 << at)) !== 0])) as Permissions
    return { username: 'ann', admin, permissions: effective(admin, given), masteragentid: null }
  }),
)
const existing = { id: 1, version: 1, xmid: '1', dba: 'A' }

// Written from sections 2, 3, 4 and 6 of the specification and D7, not from the schema.
const addresses = ['dbaaddress', 'dbacity', 'dbastate', 'dbazip', 'legaladdress', 'legalcity', 'legalstate', 'legalzip']
const dates = ['date_added', 'date_approved', 'date_submitted', 'date_closed', 'date_received']
const ofManagers = ['businesstype', 'product', 'notes', ...addresses, ...dates]
const ofSales = ['sales_rep', 'masteragentid', 'status', 'tinstatus', 'tinstatusdescription']
const onlyAtFirst = ['xmid', 'dba', 'accountstatus']
const worked = ['id', 'version']

const promised = ({ permissions: held, admin }: Viewer, isNew: boolean): string[] => {
  const manages = admin || held.manage_merchants
  const sells = admin || held.edit_maid_salesrep
  return [...(manages ? ofManagers : []), ...(manages || sells ? ofSales : []), ...(manages && isNew ? onlyAtFirst : [])].sort()
}
const enabled = (viewer: Viewer, row: typeof existing | null) => {
  const uiSchema = uiSchemaOf(merchant, viewer, row)
  return Object.keys(merchant.schema.properties).filter((field) => uiSchema[field]['ui:disabled'] !== true && uiSchema[field]['ui:widget'] !== 'hidden').sort()
}
const open = (viewer: Viewer, row: typeof existing | null) => {
  const shut = frozen(merchant, viewer, row ?? undefined)
  return Object.keys(merchant.schema.properties).filter((field) => !shut.includes(field)).sort()
}
/** The first few viewers for whom two answers differ, readably. */
const disagreements = (left: (viewer: Viewer) => unknown, right: (viewer: Viewer) => unknown) =>
  viewers
    .filter((viewer) => JSON.stringify(left(viewer)) !== JSON.stringify(right(viewer)))
    .slice(0, 3)
    .map((viewer) => ({ admin: viewer.admin, holds: permissions.filter((name) => viewer.permissions[name]), left: left(viewer), right: right(viewer) }))

test('the hand-made table speaks of every field of a merchant', () => {
  expect([...ofManagers, ...ofSales, ...onlyAtFirst, ...worked].sort()).toEqual(Object.keys(merchant.schema.properties).sort())
})

describe('for every set of permissions, administrator or not', () => {
  test('there are all of them', () => expect(new Set(viewers.map((viewer) => JSON.stringify(viewer))).size).toBe(2 ** 13 + 2))

  test.each([
    { what: 'an existing merchant', row: existing },
    { what: 'a new merchant', row: null },
  ])('the form of $what enables exactly what the rules leave open', ({ row }) => {
    expect(disagreements((viewer) => enabled(viewer, row), (viewer) => open(viewer, row))).toEqual([])
  })

  test('the form of an existing merchant enables exactly what the specification says', () => {
    expect(disagreements((viewer) => enabled(viewer, existing), (viewer) => promised(viewer, false))).toEqual([])
  })

  test('the form of a new merchant enables, to those who may create one, all there is to fill in', () => {
    expect(disagreements((viewer) => !merchant.access.create(viewer) || enabled(viewer, null), (viewer) => !(viewer.admin || viewer.permissions.manage_merchants) || promised(viewer, true))).toEqual([])
  })

  test.each([
    { rule: 'manage_merchants shows Create', is: merchant.access.create, says: (held: Permissions) => held.manage_merchants },
    { rule: 'manage_merchants or edit_maid_salesrep opens the form', is: merchant.access.update, says: (held: Permissions) => held.manage_merchants || held.edit_maid_salesrep },
    { rule: 'delete_merchants shows Delete', is: merchant.access.delete, says: (held: Permissions) => held.delete_merchants },
    { rule: 'any signed-in user sees the list', is: merchant.access.list, says: () => true },
  ])('$rule', ({ is, says }) => {
    expect(disagreements((viewer) => is(viewer, existing), (viewer) => viewer.admin || says(viewer.permissions))).toEqual([])
  })
})

describe('a disabled field says why', () => {
  const clerk: Viewer = { username: 'ann', admin: false, permissions: { ...noPermissions, edit_maid_salesrep: true }, masteragentid: null }
  test.each([
    ['notes', 'Needs the permission manage_merchants'],
    ['product', 'Needs the permission manage_merchants'],
    ['xmid', 'This cannot be changed on an existing record'],
    ['accountstatus', 'This cannot be changed on an existing record'],
  ])('%s: %s', (field, reason) => {
    expect(uiSchemaOf(merchant, clerk, existing)[field]['ui:reason']).toBe(reason)
  })
  test('and no other field does', () => {
    const uiSchema = uiSchemaOf(merchant, clerk, existing)
    expect(ofSales.filter((field) => uiSchema[field]['ui:reason'])).toEqual([])
  })
})
