import { useActor } from '@xstate/react'
import { useEffect, useState } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { May, reportMachine } from '../../../machines/report.machine.ts'
import { reports } from '../../../schemas/api/reports.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { useGiven } from '../../parts/actorOptions.ts'

export type ReportMachine = typeof reportMachine
export type Snapshot = SnapshotFrom<ReportMachine>
export type Send = ActorRefFrom<ReportMachine>['send']

/** What this viewer may do with the month of a report. */
export const mayOf = (viewer: Viewer): May => ({
  lock: reports.publish.allow(viewer),
  unlock: reports.unlock.allow(viewer),
})

/** The actor of the screen, which loads the types when it begins. */
export const useReport = (machine: ReportMachine, viewer: Viewer) => {
  const [may] = useState(() => mayOf(viewer))
  const [snapshot, send] = useActor(machine, { ...useGiven(), input: { may } })
  useEffect(() => {
    let isHere = true
    // A moment later: StrictMode takes the screen away at once and draws it again, and a call would be lost with it.
    queueMicrotask(() => isHere && send({ type: 'load' }))
    return () => {
      isHere = false
    }
  }, [send])
  return [snapshot, send] as const
}
