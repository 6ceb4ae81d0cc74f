import { keepsItsTable } from '../mbt/suite.ts'
import { undo } from '../spec/undo.table.ts'

keepsItsTable(undo)
