import { createInspector, type StatelyInspectionEvent } from '@statelyai/inspect'
import type { InspectionEvent } from 'xstate'
import { redact } from './redact.ts'

/** What one tab of the portal tells the inspector; `tab` tells tabs apart, whose actors are numbered alike. */
export type TabEvent = { tab: string; title: string; event: StatelyInspectionEvent }
/** An inspector that has just been opened asks for what was told before. */
export type ReplayRequest = { replay: true }
/** A tab that is closed or loaded anew. */
export type TabClosed = { closed: string }
export const channelName = 'portal inspector'

const most = 500

/**
 * What the machines do, in the words of Stately's inspector and without secrets. `send` hears each; `replay` tells what a
 * newcomer must know: every actor, and the latest of what happened.
 */
export function createStream(send: (event: StatelyInspectionEvent) => void) {
  const actors: StatelyInspectionEvent[] = []
  const latest = new Map<string, StatelyInspectionEvent>()
  const happened: StatelyInspectionEvent[] = []
  const keep = (event: StatelyInspectionEvent) => {
    if (event.type === '@xstate.actor') actors.push(event)
    else happened.push(event)
    if (event.type === '@xstate.snapshot') latest.set(event.sessionId, event)
    if (happened.length > most) happened.shift()
    send(event)
  }
  // Not its options sanitizeEvent and sanitizeContext: those do not see what calls are given and answer.
  const { inspect } = createInspector(
    { send: (event) => keep(event as StatelyInspectionEvent) },
    { serialize: redact },
  )
  return {
    inspect: (event: InspectionEvent) => (inspect as { next: (event: InspectionEvent) => void }).next(event),
    replay: (): StatelyInspectionEvent[] => [
      ...actors,
      ...[...latest.values()].filter((one) => !happened.includes(one)),
      ...happened,
    ],
  }
}
