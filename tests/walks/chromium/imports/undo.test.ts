import { undoMachine } from '../../../../machines/undo.machine.ts'
import { inChromium } from '../../../models/lib/inChromium.ts'
import { testWalks } from '../../../models/lib/testWalks.ts'
import { undo } from '../../../models/undo/steps.ts'

testWalks(undo, undoMachine, inChromium())
