import { keepsItsTable } from '../mbt/suite.ts'
import { ticket } from '../spec/ticket.table.ts'

keepsItsTable(ticket)
