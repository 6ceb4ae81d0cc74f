import type { AnyStateMachine } from 'xstate'
import { type Arrow, arrowsOf } from '../../inspector/arrows.ts'
import { type Entry, type Faults, type Layer, layers, type LivedPath } from '../mbt/pathLog.ts'

export type Outcome = 'passed' | 'failed' | 'missing' | 'excused'
/** A declared transition and what came of it: how many paths of each layer took it. */
export type TransitionRow = Arrow & {
  machine: string
  paths: Record<Layer, number>
  outcome: Outcome
  /** Why it need not be taken on every layer. */ excuse: string
  example: string
}
export type MachineOutcome = {
  name: string
  machine: AnyStateMachine
  rows: TransitionRow[]
  paths: LivedPath[]
  faults: Faults | null
}

const isPath = (entry: Entry): entry is LivedPath => entry.kind === 'path'
const keyOf = ({ layer, model, steps }: LivedPath) => [layer, model, ...steps].join('\n')

/** The ids a path shows to be at fault: the last it took before it failed. */
const blamed = ({ error, taken }: LivedPath) => (error === null ? [] : taken.slice(-1))

/**
 * Compares the paths that were run with what every machine declares. `excuses` are the transitions that need
 * not be taken on screens, each with the reason (tests/models/lib/unreachable.ts).
 */
export function outcomes(
  machines: readonly { name: string; machine: AnyStateMachine }[],
  entries: readonly Entry[],
  excuses: Readonly<Record<string, string>>,
): MachineOutcome[] {
  return machines.map(({ name, machine }) => {
    const run = entries.filter(isPath).filter((path) => path.machine === name)
    const paths = [...new Map(run.map((path) => [keyOf(path), path])).values()]
    const rows = arrowsOf(machine).map((arrow): TransitionRow => {
      const through = paths.filter(({ taken }) => taken.includes(arrow.id))
      const count = Object.fromEntries(
        layers.map((layer) => [layer, through.filter((path) => path.layer === layer).length]),
      ) as Record<Layer, number>
      const excuse = excuses[arrow.id] ?? ''
      const isMissing = layers.some((layer) => count[layer] === 0 && (layer === 'actor' || excuse === ''))
      const hasFailed = paths.some((path) => blamed(path).includes(arrow.id))
      const outcome = hasFailed ? 'failed' : isMissing ? 'missing' : excuse ? 'excused' : 'passed'
      const shortest = through.toSorted(
        (a, b) =>
          Number(a.layer === 'actor') - Number(b.layer === 'actor') || a.steps.length - b.steps.length,
      )[0]
      return {
        ...arrow,
        machine: name,
        paths: count,
        outcome,
        excuse,
        example: shortest?.steps.join(' > ') ?? '',
      }
    })
    const faults =
      entries
        .filter((entry): entry is Faults => entry.kind === 'faults')
        .findLast((entry) => entry.machine === name) ?? null
    return { name, machine, rows, paths, faults }
  })
}

/** What must not be: a sentence for every transition that was left out or failed. */
export const complaints = (all: readonly MachineOutcome[]): string[] =>
  all.flatMap(({ rows }) =>
    rows.flatMap(({ id, outcome, paths }) => {
      if (outcome === 'failed') return [`${id}: a path through it failed`]
      if (outcome !== 'missing') return []
      return [`${id}: not taken by ${layers.filter((layer) => paths[layer] === 0).join(', ')}`]
    }),
  )

const cell = (text: string | number) =>
  /[",\n]/.test(String(text)) ? `"${String(text).replaceAll('"', '""')}"` : String(text)

/** One line for each declared transition, for a test-management tool. */
export function csvOf(all: readonly MachineOutcome[]): string {
  const head = [
    'Machine',
    'Transition',
    'Source',
    'Event',
    'Guard',
    'Target',
    'Actor paths',
    'Screen paths',
    'Chromium paths',
    'Outcome',
    'Reason',
    'Example',
  ]
  const lines = all.flatMap(({ rows }) =>
    rows.map(({ machine, id, source, event, guard, target, paths, outcome, excuse, example }) =>
      [
        machine,
        id,
        source,
        event,
        guard,
        target,
        paths.actor,
        paths.screen,
        paths.chromium,
        outcome,
        excuse,
        example,
      ]
        .map(cell)
        .join(','),
    ),
  )
  return `${[head.join(','), ...lines].join('\r\n')}\r\n`
}
