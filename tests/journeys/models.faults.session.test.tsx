import { notices } from '../models/notices.ts'
import { sessionFaults } from '../models/session.faults.ts'

notices('the models of the session, the password, the error dialog and what is loaded would notice that', sessionFaults)
