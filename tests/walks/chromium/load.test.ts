import { loadMachine } from '../../../machines/load.machine.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { load } from '../../models/load/steps.ts'

testWalks(load, loadMachine, inChromium())
