import { equipment } from './equipment.ts'
import { masterAgent } from './masterAgent.ts'
import { merchant } from './merchant.ts'
import { terms } from './terms.ts'
import { user } from './user.ts'

export const oracles = [masterAgent, equipment, merchant, user, terms].map((oracle) => ({ name: oracle.it.title, oracle }))
