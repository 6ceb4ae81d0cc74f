import type { AnyStateMachine, InspectionEvent } from 'xstate'
import { transitionId, transitionsOf } from '../../inspector/arrows.ts'

/** The ids of every transition a machine declares. */
export const declared = (machine: AnyStateMachine): string[] => transitionsOf(machine).map(transitionId)

/**
 * The declared transitions an inspection event shows being taken. It uses nothing outside itself, so that its
 * text can be put into a page: `window.__inspect = (e) => window.__took((${takenIn})(e))`.
 */
export function takenIn(event: InspectionEvent): string[] {
  if (event.type !== '@xstate.microstep') return []
  return (event._transitions ?? []).map((transition) => {
    const branches = transition.eventType
      ? transition.source.transitions.get(transition.eventType)
      : transition.source.always
    return `${transition.source.id} | ${transition.eventType || 'always'} | ${(branches ?? []).indexOf(transition)}`
  })
}

/** An observer for `createActor(..., { inspect })`, for as many actors and machines at once as there are. */
export function recorder() {
  const taken = new Set<string>()
  const take = (ids: readonly string[]) => ids.forEach((id) => taken.add(id))
  return {
    taken,
    /** For ids that come from elsewhere, such as a browser page. */
    take,
    inspect: (event: InspectionEvent) => take(takenIn(event)),
    /** Declared, but not taken by any of the actors seen. */
    missing: (...machines: AnyStateMachine[]) => machines.flatMap(declared).filter((id) => !taken.has(id)),
  }
}
