import { Button, Spinner } from '@blueprintjs/core'
import type { ComponentProps } from 'react'

type Props = Pick<ComponentProps<typeof Button>, 'icon'> & {
  text: string
  isBusy: boolean
  onClick: () => void
}

/** A button that keeps the focus while its work is under way: a disabled one would lose it. */
export const BusyButton = ({ text, icon, isBusy, onClick }: Props) => (
  <Button
    icon={isBusy ? <Spinner size={16} aria-hidden /> : icon}
    text={text}
    aria-busy={isBusy}
    aria-disabled={isBusy}
    onClick={isBusy ? undefined : onClick}
  />
)
