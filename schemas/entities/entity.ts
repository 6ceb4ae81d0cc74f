import type { Kind } from '../fields.ts'
import { nobody, reason, type Rule, type Viewer } from '../permissions.ts'

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
  /** Stored encrypted; shown whole to holders of `access.reveal` alone, to others by its last four characters. */
  secret?: boolean
  /** No column of the table: worked out, or stored elsewhere. */
  virtual?: boolean
  items?: { properties: Record<string, Property> }
  [keyword: string]: unknown
}

/** How a cell is written: see src/parts/format.ts. `label` shows the name of a referenced record. */
export type ColumnAs =
  | 'text'
  | 'number'
  | 'date'
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
  /** for `flag`: the words for true and false */ words?: readonly [string, string]
}

/** A noun of the portal: what it holds, who may do what to it, how it is listed and edited. */
export type Entity = {
  /** As the API calls it: /api/v1/{name}. */
  name: string
  /** In sentences: 'Are you sure you want to delete this {noun}?' */
  noun: string
  /** Heading, and menu item unless `menu` has another text. */
  title: string
  /** Where the shell offers it: the Manage dropdown unless said otherwise. */
  menu?: { at: 'manage' | 'side'; text?: string }
  at: string
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
    /** Who finds the screen in the menu; `list` unless said otherwise. */
    see?: Rule
    /** Who opens the dialog of an existing record; `update` unless said otherwise. */
    open?: Rule
    /** Who is shown the secret fields whole. */
    reveal?: Rule
    fields?: Record<string, Rule>
  }
  /** The column that holds the master agent whose rows these are (row scope); null: not scoped. */
  scope: string | null
  /** Without fields to search there is no search box; a plain pager has no links to the first and last page. */
  list: { search: readonly string[]; columns: readonly Column[]; pager?: 'plain' }
  form: {
    title: string
    size: 'large' | 'extra large'
    groups: readonly { title?: string; fields: readonly string[] }[]
    /** Sent and answered, but no field of the form. */
    hidden?: readonly string[]
    /** Shown only when editing an existing record. */
    onlyExisting?: readonly string[]
    /** Required of a new record, though the schema of the stored one cannot say so: marked as such. */
    requiredNew?: readonly string[]
    /** Shown only to those whom the rule lets. */
    onlyFor?: Record<string, Rule>
  }
  /** Texts of the specification that differ from '{title} is required'. */
  messages?: Record<string, string>
  /** What JSON Schema cannot say of the values together: field to sentence. Asked by form and server alike. */
  check?: (values: Record<string, unknown>, isNew: boolean) => Record<string, string>
}

export const entity = <const E extends Entity>(it: E): E => it

const ruleOf = (it: Entity, field: string, row?: Record<string, unknown>): Rule =>
  it.schema.properties[field]?.readOnly
    ? nobody
    : (it.access.fields?.[field] ?? it.access[row ? 'update' : 'create'])

/** The fields this viewer may not change: disabled in the form, refused by the server. */
export const frozen = (it: Entity, viewer: Viewer, row?: Record<string, unknown>): string[] =>
  Object.keys(it.schema.properties).filter((field) => !ruleOf(it, field, row)(viewer, row))

/** Is there nothing in this record that this viewer may change? Then it is neither saved nor deleted on the screen. */
export const isViewOnly = (it: Entity, viewer: Viewer, row: Record<string, unknown>): boolean => {
  const shut = frozen(it, viewer, row)
  return it.form.groups.every(({ fields }) => fields.every((field) => shut.includes(field)))
}

/** Why a field is frozen, for its tooltip. */
export const whyFrozen = (it: Entity, field: string, row?: Record<string, unknown>): string =>
  reason(ruleOf(it, field, row))

/** The columns a list can be sorted by: never by what is kept secret. */
export const sortable = (it: Entity): string[] =>
  it.list.columns.map((column) => column.field).filter((field) => !it.schema.properties[field]?.secret)

/** The references of an entity: field name to the entity it points to. */
export const references = (it: Entity): [field: string, to: string][] =>
  Object.entries(it.schema.properties).flatMap(([field, property]) =>
    property.to ? [[field, property.to] as [string, string]] : [],
  )

/** For `check`: the rows whose first item holds, as field to sentence. */
export const faultsOf = (
  rows: readonly (readonly [wrong: unknown, field: string, message: string])[],
): Record<string, string> =>
  Object.fromEntries(rows.filter(([wrong]) => Boolean(wrong)).map(([, field, message]) => [field, message]))
