import { modalMachine } from '../../machines/modal.machine.ts'
import { lives } from '../models/lives.ts'
import { modal } from '../models/modal.steps.ts'
import { onScreens } from '../models/screens.ts'

lives(modal, modalMachine, onScreens())
