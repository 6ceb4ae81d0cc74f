import type {
  AnyEventObject,
  AnyMachineSnapshot,
  AnyStateMachine,
  ContextFrom,
  EventFromLogic,
  StateValue,
} from 'xstate'
import { getAdjacencyMap } from 'xstate/graph'

/** Events of the machine that no step sends: a call that ends, time that passes. */
type InternalEvent =
  | { type: `xstate.done.actor.${string}`; actorId: string; output: unknown }
  | { type: `xstate.error.actor.${string}`; actorId: string; error: unknown }
  | { type: `xstate.after.${string}`; ms: number }
type Event<M extends AnyStateMachine> = EventFromLogic<M> | InternalEvent
/** An event, or how to make one from the context at that moment; null: it cannot happen there. */
type Stimulus<M extends AnyStateMachine> = Event<M> | ((context: ContextFrom<M>) => Event<M> | null)

/** What `explore` must know of a machine: everything by the words that tables and test titles use. */
export type Explorable<M extends AnyStateMachine> = {
  machine: M
  /** Ways to begin, each with the machine's input. */
  starts: Record<string, unknown>
  stimuli: Record<string, Stimulus<M>>
  /**
   * What the guards read of the context, in words: two snapshots of one state and the same words behave
   * alike.
   */
  words?: (context: ContextFrom<M>) => string[]
}

/** A state together with the words that hold there. */
export type Vertex = { key: string; state: string; words: readonly string[] }
export type Edge = { from: Vertex; stimulus: string; to: Vertex }
/** `ignored`: what can be sent at a vertex, though nothing is to come of it. */
export type Graph = { start: Vertex; edges: Edge[]; ignored: { at: Vertex; stimulus: string }[] }

export const start: Vertex = { key: '(start)', state: '(start)', words: [] }

export const answers = (actorId: string, output: unknown = undefined): InternalEvent => ({
  type: `xstate.done.actor.${actorId}`,
  actorId,
  output,
})
export const fails = (actorId: string, error: unknown): InternalEvent => ({
  type: `xstate.error.actor.${actorId}`,
  actorId,
  error,
})
/**
 * `ms` as docs/product says it (constants 1); `after` names delay and state, such as
 * 'renewInterval.session.active.waiting'.
 */
export const passes = (ms: number, after: string): InternalEvent => ({ type: `xstate.after.${after}`, ms })
/** Whether somebody sends it: a person, the URL, another tab, the HTTP layer. */
export const isSent = (event: AnyEventObject) => !event.type.startsWith('xstate.')

/** 'termsRequired.asking'; parallel regions are joined by ' & '. */
function stateName(value: StateValue): string {
  if (typeof value === 'string') return value
  return Object.entries(value)
    .map(([key, inner]) =>
      inner && Object.keys(inner).length > 0 ? `${key}.${stateName(inner as StateValue)}` : key,
    )
    .join(' & ')
}

export function vertexOf(it: Explorable<AnyStateMachine>, snapshot: AnyMachineSnapshot): Vertex {
  const words = it.words?.(snapshot.context) ?? []
  const state =
    snapshot.status === 'active'
      ? stateName(snapshot.value)
      : `${stateName(snapshot.value)} (${snapshot.status})`
  return { state, words, key: [state, ...words].join(', ') }
}

export const eventOf = (
  it: Explorable<AnyStateMachine>,
  name: string,
  context: unknown,
): AnyEventObject | null => {
  const given = it.stimuli[name]
  if (!given) throw new Error(`no stimulus is called '${name}'`)
  return typeof given === 'function' ? given(context) : given
}

/** Everything that can happen to a machine, found by `xstate/graph` without running an actor. */
export function explore(it: Explorable<AnyStateMachine>): Graph {
  const edges = new Map<string, Edge>()
  const ignored = new Map<string, { at: Vertex; stimulus: string }>()
  const heard = new Map<string, string>()
  const made = new Set<string>()
  for (const [name, input] of Object.entries(it.starts)) {
    const names = new WeakMap<object, string>()
    const options = {
      input,
      limit: 20_000,
      events: possible(names),
      serializeState: (s: AnyMachineSnapshot) => vertexOf(it, s).key,
    }
    const found = getAdjacencyMap(it.machine, {
      ...options,
      serializeEvent: (e: AnyEventObject) => names.get(e) ?? e.type,
    } as never)
    const vertices = Object.values(found) as {
      state: AnyMachineSnapshot
      transitions: Record<string, { state: AnyMachineSnapshot }>
    }[]
    add({ from: start, stimulus: name, to: vertexOf(it, vertices[0]!.state) })
    for (const { state, transitions } of vertices) {
      for (const [stimulus, { state: next }] of Object.entries(transitions)) {
        add({ from: vertexOf(it, state), stimulus, to: vertexOf(it, next) })
      }
      for (const stimulus of ignoredBy(it, state))
        ignored.set(`${vertexOf(it, state).key} > ${stimulus}`, { at: vertexOf(it, state), stimulus })
    }
  }
  for (const [type, where] of heard)
    if (!made.has(type)) throw new Error(`no stimulus for ${type} in ${where}`)
  return { start, edges: [...edges.values()], ignored: [...ignored.values()] }

  /** The events a snapshot can take, each with its name written down. */
  function possible(names: WeakMap<object, string>) {
    return (snapshot: AnyMachineSnapshot) => {
      if (snapshot.status !== 'active') return []
      const types = snapshot._nodes
        .flatMap((node) => node.ownEvents)
        .filter((type) => !type.startsWith('xstate.done.state.'))
      for (const type of types) heard.set(type, vertexOf(it, snapshot).key)
      return Object.keys(it.stimuli).flatMap((name) => {
        const event = eventOf(it, name, snapshot.context)
        if (!event) return []
        made.add(event.type)
        if (!types.includes(event.type) || !snapshot.can(event)) return []
        const own = { ...event }
        names.set(own, name)
        return [own]
      })
    }
  }

  function add(edge: Edge) {
    const id = `${edge.from.key} > ${edge.stimulus}`
    const known = edges.get(id)
    if (known && known.to.key !== edge.to.key)
      throw new Error(`${id} leads to ${known.to.key} and to ${edge.to.key}: a guard reads what no word says`)
    edges.set(id, edge)
  }
}

const ignoredBy = (it: Explorable<AnyStateMachine>, snapshot: AnyMachineSnapshot) =>
  Object.keys(it.stimuli).filter((name) => {
    const event = eventOf(it, name, snapshot.context)
    return event && isSent(event) && !snapshot.can(event)
  })
