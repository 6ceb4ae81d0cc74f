import type { Entity } from '../../schemas/entities/entity.ts'
import type { Permission } from '../../schemas/permissions.ts'

/** A person by what they were given; an administrator has all but manage_tickets besides (permissions 2). */
export type Person = { admin: boolean; given: readonly Permission[] }
/** 'admin edit_commission,lock_reports', for the message of a failed test. */
export const describePerson = ({ admin, given }: Person) => `${admin ? 'admin ' : ''}${given.join()}`

export type Says = (person: Person, row?: Record<string, unknown>) => boolean

export const anybody: Says = () => true
export const never: Says = () => false
export const administrators: Says = ({ admin }) => admin
/** Any one of them is enough. */
export const any =
  (...names: Permission[]): Says =>
  ({ admin, given }) =>
    names.some((name) => given.includes(name) || (admin && name !== 'manage_tickets'))

/** Fields under one rule: who fills them in on a new record and who changes them on a stored one. */
type FieldRule = {
  names: readonly string[]
  fresh: Says
  stored: Says
  /** Where the form has them at all; everywhere unless said otherwise. */
  shown?: { fresh: Says; stored: Says }
  /** A value that differs from the one of the row. It need not be one that would be stored. */
  change: (row?: Record<string, unknown>) => unknown
  /** One that is stored, where `change` is not. */
  valid?: unknown
}

/**
 * What docs/product (permissions 3, 6) promises of one entity, written by hand and without a look at its
 * schema.
 */
export type Oracle = {
  it: Entity
  /** Who finds the screen, and the list on it. */
  menu: Says
  list: Says
  /** The Create button, and POST. */
  create: Says
  /** A click on a row. */
  open: Says
  /** The Save button of an opened record. */
  save: Says
  /** PUT at all, and DELETE. */
  put: Says
  remove: Says
  /** The Delete button of an opened record. */
  removeButton: Says
  fields: readonly FieldRule[]
  /** What decides here: every set of these is tried in the server, with none and with all of the others. */
  relevant: readonly Permission[]
  /** Stored records whose differences decide. */
  rows: readonly Record<string, unknown>[]
  /** A record as it is sent to be stored below a master agent; each `count` gives another one. */
  draft: (count: number, agent: number) => Record<string, unknown>
  /** A change of a stored record; empty where there is none. */
  edit: Record<string, unknown>
}

/** One rule decides from the menu to the Delete button. */
export const throughout = (says: Says) =>
  ({
    menu: says,
    list: says,
    create: says,
    open: says,
    save: says,
    put: says,
    remove: says,
    removeButton: says,
  }) satisfies Partial<Oracle>

export const namesOf = (oracle: Oracle) => oracle.fields.flatMap(({ names }) => names)
/** The fields this person may fill in: of a new record, or of this stored one. */
export const openTo = (oracle: Oracle, person: Person, row: Record<string, unknown> | null): string[] =>
  oracle.fields
    .filter((rule) => (row ? rule.stored(person, row) : rule.fresh(person)))
    .flatMap(({ names }) => names)
    .sort()
/** The fields this person's form has, closed ones included. */
export const shownTo = (oracle: Oracle, person: Person, row: Record<string, unknown> | null): string[] =>
  oracle.fields
    .filter(({ shown }) => !shown || (row ? shown.stored(person, row) : shown.fresh(person)))
    .flatMap(({ names }) => names)
    .sort()
