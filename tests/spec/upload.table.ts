import { type Chosen, type Imported, uploadMachine } from '../../machines/upload.machine.ts'
import { Failure } from '../../src/api/failure.ts'
import { answers, fails, passes } from '../mbt/explore.ts'
import type { Spec } from '../mbt/judge.ts'
import { readTable } from '../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

(start) | opens Import Merchants    | idle | | kind = merchant; dated = no; file, date, refused, imported = none; percent = 0
(start) | opens Import Daily Volume | idle | | kind = dailyvolume; dated = yes; file, date, refused, imported = none; percent = 0

A chosen file takes the place of the one before and of what was said about it. Daily volume has a date too.
idle / chosen / done | chooses report.csv      | chosen | | file = report.csv; refused, imported = none
idle / chosen / done | chooses report (1).xlsx | chosen | | file = report (1).xlsx; refused, imported = none
idle / chosen / done | picks a day             | stays  | | date = the day
idle / chosen / done | empties the day         | stays  | | date = none
chosen               | takes the name offered  | chosen | | file = the file under the name offered
chosen               | clears                  | idle   | | file, date, refused = none

Submit is disabled while the form is invalid: a name by the rule (D11), for daily volume a date.
chosen, good name, undated / chosen, good name, day picked | submits | uploading | calls upload (the form) | percent = 0; refused, imported = none

On success the message is shown for 5 s and the file is cleared; what was counted stays to be read.
uploading | 40 % are sent  | uploading |               | percent = 40
uploading | upload answers | done      | waits 5000 ms | imported = the answer; file, date = none
done      | 5000 ms pass   | idle      |               |

On failure the loading stops and the screen stays as it was; refused rows are listed. Cancelling ends the call.
uploading | upload is refused, listing rows | chosen |                | refused = the rows
uploading | upload fails with 500           | chosen |                |
uploading | cancels                         | chosen | cancels upload |
`

const good: Chosen = { content: 'the first file', name: 'report.csv' }
const bad: Chosen = { content: 'the second file', name: 'report (1).xlsx' }
const offered = 'report 1.xlsx'
const imported: Imported = { inserted: 2, updated: 1, unchanged: 0, warnings: [], ignored: ['Region'], totals: { 'Sales Amount': 120050 } }
const refused = { rows: [{ row: 4, column: 'XMID', value: '1.2E+15', message: 'Open the file as text' }], more: 3 }
const day = '2026-05-04'

export const upload: Spec<typeof uploadMachine> = {
  machine: uploadMachine,
  rows: readTable(table),
  starts: {
    'opens Import Merchants': { kind: 'merchant', dated: false },
    'opens Import Daily Volume': { kind: 'dailyvolume', dated: true },
  },
  words: ({ file, date, dated }) => [
    ...(file ? [file.name === bad.name ? 'bad name' : 'good name'] : []),
    dated ? (date ? 'day picked' : 'day missing') : 'undated',
  ],
  stimuli: {
    'chooses report.csv': { type: 'choose', file: good },
    'chooses report (1).xlsx': { type: 'choose', file: bad },
    'takes the name offered': { type: 'rename', name: offered },
    'picks a day': ({ dated }) => (dated ? { type: 'date', date: day } : null),
    'empties the day': ({ dated }) => (dated ? { type: 'date', date: null } : null),
    submits: { type: 'submit' },
    clears: { type: 'clear' },
    cancels: { type: 'cancel' },
    '40 % are sent': { type: 'progress', percent: 40 },
    'upload answers': answers('upload', imported),
    'upload is refused, listing rows': fails('upload', new Failure(422, 'This file was not imported', { refused })),
    'upload fails with 500': fails('upload', new Failure(500, 'An error has occured.')),
    '5000 ms pass': passes(5_000, 'importMessage.upload.done'),
  },
  values: {
    merchant: 'merchant',
    dailyvolume: 'dailyvolume',
    '0': 0,
    '40': 40,
    'report.csv': good,
    'report (1).xlsx': bad,
    'the file under the name offered': ({ before }) => ({ content: before.file?.content, name: offered }),
    'the day': day,
    'the form': ({ before }) => ({ kind: before.kind, file: before.file, date: before.date }),
    'the rows': refused,
  },
}
