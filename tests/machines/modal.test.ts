import { keepsItsTable } from '../mbt/suite.ts'
import { modal } from '../spec/modal.table.ts'

keepsItsTable(modal)
