import { setup } from 'xstate'

/**
 * A person who validates their email (email 2). A state is what is on the screen. The model knows nothing of
 * how the portal does it.
 */
export const emailStimuli = [
  'opens the portal with an email',
  'opens the portal without one',
  'presses Validate',
  'types half an address',
  'submits an email',
  'submits an email, and it takes long',
  'submits an email the mail server refuses',
  'submits an email, though a code was sent a moment ago',
  'submits an email, and no answer comes',
  'the answer comes',
  'types five digits',
  'submits the code',
  'submits a wrong code',
  'submits a code that has expired',
  'submits the code, and the server fails',
  'submits the code, and it takes long',
  'goes back',
  'closes',
] as const
export type EmailStimulus = (typeof emailStimuli)[number]

export const emailModel = setup({ types: { events: {} as { type: EmailStimulus } } }).createMachine({
  id: 'a person and their email',
  initial: 'nobody is there',
  states: {
    'nobody is there': {
      on: { 'opens the portal with an email': 'portal', 'opens the portal without one': 'card' },
    },
    card: { on: { 'presses Validate': 'email step' } },
    'email step': {
      on: {
        closes: 'card',
        'types half an address': 'half an address',
        'submits an email': 'code step',
        'submits an email, and it takes long': 'sending',
        'submits an email the mail server refuses': 'email refused',
        'submits an email, though a code was sent a moment ago': 'email refused for haste',
        'submits an email, and no answer comes': 'email unanswered',
      },
    },
    'email step again': { on: { 'submits an email': 'code step' } },
    'half an address': { on: { 'submits an email': 'code step', closes: 'card' } },
    'email refused': { on: { 'submits an email': 'code step', closes: 'card' } },
    'email refused for haste': { on: { closes: 'card' } },
    'email unanswered': { on: { 'submits an email': 'code step' } },
    sending: { on: { 'the answer comes': 'code step', closes: 'card' } },
    'code step': {
      on: {
        closes: 'card',
        'goes back': 'email step',
        'types five digits': 'five digits',
        'submits the code': 'portal',
        'submits a wrong code': 'code refused',
        'submits a code that has expired': 'code expired',
        'submits the code, and the server fails': 'code unanswered',
        'submits the code, and it takes long': 'verifying',
      },
    },
    'five digits': { on: { 'submits the code': 'portal', 'goes back': 'email step' } },
    'code refused': { on: { 'submits the code': 'portal', 'goes back': 'email step again' } },
    'code expired': { on: { 'goes back': 'email step again' } },
    'code unanswered': { on: { 'submits the code': 'portal' } },
    verifying: { on: { 'the answer comes': 'portal' } },
    portal: {},
  },
})
