import { assign, createMachine, fromPromise, type AnyStateMachine } from 'xstate'
import type { Draft, StoredRecord } from '../../../machines/modal.machine.ts'
import type { FetchedMachines, ScreenMachines } from '../../../src/api/provide.ts'
import { storageKey } from '../../../src/api/storedSession.ts'
import { copy } from '../../mbt/mutants.ts'
import type { Options } from './drivers/domDriver.tsx'
import type { UserModel } from './userModel.ts'

export type Tamper = NonNullable<Options['tamper']>
/** A fault of the portal, the step at which a person meets it, and what the model then says. */
export type Fault = {
  name: string
  model: UserModel
  state: string
  stimulus: string
  says: RegExp
  tamper: Tamper
}

/** What is done to a machine. */
type Change = <M extends AnyStateMachine>(machine: M) => M
type States = Record<string, { on: Record<string, unknown>; invoke: { onDone: unknown; onError: unknown } }>
/** The same machine but for one change in what is written of it. */
export const changed =
  (change: (states: States) => void): Change =>
  (machine) => {
    const config = copy(machine.config) as unknown as { states: States }
    change(config.states)
    return createMachine(config as never, machine.implementations as never) as never
  }
type Call = { input: never }
const calling =
  (name: string, other: (run: (call: Call) => Promise<unknown>, call: Call) => Promise<unknown>): Change =>
  (machine) => {
    const { config } = machine.implementations.actors[name] as { config: (call: Call) => Promise<unknown> }
    return machine.provide({
      actors: { [name]: fromPromise((call) => other(config, call as unknown as Call)) },
    } as never) as never
  }
/** The same call with another input. */
export const given = <Input>(name: string, other: (input: Input) => Input) =>
  calling(name, (run, call) => run({ ...call, input: other(call.input) as never }))
/** The same call with another answer. */
export const answering = (name: string, answer: unknown) =>
  calling(name, (run, call) => run(call).then(() => answer))
/** The call is not made, and this is its answer. */
export const withoutCall = (name: string, answer: unknown) => calling(name, async () => answer)
/** The same call, whose failures pass for this answer. */
export const mute = (name: string, answer: unknown) =>
  calling(name, (run, call) => run(call).catch(() => answer))
/** An action that does something else, and a guard that always says the same. */
export const acting =
  (name: string, action: unknown = () => {}): Change =>
  (machine) =>
    machine.provide({ actions: { [name]: action } } as never) as never
export const allowing =
  <Context>(name: string, guard: (args: { context: Context }) => boolean): Change =>
  (machine) =>
    machine.provide({ guards: { [name]: guard } } as never) as never

/** One faulty machine for each good one: a screen must be given the same one every time. */
const each = <It, Made>(make: (it: It) => Made, fault: (made: Made) => Made) => {
  const faulty = new Map<It, Made>()
  return (it: It): Made => {
    const made = faulty.get(it) ?? fault(make(it))
    faulty.set(it, made)
    return made
  }
}
type Imports = ReturnType<FetchedMachines['imports']>
type Alone = 'chart' | 'password' | 'verification'
/** Exchanges a machine of the screens, by the name it has there. */
export const lists = (
  fault: (machine: ReturnType<ScreenMachines['list']>) => ReturnType<ScreenMachines['list']>,
): Tamper => ({
  wired: (wired) => void (wired.list = each(wired.list, fault)),
})
export const modals = (
  fault: (machine: ReturnType<ScreenMachines['modal']>) => ReturnType<ScreenMachines['modal']>,
): Tamper => ({
  wired: (wired) => void (wired.modal = each(wired.modal, fault)),
})
export const decisions = (
  fault: (machine: ReturnType<ScreenMachines['decision']>) => ReturnType<ScreenMachines['decision']>,
): Tamper => ({
  wired: (wired) => void (wired.decision = each(wired.decision, fault)),
})
/** What a dialog hands over to be saved. */
export type Saving = { row: StoredRecord | null; draft: Draft; overwrite: boolean }
export const overwriting = modals(given<Saving>('save', (input) => ({ ...input, overwrite: true })))
export const unmarking = modals(acting('keepFaults', assign({ faults: {} })))
export const unasking = modals(allowing('isDirty', () => false))
type Import = 'upload' | 'history' | 'undo' | 'mapping'
export const imports = <Name extends Import>(
  name: Name,
  fault: (machine: Imports[Name]) => Imports[Name],
): Tamper => ({
  fetched: (fetched) =>
    void (fetched.imports = each(fetched.imports, (made) => ({ ...made, [name]: fault(made[name]) }))),
})
export const machine = <Name extends Alone>(
  name: Name,
  fault: (machine: ScreenMachines[Name]) => ScreenMachines[Name],
): Tamper => ({
  wired: (wired) => void (wired[name] = fault(wired[name])),
})
/** Exchanges the machine of the report runner. */
export const reports = (
  fault: (machine: FetchedMachines['report']) => FetchedMachines['report'],
): Tamper => ({
  fetched: (fetched) => void (fetched.report = fault(fetched.report)),
})
type FindMachine = Awaited<ReturnType<ScreenMachines['find']>>
/** Exchanges the machine of Find, which is fetched when it is first opened. */
export const finds = (fault: (machine: FindMachine) => FindMachine): Tamper => ({
  wired: (wired) => {
    const fetch = wired.find
    const faulty = fetch().then(fault)
    wired.find = () => faulty
  },
})
type BulkMachine = ReturnType<ReturnType<ScreenMachines['listTools']>['bulk']>['bulk']
/** Exchanges the machine of many records. */
export const bulkRecords = (fault: (machine: BulkMachine) => BulkMachine): Tamper => ({
  wired: (wired) =>
    void (wired.listTools = each(wired.listTools, (made) => ({
      ...made,
      bulk: each(made.bulk, (machines) => ({ ...machines, bulk: fault(machines.bulk) })),
    }))),
})
/** One of several machines of a screen: `part(['drive', 'download'], fault)`. */
export const part = <
  Screen extends 'drive' | 'tickets' | 'payouts' | 'inbox',
  Name extends keyof FetchedMachines[Screen],
>(
  [screen, name]: readonly [Screen, Name],
  fault: (machine: FetchedMachines[Screen][Name]) => FetchedMachines[Screen][Name],
): Tamper => ({ fetched: (fetched) => void (fetched[screen][name] = fault(fetched[screen][name])) })

export const timer = (ms: number, instead: number): Tamper => ({
  timer: (set) => (set === ms ? instead : set),
})
export const withoutToken = (route: string): Tamper => ({
  call: (call) => call.route === route && delete call.headers['authorization'],
})
/** Answers of this status have another one; the route is whole or begins so. */
export const answered = (route: string, status: number, instead: number): Tamper => ({
  answer: (call, is) => (call.route.startsWith(route) && is === status ? instead : is),
})

/** Does something to what is drawn, now and whenever that changes. */
export const drawn = (change: () => void): Tamper => ({
  page: () => {
    const observer = new MutationObserver(change)
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
      attributeFilter: ['disabled'],
    })
    change()
    return () => observer.disconnect()
  },
})
export const buttons = (text: string) =>
  [...document.querySelectorAll<HTMLElement>('button, [role=menuitem]')].filter(
    (it) => it.textContent === text,
  )
/** Does something else in place of what a press of this button does. */
export const pressed = (text: string, instead: () => void = () => {}): Tamper =>
  heard('document', 'click', (event) => {
    if (!buttons(text).some((it) => it.contains(event.target as Node))) return
    event.stopImmediatePropagation()
    event.preventDefault()
    instead()
  })
/** Is called with an event before anything else handles it. */
export const heard = (where: 'document' | 'window', type: string, hear: (event: Event) => void): Tamper => ({
  page: () => {
    const target = globalThis[where]
    target.addEventListener(type, hear, true)
    return () => target.removeEventListener(type, hear, true)
  },
})
/** What is given the focus loses it at once, to this button or to nothing. */
export const refocused = (selector: string, to?: string): Tamper =>
  heard('document', 'focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.closest(selector)) return
    if (to === undefined) target.blur()
    else buttons(to)[0]?.focus()
  })
/** The browser's storage, but for what it does with the session. */
export const storage = (name: 'setItem' | 'removeItem'): Tamper => ({
  page: () => {
    const own = localStorage[name] as (...given: string[]) => void
    const replace = (value: unknown) =>
      Object.defineProperty(localStorage, name, { configurable: true, writable: true, value })
    replace((...args: string[]) => args[0] !== storageKey && own(...args))
    return () => replace(own)
  },
})
