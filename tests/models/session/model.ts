import { setup } from 'xstate'

/**
 * What a person sees of the session (session 1). It is written from docs/product and knows nothing of the
 * machines. After the colon:
 * how it turns out.
 */
export const sessionModel = setup({}).createMachine({
  id: 'the session as a person sees it',
  initial: 'login form',
  states: {
    'login form': {
      on: {
        'signs in: ok': 'portal',
        'signs in: terms open': 'terms page',
        'signs in: terms open, signed out meanwhile': 'login form after the session ended',
        'signs in: wrong password': 'login rejected',
        'signs in: too many attempts': 'login explained',
        'signs in: server fails': 'login explained',
        'signs in: no answer': 'login explained',
        'reloads the page': 'login form',
        'another tab signs in': 'portal',
        'another tab shows somebody else the terms': 'login form beside',
      },
    },
    'login form after the session ended': {
      on: {
        'signs in: ok': 'portal',
        'signs in: wrong password': 'login rejected',
        'reloads the page': 'login form',
        'another tab signs in': 'portal',
      },
    },
    'login rejected': {
      on: {
        'signs in: ok': 'portal',
        'signs in: wrong password': 'login rejected',
        'signs in: no answer': 'login explained',
        'another tab signs in': 'portal',
      },
    },
    'login explained': { on: { 'signs in: ok': 'portal', 'signs in: wrong password': 'login rejected' } },
    'terms page': {
      on: {
        'accepts: ok': 'portal',
        'accepts: server fails': 'error over the terms page',
        'accepts: signed out meanwhile': 'login form after the session ended',
        declines: 'login form',
        'reloads the page': 'login form',
        'another tab signs in': 'terms page',
      },
    },
    'error over the terms page': { on: { dismisses: 'terms page' } },
    portal: {
      on: {
        'waits 300000 ms: ok': 'portal',
        'waits 300000 ms: signed out meanwhile': 'login form after the session ended',
        'waits 300000 ms: terms changed': 'terms dialog',
        'waits 300000 ms: server fails': 'portal',
        'waits 300000 ms: no answer': 'portal',
        'loads data: ok': 'portal',
        'loads data: signed out meanwhile': 'login form after the session ended',
        'loads data: terms changed': 'terms dialog',
        'loads data: terms changed, signed out meanwhile': 'login form after the session ended',
        'loads data: server fails': 'error dialog',
        'loads data: no answer': 'error dialog',
        'logs out': 'login form',
        'reloads the page': 'portal',
        'reloads the page: signed out meanwhile': 'login form after the session ended',
        'reloads the page: terms changed': 'terms dialog',
        'reloads the page: server fails': 'portal',
        'validates an email': 'portal',
        'another tab renews': 'portal',
        'another tab logs out': 'login form',
      },
    },
    'error dialog': {
      on: {
        dismisses: 'portal',
        'waits 300000 ms: ok': 'error dialog',
        'waits 300000 ms: signed out meanwhile': 'login form after the session ended',
        'another tab logs out': 'login form',
      },
    },
    'terms dialog': {
      on: {
        'accepts: ok': 'portal',
        'accepts: server fails': 'error over the terms dialog',
        'accepts: signed out meanwhile': 'login form after the session ended',
        declines: 'login form',
        'waits 300000 ms: nothing is sent': 'terms dialog',
        'reloads the page': 'terms dialog',
        'reloads the page: signed out meanwhile': 'login form after the session ended',
        'another tab accepts': 'portal',
        'another tab logs out': 'login form',
      },
    },
    'error over the terms dialog': { on: { dismisses: 'terms dialog' } },
    'login form beside': { on: { 'signs in: ok': 'portal beside' } },
    'portal beside': {
      on: {
        'loads data: terms changed': 'terms dialog beside',
        'somebody else accepts in the other tab': "somebody else's portal",
      },
    },
    'terms dialog beside': { on: { 'somebody else accepts in the other tab': "somebody else's portal" } },
    "somebody else's portal": { on: { 'logs out': 'login form' } },
  },
})
