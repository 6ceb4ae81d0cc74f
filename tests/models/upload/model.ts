import { setup } from 'xstate'

/**
 * A person who imports merchants, the volume of a day or what a month brought in (imports 1). A state is what
 * is on the screen. The model knows nothing of how the portal does it.
 */
export const uploadStimuli = [
  'opens Import Merchants',
  'opens Import Daily Volume',
  'opens Import Comp Data',
  'presses Template (CSV)',
  'chooses a file',
  'chooses a badly named file',
  'chooses a file of another kind',
  'chooses a faulty file',
  'chooses a file that does not say its month',
  'takes the name offered',
  'clears',
  'submits',
  'submits, and it takes long',
  'submits while somebody else imports',
  'submits, though ann imported it before',
  'submits, and the server fails',
  'submits, though ann locked the month',
  'imports anyway',
  'asks for a preview',
  'asks for a preview, though ann imported it before',
  'picks the month',
  'continues',
  'the answer comes',
  '500 ms pass while it is sent',
  '500 ms pass',
  '500 ms pass, and the server fails',
  'presses Cancel',
  'presses Download fix file',
  'presses Download fix file, and the server refuses',
  'dismisses the message',
  '5000 ms pass',
  'picks a day',
  'empties the day',
] as const
export type UploadStimulus = (typeof uploadStimuli)[number]

export const uploadModel = setup({ types: { events: {} as { type: UploadStimulus } } }).createMachine({
  id: 'a person and an import',
  initial: 'nobody is there',
  states: {
    'nobody is there': {
      on: {
        'opens Import Merchants': 'nothing chosen',
        'opens Import Daily Volume': 'volume',
        'opens Import Comp Data': 'comp data',
      },
    },
    'nothing chosen': {
      on: {
        'chooses a file': 'file',
        'chooses a badly named file': 'badly named file',
        'chooses a file of another kind': 'file of another kind',
        'chooses a faulty file': 'faulty file',
      },
    },
    file: {
      on: {
        submits: 'imported',
        'submits, and it takes long': 'uploading',
        'submits while somebody else imports': 'server at work',
        'submits, though ann imported it before': 'file seen before',
        'asks for a preview': 'previewed file',
        'asks for a preview, though ann imported it before': 'previewed file, seen before',
        'submits, and the server fails': 'message that the server failed',
        clears: 'nothing chosen',
        'chooses a badly named file': 'badly named file',
      },
    },
    'badly named file': {
      on: { 'takes the name offered': 'renamed file', 'chooses a file': 'file', clears: 'nothing chosen' },
    },
    'renamed file': { on: { submits: 'imported' } },
    'file of another kind': { on: { 'chooses a file': 'file' } },
    'file seen before': {
      on: { 'imports anyway': 'imported', clears: 'nothing chosen', 'chooses a faulty file': 'faulty file' },
    },
    'previewed file': {
      on: { submits: 'imported', clears: 'nothing chosen', 'chooses a badly named file': 'badly named file' },
    },
    'previewed file, seen before': {
      on: { 'imports anyway': 'imported', 'submits, though ann imported it before': 'file seen before' },
    },
    'faulty file': {
      on: { submits: 'refused file', 'asks for a preview': 'previewed faults' },
    },
    'previewed faults': {
      on: {
        'presses Download fix file': 'saved fix file',
        'presses Download fix file, and the server refuses': 'message that there is none',
        'chooses a file': 'file',
        clears: 'nothing chosen',
        submits: 'refused file',
      },
    },
    'refused file': {
      on: { 'chooses a file': 'file', clears: 'nothing chosen', submits: 'refused file' },
    },
    'saved fix file': { on: { clears: 'nothing chosen' } },
    'message that there is none': { on: { 'dismisses the message': 'previewed faults' } },
    'message that the server failed': { on: { 'dismisses the message': 'file' } },
    uploading: {
      on: {
        '500 ms pass while it is sent': 'uploading',
        'the answer comes': 'imported',
        'presses Cancel': 'file',
      },
    },
    'server at work': {
      on: {
        '500 ms pass': 'rows counted',
        '500 ms pass, and the server fails': 'server at work',
        'presses Cancel': 'file',
      },
    },
    'rows counted': {
      on: {
        'the answer comes': 'imported',
        '500 ms pass, and the server fails': 'rows counted',
        'presses Cancel': 'file',
      },
    },
    imported: { on: { '5000 ms pass': 'figures alone', 'chooses a file': 'file' } },
    'figures alone': { on: { 'chooses a file': 'file' } },
    volume: { on: { 'picks a day': 'volume, day', 'chooses a file': 'volume, file' } },
    'volume, day': { on: { 'chooses a file': 'volume, file and day', 'empties the day': 'volume' } },
    'volume, file': { on: { 'picks a day': 'volume, file and day', clears: 'volume' } },
    'volume, file and day': {
      on: {
        submits: 'volume, imported',
        'asks for a preview': 'volume, previewed',
        'empties the day': 'volume, file',
        clears: 'volume',
      },
    },
    'volume, previewed': { on: { submits: 'volume, imported', 'empties the day': 'volume, file' } },
    'volume, imported': {
      on: { '5000 ms pass': 'volume, figures alone', 'picks a day': 'volume, imported, next day' },
    },
    'volume, imported, next day': {
      on: { '5000 ms pass': 'volume, figures and day', 'chooses a file': 'volume, file and day' },
    },
    'volume, figures alone': { on: { 'chooses a file': 'volume, file' } },
    'volume, figures and day': { on: { 'chooses a file': 'volume, file and day' } },
    'comp data': {
      on: {
        'presses Template (CSV)': 'comp data, saved template',
        'chooses a file': 'comp data, file',
        'chooses a file that does not say its month': 'comp data, file without month',
      },
    },
    'comp data, saved template': { on: { 'chooses a file': 'comp data, file' } },
    'comp data, file': {
      on: {
        'asks for a preview': 'comp data, previewed',
        'submits, though ann locked the month': 'message that the month is locked',
      },
    },
    'comp data, previewed': { on: { submits: 'comp data, imported' } },
    'message that the month is locked': { on: { 'dismisses the message': 'comp data, file' } },
    'comp data, file without month': {
      on: {
        'asks for a preview': 'comp data, asked for a preview',
        submits: 'comp data, asked for an import',
        clears: 'comp data',
      },
    },
    'comp data, asked for a preview': {
      on: {
        'picks the month': 'comp data, month picked for a preview',
        'chooses a file': 'comp data, file',
        clears: 'comp data',
      },
    },
    'comp data, asked for an import': { on: { 'picks the month': 'comp data, month picked for an import' } },
    'comp data, month picked for a preview': {
      on: { continues: 'comp data, previewed without month', clears: 'comp data' },
    },
    'comp data, month picked for an import': { on: { continues: 'comp data, imported' } },
    'comp data, previewed without month': { on: { submits: 'comp data, imported', clears: 'comp data' } },
    'comp data, imported': { on: { 'chooses a file': 'comp data, file' } },
  },
})
