import { useEffect, useRef, useState } from 'react'
import { createActor, type ActorRefFrom } from 'xstate'
import type { decisionMachine } from '../../../machines/decision.machine.ts'
import type { downloadMachine } from '../../../machines/download.machine.ts'
import type { loadMachine } from '../../../machines/load.machine.ts'
import type { MissingQuery, RecoveredQuery, VarianceQuery } from '../../../schemas/api/months/variance.ts'
import { searchDebounce } from '../../../schemas/constants.ts'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'

type LoadMachine = typeof loadMachine

/** The calls of both panels; `month` is '2026-10'. */
export type VarianceMachines = {
  compare: (month: string, query: VarianceQuery) => LoadMachine
  missing: (month: string, query: MissingQuery) => LoadMachine
  recovered: (month: string, query: RecoveredQuery) => LoadMachine
  /** The file of the variance or of the missing income; its id is the query as JSON. */
  file: (month: string, of: 'compareFile' | 'missingFile') => typeof downloadMachine
  /** The name of its subject is the MID. */
  dismiss: (month: string) => typeof decisionMachine
}
export type PanelProps = { month: string; machines: VarianceMachines }

/** What is asked for, and what loads it. */
type LoadCall<Q> = { query: Q; machine: LoadMachine }
/**
 * `reply` is the newest that was answered, also while the next one is on its way, and `of` what it was asked
 * for: its rows are named by that and not by what is asked for meanwhile.
 */
export type Answer<T, Q> = {
  answered: { reply: T; of: Q } | null
  state: 'loading' | 'shown' | 'failed'
  reload: () => void
}

/** What a call loads, at once and whenever another call is given. */
export function useAnswer<T, Q>(call: LoadCall<Q>): Answer<T, Q> {
  const environment = useActorEnvironment()
  const running = useRef<ActorRefFrom<LoadMachine>>(null)
  const [answer, setAnswer] = useState<Omit<Answer<T, Q>, 'reload'>>({ answered: null, state: 'loading' })
  useEffect(() => {
    const actor = createActor(call.machine, environment)
    running.current = actor
    actor.subscribe((snapshot) =>
      setAnswer(({ answered }) =>
        snapshot.matches('shown')
          ? { answered: { reply: snapshot.context.result as T, of: call.query }, state: 'shown' }
          : { answered, state: snapshot.matches('failed') ? 'failed' : 'loading' },
      ),
    )
    actor.start()
    let isWanted = true
    // StrictMode runs effects twice, which would abort a call that is sent in the first one.
    queueMicrotask(() => isWanted && actor.send({ type: 'load' }))
    return () => {
      isWanted = false
      actor.stop()
    }
  }, [call, environment])
  return { ...answer, reload: () => running.current?.send({ type: 'load' }) }
}

/** A text that is typed, once nothing was typed for 300 ms (lists 4). */
export function useDebouncedText(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), searchDebounce)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
