import { assign, createMachine, fromPromise, type AnyStateMachine } from 'xstate'
import type { Draft, Stored } from '../../machines/modal.machine.ts'
import type { Sent } from '../../machines/upload.machine.ts'
import type { Wired } from '../../src/api/wire.ts'
import { copy } from '../mbt/mutate.ts'
import type { Options } from './dom.tsx'
import { list } from './list.steps.ts'
import { modal } from './modal.steps.ts'
import type { UserModel } from './suite.ts'
import { upload } from './upload.steps.ts'

type Tamper = NonNullable<Options['tamper']>
/** A fault of the portal, the step at which a person meets it, and what the model then says. */
export type Fault = { name: string; model: UserModel; state: string; stimulus: string; says: RegExp; tamper: Tamper }

type Config = { states: Record<string, { on: Record<string, unknown>; invoke: { onDone: unknown; onError: unknown } }> }
/** The same machine but for one change in what is written of it. */
const changed = <M extends AnyStateMachine>(machine: M, change: (states: Config['states']) => void): M => {
  const config = copy(machine.config) as unknown as Config
  change(config.states)
  return createMachine(config as never, machine.implementations as never) as unknown as M
}
type List = ReturnType<Wired['list']>
type Modal = ReturnType<Wired['modal']>
type Upload = ReturnType<Wired['imports']>['upload']
const lists = (fault: (machine: List) => List): Tamper => ({ wired: replace('list', fault) })
const modals = (fault: (machine: Modal) => Modal): Tamper => ({ wired: replace('modal', fault) })
const uploads = (fault: (machine: Upload) => Upload): Tamper => ({
  wired: (wired) => {
    const made = wired.imports
    const faulty = new Map<unknown, ReturnType<typeof made>>()
    wired.imports = (it) => {
      if (!faulty.has(it)) faulty.set(it, { ...made(it), upload: fault(made(it).upload) })
      return faulty.get(it)!
    }
  },
})
const replace =
  <Name extends 'list' | 'modal'>(name: Name, fault: (machine: ReturnType<Wired[Name]>) => ReturnType<Wired[Name]>) =>
  (wired: Wired) => {
    const made = wired[name]
    const faulty = new Map<unknown, unknown>()
    wired[name] = ((it: Parameters<typeof made>[0]) => {
      if (!faulty.has(it)) faulty.set(it, fault(made(it) as ReturnType<Wired[Name]>))
      return faulty.get(it)
    }) as Wired[Name]
  }
const timer = (ms: number, instead: number): Tamper => ({ timer: (given) => (given === ms ? instead : given) })

type Saving = { row: Stored | null; draft: Draft; overwrite: boolean }
/** The same call with another input. */
const given = <Input>(logic: unknown, other: (input: Input) => Input) =>
  fromPromise<unknown, Input>((call) => (logic as { config: (call: unknown) => Promise<unknown> }).config({ ...call, input: other(call.input) }))

/** The same call, whose failures pass for this answer. */
const mute = (logic: unknown, answer: unknown) =>
  fromPromise<unknown, unknown>((call) => (logic as { config: (call: unknown) => Promise<unknown> }).config(call).catch(() => answer))
const none = { data: [], total_length: 0 }
const imported = { inserted: 2, updated: 0, unchanged: 0, warnings: [], ignored: [], totals: { rows: 2 } }

export const faults: readonly Fault[] = [
  { name: 'every letter asks the server at once', model: list, state: 'page 1', stimulus: 'types bakery', says: /calls 299 ms after/, tamper: timer(300, 1) },
  { name: 'a search is asked for too late', model: list, state: 'typing bakery', stimulus: '300 ms pass', says: /calls at 300 ms/, tamper: timer(300, 301) },
  {
    name: 'a page past the end stays empty',
    model: list,
    state: 'home page',
    stimulus: 'follows a link to page 9',
    says: /address: .*"9"/,
    tamper: lists((machine) => machine.provide({ guards: { isBeyondEnd: () => false } })),
  },
  {
    name: 'a failed list looks like an empty one',
    model: list,
    state: 'message, before the first rows',
    stimulus: 'dismisses the message',
    says: /'The list could not be loaded' is not said/,
    tamper: lists((machine) => machine.provide({ actors: { load: mute(machine.implementations.actors.load, none) as never } })),
  },
  {
    name: 'Try again does nothing',
    model: list,
    state: 'failed',
    stimulus: 'presses Try again',
    says: /rows: \[\]/,
    tamper: lists((machine) => changed(machine, ({ failed }) => (failed!.on = {}))),
  },
  {
    name: 'Cancel does nothing',
    model: modal,
    state: 'form',
    stimulus: 'presses Cancel',
    says: /address: \{"open":"3"\}/,
    tamper: modals((machine) => changed(machine, ({ editing }) => delete editing!.on['close'])),
  },
  {
    name: 'Delete deletes without asking',
    model: modal,
    state: 'form',
    stimulus: 'presses Delete',
    says: /gone from the database|address: \{\}/,
    tamper: modals((machine) => changed(machine, ({ editing }) => (editing!.on['delete'] = 'deleting'))),
  },
  {
    name: 'the dialog closes though it was not saved',
    model: modal,
    state: 'message that it was not saved',
    stimulus: 'dismisses the message',
    says: /address: \{\}/,
    tamper: modals((machine) => changed(machine, ({ saving }) => (saving!.invoke.onError = 'closed'))),
  },
  {
    name: 'the list is not read again after a save',
    model: modal,
    state: 'changed form',
    stimulus: 'presses Save',
    says: /calls for the list/,
    tamper: modals((machine) => changed(machine, ({ saving }) => (saving!.invoke.onDone = 'closed'))),
  },
  {
    name: "somebody else's change is overwritten in silence",
    model: modal,
    state: 'changed form',
    stimulus: 'presses Save, but somebody was faster',
    says: /status in the database|calls for the list|not answered/,
    tamper: modals((machine) =>
      machine.provide({ actors: { save: given<Saving>(machine.implementations.actors.save, (input) => ({ ...input, overwrite: true })) } }),
    ),
  },
  {
    name: 'fields the server refused are not marked',
    model: modal,
    state: 'message that the XMID is taken',
    stimulus: 'dismisses the message',
    says: /what is marked at XMID: ""/,
    tamper: modals((machine) => machine.provide({ actions: { keepFaults: assign({ faults: {} }) as never } })),
  },
  {
    name: 'Cancel throws changes away without asking',
    model: modal,
    state: 'changed form',
    stimulus: 'presses Cancel',
    says: /address: \{\}/,
    tamper: modals((machine) => machine.provide({ guards: { isDirty: () => false } })),
  },
  {
    name: 'Back throws changes away without asking',
    model: modal,
    state: 'changed form',
    stimulus: 'goes back',
    says: /address: \{\}/,
    tamper: modals((machine) => machine.provide({ actions: { keepDirty: assign({ dirty: false }) as never } })),
  },
  {
    name: 'a deletion does not say which version was read',
    model: modal,
    state: 'delete?',
    stimulus: 'confirms, but somebody was faster',
    says: /not refused/,
    tamper: { call: ({ headers }) => delete headers['if-match'] },
  },
  {
    name: 'who may not create gets the dialog by its address',
    model: modal,
    state: 'nobody is there',
    stimulus: 'a reassigner opens a new record by its address',
    says: /address: \{"open":"new"\}/,
    tamper: modals((machine) => machine.provide({ guards: { mayCreate: () => true } })),
  },
  {
    name: 'a record that cannot be read opens an empty dialog',
    model: modal,
    state: 'message that it cannot be read',
    stimulus: 'dismisses the message',
    says: /address: \{"open":"3"\}/,
    tamper: modals((machine) => changed(machine, ({ reading }) => (reading!.invoke.onError = 'editing'))),
  },
  { name: 'the message of success stays', model: upload, state: 'imported', stimulus: '5000 ms pass', says: /Successfully' is shown: true/, tamper: timer(5_000, 5_001) },
  { name: 'the message of success goes early', model: upload, state: 'imported', stimulus: '5000 ms pass', says: /gone at 4999 ms/, tamper: timer(5_000, 4_999) },
  {
    name: 'Submit is enabled with a name that cannot be sent',
    model: upload,
    state: 'nothing chosen',
    stimulus: 'chooses a badly named file',
    says: /Submit is disabled: false/,
    tamper: uploads((machine) => machine.provide({ guards: { isValid: () => true } })),
  },
  {
    name: 'Submit is enabled without a day',
    model: upload,
    state: 'volume',
    stimulus: 'chooses a file',
    says: /Submit is disabled: false/,
    tamper: uploads((machine) => machine.provide({ guards: { isValid: ({ context }) => context.file !== null } })),
  },
  {
    name: 'Cancel does not end an upload',
    model: upload,
    state: 'uploading',
    stimulus: 'presses Cancel',
    says: /answer of a cancelled upload|in the database/,
    tamper: uploads((machine) => changed(machine, ({ uploading }) => delete uploading!.on['cancel'])),
  },
  {
    name: 'what is wrong in the file is not listed',
    model: upload,
    state: 'message that the file is refused',
    stimulus: 'dismisses the message',
    says: /a list of faults: 0/,
    tamper: uploads((machine) => machine.provide({ actions: { keepRefused: assign({ refused: null }) as never } })),
  },
  {
    name: 'the file stays chosen after its import',
    model: upload,
    state: 'file',
    stimulus: 'submits',
    says: /file name: "merchants.csv"/,
    tamper: uploads((machine) => machine.provide({ actions: { keepImported: assign((_, params: { imported: never }) => ({ imported: params.imported, job: null })) as never } })),
  },
  {
    name: 'the volume is stored for the day before',
    model: upload,
    state: 'volume, file and day',
    stimulus: 'submits',
    says: /in the database/,
    tamper: uploads((machine) =>
      machine.provide({ actors: { upload: given<Sent>(machine.implementations.actors.upload, (sent) => ({ ...sent, date: '2026-05-03' })) as never } }),
    ),
  },
  {
    name: 'a failed upload is taken for a success',
    model: upload,
    state: 'message that the server failed',
    stimulus: 'dismisses the message',
    says: /file name: ""/,
    tamper: uploads((machine) => machine.provide({ actors: { upload: mute(machine.implementations.actors.upload, imported) as never } })),
  },
]
