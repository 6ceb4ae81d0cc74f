/** The fields that can be typed into or chosen from; the first is where a screen or form begins. */
export const firstField = ':is(input, select, textarea):not(:disabled, [type=hidden], [type=file])'

/** What a person does instead of waiting for the screen. */
const interactions = ['keydown', 'pointerdown'] as const

/**
 * After signing in, gives the focus to the first field of the screen as soon as there is one, unless the
 * person pressed a key or the pointer, or something else has the focus by then (everywhere 5). Returns a
 * function that stops this.
 */
export const focusFirstField = (): (() => void) => {
  const main = document.getElementById('main')
  if (!main) return () => {}
  const stop = () => {
    observer.disconnect()
    for (const type of interactions) document.removeEventListener(type, stop, true)
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
  observer.observe(main, { childList: true, subtree: true })
  for (const type of interactions) document.addEventListener(type, stop, true)
  look()
  return stop
}
