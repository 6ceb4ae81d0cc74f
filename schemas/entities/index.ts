import { adjustment } from './adjustment.ts'
import type { Entity } from './entity.ts'
import { equipment } from './equipment.ts'
import { masterAgent } from './masterAgent.ts'
import { merchant } from './merchant.ts'
import { processor } from './processor.ts'
import { processorStatement } from './processorStatement.ts'
import { terms } from './terms.ts'
import { user } from './user.ts'

/** The registry: every entity by its name in the API, in the order of the menus. */
export const entities: Readonly<Record<string, Entity>> = {
  masteragent: masterAgent,
  equipment,
  merchant,
  adjustment,
  processor,
  processorstatement: processorStatement,
  user,
  tc: terms,
}
