import { testFaults } from '../models/lib/testFaults.ts'
import { reportFaults } from '../models/report/faults.ts'

testFaults('the reports', reportFaults)
