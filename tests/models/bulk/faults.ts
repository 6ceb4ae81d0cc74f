import { assign } from 'xstate'
import type { SeenRecord } from '../../../schemas/api/bulk/bulk.ts'
import {
  acting,
  allowing,
  answering,
  given,
  bulkRecords,
  pressed,
  withoutCall,
  type Fault,
} from '../lib/tamper.ts'
import { bulk } from './steps.ts'

export const bulkFaults: readonly Fault[] = [
  {
    name: 'a selection is forgotten when the page is turned',
    model: bulk,
    state: 'two selected',
    stimulus: 'turns the page',
    says: /what is selected: null/,
    tamper: bulkRecords(
      acting(
        'keepPage',
        assign((_, { records }: { records: readonly SeenRecord[] }) => ({ page: records, selected: [] })),
      ),
    ),
  },
  {
    name: 'a selection stays when another search finds other records',
    model: bulk,
    state: 'two selected',
    stimulus: 'searches garages',
    says: /what is selected: "2 selected"/,
    tamper: bulkRecords(allowing('isOtherList', () => false)),
  },
  {
    name: 'only the page is changed where all found are selected',
    model: bulk,
    state: 'reassigning',
    stimulus: 'previews agent 3',
    says: /'23 merchants would be changed\.' is not shown/,
    tamper: bulkRecords(
      given('preview', () => ({ records: [{ id: 1, version: 1 }], values: { masteragentid: 3 } })),
    ),
  },
  {
    name: 'what was previewed is stored although a record was changed meanwhile',
    model: bulk,
    state: 'previewed',
    stimulus: 'commits, but one was changed meanwhile',
    says: /Set a field of 2 merchants: 0|is not shown/,
    tamper: bulkRecords(withoutCall('commit', { id: 1, changed: 2, unchanged: 0, refused: 0 })),
  },
  {
    name: 'the message says that all were changed where one was refused',
    model: bulk,
    state: 'previewed, one refused',
    stimulus: 'commits',
    says: /the message: "2 merchants changed\./,
    tamper: bulkRecords(answering('commit', { id: 1, changed: 2, unchanged: 0, refused: 0 })),
  },
  {
    name: 'Undo does nothing',
    model: bulk,
    state: 'done',
    stimulus: 'presses Undo',
    says: /'It is undone\.' is not shown/,
    tamper: pressed('Undo'),
  },
]
