import { setup } from 'xstate'

/**
 * An administrator who settles the payouts of February, which somebody else has locked (payouts 15). Three
 * payees are due money, one of them is held. March is open. A state is what is on the screen.
 */
export const monthStimuli = [
  'opens Payouts',
  'opens Payouts, and it takes long',
  'opens Payouts, and the server fails',
  'an agent opens Payouts',
  'the answer comes',
  'dismisses the message',
  'tries again',
  'chooses March',
  'chooses February',
  'presses Approve',
  'presses Release',
  'presses Hold',
  'presses End Hold',
  'presses Book Return',
  'presses Open Again',
  'cancels',
  'confirms',
  'confirms, and it takes long',
  'confirms, and the server fails',
  'confirms, but the run has changed',
  'releases',
  'releases on a Sunday',
  'releases for a day long past',
  'gives no reason',
  'gives a reason',
  'books it',
  'chooses the kind',
  'presses Take Over',
  'presses Count the Copy',
  'takes over',
  'counts the copy',
  'chooses a return file',
  'chooses a return file with a fault',
  'chooses a return file, and the server fails',
  'books all',
  'closes it',
] as const
export type MonthStimulus = (typeof monthStimuli)[number]

/** Questions that are asked and not answered, from this state. */
const cancelled = (state: string, ...questions: string[]) =>
  Object.fromEntries(questions.map((question) => [`${question} of ${state}`, { on: { cancels: state } }]))

export const monthModel = setup({ types: { events: {} as { type: MonthStimulus } } }).createMachine({
  id: 'a person and the payouts of a month',
  initial: 'nobody is there',
  states: {
    'nobody is there': {
      on: {
        'opens Payouts': 'locked',
        'opens Payouts, and it takes long': 'payouts awaited',
        'opens Payouts, and the server fails': 'message that there are no payouts',
        'an agent opens Payouts': 'own payments',
      },
    },
    'own payments': {},
    'payouts awaited': { on: { 'the answer comes': 'locked' } },
    'message that there are no payouts': { on: { 'dismisses the message': 'no payouts' } },
    'no payouts': { on: { 'tries again': 'locked' } },
    locked: {
      on: {
        'chooses March': 'open March',
        'presses Approve': 'approve?',
        'presses Hold': 'hold?',
        'presses End Hold': 'end hold?',
        'presses Open Again': 'reopen?',
      },
    },
    'open March': { on: { 'chooses February': 'locked' } },
    'approve?': {
      on: {
        cancels: 'locked',
        confirms: 'approved',
        'confirms, and it takes long': 'approving',
        'confirms, and the server fails': 'message that it was not approved',
        'confirms, but the run has changed': 'message that it has changed',
      },
    },
    approving: { on: { 'the answer comes': 'approved' } },
    'message that it was not approved': { on: { 'dismisses the message': 'approve?' } },
    'message that it has changed': { on: { 'dismisses the message': 'one is paid' } },
    'hold?': {
      on: { cancels: 'locked', 'gives no reason': 'reason is required', 'gives a reason': 'one is paid' },
    },
    'reason is required': { on: { 'gives a reason': 'one is paid' } },
    'one is paid': {},
    'end hold?': { on: { cancels: 'locked', 'gives a reason': 'all are paid' } },
    'all are paid': {},
    'reopen?': { on: { cancels: 'locked', 'gives a reason': 'open again' } },
    'open again': {
      on: { 'chooses the kind': 'open again', 'presses Take Over': 'take over?' },
    },
    'take over?': { on: { cancels: 'open again', 'takes over': 'taken over' } },
    'taken over': { on: { 'presses Count the Copy': 'count the copy?' } },
    'count the copy?': { on: { cancels: 'taken over', 'counts the copy': 'open again' } },
    approved: {
      on: {
        'chooses March': 'open March beside approved',
        'presses Release': 'release?',
        'presses Hold': 'hold of approved',
        'presses End Hold': 'end hold of approved',
        'presses Open Again': 'reopen of approved',
      },
    },
    'open March beside approved': { on: { 'chooses February': 'approved' } },
    ...cancelled('approved', 'hold', 'end hold', 'reopen'),
    'release?': {
      on: {
        cancels: 'approved',
        releases: 'released',
        'releases on a Sunday': 'message that the day is refused',
        'releases for a day long past': 'settled',
      },
    },
    'message that the day is refused': { on: { 'dismisses the message': 'the day is refused' } },
    'the day is refused': { on: { releases: 'released' } },
    released: {
      on: {
        'chooses March': 'open March beside released',
        'presses Hold': 'hold of released',
        'presses End Hold': 'end hold?, released',
        'presses Book Return': 'return of released',
        'presses Open Again': 'reopen of released',
      },
    },
    'open March beside released': { on: { 'chooses February': 'released' } },
    ...cancelled('released', 'hold', 'return', 'reopen'),
    'end hold?, released': { on: { 'gives a reason': 'released, one left' } },
    'released, one left': { on: { 'presses Approve': 'approve of released, one left' } },
    ...cancelled('released, one left', 'approve'),
    settled: {
      on: {
        'chooses March': 'open March beside settled',
        'presses Hold': 'hold of settled',
        'presses End Hold': 'end hold?, settled',
        'presses Book Return': 'return?',
        'presses Open Again': 'reopen of settled',
        'chooses a return file': 'what the file means',
        'chooses a return file with a fault': 'what is wrong in the file',
        'chooses a return file, and the server fails': 'message that the file was not read',
      },
    },
    'open March beside settled': { on: { 'chooses February': 'settled' } },
    ...cancelled('settled', 'hold', 'reopen'),
    'end hold?, settled': { on: { 'gives a reason': 'settled, one left' } },
    'settled, one left': { on: { 'presses Approve': 'approve of settled, one left' } },
    ...cancelled('settled, one left', 'approve'),
    'what the file means': { on: { 'closes it': 'settled', 'books all': 'returned by file' } },
    'what is wrong in the file': { on: { 'closes it': 'settled' } },
    'message that the file was not read': { on: { 'dismisses the message': 'the file was not read' } },
    'the file was not read': { on: { 'closes it': 'settled' } },
    'returned by file': {},
    'return?': { on: { cancels: 'settled', 'books it': 'returned' } },
    returned: {},
  },
})
