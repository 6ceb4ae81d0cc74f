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

/**
 * What widgets get beside their value. `labels` are the labels of the records the row refers to, by field.
 */
export type FormContext = {
  viewer?: Viewer
  searchRecords?: SearchRecords
  labels?: Readonly<Record<string, string>>
  passwordChange?: PasswordChange
}
