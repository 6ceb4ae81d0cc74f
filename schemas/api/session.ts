import type { FromSchema } from 'json-schema-to-ts'
import { passwordLength } from '../constants.ts'
import { permissions, type Permissions } from '../permissions.ts'

export const credentials = {
  $id: 'credentials',
  type: 'object',
  required: ['username', 'password'],
  additionalProperties: false,
  properties: {
    username: { type: 'string', title: 'Username', minLength: 1, maxLength: 200 },
    password: { type: 'string', title: 'Password', minLength: 1, maxLength: 1000 },
  },
} as const
export type Credentials = FromSchema<typeof credentials>

/** The reply of login and renewal (api 2). */
export const sessionReply = {
  type: 'object',
  required: ['access_token', 'admin', 'permissions', 'tc_accepted', 'email', 'masteragentid', 'seesall'],
  properties: {
    access_token: { type: 'string' },
    admin: { type: 'boolean' },
    permissions: {
      type: 'object',
      required: permissions,
      properties: Object.fromEntries(permissions.map((name) => [name, { type: 'boolean' }])),
    },
    tc_accepted: { type: 'boolean' },
    email: { type: ['string', 'null'] },
    masteragentid: { type: ['integer', 'null'] },
    seesall: { type: 'boolean' },
  },
} as const
export type SessionReply = {
  access_token: string
  admin: boolean
  permissions: Permissions
  tc_accepted: boolean
  email: string | null
  masteragentid: number | null
  /** Are the rows of all master agents in sight (permissions 4)? */
  seesall: boolean
}

/** The signed-in user as the browser stores it: the reply and the name that was signed in with. */
export type User = SessionReply & { username: string }

/** The dialog 'Change Password' (session 11). The form compares the two fields; only the first is sent. */
export const newPassword = {
  $id: 'newPassword',
  type: 'object',
  required: ['password', 'confirm_password'],
  additionalProperties: false,
  properties: {
    password: {
      kind: 'password',
      type: 'string',
      title: 'Password',
      minLength: 1,
      maxLength: passwordLength.max,
    },
    confirm_password: {
      kind: 'password',
      type: 'string',
      title: 'Confirm Password',
      minLength: 1,
      maxLength: passwordLength.max,
    },
  },
} as const
export const ownPassword = {
  type: 'object',
  required: ['password'],
  additionalProperties: false,
  properties: { password: { type: 'string', title: 'Password', minLength: 1, maxLength: 1000 } },
} as const

/** The terms in force, which every user must accept (terms 3). */
export const latestTerms = {
  type: 'object',
  required: ['id', 'tctext'],
  properties: { id: { type: 'integer' }, tctext: { type: 'string' } },
} as const
export type LatestTerms = { id: number; tctext: string }
