import { acting, changed, finds, given, mute, timer, type Fault } from '../lib/tamper.ts'
import { find } from './steps.ts'

export const findFaults: readonly Fault[] = [
  {
    name: 'Find asks the server after each letter',
    model: find,
    state: 'typing bakery',
    stimulus: '300 ms pass',
    says: /nothing waits for 300 ms|calls at 299 ms/,
    tamper: timer(300, 1),
  },
  {
    name: 'Find searches for another text than was typed',
    model: find,
    state: 'typing bakery',
    stimulus: '300 ms pass',
    says: /the text that was sent/,
    tamper: finds(given<{ text: string }>('find', () => ({ text: 'bak' }))),
  },
  {
    name: 'Find says that nothing matches when the search failed',
    model: find,
    state: 'typing bakery',
    stimulus: '300 ms pass, and the server fails',
    says: /'Records could not be searched\.' is not said/,
    tamper: finds(mute('find', [])),
  },
  {
    name: 'Find shows what was found for an older text when there is too little to search for',
    model: find,
    state: 'bakeries',
    stimulus: 'types zz',
    says: /what is offered: .*Bakery/,
    tamper: finds(acting('forgetFound')),
  },
  {
    name: 'Try again in Find does nothing',
    model: find,
    state: 'failed',
    stimulus: 'presses Try again',
    says: /what is offered: \[\]/,
    tamper: finds(changed(({ failed }) => (failed!.on = {}))),
  },
]
