import { useActor } from '@xstate/react'
import { useEffect, useRef, useState } from 'react'
import type { loadMachine } from '../../../machines/load.machine.ts'
import type { LatestTerms } from '../../../schemas/api/session.ts'
import { useActorEnvironment } from './actorEnvironment.ts'

/**
 * The text of the terms: read when `isAsked` begins, and once more after an acceptance that failed, because
 * a newer version may be the reason (terms 4); meanwhile the former text stays. `text` is null where none can
 * be shown, `isLatest` false while it may not be accepted.
 */
export const useTerms = (terms: typeof loadMachine, isAsked: boolean, isAccepting: boolean) => {
  const [loaded, send] = useActor(terms, useActorEnvironment())
  const [isAgain, setAgain] = useState(false)
  const wasAccepting = useRef(false)
  useEffect(() => {
    setAgain(false)
    if (isAsked) send({ type: 'load' })
  }, [isAsked, send])
  useEffect(() => {
    const hasFailed = wasAccepting.current && !isAccepting && isAsked
    wasAccepting.current = isAccepting
    if (!hasFailed) return
    setAgain(true)
    send({ type: 'load' })
  }, [isAccepting, isAsked, send])
  const isLatest = loaded.matches('shown')
  const result = loaded.context.result as LatestTerms | null
  return {
    text: result !== null && (isLatest || isAgain) ? result.tctext : null,
    isLatest,
    isLoading: loaded.matches('loading'),
    hasFailed: loaded.matches('failed'),
    load: () => send({ type: 'load' }),
  }
}
