import { afterAll } from 'vitest'
import { verificationMachine } from '../../../machines/verification.machine.ts'
import { email } from '../../models/email/steps.ts'
import { closeMail, withMail } from '../../models/lib/mailbox.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { lives } from '../../models/lib/testWalks.ts'

lives(email, verificationMachine, onScreens({}, withMail))
afterAll(closeMail)
