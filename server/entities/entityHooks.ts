import { adjustment } from './hooks/adjustment.ts'
import { equipment } from './hooks/equipment.ts'
import type { EntityHooks } from './hooks/hook.ts'
import { masteragent } from './hooks/masterAgent.ts'
import { merchant } from './hooks/merchant.ts'
import { processor } from './hooks/processor.ts'
import { processorstatement } from './hooks/processorStatement.ts'
import { user } from './hooks/user.ts'

export const entityHooks: Readonly<Record<string, EntityHooks>> = {
  masteragent,
  equipment,
  merchant,
  adjustment,
  processor,
  processorstatement,
  user,
}
