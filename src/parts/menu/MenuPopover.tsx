import { Button, PopoverNext } from '@blueprintjs/core'
import { CaretDownIcon } from '@blueprintjs/icons'
import type { ComponentProps, KeyboardEvent, Ref } from 'react'

type Props = Omit<ComponentProps<typeof PopoverNext>, 'renderTarget' | 'isOpen'> & {
  isOpen: boolean
  /** Called when the arrow key opens the menu. */
  onOpen: () => void
  button: Omit<ComponentProps<typeof Button>, 'ref' | 'className'>
}

/** A button with a menu below it, which a click and the key Down open. */
export const MenuPopover = ({ isOpen, onOpen, button, ...popover }: Props) => (
  <PopoverNext
    isOpen={isOpen}
    arrow={false}
    animation="minimal"
    transitionDuration={80}
    {...popover}
    renderTarget={({ isOpen: _isOpen, ref, className, ...target }) => (
      <Button
        {...target}
        {...button}
        ref={ref as Ref<HTMLButtonElement>}
        className={className}
        endIcon={<CaretDownIcon />}
        aria-expanded={isOpen}
        onKeyDown={(event: KeyboardEvent<HTMLElement>) => {
          if (event.key !== 'ArrowDown' || isOpen) return
          event.preventDefault()
          onOpen()
        }}
      />
    )}
  />
)
