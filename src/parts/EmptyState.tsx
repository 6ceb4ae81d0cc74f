import { Button } from '@blueprintjs/core'
import { ErrorIcon } from '@blueprintjs/icons'
import type { JSX, ReactNode } from 'react'

type Props = { title: string; icon?: JSX.Element; action?: JSX.Element; children?: ReactNode }

/** Shown in place of rows: why there are none, and what can be done. */
export const EmptyState = ({ title, icon, action, children }: Props) => (
  <div className="empty-state">
    {icon}
    <p className="empty-title">{title}</p>
    {children && <p>{children}</p>}
    {action}
  </div>
)

/** Shown in place of what could not be loaded; `what` begins the sentence. */
export const LoadFailure = ({ what, onReload }: { what: string; onReload: () => void }) => (
  <EmptyState
    title={`${what} could not be loaded`}
    icon={<ErrorIcon size={32} />}
    action={<Button intent="primary" text="Try again" onClick={onReload} />}
  >
    Nothing was lost. Try again in a moment.
  </EmptyState>
)
