import type { ActorRefFrom } from 'xstate'
import { failureMachine } from '../../machines/failure.machine.ts'
import type { sessionMachine } from '../../machines/session.machine.ts'
import type { Given } from '../parts/actorOptions.ts'
import type { Call } from './http.ts'

/** Everything that lives longer than a screen. */
export type Portal = {
  session: ActorRefFrom<typeof sessionMachine>
  /** The error dialog. */
  failure: ActorRefFrom<typeof failureMachine>
  call: Call
  /** What every actor is made with. */
  given: Given
  /** Did the person leave on purpose? Then signing in starts at home, not at the screen they left. */
  hasLeft: () => boolean
  start: () => void
  stop: () => void
}
