import { user as it } from '../../schemas/entities/user.ts'
import { permissions } from '../../schemas/permissions.ts'
import { administrators, any, never, anybody, type Oracle, type Says } from './oracle.ts'

const creates = any('create_users')
const manages = any('manage_users')
/** Administrators are for administrators, and who holds more is out of reach (users 5, users 6). */
const reaches: Says = ({ admin, given }, row) =>
  admin ||
  (row?.admin !== true &&
    Object.keys((row?.permissions ?? {}) as object).every((name) => given.some((own) => own === name)))
const within =
  (says: Says): Says =>
  (person, row) =>
    reaches(person, row) && says(person, row)

const password = 'nine tall green lanterns'

/** Rights of users (users 1, permissions 9): the list needs manage_users, Create needs create_users. */
export const user: Oracle = {
  it,
  menu: any('manage_users', 'create_users'),
  list: manages,
  create: creates,
  open: manages,
  save: within(manages),
  put: manages,
  remove: manages,
  removeButton: within(manages),
  fields: [
    { names: ['username'], fresh: creates, stored: never, change: () => 'changed' },
    {
      names: ['password', 'confirm_password'],
      fresh: creates,
      stored: within(manages),
      change: () => 'a long new phrase',
    },
    { names: ['masteragentid'], fresh: creates, stored: within(manages), change: () => 999_999, valid: 3 },
    {
      names: ['admin'],
      fresh: administrators,
      stored: administrators,
      shown: { fresh: administrators, stored: administrators },
      change: () => true,
    },
    {
      names: ['permissions'],
      fresh: any('manage_permissions'),
      stored: within(any('manage_permissions')),
      shown: { fresh: never, stored: anybody },
      change: () => Object.fromEntries(permissions.map((name) => [name, true])),
      valid: {},
    },
  ],
  relevant: ['manage_users', 'create_users', 'manage_permissions'],
  rows: [
    { id: 1, version: 1, username: 'bob', admin: false, permissions: {} },
    { id: 2, version: 1, username: 'carol', admin: true, permissions: {} },
    { id: 3, version: 1, username: 'dave', admin: false, permissions: { manage_permissions: true } },
  ],
  draft: (count, masteragentid) => ({
    username: `user ${count}`,
    password,
    confirm_password: password,
    masteragentid,
  }),
  edit: { masteragentid: 4 },
}
