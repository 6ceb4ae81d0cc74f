import { undoMachine } from '../../../machines/undo.machine.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { lives } from '../../models/lib/testWalks.ts'
import { undo } from '../../models/undo/steps.ts'

lives(undo, undoMachine, onScreens())
