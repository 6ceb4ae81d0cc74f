import { Classes } from '@blueprintjs/core'

/**
 * Keeps the page behind a dialog out of reach of the keyboard and of screen readers. Blueprint marks the body while
 * a dialog with a backdrop is open. Answers how to stop.
 */
export const watchDialogs = (behind: HTMLElement): (() => void) => {
  const update = () => {
    behind.inert = document.body.classList.contains(Classes.OVERLAY_OPEN)
  }
  const observer = new MutationObserver(update)
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] })
  update()
  return () => {
    observer.disconnect()
    behind.inert = false
  }
}
