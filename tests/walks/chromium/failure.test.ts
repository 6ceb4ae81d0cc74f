import { failureMachine } from '../../../machines/failure.machine.ts'
import { failure } from '../../models/failure/steps.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { testWalks } from '../../models/lib/testWalks.ts'

testWalks(failure, failureMachine, inChromium())
