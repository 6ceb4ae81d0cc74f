import { setup } from 'xstate'

/**
 * "That's an error.": the server's sentence over whatever is on the screen, until it is dismissed (errors 4).
 */
export const failureModel = setup({}).createMachine({
  id: 'a person and an error',
  initial: 'merchants',
  states: {
    merchants: {
      on: {
        'sorts, and the server fails': 'message',
        'sorts, and no answer comes': 'message about the connection',
        'opens a record, and no answer comes': 'message, list awaited',
        'reloads, and nothing in the background works': 'merchants',
      },
    },
    message: { on: { dismisses: 'list failed' } },
    'message about the connection': { on: { dismisses: 'list failed' } },
    'message, list awaited': { on: { 'the list fails as well': 'newer message' } },
    'newer message': { on: { dismisses: 'no message' } },
    'list failed': { on: { 'tries again': 'merchants', 'tries again, and the server fails': 'message' } },
    'no message': {},
  },
})
