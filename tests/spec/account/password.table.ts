import { passwordMachine } from '../../../machines/account/password.machine.ts'
import { Failure } from '../../../src/api/failure.ts'
import { answers, fails } from '../../mbt/explore.ts'
import type { Spec } from '../../mbt/runPath.ts'
import { readTable } from '../../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

Change password (session 11): Cancel closes; Save sends the new password; on success the dialog closes, on failure it
stays open and stops loading. What is being sent can be neither cancelled nor sent twice.
(start) | opens the portal            | closed  |                                       | password = nothing; error = none
closed  | opens the dialog            | editing |                                       |
editing | cancels                     | closed  |                                       |
editing | saves                       | saving  | calls changePassword (what was typed) | password = the new one
saving  | changePassword answers      | closed  |                                       | password = nothing; error = none
saving  | changePassword fails        | editing |                                       | password = nothing; error = none

When the sign-in is too long ago, a second dialog asks for the present password, and then the new one is sent again. A refusal is
shown under its field; Cancel returns to the first dialog.
saving        | changePassword asks for the present one | askingPresent |                                | 
askingPresent | cancels                            | editing       |                                     | password = nothing; error = none
askingPresent | gives the present one              | confirming    | calls reauthenticate (what is present) | error = none
confirming    | reauthenticate answers             | saving        | calls changePassword (what was typed) |
confirming    | reauthenticate is refused          | askingPresent |                                     | error = the refusal
confirming    | reauthenticate fails without a sentence | askingPresent |                                | error = unreachable
`

const typed = 'four words in a row'
const present = 'four words of old'

export const password: Spec<typeof passwordMachine> = {
  machine: passwordMachine,
  rows: readTable(table),
  starts: { 'opens the portal': undefined },
  stimuli: {
    'opens the dialog': { type: 'open' },
    cancels: { type: 'cancel' },
    saves: { type: 'save', password: typed },
    'gives the present one': { type: 'confirm', password: present },
    'changePassword answers': answers('changePassword'),
    'changePassword fails': fails(
      'changePassword',
      new Failure(422, 'This password is on a list of common passwords'),
    ),
    'changePassword asks for the present one': fails(
      'changePassword',
      new Failure(403, 'Please give your present password first', { code: 'reauthenticate' }),
    ),
    'reauthenticate answers': answers('reauthenticate'),
    'reauthenticate is refused': fails(
      'reauthenticate',
      new Failure(422, 'This is not your present password'),
    ),
    'reauthenticate fails without a sentence': fails('reauthenticate', 'no answer'),
  },
  values: {
    'what was typed': { password: typed },
    'what is present': { password: present },
    'the new one': typed,
    nothing: '',
    'the refusal': 'This is not your present password',
    unreachable: 'The portal cannot be reached. Please try again.',
  },
}
