type Tab = { root: Element; load: (path: string) => void }

type Fiber = { return: Fiber | null; stateNode: { containerInfo?: Element } | null }

/** The element that React draws the page of this element in. Menus and dialogs are drawn beside it. */
function rootOf(element: Element): Element | undefined {
  for (let it: Element | null = element; it; it = it.parentElement) {
    const key = Object.keys(it).find((name) => name.startsWith('__reactFiber$'))
    if (!key) continue
    let fiber = (it as unknown as Record<string, Fiber>)[key]!
    while (fiber.return) fiber = fiber.return
    return fiber.stateNode?.containerInfo
  }
  return undefined
}

/**
 * Several tabs in the one window of happy-dom: what one stores, the others are notified of; an element
 * belongs to the tab whose page drew it; and a page that asks to be loaded anew is loaded by its driver.
 */
export function startTabs() {
  const { setItem, removeItem } = localStorage
  const { assign } = window.location
  const open: Tab[] = []
  const tell = (key: string, oldValue: string | null, newValue: string | null) => {
    // The portal knows its own writes, so all tabs of this window may be notified of them.
    if (open.length > 1 && oldValue !== newValue)
      window.dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue }))
  }
  const replace = (it: object, name: string, value: unknown) =>
    Object.defineProperty(it, name, { configurable: true, writable: true, value })
  const begin = () => {
    replace(localStorage, 'setItem', (key: string, value: string) => {
      const old = localStorage.getItem(key)
      setItem(key, value)
      tell(key, old, value)
    })
    replace(localStorage, 'removeItem', (key: string) => {
      const old = localStorage.getItem(key)
      removeItem(key)
      tell(key, old, null)
    })
    // Only the tab that is watched is ever started over.
    replace(window.location, 'assign', (path: string) => open[0]?.load(path))
  }
  const end = () => {
    replace(localStorage, 'setItem', setItem)
    replace(localStorage, 'removeItem', removeItem)
    replace(window.location, 'assign', assign)
    localStorage.clear()
  }

  return {
    open(root: Element, load: (path: string) => void) {
      if (open.length === 0) begin()
      const tab: Tab = { root, load }
      open.push(tab)
      return {
        /** What no page has drawn belongs to every tab. */
        owns(it: Element) {
          const owner = rootOf(it)
          return owner === undefined || owner === root
        },
        /** Answers how many are still open. */
        close() {
          open.splice(open.indexOf(tab), 1)
          if (open.length === 0) end()
          return open.length
        },
      }
    },
  }
}
export type Tabs = ReturnType<typeof startTabs>
