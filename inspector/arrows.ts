import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'

/** The second branch of an onError: 'session.active.renewing | xstate.error.actor.renew | 1'. */
export function transitionId(transition: AnyTransitionDefinition): string {
  const { source, eventType } = transition
  const branches = eventType ? source.transitions.get(eventType) : source.always
  return `${source.id} | ${eventType || 'always'} | ${(branches ?? []).indexOf(transition)}`
}

/** A machine's states, from the outermost in. */
export const nodesIn = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesIn),
]

/** Every transition a machine declares, each guard branch apart: on, after, onDone, onError and `always`. */
export const transitionsOf = (machine: AnyStateMachine): AnyTransitionDefinition[] =>
  nodesIn(machine.root).flatMap((node) => [...[...node.transitions.values()].flat(), ...(node.always ?? [])])

/** A declared transition in words: `event` as 'after renewInterval', 'load done'; `guard` and `actions` by their names. */
export type Arrow = {
  id: string
  source: string
  target: string
  event: string
  guard: string
  actions: string[]
}

const word = (named: unknown) =>
  typeof named === 'object' && named !== null && 'type' in named
    ? String(named.type)
    : typeof named === 'string'
      ? named
      : 'inline'

const eventWords = (eventType: string) =>
  (eventType || 'at once')
    .replace(/^xstate\.after\.([^.]+)\..*/, 'after $1')
    .replace(/^xstate\.done\.(?:actor|state)\.(.+)/, '$1 done')
    .replace(/^xstate\.error\.actor\.(.+)/, '$1 failed')

/** Every declared transition in words, in the order of the states. */
export const arrowsOf = (machine: AnyStateMachine): Arrow[] =>
  transitionsOf(machine).map((transition) => ({
    id: transitionId(transition),
    source: transition.source.id,
    target: (transition.target ?? [transition.source])[0]!.id,
    event: eventWords(transition.eventType),
    guard: transition.guard ? word(transition.guard) : '',
    actions: transition.actions.map(word),
  }))
