import { adjustment } from './adjustment.ts'
import { equipment } from './equipment.ts'
import { masterAgent } from './masterAgent.ts'
import { merchant } from './merchant.ts'
import { processor } from './processor.ts'
import { processorStatement } from './processorStatement.ts'
import { terms } from './terms.ts'
import { user } from './user.ts'

export const oracles = [
  masterAgent,
  equipment,
  merchant,
  adjustment,
  processor,
  processorStatement,
  user,
  terms,
].map((oracle) => ({ name: oracle.it.title, oracle }))
