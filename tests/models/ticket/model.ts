import { setup } from 'xstate'

/** A person who needs help (tickets 1). A state is what is on the screen Support Tickets. */
export const ticketModel = setup({}).createMachine({
  id: 'a person and a support ticket',
  initial: 'elsewhere',
  states: {
    elsewhere: {
      on: {
        'opens Support Tickets': 'empty form',
        'opens Support Tickets without a validated email': 'prompt',
        'opens Support Tickets, and tickets go to a desk elsewhere': 'empty form of the desk',
        'opens Support Tickets, and the form fails': 'message over failed form',
      },
    },
    // The rest of what follows there is in the model of the validation.
    prompt: {},
    'message over failed form': { on: { 'tries the form again': 'empty form' } },
    'empty form': { on: { submits: 'faults', 'fills it in': 'filled form' } },
    faults: { on: { 'fills it in': 'filled form' } },
    'filled form': {
      on: {
        submits: 'sent',
        'submits, and it takes long': 'sending',
        'submits, and the server fails': 'message over failed ticket',
        'attaches two files': 'two files',
        'types too much': 'too long',
      },
    },
    'too long': { on: { submits: 'too long', 'fills it in': 'filled form' } },
    'two files': {
      on: {
        'attaches four more': 'five files, one left out',
        'attaches one that is too large': 'two files, one too large',
        'removes the first': 'one file',
        submits: 'sent with two files',
      },
    },
    'two files, one too large': { on: { submits: 'sent with two files' } },
    'five files, one left out': { on: { 'removes the first': 'four files' } },
    'four files': { on: { leaves: 'elsewhere' } },
    'one file': { on: { leaves: 'elsewhere' } },
    sending: { on: { 'the answer comes': 'sent', 'presses Cancel': 'filled form' } },
    'message over failed ticket': { on: { 'dismisses the message': 'failed form' } },
    'failed form': {
      on: { submits: 'sent', 'attaches two files': 'failed form, two files' },
    },
    'failed form, two files': {
      on: { 'removes the first': 'failed form, one file', submits: 'sent with two files' },
    },
    'failed form, one file': { on: { leaves: 'elsewhere' } },
    sent: { on: { 'begins another': 'form for another', 'opens the ticket': 'ticket' } },
    'sent with two files': { on: { 'opens the ticket': 'ticket with two files', leaves: 'elsewhere' } },
    'form for another': { on: { leaves: 'elsewhere' } },
    ticket: { on: { 'closes the ticket': 'sent' } },
    'ticket with two files': {
      on: { 'downloads the second': 'ticket with two files', 'closes the ticket': 'sent with two files' },
    },
    'empty form of the desk': {
      on: { submits: 'faults of the desk', 'fills it in': 'filled form of the desk' },
    },
    'faults of the desk': { on: { leaves: 'elsewhere' } },
    'filled form of the desk': { on: { submits: 'handed over' } },
    'handed over': { on: { leaves: 'elsewhere' } },
  },
})
