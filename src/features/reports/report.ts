import { useActor } from '@xstate/react'
import { useEffect, useState } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { AllowedMonthActions, reportMachine } from '../../../machines/report.machine.ts'
import { reportCalls } from '../../../schemas/api/reports.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { useActorEnvironment } from '../../parts/actorEnvironment.ts'

export type ReportMachine = typeof reportMachine
export type Snapshot = SnapshotFrom<ReportMachine>
export type Send = ActorRefFrom<ReportMachine>['send']

/** What this viewer may do with the month of a report. */
export const allowedMonthActions = (viewer: Viewer): AllowedMonthActions => ({
  lock: reportCalls.publish.allow(viewer),
  unlock: reportCalls.unlock.allow(viewer),
})

/** The actor of the screen, which loads the types when it begins. */
export const useReport = (machine: ReportMachine, viewer: Viewer) => {
  const [allowed] = useState(() => allowedMonthActions(viewer))
  const [snapshot, send] = useActor(machine, { ...useActorEnvironment(), input: { allowed } })
  useEffect(() => {
    let isHere = true
    // A moment later: StrictMode takes the screen away at once and draws it again, and a call would be lost
    // with it.
    queueMicrotask(() => isHere && send({ type: 'load' }))
    return () => {
      isHere = false
    }
  }, [send])
  return [snapshot, send] as const
}
