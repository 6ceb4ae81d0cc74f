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

/** `reply` is the newest that was answered, also while the next one is on its way. */
export type Answer<T> = {
  reply: T | null
  state: 'loading' | 'shown' | 'failed'
  reload: () => void
}

/** What a machine loads, at once and whenever another machine is given. */
export function useAnswer<T>(machine: LoadMachine): Answer<T> {
  const environment = useActorEnvironment()
  const running = useRef<ActorRefFrom<LoadMachine>>(null)
  const [answer, setAnswer] = useState<Omit<Answer<T>, 'reload'>>({ reply: null, state: 'loading' })
  useEffect(() => {
    const actor = createActor(machine, environment)
    running.current = actor
    actor.subscribe((snapshot) =>
      setAnswer(({ reply }) =>
        snapshot.matches('shown')
          ? { reply: snapshot.context.result as T, state: 'shown' }
          : { reply, state: snapshot.matches('failed') ? 'failed' : 'loading' },
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
  }, [machine, environment])
  return { ...answer, reload: () => running.current?.send({ type: 'load' }) }
}

/** A text that is typed, once nothing was typed for 300 ms (lists 4). */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), searchDebounce)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
