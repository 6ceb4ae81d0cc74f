import type { JSX, ReactNode } from 'react'

type Props = { title: string; icon?: JSX.Element; action?: JSX.Element; children?: ReactNode }

/** In place of rows: what is the case, and what can be done about it. */
export const EmptyState = ({ title, icon, action, children }: Props) => (
  <div className="empty-state">
    {icon}
    <p className="empty-title">{title}</p>
    {children && <p>{children}</p>}
    {action}
  </div>
)
