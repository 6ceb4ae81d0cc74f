import { createRequire } from 'node:module'
import { answerQueriesQuickly } from './quickQueries.ts'

/** What browsers have and happy-dom lacks. */
class Unmoving {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver ??= Unmoving as unknown as typeof ResizeObserver
globalThis.IntersectionObserver ??= Unmoving as unknown as typeof IntersectionObserver
Element.prototype.scrollIntoView ??= () => {}

/** Files that share a window run this more than once. */
const held = globalThis as { quickViews?: WeakSet<Window>; hasQuickQueries?: boolean }
const quickViews = (held.quickViews ??= new WeakSet<Window>())
if (!held.hasQuickQueries) answerQueriesQuickly()
held.hasQuickQueries = true

/**
 * The display of an element by its name, as long as nothing but its name decides: tests load no style sheets.
 */
const displays = new Map<string, string>()

/**
 * For every question happy-dom works out all properties of an element and of all elements around it, most of
 * them for the two that say whether something can be seen. These two are answered from inline styles and the
 * name of the element instead.
 */
function answerQuickly(view: Window) {
  if (quickViews.has(view)) return
  quickViews.add(view)
  const computed = view.getComputedStyle.bind(view)
  const displayOf = (element: HTMLElement): string => {
    if (element.hasAttribute('hidden')) return computed(element).display
    const inline = element.hasAttribute('style') ? element.style.display : ''
    if (inline) return inline
    const known = displays.get(element.tagName) ?? computed(element).display
    if (element.isConnected) displays.set(element.tagName, known)
    return known
  }
  const visibilityOf = (element: HTMLElement | null): string => {
    for (let it = element; it; it = it.parentElement)
      if (it.hasAttribute('style') && it.style.visibility) return it.style.visibility
    return 'visible'
  }
  const quick: Record<string, (element: HTMLElement) => string> = {
    display: displayOf,
    visibility: visibilityOf,
  }
  view.getComputedStyle = (element, pseudo) => {
    let style: CSSStyleDeclaration | null = null
    const whole = () => (style ??= computed(element, pseudo))
    const answer = (name: string) => quick[name]?.(element as HTMLElement)
    return new Proxy({} as CSSStyleDeclaration, {
      get(_, name: string) {
        if (name === 'getPropertyValue')
          return (property: string) => answer(property) ?? whole().getPropertyValue(property)
        return answer(name) ?? Reflect.get(whole(), name)
      },
    })
  }
}
answerQuickly(window)
if (document.defaultView && document.defaultView !== window) answerQuickly(document.defaultView)

/**
 * Dialogs open and close at once. Otherwise Blueprint waits up to 300 ms of real time for transitions that
 * are not drawn here. It takes the package by `require`, so this must too.
 */
const transitions = createRequire(import.meta.url)('react-transition-group') as {
  config: { disabled: boolean }
}
transitions.config.disabled = true
