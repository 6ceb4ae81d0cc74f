import { setup, type AnyStateMachine } from 'xstate'

/**
 * A person before one record of an entity other than merchants, whose dialog modal.model.ts follows into every corner:
 * create, edit, delete, refused, stale, discard. It knows nothing of how the portal does it.
 */
export const recordStimuli = [
  'opens the list',
  'begins anew',
  'presses Create',
  'fills it in',
  'presses Save',
  'presses Save, but it is taken',
  'presses Save, but somebody was faster',
  'presses Cancel',
  'follows the row',
  'changes it',
  'keeps editing',
  'discards',
  'reloads the record',
  'overwrites',
  'presses Delete',
  'confirms',
  'confirms, but it is still referenced',
  'does not confirm',
  'dismisses the message',
] as const
export type RecordStimulus = (typeof recordStimuli)[number]

type On = Partial<Record<RecordStimulus, string>>
/** Whether anything can refer to a record of this kind, so that deleting it is refused. */
export type Traits = { referenced: boolean }

const create: Record<string, { on: On }> = {
  'empty form': {
    on: { 'presses Save': 'empty form, marked', 'fills it in': 'new record', 'presses Cancel': 'list' },
  },
  'empty form, marked': { on: { 'fills it in': 'new record', 'presses Cancel': 'list' } },
}
const machineOf = (states: Record<string, { on: On }>): AnyStateMachine =>
  setup({ types: { events: {} as { type: RecordStimulus } } }).createMachine({
    id: 'a person and a record of any kind',
    initial: 'nobody is there',
    states: { 'nobody is there': { on: { 'opens the list': 'list' } }, ...create, ...states },
  } as never) as unknown as AnyStateMachine

export const recordModel = ({ referenced }: Traits) =>
  machineOf({
    list: { on: { 'presses Create': 'empty form', 'follows the row': 'form' } },
    'list, changed': { on: { 'begins anew': 'list' } },
    'list, one more': { on: { 'begins anew': 'list' } },
    'list, one less': { on: { 'begins anew': 'list' } },
    'new record': {
      on: {
        'presses Save': 'list, one more',
        'presses Save, but it is taken': 'message that it is taken',
        'presses Cancel': 'discard?, of a new one',
      },
    },
    'message that it is taken': { on: { 'dismisses the message': 'new record, marked' } },
    'new record, marked': { on: { 'presses Cancel': 'discard?, of a marked one' } },
    'discard?, of a marked one': { on: { 'keeps editing': 'new record, marked', discards: 'list' } },
    'discard?, of a new one': { on: { 'keeps editing': 'new record', discards: 'list' } },
    form: { on: { 'changes it': 'changed form', 'presses Delete': 'delete?', 'presses Cancel': 'list' } },
    'form, changed elsewhere': { on: { 'presses Cancel': 'list, changed elsewhere' } },
    'list, changed elsewhere': { on: { 'begins anew': 'list' } },
    'changed form': {
      on: {
        'presses Save': 'list, changed',
        'presses Save, but somebody was faster': 'stale?',
        'presses Cancel': 'discard?',
      },
    },
    'discard?': { on: { 'keeps editing': 'changed form', discards: 'list' } },
    'stale?': { on: { 'reloads the record': 'form, changed elsewhere', overwrites: 'list, changed' } },
    'delete?': {
      on: {
        confirms: 'list, one less',
        'does not confirm': 'form',
        ...(referenced && { 'confirms, but it is still referenced': 'message that it is referenced' }),
      },
    },
    ...(referenced && {
      'message that it is referenced': { on: { 'dismisses the message': 'form' } } as { on: On },
    }),
  })

/** Terms are created and read, never changed; whoever creates some has to accept them first of all. */
export const termsModel = machineOf({
  list: { on: { 'presses Create': 'empty form', 'follows the row': 'read alone' } },
  'new record': { on: { 'presses Save': 'terms to accept', 'presses Cancel': 'discard?, of a new one' } },
  'terms to accept': { on: { 'begins anew': 'list' } },
  'discard?, of a new one': { on: { 'keeps editing': 'new record', discards: 'list' } },
  'read alone': { on: { 'presses Cancel': 'list' } },
})
