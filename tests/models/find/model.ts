import { setup } from 'xstate'

/**
 * A person on the list of merchants who opens Find (everywhere 1). There are 23 merchants, every other one a
 * bakery; a state is what is on the screen.
 */
export const findStimuli = [
  'opens Merchants',
  'presses Ctrl+K',
  'presses Escape',
  'types equip',
  'types zz',
  'types bakery',
  'types a number',
  'types on',
  'empties the text',
  '300 ms pass',
  '300 ms pass, and the answer takes long',
  '300 ms pass, and the server fails',
  'the answer comes',
  'presses Try again',
  'presses Enter',
  'closes the record',
] as const
export type FindStimulus = (typeof findStimuli)[number]

export const findModel = setup({ types: { events: {} as { type: FindStimulus } } }).createMachine({
  id: 'a person and Find',
  initial: 'nobody is there',
  states: {
    'nobody is there': { on: { 'opens Merchants': 'list' } },
    list: { on: { 'presses Ctrl+K': 'screens and commands' } },
    'screens and commands': {
      on: {
        'presses Escape': 'list',
        'types equip': 'screens of equipment',
        'types zz': 'too short',
        'types bakery': 'typing bakery',
        'types a number': 'typing a number',
      },
    },
    'screens of equipment': { on: { 'presses Enter': 'list of equipment', 'presses Escape': 'list' } },
    'list of equipment': {},
    'too short': { on: { 'types bakery': 'typing bakery', 'presses Escape': 'list' } },
    'typing a number': { on: { '300 ms pass': 'one merchant' } },
    'one merchant': {
      on: { 'presses Enter': 'record', 'empties the text': 'screens and commands' },
    },
    record: { on: { 'closes the record': 'list' } },
    'typing bakery': {
      on: {
        '300 ms pass': 'bakeries',
        '300 ms pass, and the answer takes long': 'bakeries awaited',
        '300 ms pass, and the server fails': 'failed',
        'types on': 'typing more',
        'types zz': 'too short',
        'presses Escape': 'list',
      },
    },
    'bakeries awaited': {
      on: {
        'the answer comes': 'bakeries',
        'types on': 'typing more',
        'types zz': 'too short',
        'presses Escape': 'list',
      },
    },
    bakeries: {
      on: { 'types on': 'typing more, over the bakeries', 'types zz': 'too short', 'presses Escape': 'list' },
    },
    'typing more, over the bakeries': { on: { '300 ms pass': 'nothing found' } },
    'typing more': { on: { '300 ms pass': 'nothing found' } },
    'nothing found': { on: { 'empties the text': 'screens and commands' } },
    failed: {
      on: {
        'presses Try again': 'bakeries',
        'types on': 'typing more',
        'types zz': 'too short',
        'presses Escape': 'list',
      },
    },
  },
})
