import { decisionFaults } from '../models/decision/faults.ts'
import { testFaults } from '../models/lib/testFaults.ts'

testFaults('decisions about changed accounts', decisionFaults)
