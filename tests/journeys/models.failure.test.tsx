import { failureMachine } from '../../machines/failure.machine.ts'
import { failure } from '../models/failure.steps.ts'
import { lives } from '../models/lives.ts'
import { onScreens } from '../models/screens.ts'

lives(failure, failureMachine, onScreens())
