import { modalMachine } from '../../../machines/modal.machine.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { modal } from '../../models/record/steps.ts'

testWalks(modal, modalMachine, onScreens())
