import { afterAll } from 'vitest'
import { driveFaults } from '../models/drive/faults.ts'
import { emailFaults } from '../models/email/faults.ts'
import { closeMail, withMail } from '../models/lib/mailbox.ts'
import { testFaults } from '../models/lib/testFaults.ts'
import { ticketFaults } from '../models/ticket/faults.ts'

testFaults('the tickets', ticketFaults)
testFaults('the validation of an email', emailFaults, withMail)
testFaults('the shared drive', driveFaults)
afterAll(closeMail)
