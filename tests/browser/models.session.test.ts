import { sessionMachine } from '../../machines/session.machine.ts'
import { lives } from '../models/lives.ts'
import { session } from '../models/session.steps.ts'
import { inChromium } from './place.ts'

lives(session, sessionMachine, inChromium())
