import { type AttachedFile, ticketMachine } from '../../machines/ticket.machine.ts'
import { Failure } from '../../src/api/failure.ts'
import { answers, fails } from '../mbt/explore.ts'
import type { Spec } from '../mbt/runPath.ts'
import { readTable } from '../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

(start) | opens Support Tickets | filling | | files, refused = nothing; percent = 0; faults = no faults; filed = none

Up to 5 attachments of up to 20 MB each; what is one too many or one byte too large is named and left out.
filling, no files / failed, no files | attaches two   | stays | | files = these too; refused = nothing
filling, two / failed, two     | attaches two        | stays | | files = these too; refused = nothing
filling, four / failed, four   | attaches two        | stays | | files = the first of these too; refused = the sixth
filling, five / failed, five   | attaches two        | stays | | refused = both
filling / failed               | attaches 20 MB and a byte | stays | | refused = the large one
filling / failed               | removes the first | stays | | files = the others; refused = nothing

filling / failed | sends       | sending | calls send (the ticket) | percent = 0; refused = nothing; faults = no faults
filling          | posts it to the desk elsewhere | sent | |
sending          | 40 % are sent | sending | | percent = 40
sending          | cancels     | filling | cancels send |
sending          | the ticket is filed | sent | reloadList | filed = the answer
sending          | the server refuses a field | failed | | faults = the fault
sending          | the server fails | failed | | faults = no faults
sent             | begins another | filling | | files, refused = nothing; faults = no faults; filed = none
`

const megabytes20 = 20_971_520
const file = (name: string, size = megabytes20): AttachedFile => ({
  content: `content of ${name}`,
  name,
  size,
})
const [a, b] = [file('a.txt'), file('b.txt', 0)]
const large = file('large.bin', megabytes20 + 1)
const values = { subject: 'silent' }
const left = (name: string) => `${name} was left out: at most 5 attachments can be sent`
const counts: Record<number, string> = { 0: 'no files', 2: 'two', 4: 'four', 5: 'five', 1: 'one', 3: 'three' }

export const ticket: Spec<typeof ticketMachine> = {
  machine: ticketMachine,
  rows: readTable(table),
  starts: { 'opens Support Tickets': undefined },
  words: ({ files, refused }) => [counts[files.length]!, ...(refused.length > 0 ? ['refused'] : [])],
  stimuli: {
    'attaches two': ({ files }) =>
      files.length % 2 === 0 || files.length === 5 ? { type: 'attach', files: [a, b] } : null,
    'attaches 20 MB and a byte': { type: 'attach', files: [large] },
    'removes the first': ({ files }) => (files.length > 0 ? { type: 'detach', index: 0 } : null),
    sends: { type: 'send', values },
    'posts it to the desk elsewhere': { type: 'post' },
    '40 % are sent': { type: 'progress', percent: 40 },
    cancels: { type: 'cancel' },
    'the ticket is filed': answers('send', { id: 12 }),
    'the server refuses a field': fails(
      'send',
      new Failure(422, 'Subject is required', { fields: { subject: 'Subject is required' } }),
    ),
    'the server fails': fails('send', new Failure(500, 'An error has occured.')),
    'begins another': { type: 'again' },
  },
  harmless: {
    'ticket.sending send onDone[0] action 0 and 1 exchanged':
      'the list is loaded again whether or not the number of the ticket is kept by then',
  },
  values: {
    '0': 0,
    '40': 40,
    nothing: [],
    'no faults': {},
    'these too': ({ before }) => [...before.files, a, b],
    'the first of these too': ({ before }) => [...before.files, a],
    'the sixth': [left('b.txt')],
    both: [left('a.txt'), left('b.txt')],
    'the large one': ['large.bin is larger than 20 MB'],
    'the others': ({ before }) => before.files.slice(1),
    'the ticket': ({ before }) => ({ values, files: before.files }),
    'the fault': { subject: 'Subject is required' },
  },
}
