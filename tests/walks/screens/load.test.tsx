import { loadMachine } from '../../../machines/load.machine.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { load } from '../../models/load/steps.ts'

testWalks(load, loadMachine, onScreens())
