import { Button, Menu, PopoverNext } from '@blueprintjs/core'
import { CaretDownIcon } from '@blueprintjs/icons'
import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useState } from 'react'

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

/** `count` is drawn beside the text; the item that it belongs to says it. */
type Props = { text: string; count?: number; children: ReactNode; isEnd?: boolean } & Pick<
  ComponentProps<typeof Button>,
  'id' | 'active' | 'icon'
>

const below = { offset: { mainAxis: 9 } }

/** A dropdown of the bar. */
export const MenuButton = ({ text, count = 0, children, isEnd, id, ...buttonProps }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const ownId = useId()
  const buttonId = id ?? ownId
  return (
    <PopoverNext
      isOpen={isOpen}
      shouldReturnFocusOnClose={false}
      onInteraction={(open, event) => {
        setOpen(open)
        // A chosen item moves the focus elsewhere, so only Escape and Tab return it.
        if (!open && event?.nativeEvent instanceof KeyboardEvent) document.getElementById(buttonId)?.focus()
      }}
      placement={isEnd ? 'bottom-end' : 'bottom-start'}
      arrow={false}
      middleware={below}
      animation="minimal"
      transitionDuration={80}
      inheritDarkTheme={false}
      onOpened={(popover) => menuItems(popover)[0]?.focus()}
      content={
        <Menu className="shell-menu" aria-label={text} onKeyDown={handleMenuKey}>
          {children}
        </Menu>
      }
      renderTarget={({ isOpen: _isOpen, ref, className, ...target }) => (
        <Button
          {...target}
          {...buttonProps}
          ref={ref as React.Ref<HTMLButtonElement>}
          id={buttonId}
          className={className}
          variant="minimal"
          text={
            <>
              {text}
              {count > 0 && (
                <span aria-hidden className="shell-count">
                  {count}
                </span>
              )}
            </>
          }
          endIcon={<CaretDownIcon />}
          aria-expanded={isOpen}
          onKeyDown={(event: KeyboardEvent<HTMLElement>) => {
            if (event.key !== 'ArrowDown' || isOpen) return
            event.preventDefault()
            setOpen(true)
          }}
        />
      )}
    />
  )
}
