import { notices } from '../models/lib/testFaults.ts'
import { sessionFaults } from '../models/session/faults.ts'

notices('the session, the password, the error dialog and what is loaded', sessionFaults)
