import { passwordLength } from '../constants.ts'
import { flag, identity, name, reference } from '../fields.ts'
import {
  admins,
  holds,
  forFields,
  onlyNew,
  permissions,
  reasonOf,
  ruleWithReason,
  unless,
  type Rule,
} from '../permissions.ts'
import { foldName, usernameFault } from '../usernames.ts'
import { defineEntity, collectErrors } from './entity.ts'

const manage = holds('manage_users')
const creates = holds('create_users')
const password = { kind: 'password', type: 'string', maxLength: passwordLength.max, virtual: true } as const

/** A new user's password needs create_users, an existing one's manage_users. */
const setPassword: Rule = ruleWithReason(
  (viewer, user) => viewer.permissions[user ? 'manage_users' : 'create_users'],
  'Needs the permission manage_users',
)

/** Nobody leaves the own master agent, whose pay they may not change (agents 13). */
const movesUsers: Rule = unless(
  (viewer, row) =>
    viewer.masteragentid !== null && foldName(String(row.username)) === foldName(viewer.username),
  'This is your own master agent: somebody else must change it',
  ruleWithReason(
    (viewer, row) => (row ? manage : creates)(viewer),
    (viewer, row) => reasonOf(row ? manage : creates, viewer),
  ),
)

export const user = defineEntity({
  name: 'user',
  noun: 'user',
  title: 'Manage Users',
  menu: { at: 'side' },
  path: '/users',
  table: 'portal_user',
  schema: {
    $id: 'user',
    type: 'object',
    required: ['username', 'masteragentid'],
    additionalProperties: false,
    properties: {
      ...identity,
      username: { ...name, title: 'Username', maxLength: 60 },
      password: { ...password, title: 'Password' },
      confirm_password: { ...password, title: 'Confirm Password' },
      masteragentid: {
        ...reference('masteragent'),
        title: 'Master Agent',
        show: 'id',
        placeholder: 'Select an Option',
      },
      admin: { ...flag, title: 'Administrator' },
      permissions: {
        kind: 'permissions',
        title: 'Permissions',
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(
          permissions.map((permission) => [permission, { type: 'boolean', title: permission }]),
        ),
      },
    },
  },
  access: {
    see: holds('manage_users', 'create_users'),
    list: manage,
    create: creates,
    update: manage,
    delete: manage,
    fields: {
      ...forFields(onlyNew(creates), 'username'),
      ...forFields(setPassword, 'password', 'confirm_password'),
      masteragentid: movesUsers,
      admin: admins,
      permissions: holds('manage_permissions'),
    },
  },
  scope: 'masteragentid',
  list: {
    search: [],
    pager: 'plain',
    columns: [
      { head: 'ID', field: 'id' },
      { head: 'Username', field: 'username' },
      { head: 'Master Agent ID', field: 'masteragentid' },
    ],
  },
  form: {
    title: 'Create or Edit User',
    size: 'large',
    groups: [
      { fields: ['username', 'masteragentid'] },
      { fields: ['password', 'confirm_password'] },
      { fields: ['admin'] },
      { fields: ['permissions'] },
    ],
    onlyExisting: ['permissions'],
    requiredNew: ['password', 'confirm_password'],
    onlyFor: { admin: admins },
  },
  messages: { 'masteragentid required': 'Master Agent is required' },
  check: ({ username, password, confirm_password, masteragentid, admin }, isNew) => {
    const fault = isNew && typeof username === 'string' ? usernameFault(username) : null
    return collectErrors([
      [fault !== null, 'username', fault ?? ''],
      [
        typeof username === 'string' && username !== username.trim(),
        'username',
        'Username may neither begin nor end with a space',
      ],
      [masteragentid === null && !admin, 'masteragentid', 'Master Agent is required'],
      [isNew && !password, 'password', 'Password is required'],
      [(isNew || password) && !confirm_password, 'confirm_password', 'Confirm Password is required'],
      [confirm_password && password !== confirm_password, 'confirm_password', 'Passwords do not match'],
    ])
  },
})
