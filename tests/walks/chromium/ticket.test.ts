import { ticketMachine } from '../../../machines/ticket.machine.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { ticket } from '../../models/ticket/steps.ts'

testWalks(ticket, ticketMachine, inChromium())
