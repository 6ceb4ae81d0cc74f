import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'

/** The whole machine as a Mermaid state diagram: every state, and every transition with guard and actions. */
export function toMermaid(machine: AnyStateMachine): string {
  const boxes = boxesIn(machine.root, '    ')
  const head = ['stateDiagram-v2', `  state "${machine.id}" as ${idOf(machine.root)} {`]
  return [...head, ...boxes, '  }', ...doingsIn(machine.root), ...arrowsFrom(machine.root), ''].join('\n')
}

/** The states inside one, as nested boxes with a dot where it begins. */
function boxesIn(node: AnyStateNode, indent: string): string[] {
  const isParallel = node.type === 'parallel'
  return Object.values(node.states).flatMap((child, index) => {
    const inner = boxesIn(child, `${indent}  `)
    const box = `${indent}state "${child.key}" as ${idOf(child)}`
    const begins = isParallel || node.initial.target?.[0] === child
    return [
      ...(isParallel && index > 0 ? [`${indent}--`] : []),
      ...(inner.length > 0 ? [`${box} {`, ...inner, `${indent}}`] : [box]),
      ...(begins ? [`${indent}[*] --> ${idOf(child)}`] : []),
      ...(child.type === 'final' ? [`${indent}${idOf(child)} --> [*]`] : []),
    ]
  })
}

/**
 * What a state does by itself, as lines in its box. Mermaid has room for them in states without states
 * inside.
 */
const doingsIn = (node: AnyStateNode): string[] => [
  ...(node.type === 'atomic'
    ? [
        ...[node.config.entry ?? []].flat().map((action) => `  ${idOf(node)}: entry / ${word(action)}`),
        ...node.invoke.map((invoke) => `  ${idOf(node)}: calls ${word(invoke.src)}`),
        ...[node.config.exit ?? []].flat().map((action) => `  ${idOf(node)}: exit / ${word(action)}`),
      ]
    : []),
  ...Object.values(node.states).flatMap(doingsIn),
]

const arrowsFrom = (node: AnyStateNode): string[] => [
  ...[...[...node.transitions.values()].flat(), ...(node.always ?? [])].flatMap((transition) =>
    (transition.target ?? [node]).map((to) => `  ${idOf(node)} --> ${idOf(to)}: ${label(transition)}`),
  ),
  ...Object.values(node.states).flatMap(arrowsFrom),
]

/** 'renew failed [isUnauthorized] / clearStoredUser' */
function label({ eventType, guard, actions }: AnyTransitionDefinition): string {
  const event = (eventType || 'at once')
    .replace(/^xstate\.after\.([^.]+)\..*/, 'after $1')
    .replace(/^xstate\.done\.(?:actor|state)\.(.+)/, '$1 done')
    .replace(/^xstate\.error\.actor\.(.+)/, '$1 failed')
  const condition = guard ? ` [${word(guard)}]` : ''
  const does = actions.length > 0 ? ` / ${actions.map(word).join(', ')}` : ''
  return `${event}${condition}${does}`.replace(/[:;]/g, ' ')
}

const word = (named: unknown) =>
  typeof named === 'object' && named !== null && 'type' in named
    ? String(named.type)
    : typeof named === 'string'
      ? named
      : 'inline'
const idOf = (node: AnyStateNode) => node.id.replace(/\W/g, '_')
