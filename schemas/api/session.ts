import { passwordLength } from '../constants.ts'
import { permissions, type Permissions } from '../permissions.ts'
import {
  boolean,
  describes,
  integer,
  integerOrNull,
  objectOf,
  string,
  stringOrNull,
  type ShapeOf,
} from '../shapes.ts'

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
export type Credentials = ShapeOf<typeof credentials>

/** The reply of login and renewal (api 2). */
export const sessionReply = objectOf({
  access_token: string,
  admin: boolean,
  permissions: describes<Permissions>().by({
    type: 'object',
    required: permissions,
    properties: Object.fromEntries(permissions.map((name) => [name, boolean])),
  }),
  tc_accepted: boolean,
  email: stringOrNull,
  masteragentid: integerOrNull,
  /** Whether the user sees the rows of all master agents (permissions 4). */
  seesall: boolean,
})
export type SessionReply = ShapeOf<typeof sessionReply>

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
export const latestTerms = objectOf({ id: integer, tctext: string })
export type LatestTerms = ShapeOf<typeof latestTerms>

/** Which terms are accepted; without an id those in force (terms 4). */
export const acceptedTerms = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: { id: { type: 'integer', minimum: 1, maximum: 2_147_483_647 } },
} as const
