import {
  type AnyEventObject,
  type AnyStateMachine,
  createActor,
  fromPromise,
  type InspectionEvent,
  SimulatedClock,
} from 'xstate'
import { isSent } from './explore.ts'

/** What a machine did beside changing its state: an action, a call, a timer; `value` is what it gave along. */
export type Effect = { name: string; value?: unknown }
/** For actions that hand something on: what they are given. */
type Payloads = Record<string, (context: never, params: never) => unknown>
type Call = { source: string; settled: boolean; resolve(value: unknown): void; reject(error: unknown): void }

/** Whether an action only changes the context. */
export const isAssign = (action: unknown) => typeof action === 'function' && 'resolve' in action

type Recording = { effects: Effect[]; calls: Map<string, Call> }
/**
 * A machine whose calls are held and whose actions are noted, on the stage of the actor that runs just now.
 */
const instrumented = new WeakMap<AnyStateMachine, { machine: AnyStateMachine; stage: Recording }>()

function instrument(machine: AnyStateMachine, tells: Payloads) {
  const known = instrumented.get(machine)
  if (known) return known
  const stage: Recording = { effects: [], calls: new Map() }
  const held = (source: string) =>
    fromPromise<unknown, unknown>(
      ({ input, self, signal }) =>
        new Promise((resolve, reject) => {
          const call = { source, settled: false, resolve, reject }
          stage.calls.set(self.id, call)
          stage.effects.push({ name: `calls ${source}`, value: input })
          signal.addEventListener('abort', () => {
            if (!call.settled) stage.effects.push({ name: `cancels ${source}` })
            call.settled = true
          })
        }),
    )
  const noted =
    (name: string) =>
    ({ context }: { context: unknown }, params: unknown) => {
      stage.effects.push({ name, value: tells[name]?.(context as never, params as never) })
    }
  const { actors, actions } = machine.implementations
  const effects = Object.keys(actions).filter((name) => !isAssign(actions[name]))
  const rehearsal = {
    stage,
    machine: machine.provide({
      actors: Object.fromEntries(Object.keys(actors).map((source) => [source, held(source)])),
      actions: Object.fromEntries(effects.map((name) => [name, noted(name)])),
    }),
  }
  instrumented.set(machine, rehearsal)
  return rehearsal
}

/**
 * A running actor: its calls are held until the test ends them, its clock stands still until the test moves
 * it, and its actions are noted instead of done. One actor of a machine at a time.
 */
export function startActor(
  given: AnyStateMachine,
  options: { input: unknown; tells: Payloads; inspect?: (event: InspectionEvent) => void },
) {
  const { machine, stage } = instrument(given, options.tells)
  stage.effects = []
  stage.calls.clear()
  const errors: unknown[] = []
  const simulated = new SimulatedClock()
  const begun = new Map<number, number>()
  const clock = {
    setTimeout(run: () => void, ms: number) {
      begun.set(ms, simulated.now())
      stage.effects.push({ name: `waits ${ms} ms` })
      return simulated.setTimeout(run, ms)
    },
    clearTimeout: (id: number) => simulated.clearTimeout(id),
  }
  const actor = createActor(machine, { input: options.input, clock, inspect: options.inspect } as never)
  actor.subscribe({ error: (error) => errors.push(error) })
  actor.start()

  return { actor, errors, takeEffects: () => stage.effects.splice(0), step, stop: () => actor.stop() }

  /** Lets one thing happen, a millisecond after the one before. */
  async function step(event: AnyEventObject): Promise<void> {
    if (event.type.startsWith('xstate.after.')) return pass(event.ms as number)
    simulated.increment(1)
    if (isSent(event)) return actor.send(event)
    const call = stage.calls.get(event.actorId as string)
    if (!call || call.settled) throw new Error(`no call '${event.actorId}' is under way`)
    call.settled = true
    if ('error' in event) call.reject(event.error)
    else call.resolve(event.output)
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }

  function pass(ms: number) {
    const from = begun.get(ms)
    if (from === undefined) throw new Error(`nothing waits for ${ms} ms`)
    const before = actor.getSnapshot()
    simulated.set(from + ms - 1)
    if (actor.getSnapshot() !== before) throw new Error(`something happened before ${ms} ms had passed`)
    simulated.set(from + ms)
  }
}
