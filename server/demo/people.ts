import { randomBytes } from 'node:crypto'
import { permissions, type Permission } from '../../schemas/permissions.ts'
import { hashPassword } from '../accounts/sessions.ts'
import type { Sql } from '../db/db.ts'

/** Somebody to sign in as; the password is random and shown once. */
export type Person = { username: string; password: string; what: string }

type Made = {
  username: string
  what: string
  permissions: readonly Permission[]
  agent: number | null
  accepted: boolean
  admin?: true
}

/** Each exists to show one branch of the specification, section 6. `agent` is the id of a generated master agent. */
const demo: readonly Made[] = [
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

const invented = () => randomBytes(12).toString('base64url')

async function add(sql: Sql, person: Made, password: string): Promise<Person> {
  // Who has just begun, and the first administrator, have not validated an address yet.
  const email = person.accepted && !person.admin ? `${person.username}@example.com` : null
  const [made] = await sql.query<{ id: number }>(
    'insert into portal_user (username, password_hash, admin, permissions, masteragentid, email) values ($1, $2, $3, $4, $5, $6) returning id',
    [
      person.username,
      await hashPassword(password),
      person.admin ?? false,
      person.permissions,
      person.agent,
      email,
    ],
  )
  if (person.accepted)
    await sql.query(
      `insert into terms_acceptance (termsid, userid, ipaddress) select id, $1, '127.0.0.1' from terms`,
      [made!.id],
    )
  return { username: person.username, password, what: person.what }
}

export const addAdmin = (sql: Sql, password: string | null) =>
  add(
    sql,
    {
      username: 'admin',
      what: 'the administrator',
      permissions: [],
      agent: null,
      accepted: true,
      admin: true,
    },
    password ?? invented(),
  )

export async function addPeople(sql: Sql): Promise<Person[]> {
  const people: Person[] = []
  for (const person of demo) people.push(await add(sql, person, invented()))
  return people
}
