import { mappingMachine } from '../../machines/mapping.machine.ts'
import type { Mapping } from '../../schemas/imports/mapping/mapping.ts'
import type { Spec } from '../mbt/runPath.ts'
import { readTable } from '../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

What is guessed of an unknown heading (mapping 3) can be accepted as it is when nothing is missing.
(start) | is asked, and all is guessed          | complete   | | mapping = guessed; fault = none; isDifferent = no
(start) | is asked, and a column is missing     | incomplete | | mapping = guessed; fault = no MID; isDifferent = no

What differs from a saved mapping is shown first (mapping 5), and accepted at one click unless a column is gone.
(start) | is asked about a renamed column       | comparing  | | mapping = guessed; fault = none; isDifferent = yes
(start) | is asked about a column that is gone  | comparing  | | mapping = guessed; fault = no MID; isDifferent = yes
comparing, complete   | accepts                 | accepted   | sendMapping (the mapping) |
comparing, complete   | chooses to edit         | complete   | |
comparing, incomplete | chooses to edit         | incomplete | |
comparing             | cancels                 | cancelled  | dismiss (the mapping) |

Each choice is kept, and says whether something is missing still.
incomplete | chooses the last column            | complete   | | mapping = edited; fault = none
incomplete | chooses another column             | incomplete | | mapping = edited; fault = no MID
complete   | chooses another column             | incomplete | | mapping = edited; fault = no MID
complete   | chooses the last column            | complete   | | mapping = edited; fault = none
complete   | accepts                            | accepted   | sendMapping (the mapping) |
incomplete | cancels                            | cancelled  | dismiss (the mapping) |
complete   | cancels                            | cancelled  | dismiss (the mapping) |
`

const mapOf = (name: string): Mapping => ({
  sheets: [{ name: '', heading: [name] }],
  fields: { xmid: { columns: [{ sheet: '', name, sign: 1 }] } },
})
const guessed = mapOf('Ref')
const edited = mapOf('Account')
const noMid = 'MID is required: choose its column'

export const mapping: Spec<typeof mappingMachine> = {
  machine: mappingMachine,
  rows: readTable(table),
  starts: {
    'is asked, and all is guessed': { mapping: guessed, fault: null, isDifferent: false },
    'is asked, and a column is missing': { mapping: guessed, fault: noMid, isDifferent: false },
    'is asked about a renamed column': { mapping: guessed, fault: null, isDifferent: true },
    'is asked about a column that is gone': { mapping: guessed, fault: noMid, isDifferent: true },
  },
  payloads: { sendMapping: (context) => context.mapping, dismiss: (context) => context.mapping },
  words: ({ fault }) => [fault === null ? 'complete' : 'incomplete'],
  stimuli: {
    accepts: { type: 'accept' },
    'chooses to edit': { type: 'edit' },
    'chooses the last column': { type: 'change', mapping: edited, fault: null },
    'chooses another column': { type: 'change', mapping: edited, fault: noMid },
    cancels: { type: 'cancel' },
  },
  values: {
    guessed,
    edited,
    'no MID': noMid,
    yes: true,
    no: false,
    'the mapping': ({ before }) => before.mapping,
  },
}
