import { downloadMachine } from '../../machines/download.machine.ts'
import { Failure } from '../../src/api/failure.ts'
import { answers, fails } from '../mbt/explore.ts'
import type { Spec } from '../mbt/runPath.ts'
import { readTable } from '../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

Each file has a Download button; what came is saved under the name the server gave it. It can be downloaded again.
(start)       | opens the screen  | idle        |                                         | id = f1; percent = none
idle / failed | download          | downloading | calls download (for f1)                 | percent = none
downloading   | 40 % have come    | downloading |                                         | percent = 40
downloading   | the file comes    | idle        | saveFile (the answer)                   |

A failure is told by the error dialog and to the screen, and the button offers another try. Cancelling ends the call.
downloading   | the download fails | failed     | tellFailure (the refusal)               |
downloading   | cancels            | idle       | cancels download                        |
`

const file = { content: 'the bytes', disposition: 'attachment; filename="a.txt"' }
const refusal = new Failure(404, 'This file does not exist')
const saved = (_: unknown, params: { file: unknown }) => params.file
const told = (_: unknown, params: { error: unknown }) => params.error

export const download: Spec<typeof downloadMachine> = {
  machine: downloadMachine,
  rows: readTable(table),
  words: ({ percent }) => (percent === null ? [] : ['partly']),
  starts: { 'opens the screen': { id: 'f1' } },
  stimuli: {
    download: { type: 'download' },
    '40 % have come': { type: 'progress', percent: 40 },
    cancels: { type: 'cancel' },
    'the file comes': answers('download', file),
    'the download fails': fails('download', refusal),
  },
  payloads: { saveFile: saved as never, tellFailure: told as never },
  values: { '40': 40, f1: 'f1', 'for f1': { id: 'f1' }, 'the refusal': () => refusal },
}
