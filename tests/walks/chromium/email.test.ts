import { afterAll } from 'vitest'
import { verificationMachine } from '../../../machines/account/verification.machine.ts'
import { email } from '../../models/email/steps.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { closeMail, withMail } from '../../models/lib/mailbox.ts'
import { testWalks } from '../../models/lib/testWalks.ts'

testWalks(email, verificationMachine, inChromium(withMail))
afterAll(closeMail)
