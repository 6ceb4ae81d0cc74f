type Tab = { root: Element; load: (path: string) => void }

/**
 * Several tabs in the one window of happy-dom: what one stores, the others hear; what is drawn beside the roots (menus,
 * dialogs) belongs to the tab that was used last; and a page that asks to be loaded anew is loaded by its driver.
 */
export function startTabs() {
  const { setItem, removeItem } = localStorage
  const { assign } = window.location
  const open: Tab[] = []
  const owners = new WeakMap<Element, Tab>()
  let used: Tab | undefined

  const own = () => {
    for (const child of document.body.children) if (used && !owners.has(child)) owners.set(child, used)
  }
  const observer = new MutationObserver(own)
  const tell = (key: string, oldValue: string | null, newValue: string | null) => {
    // The portal knows its own writes, so all tabs of this window may hear of them.
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
    // Only the tab that is watched is ever told to start over.
    replace(window.location, 'assign', (path: string) => open[0]?.load(path))
    observer.observe(document.body, { childList: true })
  }
  const end = () => {
    replace(localStorage, 'setItem', setItem)
    replace(localStorage, 'removeItem', removeItem)
    replace(window.location, 'assign', assign)
    observer.disconnect()
    localStorage.clear()
  }

  return {
    open(root: Element, load: (path: string) => void) {
      if (open.length === 0) begin()
      const tab: Tab = { root, load }
      open.push(tab)
      owners.set(root, tab)
      return {
        use() {
          own()
          used = tab
        },
        owns(it: Element) {
          own()
          const top = [...document.body.children].find((child) => child.contains(it))
          return top === undefined || owners.get(top) === tab
        },
        /** Answers how many are still open. */
        close() {
          open.splice(open.indexOf(tab), 1)
          used = open[0]
          if (open.length === 0) end()
          return open.length
        },
      }
    },
  }
}
export type Tabs = ReturnType<typeof startTabs>
