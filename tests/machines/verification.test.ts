import { keepsItsTable } from '../mbt/suite.ts'
import { verification } from '../spec/verification.table.ts'

keepsItsTable(verification)
