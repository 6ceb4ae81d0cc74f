import { createContext, useContext, useEffect } from 'react'
import type { ActorOptions, AnyActorLogic } from 'xstate'

/** The clock and the inspector that all actors are created with, if not the defaults of XState. */
export type ActorEnvironment = Pick<ActorOptions<AnyActorLogic>, 'clock' | 'inspect'>

export const ActorEnvironmentContext = createContext<ActorEnvironment>({})
/** The options with which a screen creates its actors. */
export const useActorEnvironment = (): ActorEnvironment => useContext(ActorEnvironmentContext)

/** Sends `load` once the screen of an actor has appeared. */
export const useLoadOnMount = (send: (event: { type: 'load' }) => void) =>
  useEffect(() => {
    let isMounted = true
    // StrictMode unmounts at once and mounts again, which would abort a call sent in the first effect.
    queueMicrotask(() => isMounted && send({ type: 'load' }))
    return () => {
      isMounted = false
    }
  }, [send])
