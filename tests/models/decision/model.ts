import { setup } from 'xstate'

/**
 * An administrator before the master agent MA0010, whose bank account somebody else has changed: it is
 * confirmed or rejected by another person (agents 11). A state is what is on the screen.
 */
export const decisionStimuli = [
  'opens the agent',
  'who changed it opens the agent',
  'presses Confirm',
  'presses Reject',
  'cancels',
  'says nothing',
  'says how',
  'says how, and it takes long',
  'says how, and the server fails',
  'says how, but it was changed again',
  'gives a reason',
  'the answer comes',
  'dismisses the message',
  'reloads the record',
] as const
export type DecisionStimulus = (typeof decisionStimuli)[number]

export const decisionModel = setup({ types: { events: {} as { type: DecisionStimulus } } }).createMachine({
  id: 'a person and a changed bank account',
  initial: 'nobody is there',
  states: {
    'nobody is there': {
      on: { 'opens the agent': 'pending', 'who changed it opens the agent': 'own change' },
    },
    'own change': {},
    pending: { on: { 'presses Confirm': 'confirm?', 'presses Reject': 'reject?' } },
    'confirm?': {
      on: {
        cancels: 'pending',
        'says nothing': 'how is required',
        'says how': 'confirmed',
        'says how, and it takes long': 'confirming',
        'says how, and the server fails': 'message that it was not confirmed',
        'says how, but it was changed again': 'changed again',
      },
    },
    'how is required': { on: { 'says how': 'confirmed' } },
    confirming: { on: { 'the answer comes': 'confirmed' } },
    'message that it was not confirmed': { on: { 'dismisses the message': 'confirm?' } },
    'changed again': { on: { 'reloads the record': 'pending' } },
    confirmed: {},
    'reject?': { on: { cancels: 'pending', 'gives a reason': 'rejected' } },
    rejected: {},
  },
})
