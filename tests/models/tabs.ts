/**
 * Two tabs in one window, which happy-dom has only one of: what one stores, the others hear, and a page that asks to
 * be loaded anew is loaded by its driver.
 */
export function startTabs() {
  const set = Storage.prototype.setItem
  const remove = Storage.prototype.removeItem
  const assign = window.location.assign
  const open: { load: (path: string) => void }[] = []
  let running: { load: (path: string) => void } | undefined

  const tell = (key: string, oldValue: string | null, newValue: string | null) => {
    // The portal knows its own writes, so all tabs of this window may hear of them.
    if (open.length > 1 && oldValue !== newValue) window.dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue }))
  }
  const begin = () => {
    Storage.prototype.setItem = function (key: string, value: string) {
      const old = this.getItem(key)
      set.call(this, key, value)
      tell(key, old, value)
    }
    Storage.prototype.removeItem = function (key: string) {
      const old = this.getItem(key)
      remove.call(this, key)
      tell(key, old, null)
    }
    Object.defineProperty(window.location, 'assign', { configurable: true, value: (path: string) => (running ?? open[0])?.load(path) })
  }
  const end = () => {
    Storage.prototype.setItem = set
    Storage.prototype.removeItem = remove
    Object.defineProperty(window.location, 'assign', { configurable: true, value: assign })
    localStorage.clear()
  }

  return {
    open(load: (path: string) => void) {
      if (open.length === 0) begin()
      const tab = { load }
      open.push(tab)
      return {
        /** Does something of this tab: what it asks of the window it asks for itself. */
        run<T>(work: () => T): T {
          running = tab
          try {
            return work()
          } finally {
            running = undefined
          }
        },
        close() {
          open.splice(open.indexOf(tab), 1)
          if (open.length === 0) end()
        },
      }
    },
  }
}
export type Tabs = ReturnType<typeof startTabs>
