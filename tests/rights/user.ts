import { user as it } from '../../schemas/entities/user.ts'
import { permissions } from '../../schemas/permissions.ts'
import { administrators, any, never, anybody, type Oracle } from './oracle.ts'

const creates = any('create_users')
const manages = any('manage_users')

const password = 'nine tall green lanterns'

/** Rights of users (users 1, permissions 9): the list needs manage_users, Create needs create_users. */
export const user: Oracle = {
  it,
  menu: any('manage_users', 'create_users'),
  list: manages,
  create: creates,
  open: manages,
  save: manages,
  put: manages,
  remove: manages,
  removeButton: manages,
  fields: [
    { names: ['username'], fresh: creates, stored: never, change: () => 'changed' },
    {
      names: ['password', 'confirm_password'],
      fresh: creates,
      stored: manages,
      change: () => 'a long new phrase',
    },
    { names: ['masteragentid'], fresh: creates, stored: manages, change: () => 999_999, valid: 3 },
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
      stored: any('manage_permissions'),
      shown: { fresh: never, stored: anybody },
      change: () => Object.fromEntries(permissions.map((name) => [name, true])),
      valid: {},
    },
  ],
  relevant: ['manage_users', 'create_users', 'manage_permissions'],
  rows: [{ id: 1, version: 1, username: 'bob', admin: false, permissions: {} }],
  draft: (count, masteragentid) => ({
    username: `user ${count}`,
    password,
    confirm_password: password,
    masteragentid,
  }),
  edit: { masteragentid: 4 },
}
