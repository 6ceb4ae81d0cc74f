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

type LastView = { viewer: string; wanted: string | null; view: MonthView }

/** Of each machine, which a portal has one of, what was shown last; for whom, and under which address. */
const lastViews = new WeakMap<MonthMachine, LastView>()

/**
 * What this viewer saw last under an address. It is shown while the month is read again, which takes seconds
 * for a million merchants; undefined for another viewer, other rights or another month.
 */
export function lastViewOf(
  machine: MonthMachine,
  viewer: Viewer,
  wanted: string | null,
): MonthView | undefined {
  const last = lastViews.get(machine)
  return last?.wanted === wanted && last.viewer === JSON.stringify(viewer) ? last.view : undefined
}

/** Keeps what is shown for the next visit. */
export const keepLastView = (
  machine: MonthMachine,
  viewer: Viewer,
  { wanted, view }: Pick<LastView, 'wanted' | 'view'>,
): void => void lastViews.set(machine, { viewer: JSON.stringify(viewer), wanted, view })
