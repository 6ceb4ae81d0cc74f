import { createContext, useContext } from 'react'
import type { ActorOptions, AnyActorLogic } from 'xstate'

/** The clock and the inspector that all actors are created with, if not the defaults of XState. */
export type ActorEnvironment = Pick<ActorOptions<AnyActorLogic>, 'clock' | 'inspect'>

export const ActorEnvironmentContext = createContext<ActorEnvironment>({})
/** The options with which a screen creates its actors. */
export const useActorEnvironment = (): ActorEnvironment => useContext(ActorEnvironmentContext)
