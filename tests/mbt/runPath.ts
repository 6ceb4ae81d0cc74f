import { isDeepStrictEqual } from 'node:util'
import type { AnyEventObject, AnyStateMachine, ContextFrom, InspectionEvent } from 'xstate'
import { type Effect, startActor } from './actor.ts'
import { eventOf, type Explorable, isSent, start, vertexOf } from './explore.ts'
import { type Row, rowFor } from './table.ts'

type Context = Record<string, unknown>
type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | { readonly [key: string]: unknown }
  | readonly unknown[]
/** One step as the words of a table see it. */
export type Moment<C = Context> = { event: AnyEventObject; before: C; after: C }
/** A machine together with what is promised of it. */
export type Spec<M extends AnyStateMachine = AnyStateMachine> = Explorable<M> & {
  rows: readonly Row[]
  /** What the words in brackets and behind '=' stand for: a value, or a function of the step. */
  values: Record<string, Value | ((now: Moment<ContextFrom<M>>) => unknown)>
  /** What an action hands on, for those that do. */
  payloads?: Record<string, (context: ContextFrom<M>, params: never) => unknown>
  /** Faults that make no difference, by the name of the mutant, each with the reason. */
  harmless?: Record<string, string>
}

const common: Record<string, unknown> = {
  none: null,
  yes: true,
  no: false,
  'the answer': (now: Moment) => now.event.output,
}

/**
 * Sends a start and the stimuli after it to a running actor, and compares every step with the table:
 * state, effects and the whole context. Throws at the first difference.
 */
export async function runPath(
  spec: Spec,
  path: readonly string[],
  {
    machine = spec.machine,
    inspect,
  }: { machine?: AnyStateMachine; inspect?: (event: InspectionEvent) => void } = {},
): Promise<void> {
  const [first = '', ...rest] = path
  const it = startActor(machine, { input: spec.starts[first], tells: spec.payloads ?? {}, inspect })
  try {
    const begin = {
      event: { type: 'xstate.init' },
      before: {},
      after: it.actor.getSnapshot().context as Context,
    }
    compareWithRow(
      spec,
      { row: rowFor(spec.rows, start, first), from: start.state, path: [first], moment: begin },
      it,
    )
    for (const [index, name] of rest.entries()) {
      const before = it.actor.getSnapshot()
      const at = vertexOf(spec, before)
      const row = rowFor(spec.rows, at, name)
      const event = eventOf(spec, name, before.context)
      if (!event || (!row && !isSent(event))) throw new Error(`the table has no row '${name}' at ${at.key}`)
      await it.step(event)
      const moment = {
        event,
        before: before.context as Context,
        after: it.actor.getSnapshot().context as Context,
      }
      compareWithRow(spec, { row, from: at.state, path: path.slice(0, index + 2), moment }, it)
    }
  } finally {
    it.stop()
  }
}

type Step = { row: Row | null; from: string; path: readonly string[]; moment: Moment }

function compareWithRow(spec: Spec, { row, from, path, moment }: Step, it: ReturnType<typeof startActor>) {
  const says = (what: string) =>
    new Error(
      `${path.join(' > ')}\n${row ? `row: ${row.line}` : 'the table says that nothing comes of it'}\n${what}`,
    )
  if (it.errors.length > 0) throw says(`the actor broke: ${String(it.errors[0])}`)
  const state = vertexOf(spec, it.actor.getSnapshot()).state
  const expectedState = row?.to ?? from
  if (state !== expectedState) throw says(`it is in '${state}', not in '${expectedState}'`)
  const value = (word: string) => valueOf(spec, word, moment)
  same(
    'effects',
    ordered(it.takeEffects()),
    ordered((row?.effects ?? []).map((text) => effectOf(text, value))),
  )
  same('context', moment.after, {
    ...moment.before,
    ...Object.fromEntries((row?.keeps ?? []).map(([field, word]) => [field, value(word)])),
  })

  function same(what: string, actual: unknown, expected: unknown) {
    if (!isDeepStrictEqual(actual, expected))
      throw says(`${what}: ${JSON.stringify(actual)}\nexpected: ${JSON.stringify(expected)}`)
  }
}

function valueOf(spec: Spec, word: string, moment: Moment): unknown {
  const values = [spec.values ?? {}, common].find((some) => word in some)
  if (!values) throw new Error(`no value is called '${word}'`)
  const value = values[word]
  return typeof value === 'function' ? value(moment) : value
}

/** 'storeUser (the answer)' -> { name: 'storeUser', value: ... } */
function effectOf(text: string, value: (word: string) => unknown): Effect {
  const [, name, word] = /^(.+?)(?: \((.+)\))?$/.exec(text)!
  return { name: name!, value: word === undefined ? undefined : value(word) }
}

/** Actions keep their order; calls and timers, whose order is XState's, stand behind them by name. */
function ordered(effects: readonly Effect[]) {
  const isMachinery = ({ name }: Effect) => /^(calls|cancels|waits) /.test(name)
  const all = effects.map(({ name, value }) => ({ name, value }))
  return [
    ...all.filter((effect) => !isMachinery(effect)),
    ...all.filter(isMachinery).sort((a, b) => (a.name < b.name ? -1 : 1)),
  ]
}
