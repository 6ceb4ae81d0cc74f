import { draftPrefix, withStorage } from './otherDrafts.ts'

/** A draft: the values of a form that were typed and not sent, by field. */
export type DraftValues = Readonly<Record<string, unknown>>

/** The key of the draft of a form and a user in sessionStorage, which is the tab's own (lists 12). */
export const draftKey = (username: string, ...form: readonly (string | number)[]): string =>
  `${draftPrefix}${JSON.stringify([username, ...form])}`

export const storeDraft = (key: string, draft: DraftValues): void => {
  if (Object.keys(draft).length > 0) withStorage(() => sessionStorage.setItem(key, JSON.stringify(draft)))
}

export const readStoredDraft = (key: string): DraftValues | null => {
  const draft: unknown = withStorage(() => JSON.parse(sessionStorage.getItem(key) ?? 'null'))
  return typeof draft === 'object' && draft !== null && !Array.isArray(draft) ? (draft as DraftValues) : null
}

export const deleteDraft = (key: string): void => void withStorage(() => sessionStorage.removeItem(key))
