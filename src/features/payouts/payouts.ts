import type { Intent } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { useState } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { AllowedSteps, MonthView, monthMachine } from '../../../machines/month.machine.ts'
import { monthCalls, type MonthState } from '../../../schemas/api/months/months.ts'
import { processorStatement } from '../../../schemas/entities/processorStatement.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { settlesPayouts } from '../../../schemas/screenRules.ts'
import { useActorEnvironment, useLoadOnMount } from '../../parts/hooks/actorEnvironment.ts'

/** The words and colours of the states of a month. */
export const stateTags: Record<MonthState, [text: string, intent: Intent]> = {
  open: ['Open', 'none'],
  locked: ['Locked', 'primary'],
  approved: ['Approved', 'warning'],
  released: ['Released', 'success'],
  settled: ['Settled', 'success'],
}

export type MonthMachine = typeof monthMachine
type MonthSnapshot = SnapshotFrom<MonthMachine>
/** What the parts of the screen share: the state of its actor and how to send to it. */
export type MonthActor = { snapshot: MonthSnapshot; send: ActorRefFrom<MonthMachine>['send'] }

/**
 * Whether a step of an open month may begin, also while one is asked about: a disabled button loses the
 * focus, and the question gives it back to the button.
 */
export const takesSteps = (snapshot: MonthSnapshot): boolean =>
  snapshot.matches('open') || snapshot.matches('asking')

/** Whether the months are read or a step is done: nothing else can begin meanwhile. */
export const isUnderWay = (snapshot: MonthSnapshot): boolean =>
  snapshot.matches('loading') || snapshot.matches('working')

/** What this viewer may do with the payouts of a month. */
const allowedSteps = (viewer: Viewer): AllowedSteps => ({
  typeTotals: processorStatement.access.create(viewer),
  settle: settlesPayouts(viewer),
  reopen: monthCalls.reopen.allow(viewer),
})

/**
 * The actor of the screen. It loads the month of the URL, or the one that its calls choose, and shows `view`
 * until then.
 */
export const useMonth = (
  machine: MonthMachine,
  viewer: Viewer,
  wanted: string | null,
  reloadLedger: () => void,
  view?: MonthView,
): MonthActor => {
  const [allowed] = useState(() => allowedSteps(viewer))
  const [machineWithActions] = useState(() => machine.provide({ actions: { reloadLedger } }))
  const [snapshot, send] = useActor(machineWithActions, {
    ...useActorEnvironment(),
    input: { allowed, wanted, view },
  })
  useLoadOnMount(send)
  return { snapshot, send }
}
