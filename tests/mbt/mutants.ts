import { type AnyStateMachine, type AnyStateNode, createMachine } from 'xstate'
import { isAssign } from './actor.ts'

/** A machine with one fault; `at` is the state the fault is in, for those that are in one. */
export type Mutant = { name: string; machine: AnyStateMachine; at: string | null }

// A machine's config as it was written: only the parts that faults are made in.
type Action = unknown
type Branch = { target?: string; guard?: unknown; actions?: Action | Action[]; reenter?: boolean }
type Branches = string | Branch | (string | Branch)[]
type Invoke = { input?: unknown; onDone?: Branches; onError?: Branches }
type Config = {
  initial?: string
  on?: Record<string, Branches>
  after?: Record<string, Branches>
  always?: Branches
  invoke?: Invoke | Invoke[]
  entry?: Action | Action[]
  exit?: Action | Action[]
  states?: Record<string, Config>
}
type Change = (config: Config) => void
/** One place of a config that holds transitions, and how to find the live ones made from it. */
type Slot = {
  label: string
  read(config: Config): Branches | undefined
  write(config: Config, now: Branches | undefined): void
  live: AnyStateNode['always']
}

/** Objects and lists are copied, functions shared. */
export const copy = <T>(value: T): T => {
  if (Array.isArray(value)) return value.map(copy) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner)])) as T
}
const list = <T>(value: T | T[] | undefined): T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]
const nodesOf = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(nodesOf)]
/** The state in which a transition to this node comes to rest. */
const restOf = (node: AnyStateNode): AnyStateNode =>
  node.type === 'compound' ? restOf(node.initial.target[0]!) : node
/** The same list with one item left out, and with two neighbours exchanged. */
const without = <T>(items: T[], index: number) => items.filter((_, at) => at !== index)
const swapped = <T>(items: T[], index: number) =>
  items.map((item, at) => (at === index ? items[at + 1]! : at === index + 1 ? items[at - 1]! : item))

/**
 * Every machine that differs from this one by one fault. What actions and guards do inside stays as it is.
 */
export function mutants(machine: AnyStateMachine): Mutant[] {
  const config = machine.config as Config
  const nodes = nodesOf(machine.root)
  const leaves = nodes.filter((node) => node.type === 'atomic' || node.type === 'final')
  return [...nodes.flatMap(faultsOf), ...delayFaults(machine)]

  function assigns(action: Action): boolean {
    const name = typeof action === 'string' ? action : (action as { type: string }).type
    return isAssign(machine.implementations.actions[name])
  }

  function faultsOf(node: AnyStateNode): Mutant[] {
    const here = (whole: Config) => node.path.reduce((inner, key) => inner.states![key]!, whole)
    const fault = (what: string, change: Change): Mutant => {
      const changed = copy(config)
      change(here(changed))
      return {
        name: `${node.id} ${what}`,
        machine: createMachine(
          { ...changed, options: { maxIterations: 100 } } as never,
          machine.implementations as never,
        ),
        at: node.id,
      }
    }
    const own = here(config)
    const others = Object.keys(own.states ?? {}).filter((key) => key !== own.initial)
    return [
      ...others.map((key) => fault(`starts in ${key}`, (at) => (at.initial = key))),
      ...(['entry', 'exit'] as const).flatMap((kind) =>
        actionFaults(list(own[kind]), kind, (now) => (at) => (at[kind] = now)),
      ),
      ...list(own.invoke)
        .flatMap((_, index) => [
          fault(`invoke ${index} gets no input`, (at) => delete list(at.invoke)[index]!.input),
          fault(`invoke ${index} removed`, (at) => (at.invoke = without(list(at.invoke), index))),
        ])
        .filter(
          (mutant) => !mutant.name.endsWith('no input') || list(own.invoke).some((invoke) => invoke.input),
        ),
      ...slotsOf(node, own).flatMap((slot) => slotFaults(slot)),
    ]

    function actionFaults(actions: Action[], what: string, put: (now: Action[]) => Change): Mutant[] {
      return [
        ...actions.map((_, index) => fault(`${what} ${index} dropped`, put(without(actions, index)))),
        ...actions
          .slice(1)
          .flatMap((after, index) =>
            assigns(after) && assigns(actions[index])
              ? []
              : [fault(`${what} ${index} and ${index + 1} exchanged`, put(swapped(actions, index)))],
          ),
      ]
    }

    function slotFaults(slot: Slot): Mutant[] {
      const branches = list(slot.read(own)).map((branch): Branch =>
        typeof branch === 'string' ? { target: branch } : branch,
      )
      return branches.flatMap((branch, index) => {
        const put =
          (...now: Branch[]): Change =>
          (at) => {
            const left = branches.toSpliced(index, 1, ...now)
            slot.write(at, left.length > 0 ? left : undefined)
          }
        const label = `${slot.label}[${index}]`
        const target = slot.live?.[index]?.target?.[0]
        // To its own state without re-entering it is the same as nowhere.
        const elsewhere = leaves.filter((leaf) => leaf !== (target ? restOf(target) : node))
        return [
          fault(`${label} removed`, put()),
          ...elsewhere.map((leaf) =>
            fault(`${label} goes to ${leaf.id}`, put({ ...branch, target: `#${leaf.id}` })),
          ),
          ...(branch.target ? [fault(`${label} goes nowhere`, put({ ...branch, target: undefined }))] : []),
          ...(branch.guard ? [fault(`${label} guard dropped`, put({ ...branch, guard: undefined }))] : []),
          ...(branch.guard ? [fault(`${label} guard never`, put({ ...branch, guard: () => false }))] : []),
          ...(branch.reenter
            ? [fault(`${label} does not re-enter`, put({ ...branch, reenter: false }))]
            : []),
          ...actionFaults(list(branch.actions), `${label} action`, (actions) => put({ ...branch, actions })),
        ]
      })
    }
  }
}

function slotsOf(node: AnyStateNode, own: Config): Slot[] {
  const named = (kind: 'on' | 'after') =>
    Object.keys(own[kind] ?? {}).map((key): Slot => ({
      label: kind === 'on' ? key : `after ${key}`,
      read: (at) => at[kind]?.[key],
      write: (at, now) => (now ? (at[kind]![key] = now) : delete at[kind]![key]),
      live: node.transitions.get(kind === 'on' ? key : `xstate.after.${key}.${node.id}`),
    }))
  const invoked = list(own.invoke).flatMap((invoke, index) =>
    (['onDone', 'onError'] as const)
      .filter((kind) => invoke[kind])
      .map((kind): Slot => ({
        label: `${node.invoke[index]!.id} ${kind}`,
        read: (at) => list(at.invoke)[index]![kind],
        write: (at, now) =>
          now ? (list(at.invoke)[index]![kind] = now) : delete list(at.invoke)[index]![kind],
        live: node.transitions.get(
          `xstate.${kind === 'onDone' ? 'done' : 'error'}.actor.${node.invoke[index]!.id}`,
        ),
      })),
  )
  const always: Slot = {
    label: 'always',
    read: (at) => at.always,
    write: (at, now) => (now ? (at.always = now) : delete at.always),
    live: node.always,
  }
  return [...named('on'), ...named('after'), ...invoked, ...(own.always ? [always] : [])]
}

function delayFaults(machine: AnyStateMachine): Mutant[] {
  const { implementations } = machine
  return Object.entries(implementations.delays ?? {}).flatMap(([name, ms]) => {
    if (typeof ms !== 'number') return []
    return [0.5, 2].map((factor) => ({
      name: `delay ${name} times ${factor}`,
      machine: createMachine(
        machine.config as never,
        { ...implementations, delays: { ...implementations.delays, [name]: ms * factor } } as never,
      ),
      at: null,
    }))
  })
}
