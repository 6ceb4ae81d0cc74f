import { useEffect, useState } from 'react'

/**
 * After the dialog that calls this the focus is where it was before, unless something else has taken it;
 * where that is gone or disabled, it is on the element with the id `otherwise` (shell 10, everywhere 5).
 * For dialogs that are rendered only while they are open, which Blueprint removes without giving the focus
 * back.
 */
export const useFocusBack = (otherwise = 'main') => {
  const [asker] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // The dialog below cannot take the focus until this one has been removed.
      requestAnimationFrame(() => {
        if (document.activeElement?.matches('a, button, input, select, textarea')) return
        if (asker instanceof HTMLElement && asker !== document.body) asker.focus({ preventScroll: true })
        if (document.activeElement === document.body)
          document.getElementById(otherwise)?.focus({ preventScroll: true })
      })
    },
    [asker, otherwise],
  )
}
