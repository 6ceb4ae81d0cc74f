import type { LiteName, LiteRow } from '../../schemas/entities/lookups.ts'
import type { Viewer } from '../../schemas/permissions.ts'

/** Searches the records a field may refer to, or reads one of them by its id. */
export type Lookup = (
  to: LiteName,
  search: string,
  id: number | null,
  signal: AbortSignal,
) => Promise<LiteRow[]>

/** The passwords of an existing user stay shut until somebody asks to change them (specification, section 4). */
export type Passwords = { changing: boolean; toggle: () => void }

/** What widgets get beside their value. `labels` names the records the row refers to, by field. */
export type FormContext = {
  viewer?: Viewer
  lookup?: Lookup
  labels?: Readonly<Record<string, string>>
  passwords?: Passwords
}
