import { sessionMachine } from '../../../machines/session.machine.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { lives } from '../../models/lib/testWalks.ts'
import { session } from '../../models/session/steps.ts'

lives(session, sessionMachine, onScreens())
