import { modalMachine } from '../../../machines/modal.machine.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { lives } from '../../models/lib/testWalks.ts'
import { modal } from '../../models/record/steps.ts'

lives(modal, modalMachine, onScreens())
