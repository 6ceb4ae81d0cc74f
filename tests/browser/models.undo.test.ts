import { undoMachine } from '../../machines/undo.machine.ts'
import { lives } from '../models/lives.ts'
import { undo } from '../models/undo.steps.ts'
import { inChromium } from './place.ts'

lives(undo, undoMachine, inChromium())
