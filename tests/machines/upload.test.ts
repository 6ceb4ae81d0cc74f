import { keepsItsTable } from '../mbt/suite.ts'
import { upload } from '../spec/upload.table.ts'

keepsItsTable(upload)
