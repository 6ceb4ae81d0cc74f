import { testFaults } from '../models/lib/testFaults.ts'
import { sessionFaults } from '../models/session/faults.ts'

testFaults('the session, the password, the error dialog and what is loaded', sessionFaults)
