import { sessionMachine } from '../../../machines/account/session.machine.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { session } from '../../models/session/steps.ts'

testWalks(session, sessionMachine, onScreens())
