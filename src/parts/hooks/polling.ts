import { useActor } from '@xstate/react'
import { useEffect } from 'react'
import type { loadMachine } from '../../../machines/load.machine.ts'
import { useActorEnvironment, useLoadOnMount } from './actorEnvironment.ts'

/** The window's own timers refuse to be called as those of another object. */
const browserTimers = {
  setTimeout: (work: () => void, milliseconds: number) => window.setTimeout(work, milliseconds),
  clearTimeout: (timer: number) => window.clearTimeout(timer),
}

/** How long after an answer is it asked again, in milliseconds; null for not at all. */
type Interval<T> = (reply: T | null) => number | null

/**
 * What a machine loads: when it appears, by `reload`, and again and again. While the window is hidden nothing
 * is asked. After a failure it is asked again with `retries` alone.
 */
export function usePolledLoad<T>(
  machine: typeof loadMachine,
  interval: Interval<T>,
  options: { retries?: true } = {},
) {
  const environment = useActorEnvironment()
  const [snapshot, send] = useActor(machine, environment)
  useLoadOnMount(send)
  // The machine keeps what the call answered.
  const reply = snapshot.context.result as T | null
  const hasFailed = snapshot.matches('failed')
  const isAnswered = snapshot.matches('shown') || (options.retries === true && hasFailed)
  const wait = interval(reply)
  const { clock } = environment
  useEffect(() => {
    if (wait === null || !isAnswered) return
    const timers = clock ?? browserTimers
    let timer: unknown
    const begin = () => {
      timer = timers.setTimeout(() => (document.hidden ? begin() : send({ type: 'load' })), wait)
    }
    begin()
    return () => timers.clearTimeout(timer as number)
    // An answer that comes before anything is drawn again leaves all else as it was.
  }, [send, clock, wait, isAnswered, snapshot])
  return { reply, hasFailed, reload: () => send({ type: 'load' }) }
}
