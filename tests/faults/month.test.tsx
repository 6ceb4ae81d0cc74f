import { testFaults } from '../models/lib/testFaults.ts'
import { monthFaults } from '../models/month/faults.ts'

testFaults('the payouts', monthFaults)
