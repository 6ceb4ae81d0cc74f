import { equipment } from './hooks/equipment.ts'
import type { Shape } from './hooks/hook.ts'
import { masteragent } from './hooks/masterAgent.ts'
import { adjustment, processorstatement } from './hooks/monthRecords.ts'
import { user } from './hooks/user.ts'

export const shapes: Readonly<Record<string, Shape>> = {
  masteragent,
  equipment,
  adjustment,
  processorstatement,
  user,
}
