import type { Edge, Graph } from './explore.ts'

/** The shortest way from a vertex to every vertex that can be reached from it. */
export function ways(graph: Graph, from = graph.start.key): Map<string, Edge[]> {
  const leaving = new Map<string, Edge[]>()
  for (const edge of graph.edges) leaving.set(edge.from.key, [...(leaving.get(edge.from.key) ?? []), edge])
  const best = new Map<string, Edge[]>([[from, []]])
  for (const [at, way] of best) {
    for (const edge of leaving.get(at) ?? [])
      if (!best.has(edge.to.key)) best.set(edge.to.key, [...way, edge])
  }
  return best
}

/** One path for each transition, self loops and ways back included. */
export function everyTransition(graph: Graph): Edge[][] {
  const to = ways(graph)
  return graph.edges.map((edge) => [...to.get(edge.from.key)!, edge])
}

/** One path for each two transitions that can follow each other. */
export function everyPair(graph: Graph): Edge[][] {
  const to = ways(graph)
  return graph.edges.flatMap((first) =>
    graph.edges
      .filter((second) => second.from.key === first.to.key)
      .map((second) => [...to.get(first.from.key)!, first, second]),
  )
}

/** The ways to start, and one path for each two transitions that can follow each other. */
export const everyPairFromStart = (graph: Graph): Edge[][] => [
  ...graph.edges.filter((edge) => edge.from === graph.start).map((edge) => [edge]),
  ...everyPair(graph),
]

/** One path for each vertex, which stays there through all stimuli that nothing is to come of. */
export function everyIgnored(graph: Graph): Edge[][] {
  const to = ways(graph)
  const vertices = [...new Map(graph.ignored.map(({ at }) => [at.key, at])).values()]
  return vertices.map((at) => [
    ...to.get(at.key)!,
    ...graph.ignored
      .filter((it) => it.at.key === at.key)
      .map(({ stimulus }) => ({ from: at, stimulus, to: at })),
  ])
}

export const names = (path: readonly Edge[]) => path.map((edge) => edge.stimulus)
export const title = (path: readonly Edge[]) => names(path).join(' > ')
