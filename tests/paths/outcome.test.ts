import { describe, expect, it } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import { machineFiles } from '../mbt/machines.ts'
import type { Entry, Layer } from '../mbt/pathLog.ts'
import { unreachable } from '../models/lib/unreachable.ts'
import { complaints, csvOf, outcomes } from './outcome.ts'
import { pageOf } from './page.ts'

const files = await machineFiles()

type Config = {
  states?: Record<string, Config>
  on?: object
  after?: object
  always?: unknown
  invoke?: unknown
}
const branches = (given: unknown) => (given === undefined ? 0 : Array.isArray(given) ? given.length : 1)
const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0)
/** Counted in what is written, not in what xstate makes of it. */
const written = ({ states = {}, on = {}, after = {}, always, invoke }: Config): number =>
  sum([...Object.values(on), ...Object.values(after), always].map(branches)) +
  sum(
    [invoke ?? []]
      .flat()
      .flatMap(({ onDone, onError }: { onDone?: unknown; onError?: unknown }) => [
        branches(onDone),
        branches(onError),
      ]),
  ) +
  sum(Object.values(states).map(written))

const path = (layer: Layer, taken: string[], error: string | null = null): Entry => ({
  kind: 'path',
  layer,
  machine: 'load',
  model: 'm',
  steps: ['begins', ...taken],
  states: ['', ...taken],
  taken,
  error,
  shots: {},
})
const first = 'load.idle | load | 0'
const second = 'load.loading | load | 0'
const of = (entries: Entry[], excuses: Record<string, string> = {}) => {
  const { rows } = outcomes(files, entries, excuses).find(({ name }) => name === 'load')!
  return Object.fromEntries(rows.map(({ id, outcome, paths }) => [id, { outcome, paths }]))
}

describe('the transition report', () => {
  it.each(files.map(({ name, machine }) => [name, machine] as const))(
    'has a row for each transition written in %s',
    (name, machine: AnyStateMachine) => {
      const { rows } = outcomes(files, [], {}).find((one) => one.name === name)!
      expect(rows).toHaveLength(written(machine.config as Config))
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    },
  )

  it('counts the paths through a transition on each layer, the same path once', () => {
    const entries = [
      path('actor', [first]),
      path('actor', [first]),
      path('actor', [first, second]),
      path('screen', [first]),
      path('chromium', [first]),
    ]
    expect(of(entries)[first]).toEqual({ outcome: 'passed', paths: { actor: 2, screen: 1, chromium: 1 } })
    expect(of(entries)[second]).toEqual({ outcome: 'missing', paths: { actor: 1, screen: 0, chromium: 0 } })
  })

  it('blames the transition that was taken last before a path failed', () => {
    const entries = [
      path('actor', [first, second]),
      path('screen', [first, second], 'broke'),
      path('chromium', [first, second]),
    ]
    expect(of(entries)[first]!.outcome).toBe('passed')
    expect(of(entries)[second]!.outcome).toBe('failed')
  })

  it('fails for what is not taken on a layer, unless it is listed with a reason; the actor alone takes everything', () => {
    const entries = [path('actor', [first]), path('screen', [first])]
    const load = files.filter(({ name }) => name === 'load')
    expect(complaints(outcomes(load, entries, {}))).toContain(`${first}: not taken by chromium`)
    expect(complaints(outcomes(load, entries, { [first]: 'because' })).join()).not.toContain(first)
    expect(complaints(outcomes(load, [], { [first]: 'because' }))).toContain(
      `${first}: not taken by actor, screen, chromium`,
    )
  })

  it('excuses only transitions that exist', () => {
    const known = outcomes(files, [], {}).flatMap(({ rows }) => rows.map(({ id }) => id))
    expect(Object.keys(unreachable).filter((id) => !known.includes(id))).toEqual([])
  })

  it('says at its head how many transitions are excused', async () => {
    const load = files.filter(({ name }) => name === 'load')
    const ids = outcomes(load, [], {})[0]!.rows.map(({ id }) => id)
    const everywhere = (['actor', 'screen', 'chromium'] as const).map((layer) => path(layer, ids.slice(1)))
    const page = await pageOf(
      outcomes(load, [...everywhere, path('actor', [ids[0]!])], { [ids[0]!]: 'because' }),
    )
    expect(page).toContain('taken on every layer, and passed, but for 1 excused with a reason.')
    expect(page).toContain(`${ids.length - 1} passed, 1 excused`)
  })

  it('is one page that asks for nothing, and a line of CSV for each transition', async () => {
    const all = outcomes(
      files,
      [
        path('actor', [first]),
        {
          kind: 'faults',
          machine: 'load',
          shown: 3,
          all: 4,
          harmless: { 'a "fault"': 'it <shows> nothing' },
        },
      ],
      {},
    )
    const page = await pageOf(all)
    expect(page).not.toMatch(/(src|href)="(?!data:|#)/)
    expect(page.match(/<tr data-transition=/g)).toHaveLength(all.flatMap(({ rows }) => rows).length)
    expect(page).toContain('3 of 4 single faults')
    expect(page).toContain('it &#60;shows&#62; nothing')
    expect(csvOf(all).trim().split('\r\n')).toHaveLength(all.flatMap(({ rows }) => rows).length + 1)
  })
})
