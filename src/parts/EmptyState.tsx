import { NonIdealState } from '@blueprintjs/core'
import type { JSX, ReactNode } from 'react'

type Props = { title: string; icon?: JSX.Element; action?: JSX.Element; children?: ReactNode }

/** In place of rows: what is the case, and what can be done about it. */
export const EmptyState = ({ title, icon, action, children }: Props) => (
  <NonIdealState className="empty-state" layout="vertical" iconMuted iconSize={32} icon={icon} title={title} description={children} action={action} />
)
