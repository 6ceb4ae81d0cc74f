import { decisionMachine } from '../../../machines/decision.machine.ts'
import { decision } from '../../models/decision/steps.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { testWalks } from '../../models/lib/testWalks.ts'

testWalks(decision, decisionMachine, inChromium())
