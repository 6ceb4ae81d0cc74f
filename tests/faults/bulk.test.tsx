import { bulkFaults } from '../models/bulk/faults.ts'
import { testFaults } from '../models/lib/testFaults.ts'

testFaults('Bulk changes', bulkFaults)
