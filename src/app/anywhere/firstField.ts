/** Milliseconds for a screen to be fetched and drawn after signing in. */
const drawnWithin = 5_000

/** The fields that can be typed into or chosen from; the first is where a screen or form begins. */
export const firstField = ':is(input, select, textarea):not(:disabled, [type=hidden], [type=file])'

/**
 * After signing in, gives the focus to the first field of the screen as soon as there is one, unless
 * something else has it by then (everywhere 5). Returns how to stop.
 */
export const focusFirstField = (): (() => void) => {
  const main = document.getElementById('main')
  if (!main) return () => {}
  const stop = () => {
    observer.disconnect()
    clearTimeout(timer)
  }
  const look = () => {
    const holder = document.activeElement
    if (holder !== null && holder !== document.body && holder !== main) return stop()
    const field = main.querySelector<HTMLElement>(firstField)
    if (!field || main.closest('[inert]')) return
    stop()
    field.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(look)
  const timer = setTimeout(stop, drawnWithin)
  observer.observe(main, { childList: true, subtree: true })
  look()
  return stop
}
