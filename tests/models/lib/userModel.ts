import type { AnyStateMachine } from 'xstate'
import { type Edge, explore, type Graph, start } from '../../mbt/explore.ts'
import { title } from '../../mbt/paths.ts'
import { ok, type Driver, type Step } from './drivers/driver.ts'
import { pictureOf, pictureOfFailure } from './drivers/pictures.ts'

/** A model in the words of a person, how each of its words is done, and how each of its states is seen. */
export type UserModel = {
  machine: AnyStateMachine
  stimuli: readonly string[]
  steps: Record<string, Step>
  observe: Record<string, Step>
  /** Before anything happens: the same data for every walk. */
  begin: Step
  /** States during which time stands still. */
  still?: readonly string[]
  /** Calls that a screen repeats while a state lasts, so that on a slow machine one is always under way. */
  polls?: RegExp
}

export const graphOf = ({ machine, stimuli }: UserModel): Graph =>
  explore({
    machine,
    starts: { begins: undefined },
    stimuli: Object.fromEntries(stimuli.map((type) => [type, { type }])),
  })

/** What a model must hold so that no test of it is silently left out: each list is to be empty. */
export function gaps({ machine, stimuli, steps, observe, still = [] }: UserModel, graph: Graph) {
  const states = Object.keys(machine.states)
  const reached = new Set(graph.edges.map((edge) => edge.to.state))
  const used = new Set(graph.edges.map((edge) => edge.stimulus))
  const without = (names: readonly string[], others: readonly string[]) =>
    names.filter((name) => !others.includes(name))
  return {
    'states never reached': without(states, [...reached]),
    'states nobody looks at': without(states, Object.keys(observe)),
    'observations of no state': without(Object.keys(observe), states),
    'stimuli never used': without(stimuli, [...used]),
    'stimuli nobody can do': without(stimuli, Object.keys(steps)),
    'steps of no stimulus': without(Object.keys(steps), stimuli),
    'still, but no state': without(still, states),
  }
}

/** The path of these stimuli, from the beginning. */
export const pathAlong = (graph: Graph, names: readonly string[]): Edge[] =>
  names.reduce<Edge[]>((path, name) => {
    const at = path.at(-1)?.to ?? start
    const edge = graph.edges.find(({ from, stimulus }) => from.key === at.key && stimulus === name)
    if (!edge) throw new Error(`nobody ${name} at ${at.key}`)
    return [...path, edge]
  }, [])

/** Takes one step, and looks whether it led where it is to lead. */
async function take(
  { steps, observe, still = [], polls }: UserModel,
  it: Driver,
  { from, stimulus, to }: Edge,
): Promise<void> {
  const calls = () => it.network.log.filter(({ route }) => !polls?.test(route)).length
  if (from !== start) await steps[stimulus]!(it)
  if (!still.includes(to.state)) await it.thaw()
  await it.eventually(async () => {
    ok(it.network.isIdle(polls), 'a call is still under way')
    await it.settle()
    const before = calls()
    await observe[to.state]!(it)
    // What was seen before everything was answered and drawn may not stay so.
    ok(it.network.isIdle(polls) && calls() === before, 'a call began meanwhile')
  })
}

/** The last ten calls of the tab with their statuses: null is unanswered, 0 never answered. */
const lastCalls = ({ network }: Driver) =>
  `calls: ${
    network.log
      .slice(-10)
      .map(({ route, status }) => `${route} ${status}`)
      .join(', ') || 'none'
  }`

/**
 * Takes the last step of a path. What it throws says the whole path, where it was to lead, and what was seen
 * and called instead.
 */
export async function takeLast(model: UserModel, it: Driver, path: readonly Edge[]): Promise<void> {
  const edge = path.at(-1)!
  try {
    await take(model, it, edge)
  } catch (error) {
    const way = `${title(path)}\nwas to lead to: ${edge.to.state}`
    const seen = await pictureOfFailure(it, way)
    const message = (error as Error).message.split('\n\n')[0]
    throw new Error(`${way}\n${message}\n${lastCalls(it)}${seen}`, { cause: error })
  }
}

/**
 * Does what the path says, and looks after every step. Throws at the first difference. `shots` gets pictures
 * of the states by their names.
 */
export async function walk(
  model: UserModel,
  it: Driver,
  path: readonly Edge[],
  shots: Record<string, string> = {},
): Promise<void> {
  await model.begin(it)
  for (const [at, edge] of path.entries()) {
    await takeLast(model, it, path.slice(0, at + 1))
    const shot = edge.from === start ? null : await pictureOf(it, model.machine.id, edge.to.state)
    if (shot) shots[edge.to.state] = shot
  }
  const left = it.network.unused()
  if (left.length > 0) throw new Error(`${title(path)}\nplanned and never asked for: ${left.join(', ')}`)
}
