import { createInspector, type StatelyInspectionEvent } from '@statelyai/inspect'
import type { InspectionEvent } from 'xstate'
import { redact } from './redact.ts'

/** An event of one tab of the portal. `tab` is needed because the ids of actors repeat in every tab. */
export type TabEvent = { tab: string; title: string; event: StatelyInspectionEvent }
/** A newly opened inspector asks for the events before. */
export type ReplayRequest = { replay: true }
/** A tab was closed or reloaded. */
export type TabClosed = { closed: string }
export const channelName = 'portal inspector'

/** How many events are kept, not counting new actors. */
const maxEvents = 500

/**
 * The events of the machines in the format of Stately's inspector, without secrets. Each is passed to `send`;
 * `replay` returns what a new inspector needs: all actors, their last snapshots and the recent events.
 */
export function createStream(send: (event: StatelyInspectionEvent) => void) {
  const actors: StatelyInspectionEvent[] = []
  const latest = new Map<string, StatelyInspectionEvent>()
  const recent: StatelyInspectionEvent[] = []
  const keep = (event: StatelyInspectionEvent) => {
    if (event.type === '@xstate.actor') actors.push(event)
    else recent.push(event)
    if (event.type === '@xstate.snapshot') latest.set(event.sessionId, event)
    if (recent.length > maxEvents) recent.shift()
    send(event)
  }
  // The options sanitizeEvent and sanitizeContext do not cover the input and output of calls.
  const { inspect } = createInspector(
    { send: (event) => keep(event as StatelyInspectionEvent) },
    { serialize: redact },
  )
  return {
    inspect: (event: InspectionEvent) => (inspect as { next: (event: InspectionEvent) => void }).next(event),
    replay: (): StatelyInspectionEvent[] => [
      ...actors,
      ...[...latest.values()].filter((one) => !recent.includes(one)),
      ...recent,
    ],
  }
}
