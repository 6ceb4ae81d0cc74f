import { bulkFaults } from '../bulk/faults.ts'
import { decisionFaults } from '../decision/faults.ts'
import { driveFaults } from '../drive/faults.ts'
import { emailFaults } from '../email/faults.ts'
import { findFaults } from '../find/faults.ts'
import { inboxFaults } from '../inbox/faults.ts'
import { listFaults } from '../list/faults.ts'
import { mappingFaults } from '../mapping/faults.ts'
import { monthFaults } from '../month/faults.ts'
import { recordFaults } from '../record/faults.ts'
import { reportFaults } from '../report/faults.ts'
import { sessionFaults } from '../session/faults.ts'
import { ticketFaults } from '../ticket/faults.ts'
import { importFaults } from '../upload/faults.ts'
import type { Fault } from './tamper.ts'

/** Every fault that a model must notice; tests/faults tries each. */
export const faults: readonly Fault[] = [
  ...listFaults,
  ...findFaults,
  ...bulkFaults,
  ...recordFaults,
  ...decisionFaults,
  ...importFaults,
  ...mappingFaults,
  ...inboxFaults,
  ...sessionFaults,
  ...reportFaults,
  ...monthFaults,
  ...ticketFaults,
  ...emailFaults,
  ...driveFaults,
]
