import { passwordLength } from '../constants.ts'
import { flag, identity, name, reference } from '../fields.ts'
import {
  admins,
  describePermission,
  effectivePermissions,
  holds,
  forFields,
  onlyNew,
  permissions,
  permissionWords,
  reasonOf,
  refusedFor,
  ruleWithReason,
  unless,
  type Permissions,
  type Rule,
  type Viewer,
} from '../permissions.ts'
import { foldName, usernameFault } from '../usernames.ts'
import { defineEntity, collectErrors } from './entity.ts'

/** Why this viewer may change nothing of a stored user: who holds more is out of reach (users 5, users 6). */
const outOfReach = (viewer: Viewer, row: Record<string, unknown>): string | null => {
  if (viewer.admin) return null
  if (row.admin) return 'Only an administrator may change an administrator'
  const held = effectivePermissions(false, (row.permissions ?? {}) as Permissions)
  const more = permissions.filter((name) => held[name] && !viewer.permissions[name])
  if (more.length === 0) return null
  const names = more.map((name) => describePermission(viewer, name)).join(', ')
  return `This user holds more than you do: ${names}`
}

const isOwn = (viewer: Viewer, row: Record<string, unknown>) =>
  foldName(String(row.username)) === foldName(viewer.username)

const manage = refusedFor(outOfReach, holds('manage_users'))
const creates = holds('create_users')
const password = { kind: 'password', type: 'string', maxLength: passwordLength.max, virtual: true } as const

/** create_users for a new user, manage_users for an existing one within reach. */
const createsOrManages: Rule = ruleWithReason(
  (viewer, row) => (row ? manage : creates)(viewer, row),
  (viewer, row) => reasonOf(row ? manage : creates, viewer, row),
)

/** Nobody leaves their own master agent, whose pay they may not change (agents 13). */
const movesUsers: Rule = unless(
  (viewer, row) => viewer.masteragentid !== null && isOwn(viewer, row),
  'This is your own master agent: somebody else must change it',
  createsOrManages,
)

/** Administrators alone, and nobody takes the right from themselves (users 5). */
const makesAdministrators: Rule = unless(
  (viewer, row) => Boolean(row.admin) && isOwn(viewer, row),
  'You cannot take the administrator right from yourself',
  admins,
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
          permissions.map((name) => [name, { type: 'boolean', title: permissionWords[name] }]),
        ),
      },
    },
  },
  access: {
    see: holds('manage_users', 'create_users'),
    list: manage,
    create: creates,
    update: manage,
    delete: unless(isOwn, 'You cannot delete your own user', manage),
    fields: {
      ...forFields(refusedFor(outOfReach, onlyNew(creates)), 'username'),
      ...forFields(createsOrManages, 'password', 'confirm_password'),
      masteragentid: movesUsers,
      admin: makesAdministrators,
      permissions: refusedFor(outOfReach, holds('manage_permissions')),
    },
  },
  scope: 'masteragentid',
  list: {
    pager: 'plain',
    columns: [
      { head: 'ID', field: 'id' },
      { head: 'Username', field: 'username' },
      { head: 'Master Agent ID', field: 'masteragentid', as: 'label' },
    ],
  },
  form: {
    title: 'Create or Edit User',
    size: 'large',
    groups: [
      { fields: ['username'] },
      { fields: ['password', 'confirm_password'] },
      { fields: ['masteragentid'] },
      { fields: ['admin'] },
      { fields: ['permissions'] },
    ],
    onlyExisting: ['permissions'],
    requiredNew: ['password', 'confirm_password'],
    onlyFor: { admin: admins },
  },
  bulk: { fields: ['masteragentid'], reassign: 'masteragentid' },
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
