import { acting, changed, given, part, type Fault } from '../lib/tamper.ts'
import { inbox } from './steps.ts'

type Sent = { task: { name: string; answers?: unknown; again?: boolean } | null }

export const inboxFaults: readonly Fault[] = [
  {
    name: 'a file that nobody reads keeps the next from being added',
    model: inbox,
    state: 'empty',
    stimulus: 'drops one that nobody reads and a file',
    says: /was added/,
    tamper: part(
      ['inbox', 'work'],
      changed(({ working }) => (working!.invoke.onError as unknown[]).shift()),
    ),
  },
  {
    name: 'Import anyway does not say that the file is known',
    model: inbox,
    state: 'seen before',
    stimulus: 'presses Import anyway',
    says: /was imported/,
    tamper: part(
      ['inbox', 'work'],
      given<Sent>('work', ({ task }) => ({ task: task && { ...task, again: false } })),
    ),
  },
  {
    name: 'Stop leaves the file on its way',
    model: inbox,
    state: 'adding',
    stimulus: 'presses Stop',
    says: /the answer of a stopped upload/,
    tamper: part(
      ['inbox', 'work'],
      changed(({ working }) => delete working!.on['cancel']),
    ),
  },
  {
    name: 'the message cannot be put away',
    model: inbox,
    state: 'refused name',
    stimulus: 'puts the message away',
    says: /messages/,
    tamper: part(['inbox', 'work'], acting('forgetOutcomes')),
  },
]
