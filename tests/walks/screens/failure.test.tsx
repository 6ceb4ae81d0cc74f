import { failureMachine } from '../../../machines/failure.machine.ts'
import { failure } from '../../models/failure/steps.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { testWalks } from '../../models/lib/testWalks.ts'

testWalks(failure, failureMachine, onScreens())
