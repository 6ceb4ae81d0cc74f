import { findMachine } from '../../machines/find.machine.ts'
import { Failure } from '../../src/api/failure.ts'
import { answers, fails, passes } from '../mbt/explore.ts'
import type { Spec } from '../mbt/runPath.ts'
import { readTable } from '../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

(start) | opens Find | waiting | | text = blank; found = nothing

A text with a word of three letters is searched for, 300 ms after the last key.
waiting / shown / failed | types a name | typing    | waits 300 ms               | text = the name
typing                   | types a name | typing    | waits 300 ms               | text = the name
typing                   | 300 ms pass  | searching | calls find (the text)      |
searching                | types a name | typing    | cancels find; waits 300 ms | text = the name

A shorter one is not, and what was found before goes.
waiting / typing / shown / failed | types two letters | waiting | | text = two letters; found = nothing
searching | types two letters | waiting | cancels find | text = two letters; found = nothing

searching | find answers merchants | shown  | | found = merchants
searching | find answers nothing   | shown  | | found = nothing
searching | find fails             | failed | | found = nothing
failed    | tries again            | searching | calls find (the text) |
`

const merchants = [
  {
    title: 'Merchants',
    rows: [{ text: '1 - Bakery', to: '/manage/merchants?open=1' }],
    all: '',
    slow: false,
  },
]

export const find: Spec<typeof findMachine> = {
  machine: findMachine,
  rows: readTable(table),
  words: ({ found }) => (found.length > 0 ? ['something found'] : []),
  starts: { 'opens Find': undefined },
  stimuli: {
    'types a name': { type: 'type', text: 'a bak', searchable: true },
    'types two letters': { type: 'type', text: 'ba ke', searchable: false },
    'tries again': { type: 'retry' },
    '300 ms pass': passes(300, 'findDebounce.find.typing'),
    'find answers merchants': answers('find', merchants),
    'find answers nothing': answers('find', []),
    'find fails': fails('find', new Failure(500, 'Unable to find records. Please try again.')),
  },
  values: {
    'the text': ({ after }) => ({ text: after.text }),
    blank: '',
    nothing: [],
    'the name': 'a bak',
    'two letters': 'ba ke',
    merchants,
  },
}
