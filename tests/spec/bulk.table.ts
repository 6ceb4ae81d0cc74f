import { bulkMachine } from '../../machines/bulk.machine.ts'
import { Failure } from '../../src/api/failure.ts'
import { answers, fails } from '../mbt/explore.ts'
import type { Spec } from '../mbt/runPath.ts'
import { readTable } from '../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

(start) | opens a list | selecting | | foundBy = the whole list; page, selected = nothing; all = no; operation = set; request, faults = no fields; preview, done = none

The list says which records are on its page; a selected one is taken in the version that was seen last.
selecting / choosing / previewing / previewed / committing / changedMeanwhile / failed / done / undoing / undone | the page is shown | stays | | page = the page; selected = as seen now

Another search or filter ends the selection and what is being prepared, but not what is being stored.
selecting / choosing / previewed / changedMeanwhile / failed / done / undone | another list is shown | selecting | | foundBy = the other list; selected = nothing; all = no; operation = set; request, faults = no fields; preview, done = none
previewing | another list is shown | selecting | cancels preview | foundBy = the other list; selected = nothing; all = no; operation = set; request = no fields
committing / undoing | another list is shown | stays | | foundBy = the other list
committing / undoing | the same list is shown | stays | | foundBy = the same list

Records are selected one by one, by the page, or all that are found. Without one of all, the others of the page are left.
selecting, none selected / selecting, some selected | selects records 1 and 2 | selecting | | selected = records 1 and 2
selecting, all selected | selects records 1 and 2 | selecting | |
selecting | takes record 1 out    | selecting | | selected = the others; all = no
selecting | selects all           | selecting | | selected = nothing; all = yes
selecting | clears                | selecting | | selected = nothing; all = no
done / undone | selects records 1 and 2 | selecting | | selected = records 1 and 2; operation = set; request, faults = no fields; preview, done = none

A field and its value are chosen before the preview; a deletion is previewed at once. Nothing begins without a selection.
selecting, some selected / selecting, all selected | sets a field | choosing   |                      | operation = set
selecting, some selected / selecting, all selected | reassigns    | choosing   |                      | operation = reassign
selecting, some selected | deletes | previewing | calls preview (the request) | operation = remove; request = the records, removed
selecting, all selected  | deletes | previewing | calls preview (the request) | operation = remove; request = all found, removed
choosing, some selected  | previews a value | previewing | calls preview (the request) | request = the records, set; faults = no fields
choosing, all selected   | previews a value | previewing | calls preview (the request) | request = all found, set; faults = no fields
choosing / previewed / changedMeanwhile / failed | cancels | selecting | | operation = set; request, faults = no fields; preview = none
previewing | cancels | selecting | cancels preview | operation = set; request = no fields

previewing             | the preview shows changes  | previewed | | preview = changes
previewing             | the preview shows none     | previewed | | preview = no changes
previewing, a field    | the preview is refused     | choosing  | | faults = the sentence
previewing, a deletion | the preview is refused     | selecting | | operation = set; request = no fields
previewed, a field     | goes back                  | choosing  | | preview = none

What was previewed is stored, or nothing is. What is on its way cannot be sent twice.
previewed, changes something | commits | committing | calls commit (what was previewed) |
committing | the commit answers           | done             | reloadList (what was done) | done = the answer; selected = nothing; all = no
committing | it is no longer as previewed | changedMeanwhile | reloadList (what was done) |
committing | the commit fails             | failed           | reloadList (what was done) |
changedMeanwhile / failed | looks again | previewing | calls preview (the request) | preview = none

done     | undoes            | undoing   | calls undo (the change) |
undoing  | the undo answers  | undone    | reloadList (what was done) |
undoing  | the undo is refused | done    | reloadList (what was done) |
done / undone | closes the message | selecting | | operation = set; request, faults = no fields; preview, done = none
`

const page = [1, 2, 3].map((id) => ({ id, version: 7 }))
const [one, two] = [1, 2].map((id) => ({ id, version: 5 }))
const values = { status: 'Closed' }
const preview = (changed: number) => ({
  fingerprint: 'f'.repeat(64),
  changed,
  unchanged: 1,
  refused: 0,
  changes: [],
  morechanges: 0,
  refusals: [],
  morerefused: 0,
})
const other = { search: 'bakery', filter: '' }
const garages = { search: 'bakery', filter: 'status:empty' }
/** Another one than this: of another search, and then of another filter. */
const otherThan = ({ search, filter }: typeof other) =>
  search === '' ? other : filter === '' ? garages : { search: '', filter: '' }
type Seen = { id: number; version: number }

export const bulk: Spec<typeof bulkMachine> = {
  machine: bulkMachine,
  rows: readTable(table),
  starts: { 'opens a list': undefined },
  payloads: { reloadList: ({ done }) => done },
  words: ({ all, selected, operation, preview: shown }) => [
    all ? 'all selected' : selected.length > 0 ? 'some selected' : 'none selected',
    operation === 'remove' ? 'a deletion' : 'a field',
    shown && shown.changed > 0 ? 'changes something' : 'changes nothing',
  ],
  stimuli: {
    'the page is shown': { type: 'rows', records: page },
    'another list is shown': ({ foundBy }) => ({ type: 'query', foundBy: otherThan(foundBy) }),
    'the same list is shown': ({ foundBy }) => ({ type: 'query', foundBy: { ...foundBy } }),
    'selects records 1 and 2': { type: 'select', records: [one!, two!] },
    'takes record 1 out': { type: 'deselect', records: [one!] },
    'selects all': { type: 'selectAll' },
    clears: { type: 'clear' },
    'sets a field': { type: 'begin', operation: 'set' },
    reassigns: { type: 'begin', operation: 'reassign' },
    deletes: { type: 'begin', operation: 'remove' },
    'previews a value': { type: 'preview', values },
    'goes back': { type: 'back' },
    cancels: { type: 'cancel' },
    commits: { type: 'commit' },
    'looks again': { type: 'again' },
    undoes: { type: 'undo' },
    'closes the message': { type: 'dismiss' },
    'the preview shows changes': answers('preview', preview(2)),
    'the preview shows none': answers('preview', preview(0)),
    'the preview is refused': fails(
      'preview',
      new Failure(422, 'Status is too long', { fields: { 'values.status': 'Status is too long' } }),
    ),
    'the commit answers': answers('commit', { id: 4, changed: 2, unchanged: 1, refused: 0 }),
    'it is no longer as previewed': fails('commit', new Failure(409, 'No longer', { code: 'previewed' })),
    'the commit fails': fails('commit', new Failure(500, 'An error has occured.')),
    'the undo answers': answers('undo', { id: 4 }),
    'the undo is refused': fails('undo', new Failure(409, 'This change cannot be undone: it was undone')),
  },
  values: {
    'the whole list': { search: '', filter: '' },
    'the other list': ({ before }) => otherThan(before.foundBy),
    'the same list': ({ before }) => before.foundBy,
    'what was done': ({ after }) => after.done,
    nothing: [],
    'no fields': {},
    set: 'set',
    reassign: 'reassign',
    remove: 'remove',
    'the page': page,
    'as seen now': ({ before }) =>
      (before.selected as Seen[]).map((it) => page.find(({ id }) => id === it.id) ?? it),
    'records 1 and 2': ({ before }) => [...(before.selected as Seen[]).filter(({ id }) => id > 2), one, two],
    'the others': ({ before }) =>
      ((before.all ? before.page : before.selected) as Seen[]).filter(({ id }) => id !== 1),
    'the records, removed': ({ before }) => ({ records: before.selected, remove: true }),
    'all found, removed': ({ before }) => ({ found: before.foundBy, remove: true }),
    'the records, set': ({ before }) => ({ records: before.selected, values }),
    'all found, set': ({ before }) => ({ found: before.foundBy, values }),
    'the request': ({ after }) => after.request,
    'what was previewed': ({ before }) => ({ request: before.request, fingerprint: 'f'.repeat(64) }),
    changes: preview(2),
    'no changes': preview(0),
    'the sentence': { 'values.status': 'Status is too long' },
    'the change': { id: 4 },
  },
}
