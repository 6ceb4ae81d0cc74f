import type { TestPortal } from '../../testPortal.ts'
import type { Driver, Step } from '../lib/drivers/driver.ts'

/**
 * One entity as its model meets it. Its record has the id 900, and is alone on the list that `search` finds.
 */
export type Kind = {
  name: string
  table: string
  /** The list with few rows on it. */
  path: string
  title: string
  noun: string
  /** What the row's link says. */
  link: string
  prepare: (portal: TestPortal) => Promise<unknown>
  /** The first field of the form. */
  first: string
  /** Sentences of an empty form. */
  required: readonly string[]
  fill: Step
  /** One of the fields that were filled in, and how it then begins. */
  typed: { label: string; value: string }
  /** Finds the record that was filled in. */
  created: string
  change: Step
  /** The field that was changed. */
  edited: { label: string; value: string }
  /** As the database holds it after the change. */
  changed: string
  /** Somebody else changes this through the API, and this field then shows it. */
  elsewhere: { body: object; label: string; value: string }
  /** Somebody else is faster with a new one; `undo` takes it back. */
  take: (portal: TestPortal) => Promise<unknown>
  undo: (portal: TestPortal) => Promise<unknown>
  /** The sentence this is refused with. */
  taken: string
  /** The field that this is said of. */
  marked: { role: 'textbox' | 'combobox'; name: string }
  /** Something refers to the record. */
  refer?: (portal: TestPortal) => Promise<unknown>
  referenced?: string
}

const form = (title: string) => ({ dialog: title })
const choose = async (it: Driver, label: string, text: string, option: RegExp, title: string) => {
  await it.fill(label, text, form(title))
  await it.press(option, { role: 'option' })
}
const all = async ({ db }: TestPortal, ...sql: string[]) => {
  for (const one of sql) await db.query(one)
}
const cleared = [
  'delete from equipment where id >= 900 or masteragentid >= 900',
  'delete from merchant where masteragentid >= 900',
  'delete from portal_user where id >= 900',
  'delete from master_agent where id >= 900',
  `select setval(pg_get_serial_sequence(t, 'id'), 1000) from unnest(array['master_agent', 'equipment', 'portal_user']) t`,
]

const agent: Kind = {
  name: 'masteragent',
  table: 'master_agent',
  path: '/manage/agents?search=Zed',
  title: 'Create or Edit Master Agent',
  noun: 'master agent',
  link: 'Zed',
  prepare: (portal) =>
    all(
      portal,
      ...cleared,
      `insert into master_agent (id, name, parentid) values (900, 'Zed', 1), (901, 'Yes Agents', 1)`,
    ),
  first: 'Name',
  required: ['Name is required', 'Parent ID is required'],
  async fill(it) {
    await it.fill('Name', 'Zed New', form(agent.title))
    await choose(it, 'Parent', 'Yes Agents', /Yes Agents/, agent.title)
  },
  typed: { label: 'Name', value: 'Zed New' },
  created: `name = 'Zed New' and parentid = 901`,
  change: (it) => it.fill('Business Name', 'Zed LLC', form(agent.title)),
  edited: { label: 'Business Name', value: 'Zed LLC' },
  changed: `businessname = 'Zed LLC'`,
  elsewhere: { body: { notes: 'Changed elsewhere' }, label: 'Notes', value: 'Changed elsewhere' },
  take: (portal) => all(portal, 'delete from master_agent where id = 901'),
  undo: (portal) =>
    all(portal, `insert into master_agent (id, name, parentid) values (901, 'Yes Agents', 1)`),
  taken: 'Parent 901 does not exist',
  marked: { role: 'combobox', name: 'Parent' },
  refer: (portal) =>
    all(
      portal,
      `insert into equipment (id, model, serialnumber, masteragentid) values (950, 'T', 'S950', 900)`,
    ),
  referenced: 'This master agent cannot be deleted: it is still referenced by 1 equipment',
}

const equipment: Kind = {
  name: 'equipment',
  table: 'equipment',
  path: '/manage/equipment?search=Zed',
  title: 'Create or Edit Equipment',
  noun: 'equipment',
  link: 'Zed',
  prepare: (portal) =>
    all(portal, ...cleared, `insert into equipment (id, model, serialnumber) values (900, 'Zed', 'S900')`),
  first: 'Model',
  required: ['Model is required', 'Serial Number is required'],
  async fill(it) {
    await it.fill('Model', 'Zed New', form(equipment.title))
    await it.fill('Serial Number', 'S-new', form(equipment.title))
  },
  typed: { label: 'Model', value: 'Zed New' },
  created: `model = 'Zed New' and serialnumber = 'S-new'`,
  change: (it) => it.fill('LK/DID', 'LK1', form(equipment.title)),
  edited: { label: 'LK/DID', value: 'LK1' },
  changed: `licensingkey = 'LK1'`,
  elsewhere: {
    body: { trackingnumber: 'Changed elsewhere' },
    label: 'Tracking Number',
    value: 'Changed elsewhere',
  },
  take: (portal) =>
    all(portal, `insert into equipment (id, model, serialnumber) values (950, 'Faster', 's-NEW')`),
  undo: (portal) => all(portal, 'delete from equipment where id = 950'),
  taken: 'This Serial Number is already taken by Faster (record 950)',
  marked: { role: 'textbox', name: 'Serial Number' },
}

const user: Kind = {
  name: 'user',
  table: 'portal_user',
  path: '/users?size=100',
  title: 'Create or Edit User',
  noun: 'user',
  link: '900',
  prepare: (portal) =>
    all(portal, ...cleared, `insert into portal_user (id, username, masteragentid) values (900, 'zed', 1)`),
  first: 'Username',
  required: [
    'Username is required',
    'Master Agent is required',
    'Password is required',
    'Confirm Password is required',
  ],
  async fill(it) {
    await it.fill('Username', 'zed.new', form(user.title))
    for (const label of ['Password', 'Confirm Password'])
      await it.fill(label, 'correct horse battery', form(user.title))
    await choose(it, 'Master Agent', 'MA0002', /^2 - /, user.title)
  },
  typed: { label: 'Username', value: 'zed.new' },
  created: `username = 'zed.new' and masteragentid = 2 and password_hash like '$argon2id$%'`,
  change: (it) => choose(it, 'Master Agent', 'MA0003', /^3 - /, user.title),
  edited: { label: 'Master Agent', value: '3 - ' },
  changed: 'masteragentid = 3',
  elsewhere: { body: { masteragentid: 2 }, label: 'Master Agent', value: '2 - ' },
  take: (portal) =>
    all(
      portal,
      `insert into portal_user (id, username, foldedname, masteragentid) values (950, 'ZED.new', 'zed.new', 1)`,
    ),
  undo: (portal) => all(portal, 'delete from portal_user where id = 950'),
  taken: 'This Username is already taken',
  marked: { role: 'textbox', name: 'Username' },
}

export const kinds: readonly Kind[] = [agent, equipment, user]
