import { testFaults } from '../models/lib/testFaults.ts'
import { manyFaults } from '../models/many/faults.ts'

testFaults('Many', manyFaults)
