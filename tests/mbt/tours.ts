import { type Edge, type Graph, start } from './explore.ts'
import { title, ways } from './paths.ts'

/** The cost of starting another walk, in steps: a window is opened, a person signs in, a page loads. */
const another = 3

/** An edge, or null for a new beginning at the start. */
type Step = { from: string; to: string; edge: Edge | null }

/**
 * The transitions in a few long walks, for drivers that are slow to start, with as few steps as possible: one
 * is taken twice only where no other way leads on. The shortest ways that do so are added to the graph until
 * as many edges lead to each vertex as leave it; then one round takes each edge once. It is cut where it
 * begins anew, and where a walk would have more than `most` steps.
 */
export function tours(graph: Graph, most = 25): Edge[][] {
  const fromStart = ways(graph)
  const isOut = graph.edges.find(({ from }) => !fromStart.has(from.key))
  if (isOut) throw new Error(`unreachable: ${title([isOut])}`)
  const round = roundOf([...graph.edges.map(stepOf), ...repeats(graph)])
  return withoutRepeatedEnds(walksOf(round).flatMap((walk) => cut(walk, most, fromStart)))
}

const stepOf = (edge: Edge): Step => ({ from: edge.from.key, to: edge.to.key, edge })
const costOf = (steps: readonly Step[]) => steps.reduce((sum, { edge }) => sum + (edge ? 1 : another), 0)

/** The ways from the vertices that more edges lead to than leave, to those that more edges leave. */
function repeats(graph: Graph): Step[] {
  const surplus = new Map<string, number>()
  for (const { from, to } of graph.edges) {
    surplus.set(from.key, (surplus.get(from.key) ?? 0) - 1)
    surplus.set(to.key, (surplus.get(to.key) ?? 0) + 1)
  }
  const each = (sign: 1 | -1) =>
    [...surplus].flatMap(([key, more]) => Array.from({ length: Math.max(0, sign * more) }, () => key))
  const [ends, begins] = [each(1), each(-1)]
  const fromStart = ways(graph)
  const fromEnds = new Map(ends.map((end) => [end, ways(graph, end)]))
  const way = (end: string, begin: string): Step[] => {
    const anew = [{ from: end, to: start.key, edge: null }, ...fromStart.get(begin)!.map(stepOf)]
    const on = fromEnds.get(end)!.get(begin)?.map(stepOf)
    return on && costOf(on) < costOf(anew) ? on : anew
  }
  const all = ends.map((end) => begins.map((begin) => way(end, begin)))
  return cheapestPairs(all.map((row) => row.map(costOf))).flatMap((begin, end) => all[end]![begin]!)
}

const filled = <T>(length: number, value: T): T[] => Array.from({ length }, () => value)

/** For each row of a square table a column of its own, with the least sum: the Hungarian method. */
function cheapestPairs(costs: readonly number[][]): number[] {
  const size = costs.length
  const [rows, columns] = [filled(size + 1, 0), filled(size + 1, 0)]
  const rowOf = filled(size + 1, 0)
  for (let row = 1; row <= size; row++) {
    const before = filled(size + 1, 0)
    const least = filled(size + 1, Infinity)
    const done = filled(size + 1, false)
    let at = 0
    rowOf[0] = row
    do {
      done[at] = true
      let [step, next] = [Infinity, 0]
      for (let column = 1; column <= size; column++) {
        if (done[column]) continue
        const rest = costs[rowOf[at]! - 1]![column - 1]! - rows[rowOf[at]!]! - columns[column]!
        if (rest < least[column]!) [least[column], before[column]] = [rest, at]
        if (least[column]! < step) [step, next] = [least[column]!, column]
      }
      for (let column = 0; column <= size; column++) {
        if (!done[column]) least[column]! -= step
        else {
          rows[rowOf[column]!]! += step
          columns[column]! -= step
        }
      }
      at = next
    } while (rowOf[at] !== 0)
    for (; at !== 0; at = before[at]!) rowOf[at] = rowOf[before[at]!]!
  }
  const columnOf: number[] = []
  for (let column = 1; column <= size; column++) columnOf[rowOf[column]! - 1] = column - 1
  return columnOf
}

/** From the start, and back to it, taking each of these steps once. */
function roundOf(steps: readonly Step[]): Step[] {
  const leaving = new Map<string, Step[]>()
  // The last one is taken first, and the ways through the graph stand before the repeated ones.
  for (const step of [...steps].reverse()) leaving.set(step.from, [...(leaving.get(step.from) ?? []), step])
  const open: { at: string; by: Step | null }[] = [{ at: start.key, by: null }]
  const round: Step[] = []
  while (open.length > 0) {
    const { at, by } = open.at(-1)!
    const next = leaving.get(at)?.pop()
    if (next) open.push({ at: next.to, by: next })
    else {
      open.pop()
      if (by) round.unshift(by)
    }
  }
  return round
}

function walksOf(round: readonly Step[]): Edge[][] {
  const walks: Edge[][] = [[]]
  for (const { edge } of round) {
    if (edge) walks.at(-1)!.push(edge)
    else walks.push([])
  }
  return walks
}

/** Parts of the walk, of at most so many steps with the shortest ways to them, and so that they are few. */
function cut(walk: readonly Edge[], most: number, fromStart: ReturnType<typeof ways>): Edge[][] {
  type Rest = { cost: number; parts: Edge[][] }
  const rests: Rest[] = []
  rests[walk.length] = { cost: 0, parts: [] }
  for (let first = walk.length - 1; first >= 0; first--) {
    const way = fromStart.get(walk[first]!.from.key)!
    let best: Rest | null = null
    for (let end = walk.length; end > first; end--) {
      const length = way.length + end - first
      const rest = rests[end]!
      // A step further away than that is taken all the same.
      if (length > most && end > first + 1) continue
      const cost = another + length + rest.cost
      if (!best || cost < best.cost)
        best = { cost, parts: [[...way, ...walk.slice(first, end)], ...rest.parts] }
    }
    rests[first] = best!
  }
  return rests[0]!.parts
}

/** The end of a walk is left out as far as other walks, or the walk before it, take the same steps. */
function withoutRepeatedEnds(walks: readonly Edge[][]): Edge[][] {
  const times = new Map<Edge, number>()
  for (const edge of walks.flat()) times.set(edge, (times.get(edge) ?? 0) + 1)
  return walks
    .map((walk) => {
      let length = walk.length
      for (; length > 0 && times.get(walk[length - 1]!)! > 1; length--)
        times.set(walk[length - 1]!, times.get(walk[length - 1]!)! - 1)
      return walk.slice(0, length)
    })
    .filter((walk) => walk.length > 0)
}
