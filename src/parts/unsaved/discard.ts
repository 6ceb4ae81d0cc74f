import { useEffect } from 'react'
import type { BlockerFunction } from 'react-router-dom'
import type { DraftValues } from './draftStorage.ts'

// A file of its own, because lists need it: what stores drafts is loaded with such forms alone.

/**
 * The address after a session has ended. Nothing is asked on the way there, because no dialog can be shown
 * any more (lists 12).
 */
const loginAddress = '/login'

/** Lets the browser ask, with its own text, before the tab is closed with unsaved changes. */
export const useCloseQuestion = (isUnsaved: boolean) =>
  useEffect(() => {
    if (!isUnsaved) return
    const askBrowser = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', askBrowser)
    return () => window.removeEventListener('beforeunload', askBrowser)
  }, [isUnsaved])

/** Whether a navigation leaves the screen; false on the way to the login, where nothing is asked. */
export const leavesScreen = ({ currentLocation, nextLocation }: Parameters<BlockerFunction>[0]) =>
  nextLocation.pathname !== loginAddress && nextLocation.pathname !== currentLocation.pathname

/** What a form of the screen holds for the question before the screen is left. */
export type FormChanges = {
  /** What is typed and not stored; null for nothing. */
  typed: DraftValues | null
  /** No draft is stored then. */
  areDiscarded: boolean
}
export const noChanges: FormChanges = { typed: null, areDiscarded: false }
