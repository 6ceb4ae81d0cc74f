import { checkStates } from './checkStates.ts'
import { driveStates } from './drive.ts'
import { reportStates } from './reports.ts'
import { monthStates, reopenedStates } from './states.ts'

checkStates([...monthStates, ...reportStates, ...driveStates, ...reopenedStates])
