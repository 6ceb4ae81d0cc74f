import { loadMachine } from '../../machines/load.machine.ts'
import { Failure } from '../../src/api/failure.ts'
import { answers, fails } from '../mbt/explore.ts'
import type { Spec } from '../mbt/runPath.ts'
import { readTable } from '../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

What is loaded once and shown. Loading again keeps what is on screen until the new answer is there, also when it fails,
and cancels a call that is still under way.
(start) | opens the screen | idle    |                          | result = none
idle    | load             | loading | calls load               |
loading | load             | loading | cancels load; calls load |
loading | load answers     | shown   |                          | result = the answer
loading | load answers anew | shown  |                          | result = the answer
loading | load fails       | failed  |                          |
shown   | load             | loading | calls load               |
failed  | load             | loading | calls load               |
`

export const load: Spec<typeof loadMachine> = {
  machine: loadMachine,
  rows: readTable(table),
  starts: { 'opens the screen': undefined },
  stimuli: {
    load: { type: 'load' },
    'load answers': answers('load', [{ processdate: 1_700_000_000, amount: 12.5 }]),
    'load answers anew': answers('load', []),
    'load fails': fails('load', new Failure(500, 'Unable to get the figures. Please try again.')),
  },
  values: {},
}
