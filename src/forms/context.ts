import type { LookupName, LookupRow } from '../../schemas/entities/lookups.ts'
import type { Viewer } from '../../schemas/permissions.ts'

/** Searches the records a field may refer to, or reads one of them by its id. */
export type SearchRecords = (
  to: LookupName,
  search: string,
  id: number | null,
  signal: AbortSignal,
) => Promise<LookupRow[]>

/** The passwords of an existing user stay shut until somebody asks to change them (specification, section 4). */
export type PasswordChange = { changing: boolean; toggle: () => void }

/** What widgets get beside their value. `labels` names the records the row refers to, by field. */
export type FormContext = {
  viewer?: Viewer
  searchRecords?: SearchRecords
  labels?: Readonly<Record<string, string>>
  passwordChange?: PasswordChange
}
