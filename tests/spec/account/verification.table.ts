import { verificationMachine } from '../../../machines/account/verification.machine.ts'
import { Failure } from '../../../src/api/failure.ts'
import { answers, fails } from '../../mbt/explore.ts'
import type { Spec } from '../../mbt/runPath.ts'
import { readTable } from '../../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

Email validation (email 2): the user opens the modal, enters an email and submits. Opening begins afresh: whatever led
out of the dialog, nothing of it is left.
(start)     | opens the portal          | closed     |                                     | email, error = none
closed      | presses Validate          | askingEmail |                                    |
askingEmail | closes                    | closed     |                                     | email, error = none
askingEmail | submits an email          | requesting | calls requestCode (the email alone) | email = the email; error = none

A code is sent to that email and the code form appears. A refusal is shown under the field, never in the error dialog (errors 6).
requesting  | requestCode answers                 | askingCode  |                     |
requesting  | requestCode is refused              | askingEmail |                     | error = the refusal of the email
requesting  | requestCode fails without a sentence | askingEmail |                    | error = unreachable
requesting  | closes                              | closed      | cancels requestCode | email, error = none

Back clears email, code and errors and returns to the email step.
askingCode  | goes back                 | askingEmail |                                       | email, error = none
askingCode  | closes                    | closed      |                                       | email, error = none
askingCode  | submits a code            | verifying   | calls verifyCode (the email and the code) | error = none

Success renews the session and closes the modal; the card goes with the renewed user. The code is used up by then, so that
nothing interrupts the call.
verifying   | verifyCode answers                 | closed     | renewSession | email, error = none
verifying   | verifyCode is refused              | askingCode |              | error = the refusal of the code
verifying   | verifyCode fails without a sentence | askingCode |             | error = unreachable
`

const email = 'ann@example.com'
const code = '123456'

export const verification: Spec<typeof verificationMachine> = {
  machine: verificationMachine,
  rows: readTable(table),
  starts: { 'opens the portal': undefined },
  stimuli: {
    'presses Validate': { type: 'open' },
    closes: { type: 'close' },
    'goes back': { type: 'back' },
    'submits an email': { type: 'request', email },
    'submits a code': { type: 'verify', code },
    'requestCode answers': answers('requestCode'),
    'requestCode is refused': fails('requestCode', new Failure(429, 'A code was sent a moment ago.')),
    'requestCode fails without a sentence': fails('requestCode', 'no answer'),
    'verifyCode answers': answers('verifyCode'),
    'verifyCode is refused': fails('verifyCode', new Failure(422, 'This code is not right.')),
    'verifyCode fails without a sentence': fails('verifyCode', 'no answer'),
  },
  values: {
    'the email': email,
    'the email alone': { email },
    'the email and the code': { email, code },
    'the refusal of the email': 'A code was sent a moment ago.',
    'the refusal of the code': 'This code is not right.',
    unreachable: 'The portal cannot be reached. Please try again.',
  },
}
