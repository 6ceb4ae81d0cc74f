import { ticketMachine } from '../../machines/ticket.machine.ts'
import { lives } from '../models/lives.ts'
import { onScreens } from '../models/screens.ts'
import { ticket } from '../models/ticket.steps.ts'

lives(ticket, ticketMachine, onScreens())
