import { ticketMachine } from '../../machines/ticket.machine.ts'
import { lives } from '../models/lives.ts'
import { ticket } from '../models/ticket.steps.ts'
import { inChromium } from './place.ts'

lives(ticket, ticketMachine, inChromium())
