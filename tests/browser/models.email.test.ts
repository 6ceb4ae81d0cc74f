import { afterAll } from 'vitest'
import { verificationMachine } from '../../machines/verification.machine.ts'
import { email } from '../models/email.steps.ts'
import { lives } from '../models/lives.ts'
import { closeMail, withMail } from '../models/mailbox.ts'
import { inChromium } from './place.ts'

lives(email, verificationMachine, inChromium(withMail))
afterAll(closeMail)
