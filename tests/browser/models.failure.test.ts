import { failureMachine } from '../../machines/failure.machine.ts'
import { failure } from '../models/failure.steps.ts'
import { lives } from '../models/lives.ts'
import { inChromium } from './place.ts'

lives(failure, failureMachine, inChromium())
