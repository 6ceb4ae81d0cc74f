import { failureMachine } from '../../machines/failure.machine.ts'
import type { Spec } from '../mbt/runPath.ts'
import { readTable } from '../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

"That's an error." (errors 4): the server's sentence and a Dismiss button. A newer failure replaces the older.
(start) | opens the portal   | quiet |  | failure = none
quiet   | a call fails       | shown |  | failure = the first
quiet   | another call fails | shown |  | failure = the second
shown   | a call fails       | shown |  | failure = the first
shown   | another call fails | shown |  | failure = the second
shown   | dismisses          | quiet |  | failure = none
`

const first = { message: 'Unable to get equipment. Please try again.', requestId: 'r1' }
const second = { message: 'This XMID is already taken', requestId: null }

export const failure: Spec<typeof failureMachine> = {
  machine: failureMachine,
  rows: readTable(table),
  starts: { 'opens the portal': undefined },
  stimuli: {
    'a call fails': { type: 'fail', failure: first },
    'another call fails': { type: 'fail', failure: second },
    dismisses: { type: 'dismiss' },
  },
  values: { 'the first': first, 'the second': second },
}
