import { useActor } from '@xstate/react'
import { useEffect, useState } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { May, reportMachine } from '../../machines/report.machine.ts'
import type { Viewer } from '../../schemas/permissions.ts'
import { reports } from '../../schemas/reports.ts'
import { useGiven } from '../actorOptions.ts'

export type ReportMachine = typeof reportMachine
export type Snapshot = SnapshotFrom<ReportMachine>
export type Send = ActorRefFrom<ReportMachine>['send']

/** What this viewer may do with the month of a report. */
export const mayOf = (viewer: Viewer): May => ({ lock: reports.publish.allow(viewer), unlock: reports.unlock.allow(viewer) })

/** The actor of the screen, which loads the types when it begins. */
export const useReport = (machine: ReportMachine, viewer: Viewer) => {
  const [may] = useState(() => mayOf(viewer))
  const [snapshot, send] = useActor(machine, { ...useGiven(), input: { may } })
  useEffect(() => send({ type: 'load' }), [send])
  return [snapshot, send] as const
}
