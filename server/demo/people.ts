import { randomBytes } from 'node:crypto'
import { permissions, type Permission } from '../../schemas/permissions.ts'
import { foldName } from '../../schemas/usernames.ts'
import { hashPassword } from '../accounts/passwordHash.ts'
import type { Sql } from '../db/db.ts'

/** A user that was created; the password is printed once and stored as a hash alone. */
export type SeededUser = { username: string; password: string; what: string }

type NewUser = {
  username: string
  what: string
  permissions: readonly Permission[]
  agent: number | null
  accepted: boolean
  admin?: true
}

/**
 * One user for each branch of the permissions (operations 11). `agent` is the id of a generated master agent.
 */
const demoUsers: readonly NewUser[] = [
  {
    username: 'staff',
    what: 'holds every permission but is no administrator',
    permissions,
    agent: 1,
    accepted: true,
  },
  { username: 'importer', what: 'imports files', permissions: ['import_files'], agent: 1, accepted: true },
  {
    username: 'agent',
    what: "a master agent's own user: sees its branch, edits commissions",
    permissions: ['edit_commission'],
    agent: 2,
    accepted: true,
  },
  {
    username: 'reassigner',
    what: 'edits sales rep, master agent and status of merchants',
    permissions: ['edit_maid_salesrep'],
    agent: 1,
    accepted: true,
  },
  { username: 'clerk', what: 'holds no permission', permissions: [], agent: 1, accepted: true },
  {
    username: 'newcomer',
    what: 'has not accepted the terms yet',
    permissions: [],
    agent: 3,
    accepted: false,
  },
]

/** 128 random bits. */
const randomPassword = () => randomBytes(16).toString('base64url')

async function addUser(sql: Sql, user: NewUser, password: string): Promise<SeededUser> {
  // The newcomer and the administrator have not validated an address yet.
  const email = user.accepted && !user.admin ? `${user.username}@example.com` : null
  const [inserted] = await sql.query<{ id: number }>(
    `insert into portal_user (username, foldedname, password_hash, admin, permissions, masteragentid, email)
      values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [
      user.username,
      foldName(user.username),
      await hashPassword(password),
      user.admin ?? false,
      user.permissions,
      user.agent,
      email,
    ],
  )
  if (user.accepted)
    await sql.query(
      `insert into terms_acceptance (termsid, userid, ipaddress) select id, $1, '127.0.0.1' from terms`,
      [inserted!.id],
    )
  return { username: user.username, password, what: user.what }
}

/** Without a password, a random one. */
export const addAdmin = (sql: Sql, password: string | null) =>
  addUser(
    sql,
    {
      username: 'admin',
      what: 'the administrator',
      permissions: [],
      agent: null,
      accepted: true,
      admin: true,
    },
    password ?? randomPassword(),
  )

export async function addDemoUsers(sql: Sql): Promise<SeededUser[]> {
  const users: SeededUser[] = []
  for (const user of demoUsers) users.push(await addUser(sql, user, randomPassword()))
  return users
}
