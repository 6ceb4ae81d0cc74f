import { keepsItsTable } from '../mbt/suite.ts'
import { failure } from '../spec/failure.table.ts'

keepsItsTable(failure)
