import { inboxMachine, type InboxTask } from '../../../machines/inbox/inbox.machine.ts'
import { Failure } from '../../../src/api/failure.ts'
import { answers, fails } from '../../mbt/explore.ts'
import type { Spec } from '../../mbt/runPath.ts'
import { readTable } from '../../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

(start) | opens the inbox | idle | | queue, outcomes = nothing; task = none; percent = 0

Tasks are done one after the other, in the order they came; what was said of earlier ones is forgotten.
idle | drops one file  | working | calls work (the first file)  | task = the first; queue, outcomes = nothing; percent = 0
idle | drops two files | working | calls work (the first file)  | task = the first; queue = the second; outcomes = nothing; percent = 0
working | drops one file  | stays | | queue = one more
working | drops two files | stays | | queue = two more
working | 40 % are sent | stays | | percent = 40

The list is read again after each. A task that fails does not keep the next from being done.
working, more waits | work answers | working | reloadList (what waits then); calls work (the next) | outcomes = one more done; task = the next of the queue; queue = the rest; percent = 0
working, more waits | work fails   | working | reloadList (what waits then); calls work (the next) | outcomes = one more failed; task = the next of the queue; queue = the rest; percent = 0
working, last       | work answers | idle | reloadList (nothing waits) | outcomes = one more done; task = none; queue = nothing
working, last       | work fails   | idle | reloadList (nothing waits) | outcomes = one more failed; task = none; queue = nothing

Cancelling ends what is under way and what waits.
working | stops | idle | reloadList (nothing more); cancels work | task = none; queue = nothing
idle | puts the messages away | stays | | outcomes = nothing
`

const first: InboxTask = { name: 'add', filename: 'a.csv', content: 'the first file' }
const second: InboxTask = { name: 'import', filename: 'b.csv', id: 2, answers: {}, again: false }
const outcome = ({ name, filename }: InboxTask, message: string | null) => ({ name, filename, message })
const refusal = 'Somebody else imports it'

export const inbox: Spec<typeof inboxMachine> = {
  machine: inboxMachine,
  rows: readTable(table),
  starts: { 'opens the inbox': undefined },
  // The list is read once the outcome is kept, and the last task forgotten.
  payloads: {
    reloadList: ({ task, queue, outcomes }) => ({ task, waiting: queue, ended: outcomes.length }),
  },
  words: ({ queue }) => [queue.length > 0 ? 'more waits' : 'last'],
  stimuli: {
    'drops one file': { type: 'begin', tasks: [first] },
    'drops two files': { type: 'begin', tasks: [first, second] },
    '40 % are sent': { type: 'progress', percent: 40 },
    stops: { type: 'cancel' },
    'puts the messages away': { type: 'forget' },
    'work answers': answers('work', { id: 7 }),
    'work fails': fails('work', new Failure(409, refusal)),
  },
  values: {
    '0': 0,
    '40': 40,
    nothing: [],
    'the first': first,
    'the second': [second],
    'the first file': { task: first },
    'the next': ({ before }) => ({ task: before.queue[0] }),
    'the next of the queue': ({ before }) => before.queue[0],
    'the rest': ({ before }) => before.queue.slice(1),
    'what waits then': ({ before: { task, queue, outcomes } }) => ({
      task,
      waiting: queue,
      ended: outcomes.length + 1,
    }),
    'nothing waits': ({ before }) => ({ task: null, waiting: [], ended: before.outcomes.length + 1 }),
    'nothing more': ({ before }) => ({ task: null, waiting: [], ended: before.outcomes.length }),
    'one more': ({ before }) => [...before.queue, first],
    'two more': ({ before }) => [...before.queue, first, second],
    'one more done': ({ before }) => [...before.outcomes, outcome(before.task!, null)],
    'one more failed': ({ before }) => [...before.outcomes, outcome(before.task!, refusal)],
  },
}
