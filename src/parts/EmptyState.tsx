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
