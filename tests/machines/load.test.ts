import { keepsItsTable } from '../mbt/suite.ts'
import { load } from '../spec/load.table.ts'

keepsItsTable(load)
