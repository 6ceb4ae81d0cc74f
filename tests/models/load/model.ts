import { setup } from 'xstate'

/**
 * What is loaded once and shown: the figures of the home page, the statement of an agent's user above
 * them, the text of changed terms, the links of the bar (shell 7, shell 13, session 8, shell 4).
 */
export const loadModel = setup({}).createMachine({
  id: 'a person and what is loaded',
  initial: 'elsewhere',
  states: {
    elsewhere: {
      on: {
        'opens Home': 'figures',
        'opens Home, and the answer takes long': 'figures awaited',
        'opens Home before there is any volume': 'no volume yet',
        'opens Home, and the server fails': 'figures failed',
        'opens Home, and no answer comes': 'figures failed',
        'opens Home as a person of an agent': 'own statement',
        'opens Home as a person of an agent, and the statement takes long': 'own statement awaited',
        'opens Home as a person of an agent, and the statement fails': 'own statement failed',
        'reloads, and the links fail': 'elsewhere without links',
        'the terms change': 'terms',
        'the terms change, and the text takes long': 'terms awaited',
        'the terms change, and the text fails': 'message over failed terms',
      },
    },
    'elsewhere without links': { on: { reloads: 'elsewhere' } },
    'figures awaited': { on: { 'the answer comes': 'figures', leaves: 'elsewhere' } },
    figures: { on: { leaves: 'elsewhere', reloads: 'figures' } },
    'no volume yet': { on: { leaves: 'elsewhere' } },
    'figures failed': {
      on: {
        retries: 'figures',
        'retries, and the server fails': 'figures failed',
        'retries, and the answer takes long': 'figures awaited',
      },
    },
    'own statement': { on: { reloads: 'own statement' } },
    'own statement awaited': { on: { 'the statement comes': 'own statement' } },
    'own statement failed': {
      on: {
        'asks for the statement again': 'own statement',
        'asks for the statement again, and the server fails': 'own statement failed',
      },
    },
    terms: { on: { agrees: 'elsewhere' } },
    'terms awaited': { on: { 'the text comes': 'terms', 'another tab agrees': 'elsewhere, text awaited' } },
    'elsewhere, text awaited': {
      on: { 'opens Home, and the terms have changed again': 'terms awaited over Home' },
    },
    'terms awaited over Home': { on: { 'the text comes': 'terms over Home' } },
    'terms over Home': { on: { agrees: 'figures' } },
    'message over failed terms': { on: { dismisses: 'terms failed' } },
    'terms failed': {
      on: {
        'tries the text again': 'terms',
        'tries the text again, and it fails': 'message over failed terms',
      },
    },
  },
})
