import { Button, Menu, PopoverNext } from '@blueprintjs/core'
import { CaretDownIcon } from '@blueprintjs/icons'
import { useState, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react'

type Props = { text: string; children: ReactNode; isEnd?: boolean } & Pick<ComponentProps<typeof Button>, 'active' | 'icon'>

/** A dropdown of the bar, to be used by mouse or by arrow keys, Home, End, Escape and first letters. */
export const MenuButton = ({ text, children, isEnd, ...button }: Props) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <PopoverNext
      isOpen={isOpen}
      onInteraction={setOpen}
      placement={isEnd ? 'bottom-end' : 'bottom-start'}
      arrow={false}
      animation="minimal"
      transitionDuration={80}
      inheritDarkTheme={false}
      onOpened={(popover) => itemsIn(popover)[0]?.focus()}
      content={
        <Menu className="shell-menu" aria-label={text} onKeyDown={moveByKey}>
          {children}
        </Menu>
      }
      renderTarget={({ isOpen: _, ref, className, ...target }) => (
        <Button
          {...target}
          {...button}
          ref={ref as React.Ref<HTMLButtonElement>}
          className={className}
          variant="minimal"
          text={text}
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

const itemsIn = (menu: Element) => [...menu.querySelectorAll<HTMLElement>('a[role^="menuitem"]')]

const moveByKey = (event: KeyboardEvent<HTMLElement>) => {
  const items = itemsIn(event.currentTarget)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const to = next(event.key, at, items)
  if (!to) return
  event.preventDefault()
  to.focus()
}

const next = (key: string, at: number, items: HTMLElement[]): HTMLElement | undefined => {
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
      const begins = (item: HTMLElement) => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase())
      return [...items.slice(at + 1), ...items.slice(0, at + 1)].find(begins)
    }
  }
}
