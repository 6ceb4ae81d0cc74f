import { setup } from 'xstate'

/**
 * A person before the history of imports, which has two pages: the newest import by somebody else, and twelve
 * older ones. An import is undone after a question, unless later changes forbid it.
 */
export const undoStimuli = [
  'opens Import Merchants',
  'presses Next',
  'goes back',
  'presses Undo',
  'keeps it',
  'confirms',
  'confirms, but a merchant was changed since',
  'dismisses the message',
] as const
export type UndoStimulus = (typeof undoStimuli)[number]

export const undoModel = setup({ types: { events: {} as { type: UndoStimulus } } }).createMachine({
  id: 'a person and the history of imports',
  initial: 'nobody is there',
  states: {
    'nobody is there': { on: { 'opens Import Merchants': 'history' } },
    history: { on: { 'presses Next': 'page 2', 'presses Undo': 'question' } },
    'page 2': { on: { 'goes back': 'history' } },
    question: {
      on: {
        'keeps it': 'history',
        'confirms, but a merchant was changed since': 'message that it was changed',
        confirms: 'undone',
      },
    },
    'message that it was changed': { on: { 'dismisses the message': 'history' } },
    undone: {},
  },
})
