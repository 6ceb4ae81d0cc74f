import { testFaults } from '../models/lib/testFaults.ts'
import { importFaults } from '../models/upload/faults.ts'

testFaults('the import and its history', importFaults)
