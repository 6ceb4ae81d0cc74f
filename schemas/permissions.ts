/** The 13 permissions of the specification, section 6, in its order. */
export const permissions = [
  'create_users',
  'import_files',
  'lock_reports',
  'manage_equipment',
  'manage_master_agents',
  'manage_merchants',
  'manage_permissions',
  'manage_users',
  'manage_tickets',
  'reports_admin',
  'edit_commission',
  'edit_maid_salesrep',
  'delete_merchants',
] as const

export type Permission = (typeof permissions)[number]
export type Permissions = Record<Permission, boolean>

/** The signed-in user as rules see them. `masteragentid` is null for staff who belong to no agent. */
export type Viewer = {
  username: string
  admin: boolean
  permissions: Permissions
  masteragentid: number | null
}

/** May this viewer do this, to this row? `row` is absent when nothing exists yet (create, menu items). */
export type Rule = (viewer: Viewer, row?: Record<string, unknown>) => boolean

export const noPermissions = Object.fromEntries(permissions.map((name) => [name, false])) as Permissions

/** An admin holds every permission but manage_tickets (D5); others hold what they were given. */
export const effective = (admin: boolean, given: Permissions): Permissions =>
  admin
    ? (Object.fromEntries(
        permissions.map((name) => [name, name === 'manage_tickets' ? given[name] : true]),
      ) as Permissions)
    : given

/** What a rule says of itself, so that a disabled field can name the permission it lacks. */
const described = new WeakMap<Rule, string>()
function describe(rule: Rule, text: string): Rule {
  described.set(rule, text)
  return rule
}
/** A rule of its own, with the sentence for what it disables. */
export const told = describe
/** The reason shown on what this rule disables. */
export const reason = (rule: Rule) => described.get(rule) ?? 'This cannot be changed here'

export const everyone: Rule = () => true
export const nobody: Rule = describe(() => false, 'This is worked out by the portal and cannot be changed')
export const admins: Rule = describe((viewer) => viewer.admin, 'Only an administrator may change this')

/** Any one of the permissions is enough. */
export const holds = (...names: Permission[]): Rule =>
  describe(
    (viewer) => names.some((name) => viewer.permissions[name]),
    `Needs the permission ${names.join(' or ')}`,
  )

/** Open while the row does not exist yet, then closed for everybody. */
export const onlyNew = (rule: Rule): Rule =>
  describe((viewer, row) => !row && rule(viewer), 'This cannot be changed on an existing record')

/** The same rule for several fields. */
export const only = (rule: Rule, ...fields: string[]): Record<string, Rule> =>
  Object.fromEntries(fields.map((field) => [field, rule]))
