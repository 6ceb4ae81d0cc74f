import { createContext, useContext } from 'react'
import type { ActorOptions, AnyActorLogic } from 'xstate'

/** The clock and the observer of all actors, where they are not the usual ones. */
export type ActorEnvironment = Pick<ActorOptions<AnyActorLogic>, 'clock' | 'inspect'>

export const ActorEnvironmentContext = createContext<ActorEnvironment>({})
/** What a screen hands to the actor it makes. */
export const useActorEnvironment = (): ActorEnvironment => useContext(ActorEnvironmentContext)
