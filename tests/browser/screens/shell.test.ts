import { checkStates } from './checkStates.ts'
import { emailStates } from './email.ts'
import { shellStates } from './states.ts'

checkStates([...shellStates, ...emailStates])
