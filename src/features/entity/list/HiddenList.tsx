import type { ReactElement } from 'react'
import type { Entity } from '../../../../schemas/entities/entity.ts'
import { reasonOf, type Viewer } from '../../../../schemas/permissions.ts'
import { EmptyState } from '../../../parts/EmptyState.tsx'

/** `icon` comes from the screen: other files have theirs from the shell, and would each have to bring it. */
type Props = { entity: Entity; viewer: Viewer; icon: ReactElement }

/** In the place of a list that the viewer may not see: which one, and the missing permission (lists 1). */
export const HiddenList = ({ entity, viewer, icon }: Props) => (
  <EmptyState
    title={`The list of ${entity.title.toLowerCase().replace('manage ', '')} is not shown to you`}
    icon={icon}
  >
    {reasonOf(entity.access.list, viewer)}
  </EmptyState>
)
