import { decisionMachine, type DecisionSubject } from '../../machines/decision.machine.ts'
import { Failure } from '../../src/api/failure.ts'
import { answers, fails } from '../mbt/explore.ts'
import type { Spec } from '../mbt/runPath.ts'
import { readTable } from '../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

(start) | opens a record | idle | | subject = none; faults = nothing

Confirm and Reject ask first; what is asked can be left. While the call is on its way it can be neither left nor repeated.
idle   | asks to confirm | asking   |                          | subject = confirm
idle   | asks to reject  | asking   |                          | subject = reject
asking | cancels         | idle     |                          | subject = none; faults = nothing
asking | decides         | deciding | calls decide (the decision) |

Once decided, the record is read again. A refusal leaves the question open, with the sentence at its text.
deciding | decide answers                     | idle   | reloadRecord | subject = none; faults = nothing
deciding | decide is refused, naming a field  | asking |              | faults = the sentence
deciding | decide fails with 500              | asking |              | faults = nothing

A record that was changed after it was read (409, stale) must be read again before it can be decided about.
deciding | decide fails, changed meanwhile    | stale  |              |
stale    | reloads                            | idle   | reloadRecord | subject = none; faults = nothing
`

const confirm: DecisionSubject = { name: 'confirm', id: 7, version: 3 }
const reject: DecisionSubject = { name: 'reject', id: 7, version: 3 }
const sentence = { how: 'How it was confirmed needs at least 3 characters' }

export const decision: Spec<typeof decisionMachine> = {
  machine: decisionMachine,
  rows: readTable(table),
  starts: { 'opens a record': undefined },
  stimuli: {
    'asks to confirm': { type: 'ask', subject: confirm },
    'asks to reject': { type: 'ask', subject: reject },
    cancels: { type: 'cancel' },
    decides: { type: 'decide', text: 'called back' },
    reloads: { type: 'reload' },
    'decide answers': answers('decide', { id: 7, version: 4 }),
    'decide is refused, naming a field': fails(
      'decide',
      new Failure(422, sentence.how, { fields: sentence }),
    ),
    'decide fails with 500': fails('decide', new Failure(500, 'An error has occured')),
    'decide fails, changed meanwhile': fails(
      'decide',
      new Failure(409, 'This master agent was changed by somebody else meanwhile', { code: 'stale' }),
    ),
  },
  values: {
    nothing: {},
    confirm,
    reject,
    'the sentence': sentence,
    'the decision': ({ before }) => ({ subject: before.subject, text: 'called back' }),
  },
}
