import { passwordMachine } from '../../machines/password.machine.ts'
import { Failure } from '../../src/api/failure.ts'
import { answers, fails } from '../mbt/explore.ts'
import type { Spec } from '../mbt/runPath.ts'
import { readTable } from '../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

Change password (session 11): Cancel closes; Save sends the new password; on success the dialog closes, on failure it
stays open and stops loading. What is being sent can be neither cancelled nor sent twice.
(start) | opens the portal            | closed  |                                       |
closed  | opens the dialog            | editing |                                       |
editing | cancels                     | closed  |                                       |
editing | saves                       | saving  | calls changePassword (what was typed) |
saving  | changePassword answers      | closed  |                                       |
saving  | changePassword fails        | editing |                                       |
`

const typed = 'four words in a row'

export const password: Spec<typeof passwordMachine> = {
  machine: passwordMachine,
  rows: readTable(table),
  starts: { 'opens the portal': undefined },
  stimuli: {
    'opens the dialog': { type: 'open' },
    cancels: { type: 'cancel' },
    saves: { type: 'save', password: typed },
    'changePassword answers': answers('changePassword'),
    'changePassword fails': fails(
      'changePassword',
      new Failure(422, 'This password is on a list of common passwords'),
    ),
  },
  values: { 'what was typed': { password: typed } },
}
