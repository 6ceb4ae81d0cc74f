import type { ReactNode } from 'react'
import type { LookupName, LookupRow } from '../../schemas/entities/lookups.ts'
import type { Viewer } from '../../schemas/permissions.ts'

/** Searches the records a field may refer to; if `id` is not null, reads that record. */
export type SearchRecords = (
  to: LookupName,
  search: string,
  id: number | null,
  signal: AbortSignal,
) => Promise<LookupRow[]>

/** The password fields of an existing user are disabled until `changing` (users 3). */
export type PasswordChange = { changing: boolean; toggle: () => void }

/** What a month field offers, '2026-10', newest first; `usual` counts while none is chosen. */
export type OfferedMonths = { months: readonly string[]; usual: string }

/**
 * What widgets get besides their value. `labels` are the labels of the records the row refers to, by field.
 */
export type FormContext = {
  /** Shown above the fields of the group that begins with `field`. */
  groupNote?: { field: string; note: ReactNode }
  viewer?: Viewer
  searchRecords?: SearchRecords
  labels?: Readonly<Record<string, string>>
  passwordChange?: PasswordChange
  /** The form is of a user who is an administrator by what it holds now (users 5). */
  isAdministrator?: boolean
  /** By field. */
  offeredMonths?: Readonly<Record<string, OfferedMonths>>
}
