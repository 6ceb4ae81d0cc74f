import { allowing, changed, imports, type Fault } from '../lib/tamper.ts'
import { mapping } from './steps.ts'

export const mappingFaults: readonly Fault[] = [
  {
    name: 'a mapping that was accepted is not sent',
    model: mapping,
    state: 'columns chosen',
    stimulus: 'uses these columns',
    says: /uploads: 1, not 2/,
    tamper: imports(
      'mapping',
      changed(({ accepted }) => delete (accepted as { entry?: unknown }).entry),
    ),
  },
  {
    name: 'a mapping without the id can be accepted',
    model: mapping,
    state: 'nothing chosen',
    stimulus: 'submits a file without a column it had',
    says: /Accept is disabled: false/,
    tamper: imports(
      'mapping',
      allowing('isComplete', () => true),
    ),
  },
  {
    name: 'a heading that has changed is taken for an unknown one',
    model: mapping,
    state: 'nothing chosen',
    stimulus: 'submits a file with a renamed column',
    says: /The columns have changed: 0, not 1/,
    tamper: imports(
      'mapping',
      allowing('isDifferent', () => false),
    ),
  },
  {
    name: 'Cancel leaves the question about the columns there',
    model: mapping,
    state: 'columns chosen',
    stimulus: 'presses Cancel',
    says: /the step/,
    tamper: imports(
      'mapping',
      changed(({ cancelled }) => delete (cancelled as { entry?: unknown }).entry),
    ),
  },
]
