import { failureMachine } from '../../../machines/failure.machine.ts'
import { failure } from '../../models/failure/steps.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { lives } from '../../models/lib/testWalks.ts'

lives(failure, failureMachine, onScreens())
