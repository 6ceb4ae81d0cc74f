import { afterAll } from 'vitest'
import { closeMail, withMail } from '../models/lib/mailbox.ts'
import { notices } from '../models/lib/testFaults.ts'
import { driveFaults, emailFaults, ticketFaults } from '../models/ticket/faults.ts'

notices('the tickets', ticketFaults)
notices('the validation of an email', emailFaults, withMail)
notices('the shared drive', driveFaults)
afterAll(closeMail)
