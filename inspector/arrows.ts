import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'

/** Source, event and number of the branch: 'session.active.renewing | xstate.error.actor.renew | 1'. */
export function transitionId(transition: AnyTransitionDefinition): string {
  const { source, eventType } = transition
  const branches = eventType ? source.transitions.get(eventType) : source.always
  return `${source.id} | ${eventType || 'always'} | ${(branches ?? []).indexOf(transition)}`
}

/** All states of a machine, the outermost first. */
export const nodesIn = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesIn),
]

/** Every transition a machine declares, each guard branch apart: on, after, onDone, onError and `always`. */
export const transitionsOf = (machine: AnyStateMachine): AnyTransitionDefinition[] =>
  nodesIn(machine.root).flatMap((node) => [...[...node.transitions.values()].flat(), ...(node.always ?? [])])

/**
 * A declared transition in words: `event` as 'after renewInterval', 'load done'; `guard` and `actions` by
 * their names.
 */
export type Arrow = {
  id: string
  source: string
  target: string
  event: string
  guard: string
  actions: string[]
}

const nameOf = (named: unknown) =>
  typeof named === 'object' && named !== null && 'type' in named
    ? String(named.type)
    : typeof named === 'string'
      ? named
      : 'inline'

const describeEventType = (eventType: string) =>
  (eventType || 'at once')
    .replace(/^xstate\.after\.([^.]+)\..*/, 'after $1')
    .replace(/^xstate\.done\.(?:actor|state)\.(.+)/, '$1 done')
    .replace(/^xstate\.error\.actor\.(.+)/, '$1 failed')

/** Every declared transition, in the order of the states. */
export const arrowsOf = (machine: AnyStateMachine): Arrow[] =>
  transitionsOf(machine).map((transition) => ({
    id: transitionId(transition),
    source: transition.source.id,
    target: (transition.target ?? [transition.source])[0]!.id,
    event: describeEventType(transition.eventType),
    guard: transition.guard ? nameOf(transition.guard) : '',
    actions: transition.actions.map(nameOf),
  }))
