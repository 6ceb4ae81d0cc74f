import { assign } from 'xstate'
import type { SeenRecord } from '../../../schemas/api/many/many.ts'
import {
  acting,
  allowing,
  answering,
  given,
  manyRecords,
  pressed,
  withoutCall,
  type Fault,
} from '../lib/tamper.ts'
import { many } from './steps.ts'

export const manyFaults: readonly Fault[] = [
  {
    name: 'a selection is forgotten when the page is turned',
    model: many,
    state: 'two selected',
    stimulus: 'turns the page',
    says: /what is selected: null/,
    tamper: manyRecords(
      acting(
        'keepPage',
        assign((_, { records }: { records: readonly SeenRecord[] }) => ({ page: records, selected: [] })),
      ),
    ),
  },
  {
    name: 'a selection stays when another search finds other records',
    model: many,
    state: 'two selected',
    stimulus: 'searches garages',
    says: /what is selected: "2 selected"/,
    tamper: manyRecords(allowing('isOtherList', () => false)),
  },
  {
    name: 'only the page is changed where all found are selected',
    model: many,
    state: 'reassigning',
    stimulus: 'previews agent 3',
    says: /'23 merchants would be changed\.' is not shown/,
    tamper: manyRecords(
      given('preview', () => ({ records: [{ id: 1, version: 1 }], values: { masteragentid: 3 } })),
    ),
  },
  {
    name: 'what was previewed is stored although a record was changed meanwhile',
    model: many,
    state: 'previewed',
    stimulus: 'commits, but one was changed meanwhile',
    says: /Set a field of 2 merchants: 0|is not shown/,
    tamper: manyRecords(withoutCall('commit', { id: 1, changed: 2, unchanged: 0, refused: 0 })),
  },
  {
    name: 'the message says that all were changed where one was refused',
    model: many,
    state: 'previewed, one refused',
    stimulus: 'commits',
    says: /the message: "2 merchants changed\./,
    tamper: manyRecords(answering('commit', { id: 1, changed: 2, unchanged: 0, refused: 0 })),
  },
  {
    name: 'Undo does nothing',
    model: many,
    state: 'done',
    stimulus: 'presses Undo',
    says: /'It is undone\.' is not shown/,
    tamper: pressed('Undo'),
  },
]
