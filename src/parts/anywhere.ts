import { useEffect, useSyncExternalStore } from 'react'

/** A dialog that opens over every screen (everywhere 1, everywhere 2, everywhere 4). */
type AnywhereDialog = { name: 'find' | 'keys' } | { name: 'help'; about: string }

/**
 * The id of the button that creates a record: a key presses it, and it has the focus after the dialog. The
 * form of a ticket has it, which stands on the screen itself.
 */
export const createButtonId = 'create-record'

/** Whether this is a Mac, whose key for commands is ⌘. */
const isMac = typeof navigator === 'object' && /mac|iphone|ipad/i.test(navigator.platform)
/** The key that opens Find, as the table of keys has it. */
export const findKey = isMac ? '⌘+k' : 'Ctrl+k'

const listeners = new Set<() => void>()
let open: AnywhereDialog | null = null
let opener: Element | null = null

let typedEarly = ''

const change = (dialog: AnywhereDialog | null) => {
  open = dialog
  typedEarly = ''
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const openAnywhere = (dialog: AnywhereDialog) => {
  if (open === null) opener = document.activeElement
  change(dialog)
}

/**
 * Closes the dialog. The focus goes back to where it was; where that is gone, such as the item of a menu, to
 * the element with the id `otherwise`; where nothing had it, to the screen. Null leaves it to the screen that
 * is opened.
 */
export const closeAnywhere = (otherwise: string | null) => {
  const element = opener
  opener = null
  change(null)
  if (otherwise === null) return
  // The page cannot take the focus until the dialog has been removed.
  requestAnimationFrame(() => {
    const isThere = element instanceof HTMLElement && element.isConnected
    const place = element === document.body ? 'main' : otherwise
    const target = isThere && element !== document.body ? element : document.getElementById(place)
    target?.focus({ preventScroll: true })
  })
}

/**
 * Keeps the letters that are typed while the code of the dialog Find comes: they would be keys of the screen
 * below, or text in the field that still has the focus.
 */
export const keepTypedEarly = (event: KeyboardEvent) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return
  event.preventDefault()
  event.stopPropagation()
  typedEarly += event.key
}
/** What was typed before the dialog that is open was there. */
export const getTypedEarly = () => typedEarly

export const useAnywhere = (): AnywhereDialog | null => useSyncExternalStore(subscribe, () => open)

let shownPath: string | null = null

/** The address of what a screen shows where its own address leaves that out, as /month does. */
export const getShownPath = () => shownPath
export const useShownPath = (path: string) =>
  useEffect(() => {
    shownPath = path
    return () => {
      shownPath = null
    }
  }, [path])
