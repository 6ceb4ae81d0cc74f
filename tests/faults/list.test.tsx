import { testFaults } from '../models/lib/testFaults.ts'
import { listFaults } from '../models/list/faults.ts'

testFaults('the list and the dialog', listFaults)
