import { afterAll } from 'vitest'
import { driveFaults, emailFaults, ticketFaults } from '../models/desk.faults.ts'
import { closeMail, withMail } from '../models/mailbox.ts'
import { notices } from '../models/notices.ts'

notices('the tickets', ticketFaults)
notices('the validation of an email', emailFaults, withMail)
notices('the shared drive', driveFaults)
afterAll(closeMail)
