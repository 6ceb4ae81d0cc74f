import { type Draft, modalMachine, type StoredRecord } from '../../machines/modal.machine.ts'
import { Failure } from '../../src/api/failure.ts'
import { answers, fails } from '../mbt/explore.ts'
import type { Spec } from '../mbt/runPath.ts'
import { readTable } from '../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

Who may do nothing finds the dialog closed whatever the URL says (permissions 3).
(start) | as one who may do everything | closed | | allowed = everything; id, row = none; dirty = no; faults = nothing
(start) | as one who may only edit     | closed | | allowed = editing only; id, row = none; dirty = no; faults = nothing
(start) | as one who may only look     | closed | | allowed = looking only; id, row = none; dirty = no; faults = nothing

Create opens an empty dialog, a row opens that record as it is now on the server.
closed, may create | creates      | editing |                       |
closed, may open   | opens row 7  | reading | calls read (row 7)    | id = 7
reading            | read answers | editing |                       | row = the answer; dirty = no; faults = nothing
reading            | read fails   | closed  |                       | id, row = none; dirty = no; faults = nothing
reading            | read finds nothing | closed | reloadList        | id, row = none; dirty = no; faults = nothing
reading            | closes       | closed  | cancels read           | id, row = none; dirty = no; faults = nothing
reading            | leaves       | closed  | cancels read          | id, row = none; dirty = no; faults = nothing

Closing resets the form; unsaved changes are asked about first. To leave by the address (Back) asks elsewhere.
editing           | changes something | editing           |          | dirty = yes
editing           | changes it back   | editing           |          | dirty = no
editing, clean    | closes            | closed            |          | id, row = none; faults = nothing
editing, dirty    | closes            | confirmingDiscard |          |
confirmingDiscard | discards          | closed            |          | id, row = none; dirty = no; faults = nothing
confirmingDiscard | cancels           | editing           |          |
editing / confirmingDiscard / confirmingDelete / stale | leaves | closed | | id, row = none; dirty = no; faults = nothing

On success the list reloads and the dialog closes; it reloads too when the record is gone by then. On failure it stays open with what was typed, and says what is wrong
with single fields. What is on its way can be neither sent twice nor abandoned.
editing | saves                         | saving  | calls save (the draft) | faults = nothing
saving  | save answers                  | closed  | reloadList             | id, row = none; dirty = no
saving  | save is refused, naming a field | editing |                      | faults = the sentence
saving  | save fails with 500           | editing |                        |
saving  | save finds nothing            | editing | reloadList             |

A record that somebody else has changed meanwhile (409, stale) can be read again or overwritten (lists 13).
saving, stored | save fails, changed meanwhile | stale   |                               |
stale          | reloads                       | reading | calls read (row 7)            |
stale          | overwrites                    | saving  | calls save (the draft at any rate) | faults = nothing
stale          | cancels                       | editing |                               |

Delete is for an existing record and asks first: 'Are you sure?' with Delete and Cancel.
editing, stored, may delete | deletes                 | confirmingDelete |                          |
confirmingDelete            | confirms                | deleting         | calls remove (the record) |
confirmingDelete            | cancels                 | editing          |                          |
deleting                    | remove answers          | closed           | reloadList               | id, row = none; dirty = no; faults = nothing
deleting                    | remove fails with 409   | editing          |                          |
deleting                    | remove fails, changed meanwhile | reading  | calls read (row 7)       |
deleting                    | remove finds nothing    | closed           | reloadList               | id, row = none; dirty = no; faults = nothing
`

const draft: Draft = { xmid: '8000000000012', dba: 'Corner Bakery' }
const everything = { create: true, open: true, remove: true }
const editingOnly = { create: false, open: true, remove: false }
const lookingOnly = { create: false, open: false, remove: false }
const next = (row: StoredRecord | null) => ({ id: 7, version: (row?.version ?? 0) + 1, dba: 'Bakery' })
const gone = new Failure(404, 'This merchant does not exist')
const stale = new Failure(409, 'Somebody else changed this record meanwhile', { code: 'stale' })

export const modal: Spec<typeof modalMachine> = {
  machine: modalMachine,
  rows: readTable(table),
  starts: {
    'as one who may do everything': { allowed: everything },
    'as one who may only edit': { allowed: editingOnly },
    'as one who may only look': { allowed: lookingOnly },
  },
  words: ({ row, dirty, allowed: may }) => [
    row ? 'stored' : 'new',
    dirty ? 'dirty' : 'clean',
    ...(may.create ? ['may create'] : []),
    ...(may.open ? ['may open'] : []),
    ...(may.remove ? ['may delete'] : []),
  ],
  stimuli: {
    creates: { type: 'create' },
    'opens row 7': { type: 'open', id: 7 },
    closes: { type: 'close' },
    leaves: { type: 'leave' },
    'changes something': { type: 'change', dirty: true },
    'changes it back': { type: 'change', dirty: false },
    saves: { type: 'save', draft },
    deletes: { type: 'delete' },
    confirms: { type: 'confirm' },
    cancels: { type: 'cancel' },
    discards: { type: 'discard' },
    reloads: { type: 'reload' },
    overwrites: { type: 'overwrite', draft },
    'read answers': ({ row }) => answers('read', next(row)),
    'read fails': fails('read', new Failure(500, 'An error has occured.')),
    'read finds nothing': fails('read', gone),
    'save answers': answers('save', { id: 7, version: 9 }),
    'save is refused, naming a field': fails(
      'save',
      new Failure(422, 'Please correct the marked fields', { fields: { dba: 'DBA is required' } }),
    ),
    'save finds nothing': fails('save', gone),
    'save fails with 500': fails('save', new Failure(500, 'An error has occured.')),
    'save fails, changed meanwhile': ({ row }) => (row ? fails('save', stale) : null),
    'remove answers': answers('remove'),
    'remove fails with 409': fails('remove', new Failure(409, 'This merchant is still referenced')),
    'remove finds nothing': fails('remove', gone),
    'remove fails, changed meanwhile': fails('remove', stale),
  },
  values: {
    everything,
    'editing only': editingOnly,
    'looking only': lookingOnly,
    nothing: {},
    '7': 7,
    'row 7': { id: 7 },
    'the record': ({ before }) => ({ row: before.row }),
    'the draft': ({ before }) => ({ row: before.row, draft, overwrite: false }),
    'the draft at any rate': ({ before }) => ({ row: before.row, draft, overwrite: true }),
    'the sentence': { dba: 'DBA is required' },
  },
}
