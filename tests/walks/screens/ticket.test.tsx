import { ticketMachine } from '../../../machines/ticket.machine.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { ticket } from '../../models/ticket/steps.ts'

testWalks(ticket, ticketMachine, onScreens())
