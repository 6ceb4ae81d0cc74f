import { createContext, use } from 'react'

/** Which fields may show what is wrong: those edited, and all of them once a save was tried (specification, section 5). */
export type Gate = { tried: boolean; edited: ReadonlySet<string> }
export const GateContext = createContext<Gate>({ tried: true, edited: new Set() })

export const useMayShow = (id: string): boolean => {
  const { tried, edited } = use(GateContext)
  return tried || edited.has(id)
}

/** What a field tells its control: is it wrong, and the ids of the texts that describe it. */
export type Described = { invalid: boolean; by: string | undefined }
export const DescribedContext = createContext<Described>({ invalid: false, by: undefined })
export const useDescribed = (): { 'aria-invalid'?: true; 'aria-describedby'?: string } => {
  const { invalid, by } = use(DescribedContext)
  return { ...(invalid && { 'aria-invalid': true }), ...(by && { 'aria-describedby': by }) }
}

/** The id of a text that says why every field of a group is disabled. */
export const GroupReasonContext = createContext<string | null>(null)
