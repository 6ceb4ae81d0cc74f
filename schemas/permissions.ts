/** Every permission in words, as screens and refusals name it, in the order of every list (permissions 1). */
export const permissionWords = {
  create_users: 'Create users',
  import_files: 'Import files',
  lock_reports: 'Lock reports',
  manage_equipment: 'Manage equipment',
  manage_master_agents: 'Manage master agents',
  manage_merchants: 'Manage merchants',
  manage_permissions: 'Change permissions',
  manage_users: 'Manage users',
  manage_tickets: 'Manage tickets',
  reports_admin: 'See the reports of all agents',
  edit_commission: 'Edit commission',
  edit_maid_salesrep: 'Edit merchant agent and sales rep',
  delete_merchants: 'Delete merchants',
} as const

export type Permission = keyof typeof permissionWords
export const permissions = Object.keys(permissionWords) as readonly Permission[]
export type Permissions = Record<Permission, boolean>

/**
 * The signed-in user as rules see them. `masteragentid` is null for staff, who belong to no agent; `seesall`
 * is true for those who see the rows of all master agents (permissions 4).
 */
export type Viewer = {
  username: string
  admin: boolean
  permissions: Permissions
  masteragentid: number | null
  seesall: boolean
}

/**
 * Whether this viewer may do this to this row. `row` is absent where there is none: when creating, and for
 * menu items.
 */
export type Rule = (viewer: Viewer, row?: Record<string, unknown>) => boolean

export const noPermissions = Object.fromEntries(permissions.map((name) => [name, false])) as Permissions

/**
 * An administrator holds every permission but manage_tickets; others hold what they were given
 * (permissions 2).
 */
export const effectivePermissions = (admin: boolean, given: Permissions): Permissions =>
  admin
    ? (Object.fromEntries(
        permissions.map((name) => [name, name === 'manage_tickets' ? given[name] : true]),
      ) as Permissions)
    : given

/** Why each rule refuses: shown at the fields it disables (permissions 8). */
const reasons = new WeakMap<Rule, Reason>()
type Reason = string | ((viewer: Viewer, row?: Record<string, unknown>) => string)

/** Registers why a rule refuses, a text or a function that makes one, and returns the same rule. */
export function ruleWithReason(rule: Rule, reason: Reason): Rule {
  reasons.set(rule, reason)
  return rule
}
/** The text shown to a viewer at a field of a row that this rule disables. */
export const reasonOf = (rule: Rule, viewer: Viewer, row?: Record<string, unknown>): string =>
  givenReasonOf(rule, viewer, row) ?? 'This cannot be changed here'

/** The reason that was registered with the rule; null for a rule without one. */
export function givenReasonOf(rule: Rule, viewer: Viewer, row?: Record<string, unknown>): string | null {
  const reason = reasons.get(rule) ?? null
  return typeof reason === 'function' ? reason(viewer, row) : reason
}

export const everyone: Rule = () => true
export const nobody: Rule = ruleWithReason(
  () => false,
  'This is worked out by the portal and cannot be changed',
)
export const admins: Rule = ruleWithReason((viewer) => viewer.admin, 'Only an administrator may change this')
/** The rule of administrators for what they read. */
export const adminsSee: Rule = ruleWithReason((viewer) => viewer.admin, 'Only an administrator may see this')

/** The permission in words; administrators, who give it, read its name beside (permissions 14). */
export const describePermission = (viewer: Viewer, name: Permission): string =>
  viewer.admin ? `“${permissionWords[name]}” (${name})` : `“${permissionWords[name]}”`

/** The reason of a rule for which any one of the permissions is enough. */
export const needsPermission =
  (...names: Permission[]) =>
  (viewer: Viewer): string =>
    `Needs the permission ${names.map((name) => describePermission(viewer, name)).join(' or ')}`

/** Any one of the permissions is enough. */
export const holds = (...names: Permission[]): Rule =>
  ruleWithReason((viewer) => names.some((name) => viewer.permissions[name]), needsPermission(...names))

/**
 * Whether a viewer who may change permissions may give or take this one. Nobody gives a permission they lack;
 * administrators give all, manage_tickets too, which they do not hold by their flag (permissions 9).
 */
export const mayGrant = (viewer: Viewer, name: Permission): boolean =>
  viewer.admin || viewer.permissions[name]

/** Who has the screen Month, and begins there after signing in (cockpit 1). */
export const worksOnMonths = holds('import_files', 'lock_reports', 'reports_admin')

/** The path of the screen on which a person begins, and to which the portal's name leads (shell 12). */
export const homePath = (viewer: Viewer): string => (worksOnMonths(viewer) ? '/month' : '/')

/** Those who see the rows of all master agents; not the users of a branch (permissions 4). */
export const seesAllAgents: Rule = ruleWithReason(
  (viewer) => viewer.seesall,
  'Needs the sight of all master agents',
)

/** Every one of the rules must allow it; the reason joins those of the rules that do not. */
export const allOf = (...rules: Rule[]): Rule =>
  ruleWithReason(
    (viewer, row) => rules.every((rule) => rule(viewer, row)),
    (viewer, row) =>
      rules
        .filter((rule) => !rule(viewer, row))
        .map((rule) => reasonOf(rule, viewer, row))
        .join('. '),
  )

/** The rule, closed for a further reason in rows of which `isClosed` is true. */
export const unless = (
  isClosed: (viewer: Viewer, row: Record<string, unknown>) => boolean,
  reason: string,
  rule: Rule,
): Rule =>
  ruleWithReason(
    (viewer, row) => rule(viewer, row) && !(row && isClosed(viewer, row)),
    (viewer, row) => (rule(viewer, row) ? reason : reasonOf(rule, viewer, row)),
  )

/**
 * The rule, closed before all else for a reason that lies in the row: `refusal` answers that reason, or null
 * where there is none.
 */
export const refusedFor = (
  refusal: (viewer: Viewer, row: Record<string, unknown>) => string | null,
  rule: Rule,
): Rule => {
  const refusalOf = (...[viewer, row]: Parameters<Rule>) => (row ? refusal(viewer, row) : null)
  return ruleWithReason(
    (viewer, row) => refusalOf(viewer, row) === null && rule(viewer, row),
    (viewer, row) => refusalOf(viewer, row) ?? reasonOf(rule, viewer, row),
  )
}

/** The given rule while the row does not exist yet; afterwards nobody may. */
export const onlyNew = (rule: Rule): Rule =>
  ruleWithReason((viewer, row) => !row && rule(viewer), 'This cannot be changed on an existing record')

/** What has no rule of its own: nobody may, until the entity says who may (permissions 6). */
export const unlisted: Rule = ruleWithReason(() => false, 'No rule says who may change this')

/** The same rule for several fields. */
export const forFields = <F extends string>(rule: Rule, ...fields: F[]): Record<F, Rule> =>
  Object.fromEntries(fields.map((field) => [field, rule])) as Record<F, Rule>
