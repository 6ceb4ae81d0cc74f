import type { identity, Kind } from '../fields.ts'
import { nobody, reasonOf, unlisted, type Rule, type Viewer } from '../permissions.ts'

export type Row = { id: number; version: number; labels?: Record<string, string> } & Record<string, unknown>

export type Property = {
  kind?: Kind
  to?: string
  title?: string
  description?: string
  type?: string | readonly string[]
  default?: unknown
  readOnly?: boolean
  minLength?: number
  oneOf?: readonly { const: string | number | boolean | null; title: string }[]
  /** Stored encrypted. Who may not `access.reveal` sees the last four characters only (permissions 10). */
  secret?: boolean
  /** Not a column of the table: computed, or stored elsewhere. */
  virtual?: boolean
  /** Sent and never answered. */
  writeOnly?: boolean
  /** The form sends it only together with one of these fields. */
  sentWith?: readonly string[]
  items?: { properties: Record<string, Property> }
  [keyword: string]: unknown
}

/** The format of a cell (src/parts/format.ts). `label` shows the name of a referenced record. */
export type ColumnAs =
  | 'text'
  | 'number'
  | 'date'
  | 'moment'
  | 'month'
  | 'percent'
  | 'dollars'
  | 'choice'
  | 'label'
  | 'flag'
export type Column = {
  head: string
  field: string
  as?: ColumnAs
  /** For `flag`: the words for true and false. */
  words?: readonly [string, string]
  /** Gets the room that the other columns leave (lists 5). */
  grows?: true
  /** Sorted, filtered and searched like the others, and shown only where it was chosen (lists 18). */
  unshown?: true
}

/** What a notice says; `by` and `at`, epoch seconds, are who made it so, and when. */
export type NoticeText = { by?: string; at?: number; what: string }

/** What the form of a record says of it, and what may be decided about it. */
export type Notice = {
  /** The first word; `verb` is what was done to it: 'Pending: entered by …'. */
  title: string
  verb?: string
  intent?: 'warning'
  /** Null where there is nothing to say to this viewer. */
  describe: (row: Record<string, unknown>, viewer: Viewer) => NoticeText | null
  decisions: Readonly<Record<string, Decision>>
}

/** One decision about a record, a call of its own (schemas/api/decisions.ts). */
export type Decision = {
  /** The button, and the end of 'Confirm the bank account'. */
  text: string
  title: string
  intent: 'success' | 'warning' | 'danger' | 'none'
  /** The text it asks for, sent as `field`; none: the button alone decides. */
  asks?: { field: string; title: string; minLength: number }
  /** The call names the version that was seen (api 6). */
  namesVersion?: true
  /** True, or the reason why this viewer may not. */
  may: (viewer: Viewer, row: Record<string, unknown>) => true | string
}

/** A kind of record: its schema, who may do what with it, how it is listed and edited (lists 1). */
export type Entity = {
  /** The name in the API: /api/v1/{name}. */
  name: string
  /** For messages: 'Are you sure you want to delete this {noun}?' */
  noun: string
  /** One record in a sentence, where `noun` names several: 'version of the terms and conditions'. */
  oneNoun?: string
  /** The heading, and the menu item unless `menu` has a text. */
  title: string
  /** Where the menu item stands: the Manage dropdown unless set. */
  menu?: { at: 'manage' | 'side'; text?: string }
  /** The address of the screen. */
  path: string
  table: string
  schema: {
    readonly $id: string
    readonly type: 'object'
    readonly required: readonly string[]
    readonly additionalProperties: false
    readonly properties: Readonly<Record<string, Property>>
  }
  access: {
    list: Rule
    create: Rule
    update: Rule
    delete: Rule
    /** Who finds the screen in the menu; `list` unless set. */
    see?: Rule
    /** Who opens the dialog of an existing record; `update` unless set. */
    open?: Rule
    /** Who sees secret fields in full. */
    reveal?: Rule
    /** Who may write each field; a field that is not read-only and not named is closed (permissions 6). */
    fields: Readonly<Record<string, Rule>>
  }
  /**
   * The column with the master agent that row scope applies to (permissions 4); null: everybody sees all
   * rows.
   */
  scope: string | null
  /**
   * The table has its texts in the column `searched` (lists 14), unless it is `unsearched`: then there is no
   * search box. `sort` is the order of the list while none is chosen, that of the ids unless set. A plain
   * pager has no links to the first and last page.
   */
  list: {
    columns: readonly Column[]
    unsearched?: true
    sort?: string
    pager?: 'plain'
    /** Says in an empty list when records appear, to viewers who cannot create one. */
    whenEmpty?: string
    /** Where a record leads from the list of a viewer who may not open it. */
    elsewhere?: (row: Row) => { to: string }
  }
  form: {
    title: string
    size: 'large' | 'extra large'
    groups: readonly { title?: string; fields: readonly string[] }[]
    /** In the API, but not in the form. */
    hidden?: readonly string[]
    /** Shown for existing records only. */
    onlyExisting?: readonly string[]
    /** The field of a new record that takes the number that its list was searched for (lists 19). */
    searchedNumber?: string
    /** The field of a new record that takes the name which a link gives to that number. */
    searchedName?: string
    /** Marked as required on a new record, where the schema, which also serves updates, does not say so. */
    requiredNew?: readonly string[]
    /** Shown only to viewers whom the rule allows. */
    onlyFor?: Record<string, Rule>
  }
  /**
   * What is done to many records at once (bulk 1): the fields that are set to one value, `reassign` the one
   * of them that has a button of its own, and whether records are deleted. Absent: each is changed by itself.
   */
  bulk?: { fields: readonly string[]; reassign?: string; delete?: true }
  /** Notices with decisions, above the group of the form whose first field is `aboveField`. */
  review?: { aboveField: string; notices: readonly Notice[] }
  /** Messages that replace the usual ones, keyed '{field} {keyword}' (lists 8). */
  messages?: Record<string, string>
  /** Checks across fields, by the form and the server: returns messages by field. */
  check?: (values: Record<string, unknown>, isNew: boolean) => Record<string, string>
}

type Checked = {
  isNew: boolean
  /** The values of the stored record; null for a new one. */
  stored: Readonly<Record<string, unknown>> | null
  /** Whether the field holds another value than the stored one. */
  isChanged: (field: string) => boolean
}

/**
 * What the entity's check finds wrong in a record, by field. Faults that the stored record has already count
 * only in changed fields, so that another field can be corrected.
 */
export function newFaults(
  check: Entity['check'],
  values: Readonly<Record<string, unknown>>,
  { isNew, stored, isChanged }: Checked,
): Record<string, string> {
  if (!check) return {}
  const faultsBefore = stored ? check(stored, false) : {}
  const faults = Object.entries(check(values, isNew))
  return Object.fromEntries(faults.filter(([field]) => !(field in faultsBefore) || isChanged(field)))
}

/** The decision of this name about the records of an entity. */
export const decisionOf = ({ review }: Entity, name: string): Decision | undefined =>
  review?.notices.map(({ decisions }) => decisions[name]).find(Boolean)

type PropertiesOf<E extends Entity> = E['schema']['properties']
/** The fields that are not read-only. */
type Writable<E extends Entity> = {
  [F in keyof PropertiesOf<E>]: PropertiesOf<E>[F] extends { readonly readOnly: true } ? never : F
}[keyof PropertiesOf<E>]
/** The fields that have a place in the form, or are hidden on purpose. */
type Placed<E extends Entity> =
  | E['form']['groups'][number]['fields'][number]
  | (E['form'] extends { readonly hidden: readonly (infer F)[] } ? F : never)
  | keyof typeof identity
type Unplaced<E extends Entity> = Exclude<keyof PropertiesOf<E>, Placed<E>>

/**
 * The entity as it is. The compiler refuses one that has a writable field without a rule, naming the field,
 * and one that has a field neither in a group of the form nor in `form.hidden` (permissions 6).
 */
export const defineEntity = <const E extends Entity>(
  entity: E & { access: { fields: Record<Writable<E>, Rule> } } & ([Unplaced<E>] extends [never]
      ? unknown
      : { form: { fieldsInNoGroup: Unplaced<E> } }),
): E => entity

/** What one record is called in a sentence: 'This {noun} does not exist'. */
export const nounOfOne = ({ noun, oneNoun }: Pick<Entity, 'noun' | 'oneNoun'>): string => oneNoun ?? noun

/** Who opens the dialog of an existing record. */
export const opensRecords = ({ access }: Pick<Entity, 'access'>): Rule => access.open ?? access.update

const ruleOf = (entity: Entity, field: string): Rule =>
  entity.schema.properties[field]?.readOnly ? nobody : (entity.access.fields[field] ?? unlisted)

/**
 * The fields this viewer may not change: disabled in the form, refused by the server (permissions 6,
 * permissions 7).
 */
export const readOnlyFields = (entity: Entity, viewer: Viewer, row?: Record<string, unknown>): string[] =>
  Object.keys(entity.schema.properties).filter((field) => !ruleOf(entity, field)(viewer, row))

/** Whether this viewer may change no field of the record. Then the dialog offers neither Save nor Delete. */
export const isViewOnly = (entity: Entity, viewer: Viewer, row: Record<string, unknown>): boolean => {
  const readOnly = readOnlyFields(entity, viewer, row)
  return entity.form.groups.every(({ fields }) => fields.every((field) => readOnly.includes(field)))
}

/** Why a field is read-only, as shown below it (permissions 8). */
export const readOnlyReason = (
  entity: Entity,
  field: string,
  viewer: Viewer,
  row?: Record<string, unknown>,
): string => reasonOf(ruleOf(entity, field), viewer, row)

/** The columns a list can be sorted by: all but secret ones, whose order would reveal their values. */
export const sortableFields = (entity: Entity): string[] =>
  entity.list.columns
    .map((column) => column.field)
    .filter((field) => !entity.schema.properties[field]?.secret)

/** The reference fields of an entity and the lookups they refer to. */
export const referencesOf = (entity: Entity): [field: string, to: string][] =>
  Object.entries(entity.schema.properties).flatMap(([field, property]) =>
    property.to ? [[field, property.to] as [string, string]] : [],
  )

/** For `check`: the messages of the rows whose first item is truthy, by field. */
export const collectErrors = (
  rows: readonly (readonly [wrong: unknown, field: string, message: string])[],
): Record<string, string> =>
  Object.fromEntries(rows.filter(([wrong]) => Boolean(wrong)).map(([, field, message]) => [field, message]))

/** What the records of an entity are called above a list: 'Users' of the screen 'Manage Users'. */
export const recordsTitle = ({ title }: Pick<Entity, 'title'>): string => title.replace(/^Manage /, '')
