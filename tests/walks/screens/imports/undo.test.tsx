import { undoMachine } from '../../../../machines/undo.machine.ts'
import { onScreens } from '../../../models/lib/onScreens.ts'
import { testWalks } from '../../../models/lib/testWalks.ts'
import { undo } from '../../../models/undo/steps.ts'

testWalks(undo, undoMachine, onScreens())
