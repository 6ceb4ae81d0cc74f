import { checkStates } from './checkStates.ts'
import { recordStates } from './states.ts'

checkStates(recordStates)
