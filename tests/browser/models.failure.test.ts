import { failureMachine } from '../../machines/failure.machine.ts'
import { lives } from '../models/lives.ts'
import { failure } from '../models/failure.steps.ts'
import { inChromium } from './place.ts'

lives(failure, failureMachine, inChromium())
