import { undoMachine } from '../../machines/undo.machine.ts'
import { Failure } from '../../src/api/failure.ts'
import { answers, fails } from '../mbt/explore.ts'
import type { Spec } from '../mbt/runPath.ts'
import { readTable } from '../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

(start) | opens an import screen | idle | | id = none

An import is undone after a question. However it ends, the history is read again.
idle    | asks to undo import 7 | asking  |                      | id = 7
idle    | asks to undo import 8 | asking  |                      | id = 8
asking  | cancels               | idle    |                      | id = none
asking  | confirms              | undoing | calls undo (the import) |
undoing | undo answers          | idle    | reloadHistory (none) | id = none
undoing | undo is refused       | idle    | reloadHistory (none) | id = none
`

export const undo: Spec<typeof undoMachine> = {
  machine: undoMachine,
  rows: readTable(table),
  starts: { 'opens an import screen': undefined },
  payloads: { reloadHistory: (context) => context.id },
  stimuli: {
    'asks to undo import 7': { type: 'ask', id: 7 },
    'asks to undo import 8': { type: 'ask', id: 8 },
    confirms: { type: 'confirm' },
    cancels: { type: 'cancel' },
    'undo answers': answers('undo', { id: 7, state: 'undone' }),
    'undo is refused': fails('undo', new Failure(409, 'Merchant 4001 was changed later')),
  },
  values: { '7': 7, '8': 8, 'the import': ({ before }) => ({ id: before.id }) },
}
