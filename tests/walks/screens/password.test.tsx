import { passwordMachine } from '../../../machines/account/password.machine.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { password } from '../../models/password/steps.ts'

testWalks(password, passwordMachine, onScreens())
