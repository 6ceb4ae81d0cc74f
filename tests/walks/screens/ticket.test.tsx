import { ticketMachine } from '../../../machines/ticket.machine.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { lives } from '../../models/lib/testWalks.ts'
import { ticket } from '../../models/ticket/steps.ts'

lives(ticket, ticketMachine, onScreens())
