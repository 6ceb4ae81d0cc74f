import { setup } from 'xstate'

/**
 * A person before the inbox (inbox 8). Two merchants come in one file; another file has an ending that nobody
 * reads. A state is what is on the screen.
 */
export const inboxStimuli = [
  'opens the inbox',
  'drops a file',
  'drops a file that nobody reads',
  'drops a file and one that nobody reads',
  'drops one that nobody reads and a file',
  'drops a file, and it takes long',
  'presses Stop',
  'the answer comes',
  'puts the message away',
  'presses Import',
  'presses Import, though ann imported it meanwhile',
  'presses Import anyway',
  'presses Dismiss',
  'looks at what has ended',
  'looks at what waits',
  'presses Check again',
] as const
export type InboxStimulus = (typeof inboxStimuli)[number]

export const inboxModel = setup({ types: { events: {} as { type: InboxStimulus } } }).createMachine({
  id: 'a person and the inbox',
  initial: 'nobody is there',
  states: {
    'nobody is there': { on: { 'opens the inbox': 'empty' } },
    empty: {
      on: {
        'drops a file': 'file added',
        'drops a file that nobody reads': 'refused name',
        'drops a file and one that nobody reads': 'file added and refused name',
        'drops one that nobody reads and a file': 'file added and refused name',
        'drops a file, and it takes long': 'adding',
      },
    },
    adding: { on: { 'presses Stop': 'empty', 'the answer comes': 'file added' } },
    'refused name': { on: { 'puts the message away': 'empty', 'drops a file': 'file added' } },
    'file added and refused name': { on: { 'puts the message away': 'file' } },
    'file added': {
      on: {
        'presses Import': 'imported',
        'presses Import, though ann imported it meanwhile': 'seen before',
        'presses Dismiss': 'dismissed',
      },
    },
    file: { on: { 'presses Import': 'imported' } },
    'seen before': { on: { 'presses Import anyway': 'imported' } },
    imported: { on: { 'looks at what has ended': 'the imported file' } },
    dismissed: { on: { 'looks at what has ended': 'the dismissed file' } },
    'the imported file': { on: { 'looks at what waits': 'nothing waits' } },
    'the dismissed file': { on: { 'presses Check again': 'nothing has ended' } },
    'nothing has ended': { on: { 'looks at what waits': 'file added, as checked' } },
    'file added, as checked': { on: { 'presses Import': 'imported' } },
    'nothing waits': {},
  },
})
