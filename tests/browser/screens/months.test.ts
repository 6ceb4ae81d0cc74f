import { checkStates } from './checkStates.ts'
import { driveStates } from './drive.ts'
import { reportStates } from './reports.ts'
import { monthStates } from './states.ts'

checkStates([...monthStates, ...reportStates, ...driveStates])
