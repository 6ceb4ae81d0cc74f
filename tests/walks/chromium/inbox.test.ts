import { inboxMachine } from '../../../machines/inbox/inbox.machine.ts'
import { inbox } from '../../models/inbox/steps.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { testWalks } from '../../models/lib/testWalks.ts'

testWalks(inbox, inboxMachine, inChromium())
