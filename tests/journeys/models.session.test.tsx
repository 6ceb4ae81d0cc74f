import { sessionMachine } from '../../machines/session.machine.ts'
import { lives } from '../models/lives.ts'
import { onScreens } from '../models/screens.ts'
import { session } from '../models/session.steps.ts'

lives(session, sessionMachine, onScreens())
