import { Button, Spinner } from '@blueprintjs/core'
import type { ComponentProps } from 'react'

type Props = ComponentProps<typeof Button> & { isBusy: boolean | undefined }

/** A button that keeps the focus while its work is under way: a disabled one would lose it. */
export const BusyButton = ({ icon, isBusy, onClick, ...props }: Props) => (
  <Button
    {...props}
    icon={isBusy ? <Spinner size={16} aria-hidden /> : icon}
    aria-busy={isBusy}
    aria-disabled={isBusy}
    onClick={isBusy ? undefined : onClick}
  />
)
