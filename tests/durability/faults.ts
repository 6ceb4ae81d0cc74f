import type { Fault } from './fault.ts'
import { closedFields, rightsGo } from './trials/browserFaults.ts'
import { clockSteps, daylightSaving } from './trials/clockFaults.ts'
import { killInImport } from './trials/killInImport.ts'
import { killInMigration } from './trials/killInMigration.ts'
import { killInLock, killInRelease } from './trials/killInMonth.ts'
import { powerLoss } from './trials/powerLoss.ts'
import { lockRace, twoProcesses } from './trials/races.ts'
import { slowDownloads } from './trials/slowDownloads.ts'

/** Every fault of `npm run test:faults`, in the order of the table. */
export const faults: readonly Fault[] = [
  killInImport,
  killInLock,
  killInRelease,
  killInMigration,
  powerLoss,
  slowDownloads,
  lockRace,
  twoProcesses,
  clockSteps,
  daylightSaving,
  rightsGo,
  closedFields,
]
