import {
  type Chosen,
  type Imported,
  type Preview,
  type Purpose,
  uploadMachine,
} from '../../machines/upload.machine.ts'
import type { ImportAnswers } from '../../schemas/imports/answers.ts'
import type { ImportProgress } from '../../schemas/imports/importReplies.ts'
import { Failure } from '../../src/api/failure.ts'
import { answers, fails, passes } from '../mbt/explore.ts'
import type { Spec } from '../mbt/runPath.ts'
import { readTable } from '../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

(start) | opens Import Merchants    | idle | | kind = merchant; dated = no; file, date, job, work, refused, repeated, asks, preview, imported = none; answers = nothing; percent = 0
(start) | opens Import Daily Volume | idle | | kind = dailyvolume; dated = yes; file, date, job, work, refused, repeated, asks, preview, imported = none; answers = nothing; percent = 0

A chosen file takes the place of the one before and of what was said about it. Daily volume has a date too; what was
counted for another day is void.
idle / chosen / asked / previewed / done | chooses report.csv      | chosen | | file = report.csv; answers = nothing; job, refused, repeated, asks, preview, imported = none
idle / chosen / asked / previewed / done | chooses report (1).xlsx | chosen | | file = report (1).xlsx; answers = nothing; job, refused, repeated, asks, preview, imported = none
idle / chosen / done | picks a day            | stays  | | date = the day; repeated = none
idle / chosen / done | empties the day        | stays  | | date = none; repeated = none
previewed            | picks a day            | chosen | | date = the day; repeated, preview = none
previewed            | empties the day        | chosen | | date = none; repeated, preview = none
chosen               | takes the name offered | chosen | | file = the file under the name offered
chosen / asked / previewed | clears           | idle   | | file, date, job, refused, repeated, asks, preview = none; answers = nothing

Submit and Preview are disabled while the form is invalid: a name by the rule (imports 2), for daily volume a date.
chosen, good name, undated / chosen, good name, day picked | submits          | uploading.waiting | calls upload (the form to import); waits 500 ms       | job = to import; percent = 0; work, refused, repeated, asks, preview, imported = none
chosen, good name, undated / chosen, good name, day picked | asks for preview | uploading.waiting | calls upload (the form to preview); waits 500 ms      | job = to preview; percent = 0; work, refused, repeated, asks, preview, imported = none
previewed                                                  | submits          | uploading.waiting | calls upload (the form to import); waits 500 ms       | job = to import; percent = 0; work, refused, repeated, asks, preview, imported = none
chosen, seen before / previewed, seen before               | imports anyway   | uploading.waiting | calls upload (the form to import again); waits 500 ms | job = to import again; percent = 0; work, refused, repeated, asks, preview, imported = none

Percent while the file is sent, then the progress of the server's work, asked for each 500 ms. What cannot be learned of
it disturbs nothing. A call that is sent once more begins anew.
uploading.waiting / uploading.asking | 40 % are sent      | stays | | percent = 40
uploading.waiting / uploading.asking | everything is sent | stays | | percent = 100
uploading.waiting, being sent | 500 ms pass  | uploading.waiting | waits 500 ms         |
uploading.waiting, all sent   | 500 ms pass  | uploading.asking  | calls poll (the job) |
uploading.asking              | poll answers | uploading.waiting | waits 500 ms         | work = the answer
uploading.asking              | poll fails   | uploading.waiting | waits 500 ms         |

On success the message is shown for 5 s and the file is cleared; what was counted stays to be read.
uploading.waiting, importing | upload answers | done | reloadHistory (none); waits 5000 ms               | imported = the answer; file, date, job = none; answers = nothing
uploading.asking, importing                                 | upload answers | done | reloadHistory (none); cancels poll; waits 5000 ms | imported = the answer; file, date, job = none; answers = nothing
done | 5000 ms pass | idle | |

A preview shows what the file would do, and keeps the file.
uploading.waiting, previewing | upload answers with a preview | previewed | | preview = the answer; job = none
uploading.asking, previewing | upload answers with a preview | previewed | cancels poll | preview = the answer; job = none
uploading.waiting, previewing | upload answers with a preview of a file seen before | previewed | | preview = the answer; repeated = the first import; job = none
uploading.asking, previewing | upload answers with a preview of a file seen before | previewed | cancels poll | preview = the answer; repeated = the first import; job = none

On failure the loading stops and the screen stays as it was; refused rows are listed. A file that was imported before is
offered to be imported anyway. Cancelling ends the call.
uploading.waiting | upload is refused, listing rows | chosen | reloadHistory (none) | refused = the rows; job = none
uploading.asking  | upload is refused, listing rows | chosen | reloadHistory (none); cancels poll | refused = the rows; job = none
uploading.waiting | upload fails with 500 | chosen | reloadHistory (none) | job = none
uploading.asking  | upload fails with 500 | chosen | reloadHistory (none); cancels poll | job = none
uploading.waiting | upload is refused as seen before | chosen | reloadHistory (none) | repeated = the first import; job = none
uploading.asking  | upload is refused as seen before | chosen | reloadHistory (none); cancels poll | repeated = the first import; job = none
uploading.waiting | cancels | chosen | reloadHistory (none); cancels upload | job = none
uploading.asking  | cancels | chosen | reloadHistory (none); cancels poll; cancels upload | job = none

What the file does not say is asked, with the faults of its rows beside it. The answers go with the file for the same
purpose, and stay with it until another file is chosen; a later answer takes the place of an earlier one.
uploading.waiting | upload asks for the month       | asked | | asks = the question
uploading.asking  | upload asks for the month       | asked | cancels poll | asks = the question
uploading.waiting | upload asks for the month, listing rows | asked | | asks = the question; refused = the rows
uploading.asking  | upload asks for the month, listing rows | asked | cancels poll | asks = the question; refused = the rows
asked, previewing | answers the question | uploading.waiting | calls upload (the form with the answer to preview); waits 500 ms | answers = the answers of both; job = to preview, sent anew; percent = 0; work, refused, repeated, asks, preview, imported = none
asked, importing, first time | answers the question | uploading.waiting | calls upload (the form with the answer to import); waits 500 ms | answers = the answers of both; job = to import, sent anew; percent = 0; work, refused, repeated, asks, preview, imported = none
asked, importing, once more  | answers the question | uploading.waiting | calls upload (the form with the answer to import again); waits 500 ms | answers = the answers of both; job = to import again, sent anew; percent = 0; work, refused, repeated, asks, preview, imported = none
`

const good: Chosen = { content: 'the first file', name: 'report.csv' }
const bad: Chosen = { content: 'the second file', name: 'report (1).xlsx' }
const offered = 'report.xlsx'
const imported: Imported = {
  source: { month: '2026-10', processor: 'Iris', day: null },
  inserted: 2,
  updated: 1,
  unchanged: 0,
  warnings: [],
  ignored: ['Region'],
  totals: { 'Sales Amount': 120050 },
}
const refused = {
  rows: [{ row: 4, column: 'XMID', value: '1.2E+15', message: 'Open the file as text' }],
  more: 3,
}
const preview: Preview = {
  ...imported,
  ...refused,
  rejected: 4,
  questions: [],
  repeated: null,
  differences: [{ row: 2, key: '4001', column: 'DBA', before: 'Shop', after: 'Store' }],
}
const asks = {
  source: {
    needs: ['month' as const],
    month: null,
    processor: 'Iris',
    candidates: ['Iris'],
    named: null,
    nearest: null,
  },
}
const repeated = { username: 'ann', importedat: 1_767_225_600, subject: null }
const work: ImportProgress = { phase: 'checking', done: 2, total: 3 }
const day = '2026-05-04'
const id = 'the id of the sending'
const secondId = 'the id of the second sending'
const job = (purpose: Purpose, sending = id) => ({ id: sending, purpose })

type Before = { kind: string; file: Chosen | null; date: string | null; answers: ImportAnswers }
const answered = ({ kind, file, date, answers: earlier }: Before, purpose: Purpose) => ({
  kind,
  file,
  date,
  answers: { ...earlier, month: '2026-10' },
  job: job(purpose, secondId),
})

export const upload: Spec<typeof uploadMachine> = {
  machine: uploadMachine,
  rows: readTable(table),
  starts: {
    'opens Import Merchants': { kind: 'merchant', dated: false },
    'opens Import Daily Volume': { kind: 'dailyvolume', dated: true },
  },
  // It is read again once nothing is under way any more.
  payloads: { reloadHistory: (context) => context.job },
  words: ({ file, date, dated, percent, job: sent, repeated: seen }) => [
    ...(file ? [file.name === bad.name ? 'bad name' : 'good name'] : []),
    dated ? (date ? 'day picked' : 'day missing') : 'undated',
    ...(sent
      ? [
          sent.purpose === 'preview' ? 'previewing' : 'importing',
          sent.purpose === 'again' ? 'once more' : 'first time',
          percent < 100 ? 'being sent' : 'all sent',
        ]
      : []),
    ...(seen ? ['seen before'] : []),
  ],
  stimuli: {
    'chooses report.csv': { type: 'choose', file: good },
    'chooses report (1).xlsx': { type: 'choose', file: bad },
    'takes the name offered': { type: 'rename', name: offered },
    'picks a day': ({ dated }) => (dated ? { type: 'date', date: day } : null),
    'empties the day': ({ dated }) => (dated ? { type: 'date', date: null } : null),
    submits: { type: 'submit', job: id },
    'asks for preview': { type: 'preview', job: id },
    'imports anyway': { type: 'again', job: id },
    clears: { type: 'clear' },
    cancels: { type: 'cancel' },
    '40 % are sent': { type: 'progress', percent: 40 },
    'everything is sent': { type: 'progress', percent: 100 },
    '500 ms pass': passes(500, 'progressInterval.upload.uploading.waiting'),
    'poll answers': answers('poll', work),
    'poll fails': fails('poll', new Failure(404, 'There is no such import')),
    'upload answers': ({ job: sent }) => (sent?.purpose === 'preview' ? null : answers('upload', imported)),
    'upload answers with a preview': ({ job: sent }) =>
      sent?.purpose === 'preview' ? answers('upload', preview) : null,
    'upload answers with a preview of a file seen before': ({ job: sent }) =>
      sent?.purpose === 'preview' ? answers('upload', { ...preview, repeated }) : null,
    'upload is refused, listing rows': fails(
      'upload',
      new Failure(422, 'This file was not imported', { refused }),
    ),
    'upload is refused as seen before': fails(
      'upload',
      new Failure(409, 'The same file was imported before', { code: 'repeated', repeated }),
    ),
    'upload asks for the month': fails('upload', new Failure(409, 'Of which month', { code: 'asks', asks })),
    'upload asks for the month, listing rows': fails(
      'upload',
      new Failure(409, 'Of which month', { code: 'asks', asks, refused }),
    ),
    'answers the question': { type: 'answer', answers: { month: '2026-10' }, job: secondId },
    'upload fails with 500': fails('upload', new Failure(500, 'An error has occured.')),
    '5000 ms pass': passes(5_000, 'importMessage.upload.done'),
  },
  values: {
    merchant: 'merchant',
    dailyvolume: 'dailyvolume',
    '0': 0,
    '40': 40,
    '100': 100,
    'report.csv': good,
    'report (1).xlsx': bad,
    'the file under the name offered': ({ before }) => ({ content: before.file?.content, name: offered }),
    'the day': day,
    'to import': job('import'),
    'to preview': job('preview'),
    'to import again': job('again'),
    'to preview, sent anew': job('preview', secondId),
    'to import, sent anew': job('import', secondId),
    'to import again, sent anew': job('again', secondId),
    'the form to import': ({ before }) => ({
      kind: before.kind,
      file: before.file,
      date: before.date,
      answers: before.answers,
      job: job('import'),
    }),
    'the form to preview': ({ before }) => ({
      kind: before.kind,
      file: before.file,
      date: before.date,
      answers: before.answers,
      job: job('preview'),
    }),
    'the form to import again': ({ before }) => ({
      kind: before.kind,
      file: before.file,
      date: before.date,
      answers: before.answers,
      job: job('again'),
    }),
    'the job': ({ before }) => ({ kind: before.kind, job: before.job }),
    'the rows': refused,
    'the first import': repeated,
    nothing: {},
    'the question': asks,
    'the answers of both': ({ before }) => ({ ...before.answers, month: '2026-10' }),
    'the form with the answer to preview': ({ before }) => answered(before, 'preview'),
    'the form with the answer to import': ({ before }) => answered(before, 'import'),
    'the form with the answer to import again': ({ before }) => answered(before, 'again'),
  },
}
