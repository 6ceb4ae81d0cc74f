import { sessionMachine } from '../../../machines/account/session.machine.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { session } from '../../models/session/steps.ts'

testWalks(session, sessionMachine, inChromium())
