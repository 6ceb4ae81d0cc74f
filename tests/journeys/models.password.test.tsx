import { passwordMachine } from '../../machines/password.machine.ts'
import { lives } from '../models/lives.ts'
import { password } from '../models/password.steps.ts'
import { onScreens } from '../models/screens.ts'

lives(password, passwordMachine, onScreens())
