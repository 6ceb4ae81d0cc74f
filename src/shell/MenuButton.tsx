import { Button, Menu, PopoverNext } from '@blueprintjs/core'
import { CaretDownIcon } from '@blueprintjs/icons'
import { useId, useState, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react'
import { itemsIn, moveByKey } from './menuKeys.ts'

type Props = { text: string; children: ReactNode; isEnd?: boolean } & Pick<ComponentProps<typeof Button>, 'id' | 'active' | 'icon'>

const below = { offset: { mainAxis: 9 } }

/** A dropdown of the bar, to be used by mouse or by arrow keys, Home, End, Escape and first letters. */
export const MenuButton = ({ text, children, isEnd, id, ...looks }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const ownId = useId()
  const buttonId = id ?? ownId
  return (
    <PopoverNext
      isOpen={isOpen}
      shouldReturnFocusOnClose={false}
      onInteraction={(open, event) => {
        setOpen(open)
        // An item that was chosen leads the focus elsewhere.
        if (!open && event?.nativeEvent instanceof KeyboardEvent) document.getElementById(buttonId)?.focus()
      }}
      placement={isEnd ? 'bottom-end' : 'bottom-start'}
      arrow={false}
      middleware={below}
      animation="minimal"
      transitionDuration={80}
      inheritDarkTheme={false}
      onOpened={(popover) => itemsIn(popover)[0]?.focus()}
      content={
        <Menu className="shell-menu" aria-label={text} onKeyDown={moveByKey}>
          {children}
        </Menu>
      }
      renderTarget={({ isOpen: _isOpen, ref, className, ...target }) => (
        <Button
          {...target}
          {...looks}
          ref={ref as React.Ref<HTMLButtonElement>}
          id={buttonId}
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
