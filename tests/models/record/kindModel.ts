import { setup, type AnyStateMachine } from 'xstate'

/**
 * A person before one record of an entity other than merchants. It holds what differs from kind to kind: the
 * fields and what is required, what is refused, what a change and a conflict look like. What every dialog
 * does alike (Cancel, the questions, calls that take long or fail) is walked with merchants, in model.ts.
 */
export const kindStimuli = [
  'opens the list',
  'begins anew',
  'presses Create',
  'fills it in',
  'presses Save',
  'presses Save, but it is taken',
  'presses Save, but somebody was faster',
  'presses Close',
  'follows the row',
  'changes it',
  'reloads the record',
  'overwrites',
  'presses Delete',
  'confirms',
  'confirms, but it is still referenced',
  'dismisses the message',
] as const
type KindStimulus = (typeof kindStimuli)[number]

type On = Partial<Record<KindStimulus, string>>
type States = Record<string, { on: On }>

const machineOf = (states: States): AnyStateMachine =>
  setup({ types: { events: {} as { type: KindStimulus } } }).createMachine({
    id: 'a person and a record of any kind',
    initial: 'nobody is there',
    states: {
      'nobody is there': { on: { 'opens the list': 'list' } },
      'empty form': { on: { 'presses Save': 'empty form, marked' } },
      'empty form, marked': { on: { 'fills it in': 'new record' } },
      ...states,
    },
  } as never) as unknown as AnyStateMachine

/** `isReferenced`: something can refer to a record of this kind, so that deleting it is refused. */
export const kindModel = ({ isReferenced }: { isReferenced: boolean }) =>
  machineOf({
    list: { on: { 'presses Create': 'empty form', 'follows the row': 'form' } },
    'list, changed': { on: { 'begins anew': 'list' } },
    'list, one more': { on: { 'begins anew': 'list' } },
    'list, one less': { on: { 'begins anew': 'list' } },
    'new record': {
      on: { 'presses Save': 'list, one more', 'presses Save, but it is taken': 'message that it is taken' },
    },
    'message that it is taken': { on: { 'dismisses the message': 'new record, marked' } },
    'new record, marked': { on: { 'begins anew': 'list' } },
    form: { on: { 'changes it': 'changed form', 'presses Delete': 'delete?' } },
    'changed form': {
      on: { 'presses Save': 'list, changed', 'presses Save, but somebody was faster': 'stale?' },
    },
    'stale?': { on: { 'reloads the record': 'form, changed elsewhere', overwrites: 'list, changed' } },
    'form, changed elsewhere': { on: { 'begins anew': 'list' } },
    'delete?': {
      on: {
        confirms: 'list, one less',
        ...(isReferenced && { 'confirms, but it is still referenced': 'message that it is referenced' }),
      },
    },
    ...(isReferenced &&
      ({ 'message that it is referenced': { on: { 'dismisses the message': 'form' } } } as States)),
  })

/** Terms are created and read, never changed; who creates some has to accept them first of all. */
export const termsModel = machineOf({
  list: { on: { 'presses Create': 'empty form', 'follows the row': 'read-only form' } },
  'new record': { on: { 'presses Save': 'terms to accept' } },
  'terms to accept': { on: { 'begins anew': 'list' } },
  'read-only form': { on: { 'presses Close': 'list' } },
})
