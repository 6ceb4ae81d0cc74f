import { passwordMachine } from '../../../machines/password.machine.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { lives } from '../../models/lib/testWalks.ts'
import { password } from '../../models/password/steps.ts'

lives(password, passwordMachine, onScreens())
