import { adjustment, processorstatement } from './hooks/monthRecords.ts'
import { equipment } from './hooks/equipment.ts'
import { masteragent } from './hooks/masterAgent.ts'
import { user } from './hooks/user.ts'
import type { Shape } from './hooks/hook.ts'

export const shapes: Readonly<Record<string, Shape>> = { masteragent, equipment, adjustment, processorstatement, user }
