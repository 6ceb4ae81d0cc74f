import { afterAll } from 'vitest'
import { verificationMachine } from '../../../machines/account/verification.machine.ts'
import { email } from '../../models/email/steps.ts'
import { closeMail, withMail } from '../../models/lib/mailbox.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { testWalks } from '../../models/lib/testWalks.ts'

testWalks(email, verificationMachine, onScreens({}, withMail))
afterAll(closeMail)
