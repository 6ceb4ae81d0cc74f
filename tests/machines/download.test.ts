import { keepsItsTable } from '../mbt/suite.ts'
import { download } from '../spec/download.table.ts'

keepsItsTable(download)
