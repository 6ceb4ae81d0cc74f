import { findFaults } from '../models/find/faults.ts'
import { testFaults } from '../models/lib/testFaults.ts'

testFaults('Find', findFaults)
