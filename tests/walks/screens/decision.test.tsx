import { decisionMachine } from '../../../machines/decision.machine.ts'
import { decision } from '../../models/decision/steps.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { testWalks } from '../../models/lib/testWalks.ts'

testWalks(decision, decisionMachine, onScreens())
