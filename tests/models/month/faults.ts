import { assign } from 'xstate'
import type { monthMachine } from '../../../machines/month.machine.ts'
import { acting, drawn, given, part, withoutCall, type Fault } from '../lib/tamper.ts'
import { month } from './steps.ts'

type Month = typeof monthMachine
const broken = (fault: (it: Month) => Month) => part(['payouts', 'month'], fault)
type Request = { hash: string; values: Record<string, unknown>; question: { step: string } }

export const monthFaults: readonly Fault[] = [
  {
    name: 'an approval is said to be done and never sent',
    model: month,
    state: 'approve?',
    stimulus: 'confirms',
    says: /February is not Approved|Approve: 1, not 0/,
    tamper: broken(withoutCall('step', null)),
  },
  {
    name: 'an approval is of another run than the one that was seen',
    model: month,
    state: 'approve?',
    stimulus: 'confirms',
    says: /dialogs: 1, not 0/,
    tamper: broken(given<Request>('step', (input) => ({ ...input, hash: 'f'.repeat(64) }))),
  },
  {
    name: 'a release forgets the day that was chosen',
    model: month,
    state: 'release?',
    stimulus: 'releases for a day long past',
    says: /February is not Settled/,
    tamper: broken(
      given<Request>('step', ({ values: { date: _date, ...values }, ...input }) => ({ ...input, values })),
    ),
  },
  {
    name: 'a refused day is not marked',
    model: month,
    state: 'message that the day is refused',
    stimulus: 'dismisses the message',
    says: /no reason/,
    tamper: broken(acting('keepFaults', assign({ faults: {} }))),
  },
  {
    name: 'another month is chosen and the old one stays',
    model: month,
    state: 'locked',
    stimulus: 'chooses March',
    says: /March is not open/,
    tamper: broken(acting('keepWanted')),
  },
  {
    name: 'a difference is never taken over',
    model: month,
    state: 'take over?',
    stimulus: 'takes over',
    says: /questions: 1, not 0/,
    tamper: broken(
      given<Request>('step', (input) =>
        input.question.step === 'takeover'
          ? { ...input, question: { ...input.question, step: 'none' } }
          : input,
      ),
    ),
  },
  {
    name: 'a return of a month that is open again is said to be booked and never sent',
    model: month,
    state: 'return of paid, open again',
    stimulus: 'books it',
    says: /the return is not listed/,
    tamper: broken(withoutCall('step', null)),
  },
  {
    name: 'a held payee counts as paid',
    model: month,
    state: 'nobody is there',
    stimulus: 'opens Payouts',
    says: /the run ends in/,
    tamper: drawn(() =>
      document
        .querySelectorAll('.payout-scroll tfoot th')
        .forEach((it) => void (it.textContent === '3 of 3 paid' || (it.textContent = '3 of 3 paid'))),
    ),
  },
]
