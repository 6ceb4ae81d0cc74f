import { undoMachine } from '../../../machines/undo.machine.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { lives } from '../../models/lib/testWalks.ts'
import { undo } from '../../models/undo/steps.ts'

lives(undo, undoMachine, inChromium())
