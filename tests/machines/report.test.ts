import { keepsItsTable } from '../mbt/suite.ts'
import { report } from '../spec/report.table.ts'

keepsItsTable(report)
