import { describe, expect, it } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import { type Edge, explore, type Explorable, start } from '../mbt/explore.ts'
import { everyPair, everyTransition } from '../mbt/paths.ts'
import { tours } from '../mbt/tours.ts'
import { session } from '../spec/account/session.table.ts'
import { modal } from '../spec/modal.table.ts'

const id = (edge: Edge) => `${edge.from.key} > ${edge.stimulus}`
const graphs = [session, modal].map(
  (spec) => [spec.machine.id, explore(spec as unknown as Explorable<AnyStateMachine>)] as const,
)

describe.each(graphs)('the paths through the %s machine', (_, graph) => {
  const isWay = (path: Edge[]) =>
    path.every((edge, index) => edge.from.key === (path[index - 1]?.to.key ?? start.key))

  it('are walks from the start, each step where the one before has led', () => {
    for (const paths of [everyTransition(graph), everyPair(graph), tours(graph, 12)])
      expect(paths.filter((path) => !isWay(path))).toEqual([])
  })

  it('take every transition, as tours too, and every two that can follow each other', () => {
    const every = new Set(graph.edges.map(id))
    expect(new Set(everyTransition(graph).map((path) => id(path.at(-1)!)))).toEqual(every)
    expect(new Set(tours(graph, 12).flat().map(id))).toEqual(every)
    const pairs = new Set(everyPair(graph).map((path) => path.slice(-2).map(id).join(' > ')))
    expect(pairs.size).toBe(
      graph.edges
        .map((edge) => graph.edges.filter((next) => next.from.key === edge.to.key).length)
        .reduce((sum, n) => sum + n),
    )
  })

  it('make few tours, none longer than asked unless one step alone lies further away', () => {
    const walks = tours(graph, 12)
    expect(walks.length).toBeLessThan(graph.edges.length / 3)
    expect(Math.max(...walks.map((walk) => walk.length))).toBeLessThanOrEqual(12)
  })
})
