/** The permissions, in the order of every list of them (permissions 1). */
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

/**
 * The signed-in user as rules see them. `masteragentid` is null for staff, who belong to no agent. `seesall`:
 * are the rows of all master agents in sight (permissions 4)?
 */
export type Viewer = {
  username: string
  admin: boolean
  permissions: Permissions
  masteragentid: number | null
  seesall: boolean
}

/**
 * May this viewer do this to this row? `row` is absent where there is none: when creating, and for menu
 * items.
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

/** Registers the reason of a rule, a text or one for each viewer and row, and returns the rule. */
export function ruleWithReason(rule: Rule, reason: Reason): Rule {
  reasons.set(rule, reason)
  return rule
}
/** The text shown to a viewer at a field of a row that this rule disables. */
export function reasonOf(rule: Rule, viewer: Viewer, row?: Record<string, unknown>): string {
  const reason = reasons.get(rule) ?? 'This cannot be changed here'
  return typeof reason === 'string' ? reason : reason(viewer, row)
}

export const everyone: Rule = () => true
export const nobody: Rule = ruleWithReason(
  () => false,
  'This is worked out by the portal and cannot be changed',
)
export const admins: Rule = ruleWithReason((viewer) => viewer.admin, 'Only an administrator may change this')

/** Any one of the permissions is enough. */
export const holds = (...names: Permission[]): Rule =>
  ruleWithReason(
    (viewer) => names.some((name) => viewer.permissions[name]),
    `Needs the permission ${names.join(' or ')}`,
  )

/** Who has the screen Month, and begins there after signing in (cockpit 1). */
export const worksOnMonths = holds('import_files', 'lock_reports', 'reports_admin')

/** The path of the screen on which a person begins, and to which the portal's name leads (shell 12). */
export const homePath = (viewer: Viewer): string => (worksOnMonths(viewer) ? '/month' : '/')

/** Who belongs to one branch alone may not (permissions 4). */
export const houseWide: Rule = ruleWithReason(
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

/** The given rule while the row does not exist yet; afterwards nobody may. */
export const onlyNew = (rule: Rule): Rule =>
  ruleWithReason((viewer, row) => !row && rule(viewer), 'This cannot be changed on an existing record')

/** What has no rule of its own: nobody may, until the entity says who may (permissions 6). */
export const unlisted: Rule = ruleWithReason(() => false, 'No rule says who may change this')

/** The same rule for several fields. */
export const forFields = <F extends string>(rule: Rule, ...fields: F[]): Record<F, Rule> =>
  Object.fromEntries(fields.map((field) => [field, rule])) as Record<F, Rule>
