import { keepsItsTable } from '../mbt/suite.ts'
import { session } from '../spec/session.table.ts'

keepsItsTable(session)
