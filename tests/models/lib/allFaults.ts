import { driveFaults } from '../drive/faults.ts'
import { emailFaults } from '../email/faults.ts'
import { listFaults } from '../list/faults.ts'
import { recordFaults } from '../record/faults.ts'
import { reportFaults } from '../report/faults.ts'
import { sessionFaults } from '../session/faults.ts'
import { ticketFaults } from '../ticket/faults.ts'
import { importFaults } from '../upload/faults.ts'
import type { Fault } from './tamper.ts'

/** Every fault the models are shown, to see that they notice it; faults.*.test.tsx live through them. */
export const faults: readonly Fault[] = [
  ...listFaults,
  ...recordFaults,
  ...importFaults,
  ...sessionFaults,
  ...reportFaults,
  ...ticketFaults,
  ...emailFaults,
  ...driveFaults,
]
