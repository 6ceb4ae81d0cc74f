import { keepsItsTable } from '../mbt/suite.ts'
import { widget } from '../spec/widget.table.ts'

keepsItsTable(widget)
