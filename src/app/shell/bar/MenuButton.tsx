import { Menu, type Button } from '@blueprintjs/core'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { handleMenuKey, menuItems } from '../../../parts/menu/menuKeys.ts'
import { MenuPopover } from '../../../parts/menu/MenuPopover.tsx'

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
    <MenuPopover
      isOpen={isOpen}
      shouldReturnFocusOnClose={false}
      onOpen={() => setOpen(true)}
      onInteraction={(open, event) => {
        setOpen(open)
        // A chosen item moves the focus elsewhere, so only Escape and Tab return it.
        if (!open && event?.nativeEvent instanceof KeyboardEvent) document.getElementById(buttonId)?.focus()
      }}
      placement={isEnd ? 'bottom-end' : 'bottom-start'}
      middleware={below}
      inheritDarkTheme={false}
      onOpened={(popover) => menuItems(popover)[0]?.focus()}
      content={
        <Menu className="shell-menu" aria-label={text} onKeyDown={handleMenuKey}>
          {children}
        </Menu>
      }
      button={{
        ...buttonProps,
        id: buttonId,
        variant: 'minimal',
        text: (
          <>
            {text}
            {count > 0 && (
              <span aria-hidden className="shell-count">
                {count}
              </span>
            )}
          </>
        ),
      }}
    />
  )
}
