import { inboxFaults } from '../models/inbox/faults.ts'
import { testFaults } from '../models/lib/testFaults.ts'
import { mappingFaults } from '../models/mapping/faults.ts'
import { importFaults } from '../models/upload/faults.ts'

testFaults('the import and its history', importFaults)
testFaults('the columns of a file', mappingFaults)
testFaults('the inbox', inboxFaults)
