import type { ActorRefFrom } from 'xstate'
import type { sessionMachine } from '../../machines/account/session.machine.ts'
import { failureMachine } from '../../machines/failure.machine.ts'
import type { ActorEnvironment } from '../parts/hooks/actorEnvironment.ts'
import type { DoneMessages } from './doneMessages.ts'
import type { Call } from './http.ts'

/** The objects that live longer than a screen. */
export type Portal = {
  session: ActorRefFrom<typeof sessionMachine>
  /** The error dialog. */
  failure: ActorRefFrom<typeof failureMachine>
  call: Call
  doneMessages: DoneMessages
  /** The options of every actor. */
  actorEnvironment: ActorEnvironment
  /**
   * Whether the user logged out. Then the next login leads to the home page, not back to the screen (session
   * 7).
   */
  hasLeft: () => boolean
  start: () => void
  stop: () => void
}
