import { Button, Menu, PopoverNext } from '@blueprintjs/core'
import { CaretDownIcon } from '@blueprintjs/icons'
import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { handleMenuKey, menuItems } from '../../../parts/menu/menuKeys.ts'

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
