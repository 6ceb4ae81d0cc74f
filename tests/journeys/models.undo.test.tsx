import { undoMachine } from '../../machines/undo.machine.ts'
import { lives } from '../models/lives.ts'
import { onScreens } from '../models/screens.ts'
import { undo } from '../models/undo.steps.ts'

lives(undo, undoMachine, onScreens())
