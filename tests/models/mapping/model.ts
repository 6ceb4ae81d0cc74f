import { setup } from 'xstate'

/**
 * A person with a file whose columns the portal does not know (mapping 3), or knows by other names from an
 * earlier one (mapping 5). A state is what is on the screen.
 */
export const mappingStimuli = [
  'opens Import Comp Data',
  'submits a file whose columns can be guessed',
  'submits a file whose id nobody would guess',
  'submits a file with a renamed column',
  'submits a file without a column it had',
  'picks a column for the names',
  'picks the column of the id',
  'takes the column of the id away',
  'uses these columns',
  'accepts',
  'presses Change columns',
  'presses Cancel',
] as const
export type MappingStimulus = (typeof mappingStimuli)[number]

export const mappingModel = setup({ types: { events: {} as { type: MappingStimulus } } }).createMachine({
  id: 'a person and the columns of a file',
  initial: 'nobody is there',
  states: {
    'nobody is there': { on: { 'opens Import Comp Data': 'nothing chosen' } },
    'nothing chosen': {
      on: {
        'submits a file whose columns can be guessed': 'columns chosen',
        'submits a file whose id nobody would guess': 'id missing',
        'submits a file with a renamed column': 'difference',
        'submits a file without a column it had': 'difference with a gap',
      },
    },
    'columns chosen': {
      on: {
        'uses these columns': 'imported',
        'picks a column for the names': 'columns chosen',
        'takes the column of the id away': 'id missing',
        'presses Cancel': 'nothing chosen',
      },
    },
    'id missing': {
      on: {
        'picks a column for the names': 'id missing',
        'picks the column of the id': 'columns chosen',
        'presses Cancel': 'nothing chosen',
      },
    },
    difference: {
      on: {
        accepts: 'imported',
        'presses Change columns': 'columns chosen',
        'presses Cancel': 'nothing chosen',
      },
    },
    'difference with a gap': {
      on: { 'presses Change columns': 'id missing', 'presses Cancel': 'nothing chosen' },
    },
    imported: {},
  },
})
