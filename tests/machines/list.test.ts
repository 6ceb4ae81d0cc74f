import { keepsItsTable } from '../mbt/suite.ts'
import { list } from '../spec/list.table.ts'

keepsItsTable(list)
