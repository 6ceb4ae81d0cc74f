import { checkStates } from './checkStates.ts'
import { importStates } from './imports.ts'
import { ticketStates } from './tickets.ts'

checkStates([...importStates, ...ticketStates])
