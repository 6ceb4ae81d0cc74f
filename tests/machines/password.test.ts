import { keepsItsTable } from '../mbt/suite.ts'
import { password } from '../spec/password.table.ts'

keepsItsTable(password)
