import { useActor } from '@xstate/react'
import { useState } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { AllowedMonthActions, reportMachine } from '../../../machines/report.machine.ts'
import { reportCalls } from '../../../schemas/api/reports.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { useActorEnvironment, useLoadOnMount } from '../../parts/hooks/actorEnvironment.ts'

export type ReportMachine = typeof reportMachine
export type Snapshot = SnapshotFrom<ReportMachine>
type Send = ActorRefFrom<ReportMachine>['send']
/** What the parts of the screen share: the state of its actor and how to send to it. */
export type ReportActor = { snapshot: Snapshot; send: Send }

/** What this viewer may do with the month of a report. */
const allowedMonthActions = (viewer: Viewer): AllowedMonthActions => ({
  lock: reportCalls.publish.allow(viewer),
  unlock: reportCalls.unlock.allow(viewer),
})

/** The actor of the screen. It loads the reports when the screen appears. */
export const useReport = (machine: ReportMachine, viewer: Viewer) => {
  const [allowed] = useState(() => allowedMonthActions(viewer))
  const [snapshot, send] = useActor(machine, { ...useActorEnvironment(), input: { allowed } })
  useLoadOnMount(send)
  return [snapshot, send] as const
}
