import { setup } from 'xstate'

/**
 * A person before the list of merchants (lists 2, lists 3, lists 4). There are 23 merchants, every other one
 * a bakery; a state is what is on the screen. The model knows nothing of how the portal does it.
 */
export const listStimuli = [
  'opens Merchants',
  'opens Merchants, and the answer takes long',
  'opens Merchants, and the server fails',
  'opens Merchants before there are any',
  'follows a link to page 9',
  'follows a link to the bakeries',
  'follows a link to the active ones',
  'follows a link to the inactive ones',
  'the answer comes',
  'presses Next',
  'presses Next, and the answer takes long',
  'presses Previous',
  'presses First',
  'presses Last',
  'presses page 1',
  'asks for 25 rows',
  'asks for 10 rows',
  'sorts by DBA',
  'filters by Active',
  'removes the filter',
  'presses Clear filters',
  'goes back',
  'goes forward',
  'reloads',
  'changes a merchant',
  'types bakery',
  'types on',
  'empties the search',
  'presses Clear search',
  '300 ms pass',
  '300 ms pass, and the answer takes long',
  '300 ms pass, and the server fails',
  'dismisses the message',
  'presses Try again',
  'presses Try again, and the server fails',
] as const
export type ListStimulus = (typeof listStimuli)[number]

export const listModel = setup({ types: { events: {} as { type: ListStimulus } } }).createMachine({
  id: 'a person and the list',
  initial: 'home page',
  states: {
    'home page': {
      on: {
        'opens Merchants': 'page 1',
        'opens Merchants, and the answer takes long': 'first rows awaited',
        'opens Merchants, and the server fails': 'message, before the first rows',
        'opens Merchants before there are any': 'no merchants yet',
        'follows a link to page 9': 'page 3',
        'follows a link to the bakeries': 'bakeries',
        'follows a link to the active ones': 'active ones',
        'follows a link to the inactive ones': 'no inactive ones',
      },
    },
    'first rows awaited': {
      on: {
        'the answer comes': 'page 1',
        'goes back': 'home page',
        'types bakery': 'typing bakery, before the first rows',
      },
    },
    'no merchants yet': { on: { 'goes back': 'home page' } },
    'page 1': {
      on: {
        'presses Next': 'page 2',
        'presses Next, and the answer takes long': 'page 2 awaited',
        'presses Last': 'page 3',
        'asks for 25 rows': '25 rows',
        'sorts by DBA': 'sorted upwards',
        'types bakery': 'typing bakery',
        'changes a merchant': 'page 1',
      },
    },
    'page 1, after page 2': { on: { 'goes forward': 'page 2' } },
    'page 2': {
      on: {
        'goes back': 'page 1, after page 2',
        'presses Next': 'page 3',
        'presses Previous': 'page 1',
        'asks for 25 rows': '25 rows',
        'types bakery': 'typing bakery, before page 2',
        'filters by Active': 'active ones',
      },
    },
    'page 2 awaited': {
      on: {
        'the answer comes': 'page 2',
        'presses page 1': 'page 1',
        'changes a merchant': 'page 2',
        'types bakery': 'typing bakery',
      },
    },
    'active ones': { on: { 'presses Next': 'active ones, page 2', reloads: 'active ones' } },
    'active ones, page 2': { on: { 'removes the filter': 'page 1', 'goes back': 'active ones' } },
    'no inactive ones': { on: { 'presses Clear filters': 'page 1' } },
    'page 3': { on: { 'presses First': 'page 1' } },
    '25 rows': { on: { 'asks for 10 rows': 'page 1', reloads: '25 rows' } },
    'sorted upwards': {
      on: { 'sorts by DBA': 'sorted downwards', 'presses Next': 'sorted upwards, page 2' },
    },
    'sorted upwards, page 2': {
      on: { 'sorts by DBA': 'sorted downwards', reloads: 'sorted upwards, page 2' },
    },
    'sorted downwards': { on: { 'sorts by DBA': 'page 1' } },
    'typing bakery': {
      on: {
        '300 ms pass': 'bakeries',
        '300 ms pass, and the answer takes long': 'bakeries awaited',
        '300 ms pass, and the server fails': 'message about the search',
        'types on': 'typing bakery and more',
        'empties the search': 'emptied before the answer',
        'presses Next': 'bakeries, page 2',
      },
    },
    'typing bakery, before the first rows': { on: { '300 ms pass': 'bakeries' } },
    'typing bakery, before page 2': { on: { '300 ms pass': 'bakeries' } },
    'typing bakery and more': { on: { '300 ms pass': 'nothing found' } },
    'bakeries awaited': {
      on: {
        'the answer comes': 'bakeries',
        'types on': 'typing bakery and more',
        'empties the search': 'emptied before the answer',
      },
    },
    bakeries: {
      on: {
        'presses Next': 'bakeries, page 2',
        'types on': 'typing more over the bakeries',
        'empties the search': 'emptied over the bakeries',
        reloads: 'bakeries',
      },
    },
    'bakeries, page 2': { on: { 'goes back': 'bakeries' } },
    'typing more over the bakeries': { on: { '300 ms pass': 'nothing found' } },
    'emptied before the answer': { on: { '300 ms pass': 'page 1' } },
    'emptied over the bakeries': { on: { '300 ms pass': 'page 1' } },
    'nothing found': { on: { 'presses Clear search': 'emptied over nothing' } },
    'emptied over nothing': { on: { '300 ms pass': 'page 1' } },
    'message, before the first rows': { on: { 'dismisses the message': 'failed' } },
    failed: {
      on: {
        'presses Try again': 'page 1',
        'presses Try again, and the server fails': 'message, before the first rows',
      },
    },
    'message about the search': { on: { 'dismisses the message': 'search failed' } },
    'search failed': { on: { 'presses Try again': 'bakeries' } },
  },
})
