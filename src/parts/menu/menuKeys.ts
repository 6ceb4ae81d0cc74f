import type { KeyboardEvent } from 'react'

export const menuItems = (menu: Element) => [...menu.querySelectorAll<HTMLElement>('a[role^="menuitem"]')]

/** Arrow keys, Home, End and first letters move the focus through the items, as the role `menu` requires. */
export const handleMenuKey = (event: KeyboardEvent<HTMLElement>) => {
  const items = menuItems(event.currentTarget)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const to = targetOf(event.key, at, items)
  if (!to) return
  event.preventDefault()
  to.focus()
}

const targetOf = (key: string, at: number, items: HTMLElement[]): HTMLElement | undefined => {
  switch (key) {
    case 'ArrowDown':
      return items[(at + 1) % items.length]
    case 'ArrowUp':
      return items.at(at <= 0 ? -1 : at - 1)
    case 'Home':
      return items[0]
    case 'End':
      return items.at(-1)
    default: {
      if (key.length !== 1 || key === ' ') return undefined
      const begins = (item: HTMLElement) =>
        item.textContent.trim().toLowerCase().startsWith(key.toLowerCase())
      return [...items.slice(at + 1), ...items.slice(0, at + 1)].find(begins)
    }
  }
}
