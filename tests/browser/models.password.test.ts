import { passwordMachine } from '../../machines/password.machine.ts'
import { lives } from '../models/lives.ts'
import { password } from '../models/password.steps.ts'
import { inChromium } from './place.ts'

lives(password, passwordMachine, inChromium())
