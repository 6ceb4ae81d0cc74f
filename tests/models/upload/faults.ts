import { assign } from 'xstate'
import type { UploadRequest } from '../../../machines/upload.machine.ts'
import type { ListQuery } from '../../../schemas/api/paging.ts'
import { noSource, type ImportAnswers } from '../../../schemas/imports/answers.ts'
import {
  acting,
  allowing,
  answered,
  changed,
  given,
  imports,
  mute,
  refocused,
  timer,
  type Fault,
} from '../lib/tamper.ts'
import { undo } from '../undo/steps.ts'
import { upload } from './steps.ts'

type Answered = { event: { answers: ImportAnswers; job: string } }
const imported = {
  source: noSource,
  inserted: 2,
  updated: 0,
  unchanged: 0,
  warnings: [],
  ignored: [],
  totals: { rows: 2 },
}

export const importFaults: readonly Fault[] = [
  {
    name: 'the message of success stays',
    model: upload,
    state: 'imported',
    stimulus: '5000 ms pass',
    says: /Successfully' is shown: true/,
    tamper: timer(5_000, 5_001),
  },
  {
    name: 'the message of success goes early',
    model: upload,
    state: 'imported',
    stimulus: '5000 ms pass',
    says: /gone at 4999 ms/,
    tamper: timer(5_000, 4_999),
  },
  {
    name: 'Submit is enabled with a name that cannot be sent',
    model: upload,
    state: 'nothing chosen',
    stimulus: 'chooses a badly named file',
    says: /Submit is disabled: false/,
    tamper: imports(
      'upload',
      allowing('isValid', () => true),
    ),
  },
  {
    name: 'Submit is enabled without a day',
    model: upload,
    state: 'volume',
    stimulus: 'chooses a file',
    says: /Submit is disabled: false/,
    tamper: imports(
      'upload',
      allowing<{ file: unknown }>('isValid', ({ context }) => context.file !== null),
    ),
  },
  {
    name: 'Cancel does not end an upload',
    model: upload,
    state: 'uploading',
    stimulus: 'presses Cancel',
    says: /answer of a cancelled upload|in the database/,
    tamper: imports(
      'upload',
      changed(({ uploading }) => delete uploading!.on['cancel']),
    ),
  },
  {
    name: 'what is wrong in the file is not listed',
    model: upload,
    state: 'faulty file',
    stimulus: 'submits',
    says: /a list of faults: 0/,
    tamper: imports('upload', acting('keepRefused', assign({ refused: null }))),
  },
  {
    name: 'the file stays chosen after its import',
    model: upload,
    state: 'file',
    stimulus: 'submits',
    says: /file name: "merchants.csv"/,
    tamper: imports(
      'upload',
      acting(
        'keepImported',
        assign((_, { imported }: { imported: unknown }) => ({ imported, job: null })),
      ),
    ),
  },
  {
    name: 'the volume is stored for the day before',
    model: upload,
    state: 'volume, file and day',
    stimulus: 'submits',
    says: /in the database/,
    tamper: imports(
      'upload',
      given<UploadRequest>('upload', (sent) => ({ ...sent, date: '2026-05-03' })),
    ),
  },
  {
    name: 'a failed upload is taken for a success',
    model: upload,
    state: 'message that the server failed',
    stimulus: 'dismisses the message',
    says: /file name: ""/,
    tamper: imports('upload', mute('upload', imported)),
  },
  {
    name: 'what is asked is not shown',
    model: upload,
    state: 'comp data, file without month',
    stimulus: 'submits',
    says: /Continue: 0, not 1/,
    tamper: imports('upload', acting('keepAsks', assign({ asks: null }))),
  },
  {
    name: 'the answer does not go with the file',
    model: upload,
    state: 'comp data, month picked for a preview',
    stimulus: 'continues',
    says: /Preview: 1, not 0/,
    tamper: imports(
      'upload',
      given<UploadRequest>('upload', (sent) => ({ ...sent, answers: {} })),
    ),
  },
  {
    name: 'an answered file is previewed although it was to be imported',
    model: upload,
    state: 'comp data, month picked for an import',
    stimulus: 'continues',
    says: /file name: "residuals without month.csv"/,
    tamper: imports(
      'upload',
      changed(({ asked }) =>
        Object.assign(asked!.on['answer'] as object, {
          actions: [
            { type: 'keepAnswers', params: (now: Answered) => ({ answers: now.event.answers }) },
            { type: 'keepJob', params: (now: Answered) => ({ id: now.event.job, purpose: 'preview' }) },
          ],
        }),
      ),
    ),
  },
  {
    name: 'an import is undone without a question',
    model: undo,
    state: 'history',
    stimulus: 'presses Undo',
    says: /the question: 0, not 1/,
    tamper: imports(
      'undo',
      changed(({ idle }) => Object.assign(idle!.on['ask'] as object, { target: 'undoing' })),
    ),
  },
  {
    name: 'the answer that undoes has the focus',
    model: undo,
    state: 'history',
    stimulus: 'presses Undo',
    says: /Keep it has the focus: false/,
    tamper: refocused('[role=alertdialog]', 'Undo the import'),
  },
  {
    name: 'Keep it undoes all the same',
    model: undo,
    state: 'question',
    stimulus: 'keeps it',
    says: /without 'Imported'/,
    tamper: imports(
      'undo',
      changed(({ asking }) => (asking!.on['cancel'] = 'undoing')),
    ),
  },
  {
    name: 'the history does not know that it was undone',
    model: undo,
    state: 'question',
    stimulus: 'confirms',
    says: /without 'Undone'/,
    tamper: imports(
      'undo',
      changed(({ undoing }) => (undoing!.invoke.onDone = { target: 'idle', actions: 'forgetId' })),
    ),
  },
  {
    name: 'a refusal is taken for done',
    model: undo,
    state: 'question',
    stimulus: 'confirms, but a merchant was changed since',
    says: /That's an error\.: 0, not 1/,
    tamper: answered('POST /api/v1/file/', 409, 200),
  },
  {
    name: 'every page of the history is the first',
    model: undo,
    state: 'history',
    stimulus: 'presses Next',
    says: /imports listed: 10, not 3/,
    tamper: imports(
      'history',
      given<ListQuery>('load', (query) => ({ ...query, page: 1 })),
    ),
  },
]
