import { inboxMachine } from '../../../machines/inbox/inbox.machine.ts'
import { inbox } from '../../models/inbox/steps.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { testWalks } from '../../models/lib/testWalks.ts'

testWalks(inbox, inboxMachine, onScreens())
