import type { StatelyInspectionEvent } from '@statelyai/inspect'
import type { TabEvent } from './stream.ts'

/** What is known of an actor. `definition` is the JSON of a machine's definition, '' for a call. */
export type Actor = {
  key: string
  id: string
  name: string
  /** The tab it runs in. */
  tab: string
  definition: string
  /** In development React renders twice, which creates machines that are never started. */
  isStarted: boolean
  status: string
  value: unknown
  stateText: string
  context: unknown
  events: { time: string; event: TabEvent['event'] }[]
}

type Snapshot = { status?: string; value?: unknown; context?: unknown }

/** 'termsRequired.asking'; parallel states are joined by ' & '. */
export function describeState(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? value : ''
  return Object.entries(value)
    .map(([key, inner]) => [key, describeState(inner)].filter(Boolean).join('.'))
    .join(' & ')
}

/** Updates the actor that an event is about and returns it. */
export function updateActor(actors: Map<string, Actor>, { tab, event }: TabEvent): Actor {
  const key = `${tab} ${event.sessionId}`
  const fresh = {
    key,
    tab,
    id: '',
    name: event.sessionId,
    definition: '',
    isStarted: false,
    status: 'active',
    value: null,
    stateText: '',
    context: null,
    events: [],
  }
  const actor: Actor = actors.get(key) ?? fresh
  actors.set(key, actor)
  if (event.type === '@xstate.actor') {
    const definition = JSON.parse(event.definition ?? '{}') as { id?: string; states?: object }
    Object.assign(actor, {
      name: event.name,
      id: definition.id ?? '',
      definition: definition.states ? (event.definition ?? '') : '',
    })
  } else actor.isStarted = true
  if (event.type === '@xstate.event')
    actor.events.push({ time: new Date(Number(event.createdAt)).toISOString().slice(11, 23), event })
  if ('snapshot' in event) {
    const { status = 'active', value, context } = event.snapshot as Snapshot
    Object.assign(actor, {
      status,
      value,
      context,
      stateText: [describeState(value), status === 'active' ? '' : `(${status})`].filter(Boolean).join(' '),
    })
  }
  return actor
}

/** The ids of all states an actor is in, the outermost first. */
export function activeIds({ id, value }: Pick<Actor, 'id' | 'value'>): Set<string> {
  const ids = new Set([id])
  const enter = (inner: unknown, path: string): void => {
    if (typeof inner === 'string') ids.add(`${path}.${inner}`)
    else if (typeof inner === 'object' && inner !== null)
      for (const [key, deeper] of Object.entries(inner)) {
        ids.add(`${path}.${key}`)
        enter(deeper, `${path}.${key}`)
      }
  }
  enter(value, id)
  return ids
}

export function describeEvent(event: StatelyInspectionEvent): string {
  if (event.type !== '@xstate.event') return ''
  const { type, ...rest } = event.event as { type: string }
  return Object.keys(rest).length > 0 ? `${type} ${JSON.stringify(rest)}` : type
}
