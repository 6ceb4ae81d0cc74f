import { passwordMachine } from '../../../machines/password.machine.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { lives } from '../../models/lib/testWalks.ts'
import { password } from '../../models/password/steps.ts'

lives(password, passwordMachine, inChromium())
