import { passwordMachine } from '../../../machines/account/password.machine.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { password } from '../../models/password/steps.ts'

testWalks(password, passwordMachine, inChromium())
