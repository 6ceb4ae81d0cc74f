import { loadMachine } from '../../machines/load.machine.ts'
import { lives } from '../models/lives.ts'
import { load } from '../models/load.steps.ts'
import { onScreens } from '../models/screens.ts'

lives(load, loadMachine, onScreens())
