import { testFaults } from '../models/lib/testFaults.ts'
import { recordFaults } from '../models/record/faults.ts'

testFaults('the records of every kind', recordFaults)
