import { loadMachine } from '../../../machines/load.machine.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { lives } from '../../models/lib/testWalks.ts'
import { load } from '../../models/load/steps.ts'

lives(load, loadMachine, onScreens())
