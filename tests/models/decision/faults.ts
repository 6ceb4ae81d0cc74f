import { allowing, decisions, given, withoutCall, type Fault } from '../lib/tamper.ts'
import { decision } from './steps.ts'

type Request = { text: string }

export const decisionFaults: readonly Fault[] = [
  {
    name: 'an account is said to be confirmed, and nobody tells the server',
    model: decision,
    state: 'confirm?',
    stimulus: 'says how',
    says: /Reject: 1, not 0/,
    tamper: decisions(withoutCall('decide', null)),
  },
  {
    name: 'a rejection loses its reason',
    model: decision,
    state: 'reject?',
    stimulus: 'gives a reason',
    says: /Reject: \d, not 0|the form/,
    tamper: decisions(given<Request>('decide', (input) => ({ ...input, text: '' }))),
  },
  {
    name: 'an account that was changed again is asked about as if it were the one that was seen',
    model: decision,
    state: 'confirm?',
    stimulus: 'says how, but it was changed again',
    says: /the question: 0, not 1/,
    tamper: decisions(allowing('isStale', () => false)),
  },
]
